"""arena stats: merging, tables, JSON."""

import json

import numpy as np
import pytest

from dealer.logs import stats
from dealer.logs.counting import stats_table
from dealer.logs.log_session import Counting, LogSession
from engine.handlogs.counting.hand_stats import player_stats
from engine.handlogs.source.complaints import Complaints
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.oracles.hand_stats import count_hands

KUHN = load_builtin("kuhn")
LIMIT3 = load_builtin("limit3")
KUHN_LINES = random_log(KUHN, 1, 20, np.random.default_rng(1), game_name="kuhn.limit.2p.game")
LIMIT3_LINES = random_log(LIMIT3, 1, 50, np.random.default_rng(1), game_name="holdem.limit.3p.game")


@pytest.fixture
def logs(tmp_path):
    """A log of each game."""
    paths = [tmp_path / "kuhn.log", tmp_path / "limit3.log"]
    for path, lines in zip(paths, (KUHN_LINES, LIMIT3_LINES), strict=True):
        path.write_text("\n".join(lines) + "\n")
    return [str(path) for path in paths]


def run(capsys, *arguments):
    """Run the command; return exit code, stdout and stderr."""
    try:
        code = stats.main(list(arguments))
    except SystemExit as stopped:
        code = stopped.code
    out = capsys.readouterr()
    return code, out.out, out.err


def test_shares_are_those_of_the_counts(capsys, logs):
    """Every figure, from the oracle's counts."""
    code, out, err = run(capsys, logs[1], "--json", "--by-position")
    assert (code, err) == (0, "")
    rows = {(row["player"], row["position"]): row for row in json.loads(out)}
    hands = [parse_log_line(line) for line in LIMIT3_LINES if line.startswith("STATE")]
    expected = count_hands(LIMIT3, hands)
    assert len(rows) == 3 + len(expected)
    for (player, position), counts in expected.items():
        row = rows[player, ("SB", "BB", "BTN")[position]]
        assert row["hands"] == counts["hands"]
        mean = counts["raw"] / counts["hands"]
        assert row["raw"]["mbb_per_hand"] == pytest.approx(1000 * mean)
        variance = (counts["raw squares"] - counts["hands"] * mean**2) / (counts["hands"] - 1)
        assert row["raw"]["sd"] == pytest.approx(1000 * variance**0.5)
        shares = {
            "vpip": ("voluntary", "hands"),
            "pfr": ("first raises", "hands"),
            "vpip_per_decision": ("voluntary", "decisions"),
            "pfr_per_decision": ("first raises", "decisions"),
            "aggression_factor": ("raises", "calls"),
            "went_to_showdown": ("showdowns", "second street"),
            "won_at_showdown": ("showdowns won", "showdowns"),
            "won": ("won", "hands"),
        }
        for name, (part, whole) in shares.items():
            assert row[name] == pytest.approx(counts[part] / counts[whole])
        kept = {
            "decisions": "decisions",
            "vpip": "voluntary",
            "pfr": "first raises",
            "raises": "raises",
            "calls": "calls",
            "folds": "folds",
            "second_streets": "second street",
            "showdowns": "showdowns",
            "showdowns_won": "showdowns won",
            "won": "won",
        }
        assert row["counts"] == {name: counts[what] for name, what in kept.items()}
    for name in ("Ann", "Bob", "Cleo"):
        assert rows[name, ""]["hands"] == 50


def test_games_add_up_in_big_blinds(capsys, logs):
    """Ann sat in both; her hands are counted together."""
    code, out, _ = run(capsys, *logs)
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == [
        "player", "hands", "mbb/h", "all-in", "EV", "VPIP", "PFR", "3-bet", "c-bet", "AF", "AFq",
        "WTSD", "W$SD", "WWSF", "won",
    ]  # fmt: skip
    assert [line.split()[:2] for line in lines[1:]] == [
        ["Ann", "70"],
        ["Bob", "70"],
        ["Cleo", "50"],
    ]


def test_players_are_merged(capsys, tmp_path):
    """Table numbers are cut off, names replaced; "\\u00b1" needs no special terminal."""
    log = tmp_path / "x.log"
    lines = random_log(KUHN, 1, 4, np.random.default_rng(1), names=("a.b.1", "a.b.2"))
    more = random_log(KUHN, 1, 4, np.random.default_rng(1), names=("a.b.3", "Cleo"))
    log.write_text("\n".join([*lines, *more]) + "\n")
    _, out, _ = run(capsys, str(log), "--game", "kuhn", "--strip-suffix", "--json")
    assert {row["player"]: row["hands"] for row in json.loads(out)} == {"a.b": 12, "Cleo": 4}
    _, out, _ = run(
        capsys, str(log), "--game=kuhn", "--strip-suffix=b.*", "--rename", "Cleo=a.", "--json"
    )
    assert {row["player"]: row["hands"] for row in json.loads(out)} == {"a.": 16}


def test_unusual_lines_count_too(capsys, tmp_path):
    """Time stamps, CRLF, blanks in names."""
    log = tmp_path / "x.log"
    hands = [line for line in KUHN_LINES if line.startswith("STATE")]
    text = "\r\n".join(line.replace("Ann", "Ann Lee") + " # 12.5" for line in hands)
    log.write_bytes(text.encode())
    code, out, _ = run(capsys, str(log), "--game", "kuhn", "--json")
    assert code == 0
    assert {row["player"]: row["hands"] for row in json.loads(out)} == {"Ann Lee": 20, "Bob": 20}


def test_no_occasion_is_no_share():
    """A single hand has no interval, and shares without occasions are not 0."""
    assert LogSession([], Counting(), Complaints(print)).count().games == []
    assert player_stats([]) == []
    from engine.handlogs.counting.tally import Tally

    tally = Tally(load_builtin("hunl"))
    assert tally.add_hand(parse_log_line("STATE:0:f:5d5c|9hQd:50|-50:a|b")) == ()
    rows = {row.player: row for row in player_stats([tally])}
    assert rows["a"].vpip == 0.0
    assert rows["a"].vpip_per_decision is None
    assert rows["b"].vpip == 0.0
    assert rows["a"].won_at_showdown is None
    [_, *lines] = stats_table.stats_table(list(rows.values()))
    assert lines[0].split()[:6] == ["a", "1", "+500", "±", "?", "+500"]
    assert json.loads(stats_table.stats_as_json([rows["a"]]))[0]["raw"]["ci95"] is None
