"""Reading what agents answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.dealing import DealStream
from engine.rules.replies import Echo, Problem, read_action, split_reply
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")
START = HandState.start(HUNL)
DEAL = next(DealStream(HUNL, 42))
"""7d3d | 2hAc / 5sKs7s / 9s / 6h"""
FLOP = START.apply(CALL).apply(CALL)
CHANGED = ("invalid action, changed to call",)
FORMAT = ("bad action format in response, changed to call",)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (b"c\r\n", CALL), (b"C", CALL), (b"k", CALL), (b"K junk", CALL), (b"call\n", CALL),
        (b"c500\r\n", CALL), (b"c:r300", CALL), (b"f", FOLD), (b"F\r\n", FOLD), (b"fold", FOLD),
        (b"r300\r\n", raise_to(300)), (b"R300", raise_to(300)), (b"b300", raise_to(300)),
        (b"B+300", raise_to(300)), (b"r 300", raise_to(300)), (b"r\t0300", raise_to(300)),
        (b"r300.7", raise_to(300)), (b"r20000", raise_to(20000)),
    ],
)  # fmt: skip
def test_actions_taken_as_they_stand(text, action):
    """Letters in either case, text behind the action, blanks and signs before a size."""
    reading = read_action(START, text)
    assert (reading.action, reading.problem, reading.warnings) == (action, None, ())


@pytest.mark.parametrize(
    ("text", "problem", "warnings"),
    [
        (b"", Problem.MALFORMED, CHANGED), (b"\r\n", Problem.MALFORMED, CHANGED),
        (b"x", Problem.MALFORMED, CHANGED), (b" c", Problem.MALFORMED, CHANGED),
        (b":c", Problem.MALFORMED, CHANGED), (b"\xc3\xa9", Problem.MALFORMED, CHANGED),
        (b"raise", Problem.MALFORMED, FORMAT), (b"r\r\n", Problem.MALFORMED, FORMAT),
        (b"r-", Problem.MALFORMED, FORMAT),
    ],
)  # fmt: skip
def test_what_cannot_be_read_becomes_a_call(text, problem, warnings):
    """With the original's words."""
    reading = read_action(START, text)
    assert (reading.action, reading.problem, reading.warnings) == (CALL, problem, warnings)


@pytest.mark.parametrize(
    ("size", "nearest", "words"),
    [
        (b"150", 200, "raise of 150 increased to 200"),
        (b"-5", 200, "raise of -5 increased to 200"),
        (b"20001", 20000, "raise of 20001 decreased to 20000"),
        (b"4294967496", 20000, "raise of 4294967496 decreased to 20000"),
        (b"-4294967496", 200, "raise of -4294967496 increased to 200"),
    ],
)
def test_sizes_go_to_the_nearest_legal_raise(size, nearest, words):
    """Mend 6: numbers do not wrap."""
    reading = read_action(START, b"r" + size)
    assert reading.action == raise_to(nearest)
    assert (reading.problem, reading.warnings) == (Problem.SIZE, (words,))


def test_a_size_of_thousands_of_digits_costs_no_time():
    """Digits beyond any stack are not turned into a number."""
    assert read_action(START, b"r" + b"9" * 4000).action == raise_to(20000)
    assert read_action(START, b"r" + b"0" * 4000 + b"300").action == raise_to(300)


def test_limit_raises_ignore_sizes():
    """r300 and raise are plain raises there."""
    start = HandState.start(LIMIT)
    for text in (b"r", b"r300", b"raise", b"b"):
        assert read_action(start, text).action == RAISE
    capped = start.apply(RAISE).apply(RAISE).apply(RAISE)
    assert read_action(capped, b"r").warnings == CHANGED


def test_folding_for_nothing_becomes_a_check():
    """A fold is only possible when there is something to call."""
    reading = read_action(FLOP, b"f")
    assert (reading.action, reading.warnings) == (CALL, CHANGED)


def test_the_action_limit_has_its_own_warning():
    """Near 64 actions in a street two warnings come, as from the original."""
    state = START
    for step in range(63):
        state = state.apply(raise_to(200 + 100 * step))
    warnings = read_action(state, b"r7000").warnings
    assert len(warnings) == 2
    assert warnings[0].startswith("#actions in round is too close")


