"""Logs with all-in expectation."""

from pathlib import Path

from dealer.logs.showing.allin_ev import expectation_lines
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_hands import LoggedHand
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.said import says


def converted(*lines):
    """Convert hands of heads-up no-limit."""
    told = []
    hands = [
        LoggedHand(Path("m.log"), number, 0, load_builtin("hunl"), parse_log_line(line))
        for number, line in enumerate(lines, 1)
    ]
    return list(expectation_lines(hands, Complaints(told.append))), told


def test_only_hands_with_cards_to_come_change():
    """Aces against a flush draw with the river to come; a hand that saw the river is copied."""
    allin = "STATE:0:cc/cc/r20000c/:AsAd|2c3c/4c5c7d/8d/9h:-20000|20000:a|b"
    plain = "STATE:1:cc/cc/cc/r20000c:AsAd|2c3c/4c5c7d/8d/9h:20000|-20000:a|b # 12.5"
    lines, told = converted(allin, plain)
    assert lines[1] == plain
    assert told == []
    # Of 44 rivers 9 clubs and the ace of hearts win for b, the other three sixes put a straight
    # on the board for both.
    won = 20000 * (31 - 10) / 44
    assert lines[0] == f"STATE:0:cc/cc/r20000c/:AsAd|2c3c/4c5c7d/8d/9h:{won:.6f}|{-won:.6f}:a|b"


def test_a_wrong_hand_is_left_out_and_told():
    """Its line and the reason."""
    lines, told = converted("STATE:0:r20000:5d5c|9hQd:0|0:a|b")
    assert lines == []
    (line,) = told
    says(line, "m.log:1: left out", "betting stops")
