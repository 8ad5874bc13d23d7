import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.dealing import Deal, DealStream
from engine.rules.dealing_blocks import DealBlocks, deal_arrays
from engine.rules.keyed_dealing import KEY_BYTES, KeyedDealStream, KeyedOutputs, deal_stream
from protocol.gamedef import GameDef
from tests.oracles import dealing as oracle

SEEDS = st.one_of(st.integers(0, 2**32 - 1), st.sampled_from((0, 1, 2**32 - 1)))
KEYS = st.binary(min_size=KEY_BYTES, max_size=KEY_BYTES)


@st.composite
def decks(draw):
    """Games of all shapes of deck and deal, down to the last card."""
    suits, ranks = draw(st.integers(1, 4)), draw(st.integers(2, 13))
    hole_cards = draw(st.integers(1, min(3, suits * ranks // 2)))
    players = draw(st.integers(2, min(10, suits * ranks // hole_cards)))
    left = min(7, suits * ranks - players * hole_cards)
    board = []
    for _ in range(draw(st.integers(1, 4))):
        board.append(draw(st.integers(0, left - sum(board))))
    streets = len(board)
    return GameDef(
        no_limit=True,
        players=players,
        streets=streets,
        stacks=(100,) * players,
        blinds=(1,) * players,
        raise_sizes=(),
        first_positions=(0,) * streets,
        max_raises=(3,) * streets,
        suits=suits,
        ranks=ranks,
        hole_cards=hole_cards,
        board_cards=tuple(board),
    )


@given(decks(), SEEDS, st.integers(1, 40))
def test_deals_are_those_of_the_written_out_generator(game, seed, hands):
    """Every deck and seed, one draw at a time, across the generator's blocks."""
    stream = DealStream(game, seed)
    for (holes, board), deal in zip(oracle.deals(game, seed, hands), stream, strict=False):
        assert [list(hole) for hole in deal.holes] == holes
        assert list(deal.board) == board


@given(decks(), KEYS, st.integers(1, 20))
def test_deals_of_a_key_are_those_of_whole_decks_shuffled(game, key, hands):
    """Every deck and key, as a stream, in blocks, and as the words that others draw with."""
    blocks = np.empty((hands, game.cards_per_hand), np.uint8)
    DealBlocks(game, key).deal(blocks)
    words = np.frombuffer(KeyedOutputs(game, key).take(hands), "<u4").reshape(blocks.shape)
    stream = KeyedDealStream(game, key)
    for hand, (holes, board) in enumerate(oracle.keyed_deals(game, key, hands)):
        assert next(stream) == Deal(tuple(map(tuple, holes)), tuple(board))
        assert blocks[hand].tolist() == [*itertools.chain(*holes), *board]
        deck = list(game.deck)
        for card, word in zip(blocks[hand].tolist(), words[hand].tolist(), strict=True):
            place = word % len(deck)
            deck[place], deck[-1] = deck[-1], deck[place]
            assert deck.pop() == card


@given(decks(), SEEDS, st.integers(0, 600))
def test_bulk_equals_stream(game, seed, hands):
    """deal_arrays returns the stream's first hands."""
    holes, board = deal_arrays(game, seed, hands)
    assert holes.shape == (hands, game.players, game.hole_cards)
    assert board.shape == (hands, game.board_total)
    assert holes.dtype == board.dtype == np.uint8
    stream = DealStream(game, seed)
    for hole, cards in zip(holes.tolist(), board.tolist(), strict=True):
        deal = next(stream)
        assert tuple(map(tuple, hole)) == deal.holes
        assert tuple(cards) == deal.board


@given(decks(), SEEDS | KEYS, st.lists(st.integers(0, 700), max_size=4))
def test_skipping_is_dealing_unseen(game, seed, skips):
    """Skips and deals may be mixed in any way."""
    stream = deal_stream(game, seed)
    other = deal_stream(game, seed)
    for hands in skips:
        stream.skip(hands)
        for _ in range(hands):
            next(other)
        assert next(stream) == next(other)
