"""Slumbot's action strings and actions, each example worked out by hand or recorded."""

import pytest

from protocol.decision_json import AskedDecision, BettingStep
from protocol.errors import WrongAnswer
from protocol.slumbot import chips_put_in, ended_betting, open_betting, read_increment


def steps(text):
    """Steps of words such as "0:1 raise 200": street, position, word, total."""
    parts = [part.split() for part in text.split(",") if part]
    return [
        BettingStep(int(where[0]), int(where[2]), word, int(to[0]) if to else 0)
        for where, word, *to in parts
    ]


PREFLOP = "0:1 raise 200,0:0 call"
FLOP = f"{PREFLOP},1:0 check,1:1 raise 400,1:0 call"


@pytest.mark.parametrize(
    ("played", "street", "text"),
    [
        ("", 0, ""),
        ("0:1 raise 200", 0, "b200"),
        ("0:1 call", 0, "c"),
        (PREFLOP, 1, "b200c/"),
        (f"{PREFLOP},1:0 check", 1, "b200c/k"),
        (f"{PREFLOP},1:0 raise 300", 1, "b200c/b100"),
        (FLOP, 2, "b200c/kb200c/"),
        ("0:1 call,0:0 check,1:0 raise 250", 1, "ck/b150"),
    ],
)
def test_an_open_hand_ends_with_the_street_that_is_next(played, street, text):
    """Bets count from the street's beginning, before the flop with the blinds."""
    assert open_betting(steps(played), street) == text


@pytest.mark.parametrize(
    ("played", "text", "pot"),
    [
        ("0:1 fold", "f", 150),
        (f"{PREFLOP},1:0 check,1:1 raise 400,1:0 fold", "b200c/kb200f", 600),
        (f"{FLOP},2:0 raise 800,2:1 fold", "b200c/kb200c/b400f", 1200),
        ("0:1 raise 20000,0:0 call", "b20000c///", 40_000),
        (f"{PREFLOP},1:0 raise 20000,1:1 call", "b200c/b19800c//", 40_000),
        (
            f"{FLOP},2:0 check,2:1 check,3:0 raise 20000,3:1 call",
            "b200c/kb200c/kk/b19600c",
            40_000,
        ),
        (f"{FLOP},2:0 check,2:1 check,3:0 check,3:1 check", "b200c/kb200c/kk/kk", 800),
    ],
)
def test_a_hand_that_is_over_has_all_streets_but_behind_a_fold(played, text, pot):
    """And its pot has the bet that was not called, as recorded hands show."""
    assert (ended_betting(steps(played)), chips_put_in(steps(played))) == (text, pot)


def asked(played="", street=0, to_call=50, raises=(200, 20_000)):
    """A decision."""
    stacks = (19_900, 19_950)
    return AskedDecision(
        *(
            0,
            0,
            (),
            (),
            street,
            tuple(steps(played)),
            150,
            to_call,
            stacks,
            to_call > 0,
            raises,
            True,
        )
    )


@pytest.mark.parametrize(
    ("text", "decision", "action"),
    [
        ("c", asked(), ("call", None)),
        ("f", asked(), ("fold", None)),
        ("b200", asked(), ("raise", 200)),
        ("b20000", asked(), ("raise", 20_000)),
        ("k", asked(PREFLOP, 1, 0, (300, 20_000)), ("check", None)),
        ("b100", asked(PREFLOP, 1, 0, (300, 20_000)), ("raise", 300)),
        ("b19800", asked(PREFLOP, 1, 0, (300, 20_000)), ("raise", 20_000)),
        ("b19800", asked(PREFLOP, 1, 100, (20_000, 20_000)), ("raise", 20_000)),
    ],
)
def test_an_action_is_read(text, decision, action):
    """A bet is of the street, what it becomes is of the hand."""
    assert read_increment(text, decision) == action


NONE = (
    *("", "b", "cc", "b400b19999b20000f", "0c", "b" + "9" * 30, "b-1", "b2e2", "b0200", "b200c"),
    *("b\u0662\u0660\u0660", "c\n", "C", "c/", " c", "r200", "b200.0", "\0"),
)


@pytest.mark.parametrize(
    ("text", "decision", "reason"),
    [
        ("k", asked(), "Illegal check"),
        ("c", asked(to_call=0), "Illegal call"),
        ("f", asked(to_call=0), "Illegal fold"),
        ("b200", asked(raises=None), "Illegal bet"),
        ("b199", asked(), "too small: b200 to b20000"),
        ("b20001", asked(), "too big"),
        ("b19801", asked(PREFLOP, 1, 0, (300, 20_000)), "too big: b100 to b19800"),
        *((text, asked(), "Illegal action") for text in NONE),
    ],
)
def test_what_is_no_legal_action_is_refused(text, decision, reason):
    """Nothing is guessed; several actions, as in slumbot2019's issue 24, are none."""
    with pytest.raises(WrongAnswer, match=reason):
        read_increment(text, decision)
