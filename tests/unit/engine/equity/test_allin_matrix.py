"""All-in matrices: what pairs of hands win over all boards to come."""

import numpy as np
import pytest

from engine.equity.allin import count_best
from engine.equity.allin_matrix import allin_matrix, apart
from engine.hands.cards import COMBO_CARDS, COMBOS
from protocol.cards import parse_cards


def won(pair, board):
    """Return what the first of two hands wins, counted board by board."""
    best, boards = count_best([COMBO_CARDS[hand].tolist() for hand in pair], board)
    return (best[0][1] - best[1][1]) / boards


@pytest.mark.parametrize("text", ["", "Ks7d2c", "AhTh5h", "8c8d8h", "KsJs7d2c", "QdQh4d4h"])
def test_pairs_win_what_counting_boards_says(text):
    """On flops and turns; who holds neither wins as often as the other one loses."""
    board = parse_cards(text)
    matrix = allin_matrix(board)
    held = COMBO_CARDS.astype(int)
    blocked = np.isin(held, board).any(axis=1)
    rng = np.random.default_rng(7)
    live = np.flatnonzero(~blocked)
    pairs = [pair for pair in rng.choice(live, (60, 2)).tolist() if apart()[tuple(pair)]]
    assert len(pairs) > 30
    for pair in pairs:
        assert matrix[tuple(pair)] == pytest.approx(won(pair, board), abs=1e-6)
    np.testing.assert_allclose(matrix, -matrix.T, rtol=0, atol=1e-6)
    assert not matrix[blocked].any()


def test_hands_that_share_a_card_win_nothing():
    """From each other, nor can they be held together."""
    held = COMBO_CARDS.astype(int)
    share = (held[:, None, :, None] == held[None, :, None, :]).any(axis=(2, 3))
    np.testing.assert_array_equal(apart(), ~share)
    assert not allin_matrix(parse_cards("KsJs7d2c"))[share].any()
    assert share.shape == (COMBOS, COMBOS)


@pytest.mark.parametrize("board", ["Ks7d", "Ks7d2c3c4c"])
def test_other_boards_are_refused(board):
    """A flop or a turn is wanted; cards are named once."""
    with pytest.raises(ValueError, match="want none, 3 or 4"):
        allin_matrix(parse_cards(board))
    with pytest.raises(ValueError, match="card"):
        allin_matrix((1, 1, 2))
