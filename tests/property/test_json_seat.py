"""A seat that is played by requests: none of them moves the other seat, or acts out of turn."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from dealer.hub.json_seat import (
    BadAnswer,
    JsonSeat,
    NotAsked,
    OtherPayload,
    TakenAnswers,
    read_answer,
)
from dealer.server.table import Table
from protocol.actions import CALL
from protocol.betting import parse_actions
from protocol.errors import WrongAnswer
from protocol.gamedefs import load_builtin
from tests.helpers.json_seats import facts

GAMES = {name: load_builtin(name) for name in ("hunl", "hulhe")}
WORDS = st.sampled_from(
    [
        *("fold", "check", "call", "raise", "all-in", "raise 400", "raise to 20000", "CALL"),
        *("r400", "", "call\nMATCHSTATE:1:0:c:|:f", "raise 400c", "fold call", "raise 9999999999"),
    ]
)
CHIPS = st.one_of(st.none(), st.integers(-1, 20_001), st.text(max_size=3), st.just(600.0))
ANSWERS = st.fixed_dictionaries(
    {"action": WORDS},
    optional={"to": CHIPS, "client_id": st.sampled_from(["a", "b", ""]), "more": st.just(1)},
)
BODIES = st.one_of(st.binary(max_size=60), st.just(b'{"id": 1, "action": "call", "id": 1}'))
REQUESTS = st.one_of(
    BODIES, ANSWERS, st.builds(lambda one, two: [one, two], ANSWERS, ANSWERS), st.just("stale")
)


def bodies(request, number):
    """The bodies of what a client sends: for the decision `number`, or one before it."""
    if isinstance(request, bytes):
        return [request]
    if request == "stale":
        return [json.dumps({"id": max(number - 2, 0), "action": "call"}).encode()]
    if isinstance(request, dict):
        return [json.dumps({"id": number, **request}).encode()]
    texts = [json.dumps({"id": number, **answer}).encode() for answer in request]
    return [texts[0] + texts[1], b"[" + b",".join(texts) + b"]"]


def ask(seat, taken, body):
    """What the dealer gets for a body, b"" where that is nothing."""
    try:
        answer = read_answer(body)
        if taken.stored(answer) is not None:
            return b""
        data, _ = seat.answer(answer, 0.0)
    except (BadAnswer, NotAsked, OtherPayload, WrongAnswer):
        return b""
    taken.store(answer, {})
    return data


def others_moves(table):
    """What the other seat may do, but for folds."""
    raises = table.state.raise_range()
    if raises is None:
        return [CALL]
    return [CALL, *parse_actions(f"r{raises[0]}" if table.game.no_limit else "r")]


@settings(max_examples=150)
@given(
    st.sampled_from(list(GAMES)),
    st.tuples(st.integers(0, 9), st.integers(0, 1)),
    st.lists(REQUESTS),
    st.data(),
)
def test_a_request_is_one_action_of_its_own_seat_or_none(name, seed_and_seat, requests, data):
    """Whatever is sent, the dealer gets an echo of its question and one legal action, in turn."""
    seed, me = seed_and_seat
    table = Table(GAMES[name], seed, ["ann", "bob"])
    taken = TakenAnswers()
    seat = JsonSeat(GAMES[name], facts(seat=me, game=name))
    seat.connected()
    number = 0
    for request in [*requests, *[{"action": "call"}, {"action": "check"}] * 4]:
        text = table.messages()[me].encode()
        assert seat.receive(text + b"\r\n", 0.0, 1) == b""
        decision = seat.decision(0.0)
        assert (decision is not None) == (table.acting_seat == me)
        number = number if decision is None else decision["id"]
        acting = table.acting_seat
        for body in bodies(request, number):
            if sent := ask(seat, taken, body):
                echo, _, action = sent.rpartition(b":")
                assert (table.acting_seat, echo) == (me, text)
                (move,) = parse_actions(action.decode().removesuffix("\r\n"))
                assert table.state.is_legal(move)
                table.apply(move)
                break
        if acting == 1 - me:
            table.apply(data.draw(st.sampled_from(others_moves(table))))
        elif acting < 0:
            table.next_hand()


@given(st.binary(max_size=300))
def test_no_body_raises_anything_else(body):
    """Whatever is in a request, it is an answer or refused."""
    try:
        answer = read_answer(body)
    except BadAnswer:
        return
    assert answer.client_id
