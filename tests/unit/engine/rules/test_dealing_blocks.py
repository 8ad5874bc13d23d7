import numpy as np
import pytest

from engine.rules.dealing_blocks import DealBlocks, deal_arrays
from protocol.gamedefs import load_builtin


def test_no_hands_and_no_board():
    """Empty results keep their shapes."""
    holes, board = deal_arrays(load_builtin("kuhn.limit.3p"), 1, 0)
    assert holes.shape == (0, 3, 1)
    assert board.shape == (0, 0)
    with pytest.raises(ValueError, match="-1"):
        deal_arrays(load_builtin("kuhn.limit.3p"), 1, -1)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seed_must_be_32_bits(seed):
    """As for a stream."""
    with pytest.raises(ValueError, match="seed"):
        deal_arrays(load_builtin("leduc.limit.2p"), seed, 1)


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
