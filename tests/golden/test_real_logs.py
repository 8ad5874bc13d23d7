"""`arena replay` and `arena stats` over published logs and recordings of the original dealer."""

import csv
import json
import re
from pathlib import Path

import pytest

from dealer.logs import stats
from dealer.logs.replay import main as replay
from dealer.logs.showing.as_client import client_lines
from dealer.logs.verifying.verify import VerifySettings, verify_log
from engine.estimates.winrate import t95
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_games import game_from_argument
from engine.handlogs.source.log_hands import hands_of

LOWERED_BETS = {
    "limit.10p.shortstack.s0": 134,
    "limit.10p.shortstack.s42": 147,
    "limit_short.s0": 49,
    "limit_short.s42": 50,
}
"""Recordings of limit games with short stacks -> hands with a raise that does not exceed the bet.

The original allows it, and lets it lower the bet; by our rules such a player can only call.
"""
FOLDERS = {"logs": 35, "logs_small": 24, "duplicate": 16, "cards": 5, "bm/logs": 3}
"""Folders of recordings -> number of logs."""


def verified(path, **settings):
    """Verify a log, readable and compiled; both must find the same."""
    reports = [
        verify_log(path, VerifySettings(compiled=compiled, max_faults=1000, **settings))
        for compiled in (False, True)
    ]
    assert reports[0] == reports[1]
    return reports[0]


@pytest.mark.parametrize("folder", FOLDERS)
def test_recorded_matches_verify(shared_data, folder):
    """No fault in any recording but for hands of one known defect; every deal from its seed."""
    logs = sorted((shared_data / "golden/golden" / folder).glob("*.log"))
    assert len(logs) == FOLDERS[folder]
    for log in logs:
        report = verified(log)
        assert report.deals_checked == report.hands
        refused = LOWERED_BETS.get(log.stem, 0)
        assert report.fault_count == refused, report.faults[:3]
        assert all(re.search(r"\br: no raise", fault.text) for fault in report.faults)
        for part in report.parts:
            assert part.score == "right" or (refused and "are wrong" in part.score)


@pytest.mark.parametrize(
    ("name", "hands", "score"),
    [
        ("2p.limit.h1000.r0.log", 1000, "right"),
        ("2p.nolimit.h1000.r0.log", 1000, "right"),
        ("3p.limit.h1000.r0.log", 1000, "right"),
        ("3p.nolimit.h1000.r0.log", 1000, "right"),
        ("match.TestingBot.TestingBot.two_player_nolimit.10h.log", 10, "none"),
    ],
)
def test_matches_of_the_original_dealer_verify(shared_data, name, hands, score):
    """Headers with paths of machines long gone; one player in both seats."""
    report = verified(shared_data / "dealer_logs" / name)
    assert report.all_is_well
    assert report.hands == report.deals_checked == hands
    assert report.parts[0].score == score


def test_the_expectation_log_does_not_verify(shared_data):
    """Its values are means over boards, which is what the verifier reports."""
    log = shared_data / "dealer_logs/2p.nolimit.h1000.r0.allin_ev.log"
    report = verified(log, game=game_from_argument("hunl"))
    assert report.fault_count > 100
    assert all("value of position" in fault.text for fault in report.faults)


def test_the_deepstack_hands_verify(shared_data):
    """36 580 hands at many tables in one file: time stamps, CRLF, gaps, ids that restart."""
    log = shared_data / "deepstack/hands.log"
    report = verify_log(log, VerifySettings(game=game_from_argument("hunl"), compiled=True))
    assert report.all_is_well
    assert (report.hands, report.parts[0].restarts) == (36_580, 497)


def test_the_pluribus_sessions_verify_with_their_deals(shared_data):
    """6 335 hands in 59 files, each dealt by the session's number, continued logs included."""
    folder = shared_data / "pluribus"
    game = game_from_argument(str(folder / "holdem.nolimit.6p.10000.game"))
    logs = sorted(folder.glob("*.log"))
    assert len(logs) == 59
    hands = 0
    for log in logs:
        report = verify_log(log, VerifySettings(game=game))
        assert report.all_is_well, report.faults
        assert report.deals_checked == report.hands
        [part] = report.parts
        assert part.seed == int(re.search(r"_(\d+)b?$", log.stem)[1])
        hands += report.hands
    assert hands == 6_335


