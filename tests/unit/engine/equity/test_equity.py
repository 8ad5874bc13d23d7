"""Equity of hands and ranges."""

import os

import numpy as np
import pytest

from engine.equity import equity_kernels, runouts_kernels, sampling_kernels
from engine.equity.equity import (
    exact_combo_equity,
    exact_hand_equity,
    exact_range_equity,
    matchups,
)
from engine.equity.potential import hand_potential, hand_potentials, hand_strengths
from engine.equity.sampling import sampled_equity
from engine.hands.cards import COMBOS, parse_combo
from engine.hands.range_text import parse_range
from engine.showdown import board_kernels
from engine.showdown.board_ranks import board_ranks
from protocol.cards import parse_cards
from tests.oracles import equity as oracle

FLOP = parse_cards("Ts9s2d")
RIVER = parse_cards("Ts9s2d3cTd")


def against(first, second, board=""):
    """Exact equity of two ranges given as text."""
    return exact_range_equity(parse_range(first), parse_range(second), parse_cards(board))


def test_two_hands_before_the_flop():
    """All 1 712 304 boards (counts as in test_allin)."""
    first, second = exact_hand_equity([parse_cards("AsAh"), parse_cards("KsKh")])
    assert first.win * 1712304 == 1410336
    assert first.tie * 1712304 == 9308
    assert (second.win, second.tie, second.lose) == (first.lose, first.tie, first.win)
    assert first.equity == (1410336 + 9308 / 2) / 1712304
    assert (first.boards, first.exact, first.ci95) == (1712304, True, 0.0)


def test_ranges_of_one_hand_are_hands():
    """Both ways of counting agree, on every street."""
    for board in ("", "Qc9h2d", "Qc9h2d8s", "Qc9h2d8sTd"):
        hands = [parse_cards("AhKd"), parse_cards("JsTc")]
        assert against("AhKd", "JsTc", board) == exact_hand_equity(hands, parse_cards(board))


def test_a_board_that_plays_is_shared_by_all():
    """A royal flush on the board: everybody ties."""
    board = parse_cards("AsKsQsJsTs")
    hands = [parse_cards(text) for text in ("AhAd", "2c3c", "9s8s")]
    for result in exact_hand_equity(hands, board):
        assert (result.win, result.tie, result.lose) == (0.0, 1.0, 0.0)
        assert result.equity == pytest.approx(1 / 3)
    assert against("random", "QQ+", "AsKsQsJsTs")[0].tie == 1.0


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


def test_wide_and_narrow_ranges_are_counted_alike():
    """Adding a combo of hardly any weight changes the method and hardly the result."""
    narrow = parse_range("QQ+,AKs")
    other = parse_range("TT+,AQ+,KQs")
    wide = np.where(narrow > 0, 1.0, 1e-9)
    few = exact_range_equity(narrow, other, FLOP)[0]
    many = exact_range_equity(wide, np.maximum(other, 1e-9), FLOP)[0]
    assert many.win == pytest.approx(few.win, abs=1e-4)
    assert many.tie == pytest.approx(few.tie, abs=1e-4)


def test_weights_are_relative():
    """Their sum does not matter; a combo of weight 0 is not there."""
    base = against("QQ+,AKs", "JJ,TT", "Ts9s2d")[0]
    weights = parse_range("QQ+,AKs") * 0.25
    assert exact_range_equity(weights, parse_range("JJ,TT"), FLOP)[0] == base
    assert against("QQ+,AKs,55:0", "JJ,TT", "Ts9s2d")[0] == base


def test_blocked_combos_are_not_dealt():
    """By the board, and by the other range."""
    assert against("AA", "KK", "AsKd2c4c5h") == against("AA", "KsKh,KsKc,KhKc", "AsKd2c4c5h")
    only = against("AsAh,KsKh", "AsAd,QdQc", "2c7d9hJc4c")[0]
    # AsAh cannot meet AsAd, so it meets the queens only; the kings meet both.
    assert only.win == pytest.approx(2 / 3)
    assert only.lose == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("first", "second"),
    [("AsAh", "random"), ("QQ+,AKs,T9s:0.5", "22+,A2s+"), ("AKs,AQo", "random,AA:0")],
)
def test_counting_finds_before_the_flop_what_the_table_says(first, second):
    """Few combos and many, with suits that are alike in one range or in both."""
    ranges = parse_range(first), parse_range(second)
    counted = exact_range_equity(*ranges, by_table=False)
    for one, other in zip(counted, exact_range_equity(*ranges), strict=True):
        assert one.win == pytest.approx(other.win, abs=1e-13)
        assert one.tie == pytest.approx(other.tie, abs=1e-13)
        assert one.boards == other.boards == 1712304


def test_all_combos_before_the_flop():
    """Counted and looked up."""
    range_ = parse_range("QQ,A2s,T9s:0.5")
    counted = exact_combo_equity(range_, by_table=False)
    known = exact_combo_equity(range_)
    np.testing.assert_allclose(counted.win, known.win, atol=1e-13)
    np.testing.assert_allclose(counted.tie, known.tie, atol=1e-13)
    only = exact_combo_equity(parse_range("AsAh"))
    found = matchups(parse_cards("AsAh"))
    live = found.lose + found.win > 0
    np.testing.assert_allclose(only.win[live], found.lose[live] / found.boards)
    assert np.isnan(only.win[~live]).all()


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


def test_every_combo_against_a_range():
    """The same as one by one; nan where the board or the range leaves nothing to meet."""
    opponent = parse_range("QQ+,AKs,T9s:0.5")
    found = exact_combo_equity(opponent, FLOP)
    for text in ("AhKh", "2c2h", "QsJs", "7c3d"):
        one = exact_range_equity(parse_range(text), opponent, FLOP)[0]
        combo = parse_combo(text)
        assert found.win[combo] == pytest.approx(one.win)
        assert found.tie[combo] == pytest.approx(one.tie)
        assert found.equity[combo] == pytest.approx(one.equity)
    assert np.isnan(found.equity[parse_combo("Ts8s")])
    assert np.isnan(found.equity).sum() == COMBOS - 49 * 48 // 2
    alone = exact_combo_equity(parse_range("AhKh"), RIVER)
    assert np.isnan(alone.equity[parse_combo("AhKh")])
    assert np.isnan(alone.equity[parse_combo("AhQd")])
    assert np.count_nonzero(~np.isnan(alone.equity)) == 45 * 44 // 2


def test_one_hand_against_every_combo():
    """Counts of wins, ties and losses sum to the boards where the hand can be met."""
    hole = parse_cards("AhKh")
    found = matchups(hole, FLOP)
    assert found.boards == 990
    for text in ("QsQd", "AsKs", "2c2h"):
        combo = parse_combo(text)
        counts = [found.win[combo], found.tie[combo], found.lose[combo]]
        assert counts == oracle.hand_against_hand(hole, parse_cards(text), FLOP)
    total = found.win + found.tie + found.lose
    assert set(total.tolist()) == {0, 990}
    assert np.count_nonzero(total) == 47 * 46 // 2


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
