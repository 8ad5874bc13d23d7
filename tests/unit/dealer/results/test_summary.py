"""The summary for programs."""

import json
from pathlib import Path

import pytest

from dealer.results.match_result import match_result
from dealer.results.match_text import summary_document
from dealer.series.logs import MatchLogs
from dealer.series.outcome import LegOutcome
from dealer.server.endings import Ending
from protocol.gamedef import parse_gamedef

HANDS = [("rf", "3d2d|AcKc", (300, -300), ("A", "B")), ("rf", "3d2d|AcKc", (0, 0), ("B", "A"))]


@pytest.fixture
def document(make_manifest, tmp_path, write_log):
    manifest = make_manifest()
    write_log(tmp_path / "A.B.0.0.log", HANDS)
    logs = MatchLogs(manifest, parse_gamedef(manifest.game_text), tmp_path)
    logs.read_new()
    outcomes = [
        LegOutcome(manifest.legs()[0], Ending.CRASH, "killed", "B", ("boom",), restarts=1),
        LegOutcome(
            manifest.legs()[1], Ending.INTERRUPTED, warnings=(("A", (("ignored: stale", 2),)),)
        ),
    ]
    found = summary_document(Path("m"), logs, match_result(logs), outcomes)
    return json.loads(json.dumps(found), parse_constant=pytest.fail)


def test_everything_of_the_table_is_there(document):
    """With units in the names; what is not known is null, never infinite."""
    a = document["bots"][0]
    assert (a["label"], a["chips"]) == ("A", 300)
    assert a["win_rates"]["raw"] == {
        "mbb_per_hand": 1500,
        "ci95_mbb_per_hand": pytest.approx(12.706205 * 1500),
        "sd_mbb_per_sample": pytest.approx(1500 * 2**0.5),
        "samples": 2,
        "hands": 2,
        "hands_needed_for_ci95_of_10_mbb_per_hand": 172869,
        "sample_unit": "hand",
        "sd_mbb_per_hand": pytest.approx(1500 * 2**0.5),
        "hands_saved_factor": 1,
    }
    assert a["win_rates"]["sets"] == {
        "mbb_per_hand": None,
        "ci95_mbb_per_hand": None,
        "sd_mbb_per_sample": None,
        "samples": 0,
        "hands": 0,
        "hands_needed_for_ci95_of_10_mbb_per_hand": None,
        "sample_unit": "duplicate set",
        "sd_mbb_per_hand": None,
        "hands_saved_factor": None,
    }
    assert document["guard"] == {"significance_level": 0.01, "agrees": True, "comparisons": []}


def test_match_can_be_told_from_it(document):
    """Command, seed, game, how far it got, and that two hands decide nothing."""
    verdict = document["verdict"]
    assert (verdict["estimator"], verdict["samples"], verdict["decided"]) == ("raw", 2, False)
    wanted = {
        "seed": 7,
        "runs": 1,
        "duplicate": True,
        "hands_per_leg": 4,
        "hands_played": 2,
        "hands_planned": 8,
        "duplicate_sets": 0,
        "big_blind_chips": 100,
    }
    assert {key: document[key] for key in wanted} == wanted


def test_each_leg_tells_its_ending(document):
    """Cause, last words, corrected replies and the log."""
    crash, stopped = document["legs"]
    assert crash["seats"] == ["A", "B"]
    assert (crash["ending"], crash["bot"], crash["stderr"]) == ("crash", "B", ["boom"])
    assert (crash["hands"], crash["restarts"], crash["log"]) == (2, 1, "m/A.B.0.0.log")
    assert stopped["corrected_or_ignored_replies"] == {"A": {"ignored: stale": 2}}
    assert (stopped["run"], stopped["seating"], stopped["seed"]) == (0, 1, 7)
