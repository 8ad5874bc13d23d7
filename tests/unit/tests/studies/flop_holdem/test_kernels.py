"""Values on one flop: sixteen ends side by side are those of each by itself."""

import numpy as np
import pytest

from engine.betting.bet_menu import BetMenu, street_menu
from engine.betting.betting_tree import FOLDED, SHOWDOWN, build_betting_tree
from engine.hands.cards import COMBO_CARDS
from engine.rules.state import HandState
from tests.helpers.subgames import short_holdem
from tests.studies.flop_holdem.game import FlopGame, flop_tables
from tests.studies.flop_holdem.kernels import (
    EXPECT,
    NO_GROUPS,
    FlopHands,
    value_folds,
    value_nodes,
    value_showdowns,
)

FLOPS = flop_tables(3)
BETS = BetMenu((street_menu((1.0,), max_raises=1), street_menu((0.5, 1.0), max_raises=2)))


def walked(hands):
    """A tree of more than sixteen ends of either kind, random reach and shares, and all values."""
    game = FlopGame(build_betting_tree(HandState.start(short_holdem(2)), BETS), FLOPS)
    rng, shape = np.random.default_rng(3), (len(game.nodes.kind), 2, FLOPS.live)
    reach = rng.random(shape) * (rng.random(shape) < 0.7)
    shares = rng.random((game.row_count, FLOPS.live)).astype(np.float32)
    values = np.full(shape, 7.0)
    for player in (0, 1):
        value_nodes(game.nodes, hands, shares, reach, player, EXPECT, values)
    return game, reach, values


@pytest.mark.parametrize("flop", range(3))
@pytest.mark.parametrize("kind", [FOLDED, SHOWDOWN])
def test_ends_are_worth_what_each_is_by_itself(flop, kind):
    """To the bit, and for both players; the number of ends is no multiple of sixteen."""
    hands = FlopHands(COMBO_CARDS[FLOPS.combo[flop]], FLOPS.group_end[flop])
    game, reach, values = walked(hands)
    ends = np.flatnonzero(game.nodes.kind == kind)
    assert len(ends) > 16
    assert len(ends) % 16
    alone = np.empty((FLOPS.live, 1))
    for node in ends:
        for player, sign in ((0, 1.0), (1, -1.0)):
            stake = sign * game.nodes.stake[node : node + 1]
            other = np.ascontiguousarray(reach[node, 1 - player, :, None])
            if kind == FOLDED:
                value_folds(hands.cards, other, stake, alone)
            else:
                value_showdowns(hands, other, abs(stake), alone)
            np.testing.assert_array_equal(values[node, player], alone[:, 0])


def test_one_by_one_is_pair_by_pair():
    """A hand meets those that share no card with it, and wins from the weaker ones."""
    cards = COMBO_CARDS[FLOPS.combo[0]].astype(int)
    hands = FlopHands(COMBO_CARDS[FLOPS.combo[0]], FLOPS.group_end[0])
    reach = np.random.default_rng(4).random((FLOPS.live, 2))
    apart = ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
    strength = FLOPS.group_end[0].astype(int)
    beats = np.sign(strength[:, None] - strength)
    stakes, won = np.array([3.0, 1.0]), np.empty((FLOPS.live, 2))
    value_folds(hands.cards, reach, stakes, won)
    np.testing.assert_allclose(won, stakes * (apart @ reach), rtol=1e-10)
    value_showdowns(hands, reach, stakes, won)
    np.testing.assert_allclose(won, stakes * ((apart * beats) @ reach), rtol=1e-10, atol=1e-9)


def test_showdowns_that_are_known_stay():
    """Where hands are in no order of strength, as where more cards come."""
    game, _, values = walked(FlopHands(COMBO_CARDS[FLOPS.combo[0]], NO_GROUPS))
    assert (values[game.nodes.kind == SHOWDOWN] == 7.0).all()
