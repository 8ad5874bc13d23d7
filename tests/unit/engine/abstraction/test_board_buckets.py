"""Buckets of a board: hands alike together, and what they win from each other."""

import numpy as np
import pytest

from engine.abstraction.board_buckets import BUCKETS, BoardBuckets, mass_of
from engine.equity.allin_matrix import allin_matrix, apart
from engine.hands.cards import COMBO_CARDS, COMBOS, card_bits, live_combos, parse_combo
from engine.showdown.board_ranks import board_ranks, whole_boards
from protocol.cards import parse_cards
from tests.helpers.subgames import scattered_ranges

TURN = parse_cards("KsJs7d2c")
BOARDS = ["Ks7d2c", "KsJs7d2c", "KsJs7d2c3h", "9s9h9d4c"]


def indicator(buckets):
    """(1326, B) which bucket a hand is in."""
    inside = np.zeros((COMBOS, len(buckets.hands)))
    live = np.flatnonzero(buckets.bucket >= 0)
    inside[live, buckets.bucket[live]] = 1
    return inside


@pytest.mark.parametrize("text", BOARDS)
def test_every_hand_that_is_left_has_a_bucket(text):
    """The others have none; before the river all buckets are of nearly equal size."""
    board = parse_cards(text)
    buckets = BoardBuckets.of(board)
    np.testing.assert_array_equal(buckets.bucket >= 0, live_combos(card_bits(board)))
    np.testing.assert_array_equal(indicator(buckets).sum(axis=0), buckets.hands)
    assert len(buckets.hands) == BUCKETS
    if len(board) < 5:
        assert buckets.hands.max() - buckets.hands.min() <= 2


def test_hands_of_one_rank_are_in_one_bucket_on_the_river():
    """And stronger ones in no lower one."""
    board = parse_cards("KsJs7d2c3h")
    buckets, ranks = BoardBuckets.of(board), board_ranks(board).astype(int)
    order = np.argsort(ranks, kind="stable")
    order = order[ranks[order] > 0]
    assert (np.diff(buckets.bucket[order]) >= 0).all()
    same = np.diff(ranks[order]) == 0
    assert (np.diff(buckets.bucket[order])[same] == 0).all()


def test_buckets_are_cut_by_strength_and_by_how_much_is_to_come():
    """A set is above a draw that beats as many hands on average; draws deviate more."""
    buckets = BoardBuckets.of(TURN, means=32, spreads=8)
    mean, deviation = buckets.moments
    parts = mean.reshape(32, 8).mean(axis=1)
    assert (np.diff(parts) > 0).all()
    assert (np.diff(deviation.reshape(32, 8), axis=1) > -1e-6).all()
    draw, pair = (buckets.bucket[parse_combo(hand)] for hand in ("Qs9s", "3h3d"))
    assert deviation[draw] > 2 * deviation[pair]
    assert buckets.bucket[parse_combo("KhKd")] // 8 == 31


@pytest.mark.parametrize("text", ["Ks7d2c", "KsJs7d2c", "9s9h9d4c"])
def test_pairs_of_buckets_are_counted_hand_by_hand(text):
    """Hands that share a card are none, and win nothing."""
    board = parse_cards(text)
    buckets = BoardBuckets.of(board, means=8, spreads=4)
    inside = indicator(buckets)
    pairs = np.outer(buckets.hands, buckets.hands)
    np.testing.assert_allclose(buckets.apart * pairs, inside.T @ apart() @ inside, atol=0.01)
    won = inside.T @ allin_matrix(board) @ inside / 2
    np.testing.assert_allclose(buckets.won * pairs, won, atol=0.01)


