import subprocess
import sys
from dataclasses import replace

import pytest

from engine.abstraction.lossless import LosslessAbstraction
from engine.errors import InvalidGame
from engine.mccfr.sample_deals import DealSource
from engine.rules.dealing import DealStream
from engine.rules.dealing_blocks import DealBlocks
from protocol.cards import format_cards, parse_cards
from protocol.gamedefs import load_builtin


def cards_of(deal):
    """All cards of a deal in the order they were drawn."""
    return [card for hole in deal.holes for card in hole] + list(deal.board)


def test_skip_lands_on_the_right_hand():
    """As far as one likes: the outputs are taken in blocks of 65 536."""
    game = load_builtin("holdem.nolimit.2p.reverse_blinds")
    plain = DealStream(game, 9)
    hands = [next(plain) for _ in range(8000)]
    stream = DealStream(game, 9)
    stream.skip(0)
    assert next(stream) == hands[0]
    stream.skip(10)
    assert next(stream) == hands[11]
    stream.skip(7900)  # 71 100 outputs
    assert next(stream) == hands[7912]
    with pytest.raises(ValueError, match="back"):
        stream.skip(-1)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seed_must_be_32_bits(seed):
    """The generator starts from one unsigned 32-bit number."""
    with pytest.raises(ValueError, match="seed"):
        DealStream(load_builtin("leduc.limit.2p"), seed)


def test_streams_load_neither_numpy_nor_the_compiler():
    """A dealer deals and ranks hands without them; all-in expectation does without the latter."""
    code = (
        "import sys; from engine.rules import dealing, pots;"
        "from engine.showdown import evaluator; from protocol.gamedefs import load_builtin;"
        "deal = next(dealing.DealStream(load_builtin('leduc.limit.2p'), 1));"
        "evaluator.strength(deal.board); assert 'numpy' not in sys.modules;"
        "from engine.equity import allin; assert 'numba' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_positions_with_cards_of_their_own_get_no_others():
    """The patent's game: always the queen, and jack or king half of the time each."""
    game = load_builtin("fixed-queen")
    stream = DealStream(game, 3)
    second = []
    for _ in range(1000):
        deal = next(stream)
        assert deal.holes[0] == parse_cards("Qs")
        second.append(format_cards(deal.holes[1]))
    assert set(second) == {"Js", "Ks"}
    assert 440 < second.count("Js") < 560


def test_the_board_comes_from_what_such_deals_leave():
    """Leduc hold'em with kings against queens; skipping takes as many outputs as dealing."""
    game = replace(load_builtin("leduc"), dealt_cards=(parse_cards("KhKs"), parse_cards("QhQs")))
    stream, other = DealStream(game, 5), DealStream(game, 5)
    hands = [next(stream) for _ in range(300)]
    assert {format_cards(deal.board) for deal in hands} == {"Kh", "Ks", "Qh", "Qs", "Ah", "As"}
    assert all(len(set(cards_of(deal))) == 3 for deal in hands)
    other.skip(250)
    assert next(other) == hands[250]


def test_bulk_dealing_refuses_such_games():
    """Instead of dealing from the whole deck."""
    game = load_builtin("fixed-queen")
    with pytest.raises(InvalidGame, match="whole deck only"):
        DealBlocks(game, 1)
    with pytest.raises(InvalidGame, match="whole deck only"):
        DealSource(game, LosslessAbstraction(game))
