import dataclasses
from itertools import permutations

import numpy as np
import pytest

from engine.abstraction.lossless import LosslessAbstraction
from engine.errors import InvalidGame
from protocol.gamedefs import load_builtin

KUHN = load_builtin("kuhn.limit.2p")
LEDUC = load_builtin("leduc.limit.2p")


def every_deal(game):
    """All ways to deal the game's cards to two players."""
    return np.array(list(permutations(game.deck, game.cards_per_hand)), np.uint8)


def test_kuhn_has_a_bucket_for_each_card():
    """Three ranks of one suit."""
    kuhn = LosslessAbstraction(KUHN)
    assert kuhn.counts == (3,)
    assert [kuhn.bucket([card], []) for card in KUHN.deck] == [0, 1, 2]


@pytest.mark.parametrize("ranks", [3, 5, 13])
def test_leduc_tells_ranks_apart_and_not_suits(ranks):
    """Ranks before the board card; pairs of ranks after it."""
    game = dataclasses.replace(LEDUC, ranks=ranks)
    leduc = LosslessAbstraction(game)
    assert leduc.counts == (ranks, ranks * ranks)
    of_ranks = {}
    for own in game.deck:
        for board in game.deck:
            if own != board:
                of_ranks.setdefault((own >> 2, board >> 2), set()).add(leduc.bucket([own], [board]))
    assert all(len(buckets) == 1 for buckets in of_ranks.values())
    assert len(set.union(*of_ranks.values())) == ranks * ranks


def test_deals_have_the_buckets_of_their_hands():
    """One call for many deals gives what asking hand by hand gives."""
    leduc, deals = LosslessAbstraction(LEDUC), every_deal(LEDUC)
    buckets = leduc.buckets_of_deals(deals)
    assert buckets.shape == (120, 2, 2)
    assert buckets.dtype == np.int32
    for (first, second, board), row in zip(deals.tolist(), buckets.tolist(), strict=True):
        for own, found in zip((first, second), row, strict=True):
            assert found == [leduc.bucket([own], []), leduc.bucket([own], [board])]


def with_cards(hole_cards, board_cards):
    """Leduc for three players with more cards: four ranks in two suits."""
    return dataclasses.replace(
        LEDUC,
        players=3,
        ranks=4,
        hole_cards=hole_cards,
        board_cards=board_cards,
        stacks=(9,) * 3,
        blinds=(1,) * 3,
    )


def test_three_players_and_several_cards():
    """Hole cards and flops are sets: their order does not count, that of streets does."""
    game = with_cards(2, (0, 2))
    small = LosslessAbstraction(game)
    a, b, c, d, e, f, g, h = game.deck
    assert small.bucket([a, b], [c, d]) == small.bucket([b, a], [d, c])
    assert small.bucket([a, b], [c, d]) != small.bucket([a, c], [b, d])
    deals = np.array([[a, b, c, d, e, f, g, h], [b, a, d, c, f, e, h, g]], np.uint8)
    first, second = small.buckets_of_deals(deals, players=3)
    assert (first == second).all()


def test_suits_count_where_there_are_flushes():
    """With five cards in sight suited hands are other ones; swapping both suits changes nothing."""
    game = with_cards(2, (0, 3))
    small = LosslessAbstraction(game)
    swapped = {card: card ^ 1 for card in game.deck}
    a, b, c, d, *_ = game.deck
    other = game.deck[5]
    assert b & 3 != other & 3
    assert small.counts[0] == 4 + 2 * 6  # pairs, and two ranks suited or not
    assert small.bucket([a, b], []) != small.bucket([a, other], [])
    for hole, board in (([a, b], []), ([a, other], [b, c, d])):
        renamed = [[swapped[card] for card in cards] for cards in (hole, board)]
        assert small.bucket(hole, board) == small.bucket(*renamed)


@pytest.mark.parametrize("game", ["holdem.limit.2p.reverse_blinds", "holdem.nolimit.3p"])
def test_large_games_are_refused(game):
    """Hold'em is too large to be listed."""
    with pytest.raises(InvalidGame, match="street 1 has"):
        LosslessAbstraction(load_builtin(game))


def test_refuses_what_is_no_hand():
    """Cards twice, of another deck, or too many of them raise ValueError."""
    leduc = LosslessAbstraction(LEDUC)
    deck = LEDUC.deck
    for hole, board in (([deck[0]], [deck[0]]), ([0], []), (deck[:2], []), ([deck[0]], deck[1:3])):
        with pytest.raises(ValueError, match="hole cards"):
            leduc.bucket(hole, board)
    deals = every_deal(LEDUC)
    with pytest.raises(ValueError, match="uint8"):
        leduc.buckets_of_deals(deals.astype(np.int64))
    with pytest.raises(ValueError, match=r"\(N, 4\)"):
        leduc.buckets_of_deals(deals, players=3)
    deals[7, 1] = deals[7, 0]
    with pytest.raises(ValueError, match="no deal"):
        leduc.buckets_of_deals(deals)