def test_a_third_of_the_whole_boards_says_nearly_as_much():
    """Equities of a flop are off by a fiftieth of a pot; every board counts alike on average."""
    board = parse_cards("Ks7d2c")
    values = []
    for every in (1, 3):
        buckets = BoardBuckets.of(board, every=every)
        inside = indicator(buckets)
        sums = np.stack([inside.T @ side for side in scattered_ranges(3)])
        shares = (sums / sums.sum(axis=1, keepdims=True)).astype(np.float32)[None]
        values.append(inside @ buckets.equity_values(shares, buckets.met(shares))[0].T)
    live = live_combos(card_bits(board))
    off = np.abs(values[1] - values[0])[live]
    assert 0 < off.mean() < 0.02
    assert np.corrcoef(values[0][live].ravel(), values[1][live].ravel())[0, 1] > 0.99


@pytest.mark.parametrize("text", ["KsJs7d2c", "KsJs7d2c3h"])
def test_equity_is_that_of_hands_that_are_alike_in_a_bucket(text):
    """Ranges that tell no hands of a bucket apart: values are means of the hands', and fair."""
    board = parse_cards(text)
    buckets = BoardBuckets.of(board)
    inside = indicator(buckets)
    sums = np.stack([inside.T @ side for side in scattered_ranges(3)])
    shares = (sums / sums.sum(axis=1, keepdims=True)).astype(np.float32)
    met = buckets.met(shares[None])
    values = buckets.equity_values(shares[None], met)[0]
    hands = np.stack([inside @ (side / np.maximum(buckets.hands, 1)) for side in shares])
    for player in (0, 1):
        if len(board) == 4:
            won = allin_matrix(board) @ hands[1 - player] / 2
        else:
            ranks = board_ranks(board).astype(int)
            won = (np.sign(ranks[:, None] - ranks) * apart()) @ hands[1 - player] / 2
        met_by_hand = apart() @ hands[1 - player]
        wanted = (inside.T @ won) / np.maximum(inside.T @ met_by_hand, 1e-12)
        np.testing.assert_allclose(values[player], wanted, atol=1e-5)
    mass = mass_of(shares[None], met)[0]
    np.testing.assert_allclose(mass.sum(axis=1), 1, atol=1e-5)
    assert (mass * values).sum() == pytest.approx(0, abs=1e-5)


def test_before_the_flop_buckets_are_starting_hands():
    """169 of them; what they win is exact, aces most and against all others."""
    buckets = BoardBuckets.of(())
    assert sorted(set(buckets.hands.tolist())) == [4, 6, 12]
    assert len(buckets.hands) == 169
    aces, kings, trash = (buckets.bucket[parse_combo(hand)] for hand in ("AsAh", "KsKh", "7s2h"))
    pairs = buckets.hands[aces] * buckets.hands[kings]
    inside = indicator(buckets)
    won = inside[:, aces] @ allin_matrix(()) @ inside[:, kings] / 2
    assert buckets.won[aces, kings] * pairs == pytest.approx(won, rel=1e-5)
    assert buckets.moments[0].argmax() == aces
    assert buckets.moments[0, trash] < 0.36
    shares = np.full((1, 2, 169), 0, np.float32) + buckets.hands / 1326
    equity = buckets.equity_values(shares, buckets.met(shares))[0, 0]
    np.testing.assert_allclose(equity + 0.5, buckets.moments[0], atol=1e-5)


def test_other_boards_are_refused():
    """Cards named twice, too few, too many."""
    for board in ((1, 1, 2), (1, 2), (1, 2, 3, 4, 5, 6)):
        with pytest.raises(ValueError, match="card"):
            BoardBuckets.of(board)
    assert COMBO_CARDS.shape == (COMBOS, 2)


def test_whole_boards_begin_with_the_board():
    """All of them, once each; a whole board is itself."""
    boards = whole_boards((7, 3, 40))
    assert boards.shape == (49 * 48 // 2, 5)
    assert (boards[:, :3] == (7, 3, 40)).all()
    assert len({frozenset(board) for board in boards.tolist()}) == len(boards)
    assert all(len(set(board)) == 5 for board in boards.tolist())
    assert whole_boards((1, 2, 3, 4, 5)).tolist() == [[1, 2, 3, 4, 5]]
