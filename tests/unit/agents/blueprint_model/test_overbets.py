"""Reading bets that are larger than any of the abstract game, and what is bet after them."""

import pytest

from agents.blueprint_model.config import parse_config
from agents.blueprint_model.interpretation import Interpreter
from engine.betting.translation import lower_probability
from engine.rules.view import replay_betting
from tests.helpers.blueprints import (
    always,
    interpretations_of,
    random_model,
    some_buckets,
    tiny_config,
)

HANDS = always(1, 0, 2, 1)
POTS = """
game = "hunl"
[cards]
[bets]
preflop = ["100"]
flop = ["100"]
turn = ["TURN"]
river = ["50,100,a"]
"""


def interpreter_of(turn):
    """Return what reads by a model of pots; buckets are given by hand."""
    config = parse_config("pots", POTS.replace("TURN", turn))
    return Interpreter(random_model(config, some_buckets(3, 3, 3, 3), seed=5, alpha=1.0))


@pytest.fixture(scope="module")
def pots():
    """With nothing but pots before the river."""
    return interpreter_of("100")


@pytest.fixture(scope="module")
def shoves():
    """With all-in on the turn too."""
    return interpreter_of("100,a")


def read(interpreter, betting, player=None):
    """Return {betting of the abstract game: probability} as which a hand is read."""
    state = replay_betting(interpreter.game, betting)
    player = state.actor if player is None else player
    tree = interpreter.model.tree
    found = interpretations_of(interpreter, state, player, HANDS)
    return {tree.betting(one.node): one.chance for one in found if one.chance}


def test_after_overbets_an_all_in_is_as_large_as_it_is_beside_the_pot(pots):
    """Three pots are read as one, twice; then all-in is 1.5 true pots, and the abstract one ten."""
    assert read(pots, "cc/r700c/r4900") == {"cc/r300c/r900": 1.0}
    share = lower_probability(1.0, (20000 - 900) / 1800, (20000 - 4900) / 9800)
    assert share > 0.7
    assert read(pots, "cc/r700c/r4900c/r20000") == pytest.approx(
        {"cc/r300c/r900c/r2700": share, "cc/r300c/r900c/r20000": 1 - share}
    )


def test_after_overbets_a_pot_is_a_pot(pots):
    """Of the true one; its chips would be five pots of the abstract one."""
    assert read(pots, "cc/r700c/r4900c/r14700") == {"cc/r300c/r900c/r2700": 1.0}
    between = read(pots, "cc/r700c/r4900c/r12250")  # three quarters
    share = lower_probability(0.5, 1.0, 0.75)
    want = {"cc/r300c/r900c/r1800": share, "cc/r300c/r900c/r2700": 1 - share}
    assert between == pytest.approx(want)


@pytest.mark.parametrize(("bet", "alike"), [(300, True), (333, True), (334, False), (500, False)])
def test_pots_are_alike_within_a_tenth(shoves, bet, alike):
    """Then chips count, and an all-in is an all-in; else what it is beside the pot."""
    found = read(shoves, f"cc/r{bet}c/r20000")
    share = lower_probability(1.0, (20000 - 300) / 600, (20000 - bet) / (2 * bet))
    want = {"cc/r300c/r900": share, "cc/r300c/r20000": 1 - share}
    assert found == pytest.approx({"cc/r300c/r20000": 1.0} if alike else want)
    assert len(found) == 1 if alike else share > 0


@pytest.mark.parametrize("bet", [300, 310, 333])
def test_what_is_offered_is_read_as_that_where_pots_are_alike(pots, bet):
    """Every size of the own menu, to the chip."""
    tree = pots.model.tree
    betting = f"cc/r{bet}c/r{3 * bet}c/"
    state = replay_betting(pots.game, betting)
    (one,) = interpretations_of(pots, state, state.actor, HANDS)
    offers = pots.reader.offers(one.node, state)
    children = list(tree.children(one.node))
    assert len(offers) == 4
    for offer, child in zip(offers, children, strict=True):
        after = state.apply(offer)
        found = interpretations_of(pots, after, 1 - state.actor, HANDS)
        assert [(branch.node, branch.chance) for branch in found] == [(child, 1.0)]


def test_a_limit_hand_has_one_reading():
    """There is one size; nothing is between two."""
    limit = Interpreter(random_model(tiny_config("hulhe"), some_buckets(3, 3, 3, 3), seed=5))
    for betting in ("rrr", "rrrc/rrr", "crrrc/rrrrc/rrrr", "rrrc/rrrrc/rrrrc/rrr", "cc/cc/rrc/r"):
        for player in (0, 1):
            assert read(limit, betting, player) == {betting: 1.0}