def flop(text: bytes):
    return split_reply(text, FLOP, 7, 0, DEAL)


ECHOES = {
    # Leading zeros, stray slashes, either case, invented cards of others: all the same state
    Echo.SAME: [
        b"MATCHSTATE:0:7:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE: 00: +7:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE:0:7:cc:7d3d|/5sKs7s:c",
        b"MATCHSTATE:0:7://c/c:7d3d|/5sKs7s:c",
        b"MATCHSTATE:0:7:kK/:7D3d|/5SkS7s:c",
        b"MATCHSTATE:0:7:cc/:7d3d|2c2d/5sKs7s:c",
        b"MATCHSTATE:0:7:cc/:7d3d|2hAc5sKs7s:c",
    ],
    # Other hand, position, betting or cards; mends 6 and 7: wrapped numbers, cards left out
    Echo.OTHER: [
        b"MATCHSTATE:0:8:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE:1:7:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE:256:7:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE:0:4294967303:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE:-256:7:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE:0:7:c:7d3d|:c",
        b"MATCHSTATE:0:7:cc/c:7d3d|/5sKs7s:c",
        b"MATCHSTATE:0:7:cc/:3d7d|/5sKs7s:c",
        b"MATCHSTATE:0:7:cc/:7d3c|/5sKs7s:c",
        b"MATCHSTATE:0:7:cc/:|/5sKs7s:c",
        b"MATCHSTATE:0:7:cc/:7d3d|/5sKs7c:c",
    ],
    # What the original calls a bad state format
    Echo.MALFORMED: [
        b"",
        b"c",
        b"matchstate:0:7:cc/:7d3d|/5sKs7s:c",
        b" MATCHSTATE:0:7:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE:2:7:cc/:7d3d|/5sKs7s:c",
        b"MATCHSTATE:0:7:zz:7d3d|:c",
        b"MATCHSTATE:0:7:cr150:7d3d|:c",
        b"MATCHSTATE:0:7:ff:7d3d|:c",
        b"MATCHSTATE:0:7:cc",
        b"MATCHSTATE:0:7:cc/:7d3d|/5sKs:c",
        b"MATCHSTATE:0:7:cc/:7d|/5sKs7s:c",
        b"MATCHSTATE:0:7:r\r\n",
        b"MATCHSTATE:0:7:r0:7d3d|:c",
        b"MATCHSTATE:0:7:cr-5:7d3d|:c",
    ],
}


@pytest.mark.parametrize(
    ("echo", "text"), [(echo, text) for echo, texts in ECHOES.items() for text in texts]
)
def test_echoes_of_the_state(echo, text):
    """The same in other words, another one, or none at all."""
    assert flop(text) == (echo, b"c" if echo is Echo.SAME else None)


@pytest.mark.parametrize("tail", [b"", b" :c", b"/9s:c", b"\r\n"])
def test_a_state_without_an_action(tail):
    """The state is right, but no colon follows it."""
    assert flop(b"MATCHSTATE:0:7:cc/:7d3d|/5sKs7s" + tail) == (Echo.SAME, None)


@given(st.data())
def test_mutated_echoes_are_read_without_exceptions(data):
    """One to five bytes of an exact reply changed, left out or doubled."""
    text = bytearray(b"MATCHSTATE:0:7:cr300c/:7d3d|/5sKs7s:r600\r\n")
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 2))] = data.draw(
            st.sampled_from([b"", b"0", b"-", b"r", b"/", b":", b"|", b"9", b"\0", b" "])
        )
    for state in (START, FLOP, HandState.start(LIMIT)):
        split_reply(bytes(text), state, 7, 0, DEAL)


@given(st.binary(max_size=300))
def test_garbage_is_read_without_exceptions(data):
    """Any bytes give an action that is legal, and a verdict on the state."""
    for state in (START, FLOP, HandState.start(LIMIT)):
        assert state.is_legal(read_action(state, data).action)
    for text in (data, b"MATCHSTATE:0:7:cc/:" + data, b"MATCHSTATE:0:7:" + data):
        echo, action = flop(text)
        assert action is None or echo is Echo.SAME
