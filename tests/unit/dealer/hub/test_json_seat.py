"""A seat that is played by requests: what it asks, what it takes, and what it says of hands."""

import json

import pytest

from dealer.hub.json_seat import (
    BadAnswer,
    JsonSeat,
    NotAsked,
    OtherPayload,
    TakenAnswers,
    read_answer,
)
from engine.play.told_decisions import decision_told
from engine.rules.view_reader import view_from_match_state
from protocol.decision_json import decision_line, game_as_json
from protocol.errors import ProtocolError, WrongAnswer
from protocol.gamedefs import load_builtin
from protocol.matchstate import parse_match_state
from tests.helpers.json_seats import facts

HUNL = load_builtin("hunl")
FIRST = b"MATCHSTATE:1:3::|AsKd"
SECOND = b"MATCHSTATE:1:3:r300c/c:|AsKd/2c3d4h"


@pytest.fixture
def seat():
    """One of the first leg."""
    seat = JsonSeat(HUNL, facts())
    assert seat.connected() == b"VERSION:2.0.0\r\n"
    return seat


def hear(seat, *states, now=100.0, event=7):
    """Tell a seat what a dealer sends; return what it sends back."""
    return seat.receive(b"".join(state + b"\r\n" for state in states), now, event)


def answer(**fields):
    """The body of a request."""
    return read_answer(json.dumps(fields).encode())


def test_a_decision_is_that_of_a_program_on_standard_input(seat):
    """The same fields, and besides whose seat it is and until when it is to be answered."""
    hear(seat, FIRST)
    shown = seat.decision(100.0)
    asked = decision_told(view_from_match_state(HUNL, parse_match_state(FIRST)))
    line = decision_line(game_as_json(HUNL, "hunl"), asked, None, shown["id"])
    besides = {"match": 1, "leg": 0, "seat": 0, "names": ["ann", "bob"], "hands": 10}
    assert json.loads(json.dumps(shown)) == {**json.loads(line), **besides}


def test_a_deadline_is_that_of_the_scarcer_limit():
    """Time that answers took counts on the match, and what is left of it is shown."""
    seat = JsonSeat(HUNL, facts(hands=2, response_seconds=10.0, hand_seconds=6.0))
    seat.connected()
    hear(seat, FIRST, now=100.0)
    first = seat.decision(101.5)
    assert (first["deadline"], first["time_left_ms"]) == (110.0, 8500)
    assert seat.answer(answer(id=first["id"], action="raise", to=300), 107.0)
    hear(seat, b"MATCHSTATE:1:3:r300r600:|AsKd", now=200.0)
    second = seat.decision(200.0)
    assert (second["deadline"], second["time_left_ms"]) == (205.0, 5000)
    assert seat.decision(999.0)["time_left_ms"] == 0


def test_a_decision_has_the_same_number_after_a_restart(seat):
    """So an answer that was lost is sent again, and one that was taken is not taken twice."""
    hear(seat, FIRST)
    number = seat.decision(0.0)["id"]
    fresh = JsonSeat(HUNL, facts())
    fresh.connected()
    hear(fresh, FIRST)
    assert fresh.decision(0.0)["id"] == number
    other_leg = JsonSeat(HUNL, facts(leg=1))
    other_leg.connected()
    hear(other_leg, FIRST)
    assert other_leg.decision(0.0)["id"] != number
    hear(fresh, b"MATCHSTATE:1:3:r300r600:|AsKd")
    assert fresh.decision(0.0)["id"] > number
    with pytest.raises(NotAsked):
        fresh.answer(answer(id=number, action="call"), 0.0)


def test_what_was_answered_is_not_asked_again(seat):
    """A dealer that has lost the answer gets it again; the client hears nothing of it."""
    hear(seat, FIRST)
    number = seat.decision(0.0)["id"]
    data, action = seat.answer(answer(id=number, action="raise", to=300), 0.0)
    assert data == FIRST + b":r300\r\n"
    assert action.text == "r300"
    seat.disconnected()
    seat.connected()
    assert hear(seat, FIRST) == data
    assert seat.decision(0.0) is None


def test_nothing_is_asked_while_the_line_is_down(seat):
    """An answer would get lost."""
    hear(seat, FIRST)
    number = seat.decision(0.0)["id"]
    seat.disconnected()
    assert seat.decision(0.0) is None
    with pytest.raises(NotAsked):
        seat.answer(answer(id=number, action="call"), 0.0)


