"""Decisions as lines of JSON, and their answers."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.actions import CALL, FOLD, RAISE, Action
from protocol.decision_json import (
    VERSION,
    AskedDecision,
    BettingStep,
    FinishedHand,
    action_of,
    decision_line,
    error_line,
    game_as_json,
    hello_line,
    read_answers,
    result_line,
)
from protocol.errors import WrongAnswer
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused

GAME = game_as_json(load_builtin("hunl"), "hunl")
ASKED = AskedDecision(
    hand_id=7,
    position=1,
    hole=(51, 0),
    board=(4, 9, 14),
    street=1,
    betting=(BettingStep(0, 1, "raise", 300), BettingStep(0, 0, "call", 0)),
    pot=1200,
    to_call=300,
    stacks=(19400, 19700),
    can_fold=True,
    raises=(900, 20000),
    no_limit=True,
)
UNRAISED = replace(ASKED, to_call=0, can_fold=False)
CLOSED = replace(ASKED, raises=None)
LIMIT = replace(ASKED, raises=(60, 60), no_limit=False)


def told(line):
    """Return the fields of a line, which must be one."""
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert b": " not in line
    fields = json.loads(line)
    assert fields.pop("version") == VERSION
    return fields


def read_answer(line, asked):
    """Return the action of the only answer in a text."""
    (answer,) = read_answers(line + b"\n").answers
    return action_of(answer, asked)


def test_the_first_line_has_the_game_and_a_seed():
    """Blinds and stacks by position; a game of one's own has no name."""
    fields = told(hello_line(GAME, 5))
    game = fields.pop("game")
    assert fields == {"type": "hello", "seed": 5}
    assert game == {
        "name": "hunl",
        "betting": "no-limit",
        "players": 2,
        "blinds": [100, 50],
        "stacks": [20000, 20000],
        "streets": 4,
        "hole_cards": 2,
        "board_cards": [0, 3, 1, 1],
    }
    endless = parse_gamedef(
        "GAMEDEF\nlimit\nnumPlayers=2\nnumRounds=1\nblind=1 1\nraiseSize=1\nnumSuits=1\n"
        "numRanks=3\nnumHoleCards=1\nnumBoardCards=0\nEND GAMEDEF\n"
    )
    other = json.loads(game_as_json(endless, None))
    assert (other["name"], other["betting"], other["stacks"]) == (None, "limit", None)


def test_a_decision_has_all_that_a_player_knows():
    """And the time that is left, where there is a limit."""
    fields = told(decision_line(GAME, ASKED, 9990, 3))
    assert fields.pop("game")["name"] == "hunl"
    assert fields == {
        "type": "decision",
        "id": 3,
        "hand": 7,
        "position": 1,
        "hole": ["As", "2c"],
        "board": ["3c", "4d", "5h"],
        "street": 1,
        "betting": [
            {"street": 0, "position": 1, "action": "raise", "to": 300},
            {"street": 0, "position": 0, "action": "call"},
        ],
        "pot": 1200,
        "to_call": 300,
        "stacks": [19400, 19700],
        "legal": [
            {"action": "fold"},
            {"action": "call"},
            {"action": "raise", "min": 900, "max": 20000},
        ],
        "time_left_ms": 9990,
    }
    assert "time_left_ms" not in told(decision_line(GAME, ASKED, None, 3))
    assert told(decision_line(GAME, UNRAISED, None, 3))["legal"][0] == {"action": "check"}


def test_a_result_hides_what_was_not_shown():
    """Halves of a chip stay; whole chips are whole numbers."""
    hand = FinishedHand(7, 0, (0.5, -0.5), ((51, 0), ()), (), ASKED.betting)
    fields = told(result_line(hand))
    assert fields["type"] == "result"
    assert (fields["hand"], fields["position"], fields["won"]) == (7, 0, [0.5, -0.5])
    assert fields["holes"] == [["As", "2c"], None]
    whole = result_line(hand._replace(won=(3.0, -3.0)))
    assert b'"won":[3,-3]' in whole


def test_an_error_is_one_line_whatever_is_quoted():
    """Line feeds and foreign letters are escaped."""
    assert told(error_line("a\nbé")) == {"type": "error", "message": "a\nbé"}