def test_the_wrong_game_does_not_verify(shared_data):
    """Pluribus' headers name a game of 20 000 chips, in which a stack of 10 000 is no all-in."""
    logs = sorted((shared_data / "pluribus").glob("*6.log"))
    reports = [verify_log(log, VerifySettings()) for log in logs]
    assert any("illegal action" in fault.text or "value" in fault.text or "stops" in fault.text
               for report in reports for fault in report.faults)  # fmt: skip


def test_every_seats_messages_are_those_recorded(shared_data):
    """Byte for byte what the original dealer sent, to each seat of 14 matches."""
    seats = 0
    for folder in sorted((shared_data / "golden/golden/raw").iterdir()):
        log = shared_data / "golden/golden/logs" / f"{folder.name}.log"
        for recording in sorted(folder.glob("*.from_dealer.bin")):
            sent = recording.read_bytes().splitlines(keepends=True)
            seat = recording.name.removeprefix("seat").split(".")[0]
            complaints = Complaints(lambda _: None)
            hands = list(hands_of(log, None, complaints))
            if not hands:
                continue  # the game with board cards on its first street broke off
            lines = list(client_lines(hands, seat, complaints))
            if folder.name in LOWERED_BETS:
                assert complaints.count == LOWERED_BETS[folder.name]
                kept = {line.split(b":")[2] for line in lines}
                sent = [line for line in sent if line.split(b":")[2] in kept]
            else:
                assert complaints.count == 0
            assert lines == sent
            seats += 1
    assert seats == 49


def statistics(capsys, *arguments):
    """Run `arena stats --json`."""
    assert stats.main([*map(str, arguments), "--json"]) == 0
    return {row["player"]: row for row in json.loads(capsys.readouterr().out)}


def reference(path):
    """Read a reference table."""
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def assert_equals_reference(found, table):
    """Means, intervals and deviations to the two or three printed digits.

    The tables have the normal quantile, 1.96, in their intervals; ours have Student's.
    """
    assert len(found) == len(table)
    for row in table:
        own = found[row["player"]]
        assert own["hands"] == int(row["hands"])
        for name, kind in (("raw", "raw"), ("expected", "allin_ev")):
            rate = own[name]
            assert f"{rate['mbb_per_hand']:.2f}" == row[f"{kind}_mbb_per_hand"]
            normal = rate["ci95"] / t95(rate["samples"] - 1) * 1.96
            assert f"{normal:.2f}" == row[f"{kind}_ci95"]
            assert f"{rate['sd'] / 1000:.3f}" == row[f"{kind}_sd_bb"]


def test_statistics_of_the_deepstack_hands(shared_data, capsys):
    """Raw and all-in expectation of DeepStack and its opponents, tables of one player merged."""
    folder = shared_data / "deepstack"
    found = statistics(capsys, folder / "hands.log", "--game", "hunl", "--strip-suffix")
    assert_equals_reference(found, reference(folder / "reference_results.csv"))


def test_statistics_of_the_pluribus_sessions(shared_data, capsys):
    """Raw and all-in expectation of all players over 59 files."""
    folder = shared_data / "pluribus"
    game = folder / "holdem.nolimit.6p.10000.game"
    found = statistics(capsys, *sorted(folder.glob("*.log")), "--game", game)
    assert_equals_reference(found, reference(folder / "reference_results.csv"))


@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("2p.limit", 1000),
        ("3p.limit", 1000),
        ("2p.nolimit", 60),
        ("3p.nolimit", 25),
        pytest.param("2p.nolimit", 1000, marks=pytest.mark.slow),
        pytest.param("3p.nolimit", 1000, marks=pytest.mark.slow),
    ],
)
def test_expectation_logs_equal_the_original_tools(shared_data, tmp_path, capfdbinary, name, hands):
    """`--allin-ev` prints the same lines as the original's all_in_expectation."""
    folder = shared_data / "dealer_logs"
    lines = (folder / f"{name}.h1000.r0.log").read_bytes().splitlines(keepends=True)
    log = tmp_path / "match.log"
    log.write_bytes(b"".join(lines[: 4 + hands]))
    assert replay(["--allin-ev", str(log)]) == 0
    expected = (folder / f"{name}.h1000.r0.allin_ev.log").read_bytes().splitlines(keepends=True)
    assert capfdbinary.readouterr().out == b"".join(expected[:hands])


def test_every_real_hand_can_be_shown(shared_data, capsys):
    """No hand of the dealer's logs is too strange for the eye."""
    log = shared_data / "dealer_logs/3p.nolimit.h1000.r0.log"
    assert replay(["--all", str(log)]) == 0
    out = capsys.readouterr().out
    assert out.count("\nhand ") == 1000
    assert "!" not in out
    assert Path(log).name in out