def test_a_wrong_action_leaves_the_decision_open(seat):
    """The message says what is legal."""
    hear(seat, SECOND)
    number = seat.decision(0.0)["id"]
    for fields in ({"action": "check", "to": 5}, {"action": "raise", "to": 301}, {"action": "x"}):
        with pytest.raises(WrongAnswer, match="want check, raise TO"):
            seat.answer(answer(id=number, **fields), 0.0)
    assert seat.answer(answer(id=number, action="all-in"), 0.0)[1].text == "r20000"


def test_folding_costs_nothing_where_a_check_is_free(seat):
    """And names a decision, as any answer does."""
    hear(seat, SECOND)
    number = seat.decision(0.0)["id"]
    assert seat.folding(number) == "check"
    with pytest.raises(NotAsked):
        seat.folding(number - 2)
    hear(seat, b"MATCHSTATE:1:3:r300c/cr900:|AsKd/2c3d4h")
    assert seat.decision(0.0) is None
    hear(seat, b"MATCHSTATE:1:3:r300c/r600:|AsKd/2c3d4h", b"MATCHSTATE:1:4:r300:|AsKd")
    hear(seat, b"MATCHSTATE:0:5:r300:AsKd|")
    assert seat.folding(seat.decision(0.0)["id"]) == "fold"


def test_a_hand_that_is_over_is_told_once_with_the_cards_that_were_shown(seat):
    """With the number of its event."""
    end = b"MATCHSTATE:1:3:r300f:|AsKd"
    hear(seat, FIRST, end, end)
    (hand,) = seat.hands_after(6)
    assert seat.hands_after(7) == []
    assert (hand["type"], hand["hand"], hand["won"], hand["holes"]) == (
        *("result", 3, [-100, 100]),
        [None, ["As", "Kd"]],
    )
    assert (hand["seat"], hand["names"], seat.won, seat.hands_over) == (0, ["ann", "bob"], 100.0, 4)


def test_something_else_than_a_dealer_is_an_error(seat):
    """Whatever it is."""
    for text in (b"hello", b"MATCHSTATE:1:3:x:|AsKd", b"MATCHSTATE:1:3::|AsAs"):
        with pytest.raises(ProtocolError):
            hear(seat, text)
        seat.connected()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "no JSON"),
        (b"call", "no JSON"),
        (b'{"action": "call"}', 'want {"id"'),
        (b'{"id": 7}', 'want {"id"'),
        (b'[{"id": 7, "action": "call"}]', 'want {"id"'),
        (b'{"id": "7", "action": "call"}', "number of a decision"),
        (b'{"id": true, "action": "call"}', "number of a decision"),
        (b'{"id": -1, "action": "call"}', "number of a decision"),
        (b'{"id": 7, "action": "call", "action": "fold"}', "twice"),
        (b'{"id": 7, "action": "call"} {"id": 8, "action": "call"}', "no JSON"),
        (b'{"id": 7, "action": "call", "seat": 1}', "seat is no key"),
        (b'{"id": 7, "action": "call", "client_id": 5}', "client_id"),
        (b'{"id": 7, "action": "call", "client_id": ""}', "client_id"),
    ],
)
def test_a_body_is_one_answer(body, reason):
    """Two are none, and so is what could be read in two ways."""
    with pytest.raises(BadAnswer, match=reason):
        read_answer(body)


def test_an_id_has_one_payload():
    """The same again gets what it got; another one is refused; old ids are forgotten."""
    taken = TakenAnswers()
    first = answer(id=7, client_id="x", action="call")
    assert taken.stored(first) is None
    taken.store(first, {"taken": 7})
    assert taken.stored(answer(action="call", id=7, client_id="x")) == {"taken": 7}
    for other in ({"action": "fold"}, {"id": 9, "action": "call"}):
        with pytest.raises(OtherPayload):
            taken.stored(answer(**{"id": 7, "client_id": "x", **other}))
    nameless = answer(id=8, action="call")
    assert nameless.client_id == "8"
    for number in range(2000):
        taken.store(answer(id=number, action="call"), {})
    assert taken.stored(first) is None