@pytest.mark.parametrize(
    ("line", "asked", "action"),
    [
        (b"fold", ASKED, FOLD),
        (b" Call ", ASKED, CALL),
        (b"call", UNRAISED, CALL),
        (b"check", UNRAISED, CALL),
        (b"raise 900", ASKED, Action("r", 900)),
        (b"raise to 20000", ASKED, Action("r", 20000)),
        (b"all-in", ASKED, Action("r", 20000)),
        (b"ALL IN", CLOSED, CALL),
        (b"raise", LIMIT, RAISE),
        (b"raise 60", LIMIT, RAISE),
        (b"raise", replace(ASKED, raises=(900, 900)), Action("r", 900)),
        (b'{"action": "raise", "to": 1000, "why": "value"}', ASKED, Action("r", 1000)),
        (b'{"action":"raise","to":1000.0}', ASKED, Action("r", 1000)),
        (b'{"action":"call","to":null}', ASKED, CALL),
        (b'{"action":"allin"}', ASKED, Action("r", 20000)),
        (b'{"action":"Fold"}', ASKED, FOLD),
        (b'{"action":"raise","to":"900"}', ASKED, Action("r", 900)),
        (b'{"action":"raise 900"}', ASKED, Action("r", 900)),
        (b'{"action":"all_in"}', ASKED, Action("r", 20000)),
        (b"**Call.**", ASKED, CALL),
        (b"Action: raise to 900", ASKED, Action("r", 900)),
        (b'I am ahead, so {"action":"raise","to":900}, {as} a rule.', ASKED, Action("r", 900)),
        (b'Ahead.\n```json\n{\n  "action": "call"\n}\n```\nThat {is} all', ASKED, CALL),
        (b'{"thought":"fold?"}\n{"action":"call"}', ASKED, CALL),
        (b"I think {\ncall", ASKED, CALL),
        (b'{"action":"call","why":"caf\xe9"}', ASKED, CALL),
    ],
)
def test_answers_are_objects_or_words(line, asked, action):
    """Capitals do not matter, nor do fields that nobody asked for."""
    assert read_answer(line, asked) == action


@pytest.mark.parametrize(
    ("line", "asked", "facts"),
    [
        (b"fold 100", ASKED, ["fold has no number"]),
        (b"fold", UNRAISED, ["nothing to fold to", "check, raise TO"]),
        (b"check", ASKED, ["300 to call"]),
        (b"raise", ASKED, ["how much", "900", "20000"]),
        (b"raise 899", ASKED, ["not legal", "900"]),
        (b"raise 20001", ASKED, ["not legal"]),
        (b"raise 900", CLOSED, ["no raise is legal", '{"action":"call"}']),
        (b"raise 61", LIMIT, ["not legal", "60"]),
        (b"all-in", LIMIT, ["no all-in"]),
        (b'{"action":"raise"}', ASKED, ["how much"]),
        (b'{"action":"raise","to":"9OO"}', ASKED, ["whole number"]),
        (b'{"action":"raise 900","to":901}', ASKED, ["two numbers"]),
        (b'{"action":"fold","action":"call"}', ASKED, ["no action is called so"]),
        (b"{'action': 'call'}", ASKED, ["not JSON"]),
        (b'{"action":"call",}', ASKED, ["not JSON"]),
        (b'{"action":"raise","to":true}', ASKED, ["whole number"]),
        (b'{"action":"raise","to":900.5}', ASKED, ["whole number"]),
        (b'{"action":"raise","to":Infinity}', ASKED, ["whole number"]),
        (b'{"action":5}', ASKED, ["no action is called so"]),
    ],
)
def test_what_is_no_answer_is_told_what_was_expected(line, asked, facts):
    """The beginning of what was said, why it is none, and what is legal."""
    with refused(WrongAnswer, *facts, "want"):
        read_answer(line, asked)


@pytest.mark.parametrize(
    "line",
    [b"I call", b"raise 900.5", b"raise " + b"9" * 5000, b'["call"]', b"c\xe4ll", b"{}", b"fold?",
     b'{"move":"call"}', b'{"a":' * 13000, b'{"a":' + b"9" * 5000 + b"}", b"call or fold"],
)  # fmt: skip
def test_a_line_without_an_action_is_a_remark(line):
    """Whatever else it has."""
    reading = read_answers(line + b"\n")
    assert (reading.answers, len(reading.remarks), reading.rest) == ((), 1, b"")


def test_an_object_may_go_on_in_lines_to_come():
    """What stands before it is read already."""
    text = b'hm\ncall\nSo {"action":\n'
    reading = read_answers(text)
    assert [answer.text for answer in reading.answers] == [b"call"]
    assert (reading.remarks, reading.rest) == ((b"hm",), b'{"action":\n')
    (answer,) = read_answers(reading.rest + b'"fold", "id": 7}\n').answers
    assert (answer.word, answer.decision) == ("fold", "7")


@pytest.mark.parametrize("number", [b"7", b"7.0", b'"7"', b'" 7"'])
def test_the_id_is_a_number_however_it_is_written(number):
    """Some languages know no whole numbers."""
    (answer,) = read_answers(b'{"action":"fold","id":%s}\n' % number).answers
    assert answer.decision == "7"


ANSWERS = st.one_of(
    st.binary(max_size=200),
    st.text(max_size=50).map(str.encode),
    st.dictionaries(st.sampled_from(["action", "to", "x"]), st.none() | st.floats() | st.text())
    .map(json.dumps)
    .map(str.encode),
)


@given(ANSWERS, st.sampled_from([ASKED, UNRAISED, CLOSED, LIMIT]))
def test_whatever_is_said_is_legal_actions_or_wrong_answers(line, asked):
    """No other exception escapes, and nothing but the rest is left."""
    reading = read_answers(line + b"\n")
    assert reading.rest == b"" or (line + b"\n").decode("utf-8", "replace").endswith(
        reading.rest.decode()
    )
    for answer in reading.answers:
        try:
            action = action_of(answer, asked)
        except WrongAnswer:
            continue
        if action.kind == "r":
            assert asked.raises is not None
            low, high = asked.raises
            assert low <= action.raise_to <= high or not asked.no_limit
        assert action.kind != "f" or asked.can_fold
