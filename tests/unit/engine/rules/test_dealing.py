import subprocess
import sys

import numpy as np
import pytest

from engine.rules.dealing import BLOCK_HANDS, Deal, DealBlocks, DealStream, deal_arrays
from protocol.cards import format_cards, parse_cards
from protocol.gamedefs import load_builtin


def cards_of(deal):
    """All cards of a deal in the order they were drawn."""
    return [card for hole in deal.holes for card in hole] + list(deal.board)


def test_known_deals_of_a_known_seed():
    """Seed 0 starts heads-up hold'em with fives against nine-queen."""
    stream = DealStream(load_builtin("holdem.nolimit.2p.reverse_blinds"), 0)
    assert next(stream) == Deal(
        (parse_cards("5d5c"), parse_cards("9hQd")), parse_cards("8dAs8s4h6d")
    )
    assert next(stream) == Deal(
        (parse_cards("6sKs"), parse_cards("5dJd")), parse_cards("2sTh2hQh8h")
    )


def test_betting_rules_do_not_change_the_cards():
    """Limit and no-limit draw alike; a third player shifts the board."""
    two_limit = next(DealStream(load_builtin("holdem.limit.2p.reverse_blinds"), 42))
    two = next(DealStream(load_builtin("holdem.nolimit.2p.reverse_blinds"), 42))
    three = next(DealStream(load_builtin("holdem.limit.3p"), 42))
    assert two_limit == two
    assert format_cards(three.board) == "7s9s6h4hTs"
    assert cards_of(three)[: len(cards_of(two))] == cards_of(two)


@pytest.mark.parametrize("name", ["holdem.nolimit.6p", "leduc.limit.2p", "kuhn.limit.3p"])
def test_every_hand_is_dealt_from_one_full_deck(name):
    """No card twice, none from outside the deck; every card turns up sooner or later."""
    game = load_builtin(name)
    stream = DealStream(game, 7)
    seen = set()
    for _ in range(3 * BLOCK_HANDS):
        cards = cards_of(next(stream))
        assert len(cards) == len(set(cards)) == game.cards_per_hand
        seen.update(cards)
    assert seen == set(game.deck)


def test_first_positions_draw_uniformly():
    """Over many hands each card is equally often the first one dealt."""
    holes, _ = deal_arrays(load_builtin("holdem.nolimit.2p.reverse_blinds"), 3, 52_000)
    counts = np.bincount(holes[:, 0, 0], minlength=52)
    assert ((counts - 1000.0) ** 2 / 1000.0).sum() < 90  # chi-square, 51 degrees, p about 0.0006


def test_skip_lands_on_the_right_hand():
    """Skipping crosses block borders, also with hands already drawn."""
    game = load_builtin("holdem.nolimit.2p.reverse_blinds")
    plain = DealStream(game, 9)
    hands = [next(plain) for _ in range(1000)]
    stream = DealStream(game, 9)
    stream.skip(0)
    assert next(stream) == hands[0]
    stream.skip(10)
    assert next(stream) == hands[11]
    stream.skip(2 * BLOCK_HANDS)
    assert next(stream) == hands[12 + 2 * BLOCK_HANDS]
    with pytest.raises(ValueError, match="back"):
        stream.skip(-1)


def test_a_stream_holds_one_block():
    """Memory does not grow with the number of hands."""
    stream = DealStream(load_builtin("holdem.nolimit.2p.reverse_blinds"), 0)
    stream.skip(100_000)
    next(stream)
    assert len(stream._buffer) < BLOCK_HANDS


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seed_must_be_32_bits(seed):
    """The generator starts from one unsigned 32-bit number."""
    with pytest.raises(ValueError, match="seed"):
        DealStream(load_builtin("leduc.limit.2p"), seed)
    with pytest.raises(ValueError, match="seed"):
        deal_arrays(load_builtin("leduc.limit.2p"), seed, 1)


def test_no_hands_and_no_board():
    """Empty results keep their shapes."""
    holes, board = deal_arrays(load_builtin("kuhn.limit.3p"), 1, 0)
    assert holes.shape == (0, 3, 1)
    assert board.shape == (0, 0)
    with pytest.raises(ValueError, match="-1"):
        deal_arrays(load_builtin("kuhn.limit.3p"), 1, -1)


def test_streams_do_not_load_the_compiler():
    """A dealer deals and ranks hands without numba."""
    code = (
        "import sys; from engine.rules import dealing, pots;"
        "from engine.equity import allin; from engine.showdown import evaluator;"
        "from protocol.gamedefs import load_builtin;"
        "deal = next(dealing.DealStream(load_builtin('leduc.limit.2p'), 1));"
        "evaluator.strength(deal.board); sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_blocks_go_on_where_the_last_one_ended():
    """Cutting a match into blocks of any size does not change its deals."""
    game = load_builtin("holdem.nolimit.2p.reverse_blinds")
    holes, board = deal_arrays(game, 4, 30)
    whole = np.concatenate([holes.reshape(30, -1), board], axis=1)
    blocks = DealBlocks(game, 4)
    part = np.empty((10, game.cards_per_hand), np.uint8)
    blocks.deal(part)
    assert part.tolist() == whole[:10].tolist()
    blocks.skip(7)
    blocks.deal(part)
    assert part.tolist() == whole[17:27].tolist()
    with pytest.raises(ValueError, match="back"):
        blocks.skip(-2)
