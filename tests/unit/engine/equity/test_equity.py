"""Equity of hands and ranges."""

import os

import numpy as np
import pytest

from engine.equity import equity_kernels, runouts_kernels, sampling_kernels
from engine.equity.equity import exact_hand_equity, exact_range_equity, matchups
from engine.equity.potential import hand_potential, hand_potentials, hand_strengths
from engine.equity.sampling import sampled_equity
from engine.hands.cards import COMBOS, parse_combo
from engine.hands.range_text import parse_range
from engine.showdown import board_kernels
from engine.showdown.board_ranks import board_ranks
from protocol.cards import parse_cards
from tests.oracles import equity as oracle

FLOP = parse_cards("Ts9s2d")


def against(first, second, board=""):
    """Exact equity of two ranges given as text."""
    return exact_range_equity(parse_range(first), parse_range(second), parse_cards(board))


def test_ranges_of_one_hand_are_hands():
    """Both ways of counting agree, on every street."""
    for board in ("", "Qc9h2d", "Qc9h2d8s", "Qc9h2d8sTd"):
        hands = [parse_cards("AhKd"), parse_cards("JsTc")]
        assert against("AhKd", "JsTc", board) == exact_hand_equity(hands, parse_cards(board))


def test_three_hands_share_pots_as_on_every_board():
    """Against the obvious loop."""
    hands = [parse_cards(text) for text in ("AhKd", "JsTc", "9h9c")]
    board = parse_cards("Qc9d2d8s")
    found = exact_hand_equity(hands, board)
    assert [one.equity for one in found] == pytest.approx(oracle.pot_shares(hands, board))
    assert sum(one.equity for one in found) == pytest.approx(1)
    assert found[0].boards == 42


@pytest.mark.parametrize(
    ("holes", "board"),
    [
        (["AsAh"], ""),
        (["AsAh", "AsKh"], ""),
        (["AsAh", "KsKh"], "AsKdQd"),
        (["AsAh", "KsKh"], "Kd"),
        (["AsAh", "KsKhQd"], ""),
    ],
)
def test_impossible_deals_are_refused(holes, board):
    """A card twice, one hand alone, three hole cards, half a flop."""
    with pytest.raises(ValueError):
        exact_hand_equity([parse_cards(hole) for hole in holes], parse_cards(board))


@pytest.mark.parametrize(
    ("first", "second", "board", "why"),
    [
        (parse_range(""), parse_range("AA"), "", "no hand of a range"),
        (parse_range("AA"), parse_range("AsKs"), "AsKdQd", "no hand of a range"),
        (parse_range("AhAs"), parse_range("AhAs"), "", "no two hands"),
        (np.ones(1325), parse_range("AA"), "", "1326 weights"),
        (np.full(COMBOS, -1.0), parse_range("AA"), "", "negative"),
        (np.full(COMBOS, np.nan), parse_range("AA"), "", "not finite"),
        (parse_range("AA"), parse_range("KK"), "AsKd", "2 cards"),
        (parse_range("AA"), parse_range("KK"), "2c2c3d", "named twice"),
    ],
)
def test_what_cannot_be_dealt_is_refused_in_one_line(first, second, board, why):
    """Empty ranges, wrong shapes, weights and boards."""
    with pytest.raises(ValueError, match=why) as caught:
        exact_range_equity(first, second, parse_cards(board))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("hole", "board"), [("Ah", ""), ("AhKhQh", ""), ("AhTs", "Ts9s2d")])
def test_matchups_of_no_hand_are_refused(hole, board):
    """Two cards that are not on the board."""
    with pytest.raises(ValueError):
        matchups(parse_cards(hole), parse_cards(board))


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_each_kernel_is_compiled_once():
    """Whatever the types of the arguments: a variant more costs seconds."""
    board = np.array(FLOP, np.uint8)
    hole = np.array(parse_cards("AhKh"), np.uint8)
    for first in (parse_range("AKs"), parse_range("random")):
        for second in (np.ones(COMBOS, np.int64), parse_range("QQ+").astype(np.float64)):
            exact_range_equity(first, second, board)
            sampled_equity([first.tolist(), second], board, 10, np.random.default_rng(1))
            hand_potentials(board, second, 1)
    assert hand_potential(hole, board, np.ones(COMBOS), 1).hs == pytest.approx(
        hand_strengths(FLOP, np.ones(COMBOS))[parse_combo("AhKh")]
    )
    deuces = np.array(parse_cards("2s2c"), np.uint8)
    assert exact_hand_equity([hole, deuces], board)[0].win * 990 == pytest.approx(
        matchups(hole, board).win[parse_combo("2s2c")]
    )
    assert board_ranks(board).max() > 0
    for kernel in (
        board_kernels.fill_ranks,
        board_kernels.ranks_of_boards,
        equity_kernels.add_showdowns,
        equity_kernels.add_transitions,
        equity_kernels.count_showdowns,
        runouts_kernels.enumerate_runouts,
        sampling_kernels.sample_showdowns,
    ):
        assert len(kernel.signatures) == 1, kernel
