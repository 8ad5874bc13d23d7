"""A bot's lines against what they should be."""

import pytest

from dealer.compliance.faults import FaultKind, Question, judge_line, judge_unasked, legal_words
from engine.rules.dealing import Deal
from engine.rules.view import replay_betting
from protocol.actions import CALL, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin

DEAL = Deal(tuple(map(parse_cards, ("Kd7h", "AsQs"))), parse_cards("2c3c4c5d6d"))
STATE = b"MATCHSTATE:0:7:r300:Kd7h|"
EARLIER = b"MATCHSTATE:0:7::Kd7h|"
QUESTION = Question(STATE, replay_betting(load_builtin("hunl"), "r300"), 7, 0, DEAL)


def judged(line, answered=()):
    """The action and the kinds of faults of a line; None for the action where there is none."""
    judgement = judge_line(line, QUESTION, [EARLIER], answered)
    action = None if judgement.verdict is None else judgement.verdict.action
    return action, [fault.kind for fault in judgement.faults]


@pytest.mark.parametrize(
    ("line", "action", "faults"),
    [
        (STATE + b":c\r\n", CALL, []),
        (STATE + b":r500\r\n", raise_to(500), []),
        (STATE + b":c\n", CALL, [FaultKind.LINE_END]),
        (STATE + b":call\r\n", CALL, [FaultKind.LONG_ACTION]),
        (STATE + b":r499\r\n", raise_to(500), [FaultKind.SIZE]),
        (STATE + b":r20001\r\n", raise_to(20000), [FaultKind.SIZE]),
        (STATE + b":x\r\n", CALL, [FaultKind.MALFORMED]),
        (STATE + b":\r\n", CALL, [FaultKind.MALFORMED]),
        (STATE + b":r\r\n", CALL, [FaultKind.MALFORMED]),
        (STATE + b"\r:c\r\n", CALL, [FaultKind.SPELLING, FaultKind.MALFORMED]),
        (STATE.lower().replace(b"matchstate", b"MATCHSTATE") + b":c\r\n", CALL, ["spelling"]),
        (STATE.replace(b":7:", b":8:") + b":c\r\n", CALL, [FaultKind.ECHO]),
        (b"c\r\n", CALL, [FaultKind.ECHO]),
        (b"hello\r\n", None, [FaultKind.UNREADABLE]),
        (EARLIER + b":c\r\n", None, [FaultKind.OUT_OF_TURN]),
    ],
)
def test_each_kind_of_line_has_its_fault(line, action, faults):
    """And the action that the match goes on with."""
    wanted = [FaultKind.SPELLING if kind == "spelling" else kind for kind in faults]
    assert judged(line) == (action, wanted)


def test_a_second_answer_is_no_answer():
    """Neither while something else is asked, nor afterwards."""
    before = b"MATCHSTATE:0:6:r200c/:9d9h|/2c3c4c"
    assert judged(before + b":c\r\n", [before]) == (None, [FaultKind.AGAIN])
    assert judge_unasked(before + b":c\r\n", [], [before]).kind is FaultKind.AGAIN
    assert judge_unasked(b"anything\r\n", [], []).kind is FaultKind.OUT_OF_TURN


@pytest.mark.parametrize(
    "line", [b"\n", b"\0\n", b":\n", b"MATCHSTATE:\n", b"\xff" * 50, STATE[:-9]]
)
def test_no_bytes_are_too_strange(line):
    """Any line gives a judgement."""
    assert judged(line)[1]


@pytest.mark.parametrize(
    ("betting", "words"),
    [("", "f, c, r200 to r20000"), ("cc/", "c, r200 to r20000"), ("r20000", "f, c")],
)
def test_legal_actions_are_told_as_on_the_wire(betting, words):
    """Where one size is left it is told alone."""
    assert legal_words(replay_betting(load_builtin("hunl"), betting)) == words
    assert legal_words(replay_betting(load_builtin("hunl"), "r19999")) == "f, c, r20000"
    assert legal_words(replay_betting(load_builtin("hulhe"), "")) == "f, c, r"
