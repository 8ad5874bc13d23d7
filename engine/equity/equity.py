"""Equity: what share of the pot hands and ranges win when they go to a showdown of hold'em.

    weights   (1326,) any numbers that are finite and not negative: a range (`engine.hands.ranges`);
              combos that the board blocks count as 0, the sum does not matter
    board     0, 3, 4 or 5 cards; the others are yet to come

Two ranges are dealt together with the product of their weights, never the same card twice.  Every
board is equally likely, and all of them are counted up to exchanges of suits that change nothing.
Two ranges take time linear in the number of combos per board.  More than two ranges take
`engine.equity.sampling`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from engine.equity.allin import count_best
from engine.equity.preflop import pair_counts
from engine.equity.runouts import BOARD_CARDS, NO_SWAPS, Runouts, list_runouts
from engine.hands.cards import CARDS, COMBO_MASKS, COMBOS, card_bits, combo_of, live_combos
from engine.hands.ranges import compatible_reach, joint_reach, without_blocked
from engine.hands.suits import COMBO_SWAPS, board_symmetries, range_symmetries

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

MOST_HANDS: Final = 10
_FEW_COMBOS: Final = 48
"""With at most this many combos, each pair is compared; the linear method costs as much as 60."""
_BOARDS_AT_ONCE: Final = 4096


@dataclass(frozen=True, slots=True)
class Equity:
    """What one player can expect at the showdown."""

    win: float
    """Probability to win the pot alone."""
    tie: float
    """Probability to share it."""
    lose: float
    """Probability to get nothing."""
    equity: float
    """Expected share of the pot."""
    ci95: float
    """Half width of the 95 % interval of `equity`; 0 where it is exact."""
    boards: int
    """Boards that each deal of hands was counted on; the number of deals if it was sampled."""
    exact: bool
    """Whether everything was counted and nothing sampled."""


@dataclass(frozen=True, slots=True, eq=False)
class ComboEquities:
    """What each combo can expect against a range; nan for combos that cannot meet it."""

    win: NDArray[np.float64]
    """(1326,) probability to win the pot alone."""
    tie: NDArray[np.float64]
    """(1326,) probability to share it."""
    equity: NDArray[np.float64]
    """(1326,) expected share of the pot."""


@dataclass(frozen=True, slots=True, eq=False)
class Matchups:
    """One hand against every combo: on how many of the boards it wins, shares and loses."""

    win: NDArray[np.int64]
    """(1326,) all three are 0 for combos that share a card with the hand or the board."""
    tie: NDArray[np.int64]
    lose: NDArray[np.int64]
    boards: int
    """Sum of the three for all other combos."""


def exact_hand_equity(
    holes: Sequence[Sequence[int]], board: Sequence[int] = ()
) -> tuple[Equity, ...]:
    """Return the equity of each of 2 to 10 known hands, all boards counted.

    Raises:
        ValueError: a card is dealt twice, or the number of hands or cards is not hold'em's.
    """
    if not 2 <= len(holes) <= MOST_HANDS or any(len(hole) != 2 for hole in holes):
        raise ValueError(f"want 2 to {MOST_HANDS} hands of two cards")
    board = checked_board(board)
    counts, boards = count_best([tuple(map(int, hole)) for hole in holes], board)
    return tuple(equity_of_counts(row, boards) for row in counts)


def equity_of_counts(best_of: Sequence[int], boards: int) -> Equity:
    """Return the exact equity of a hand that is one of the j best on best_of[j] of some boards."""
    shared = sum(best_of[2:])
    share = math.fsum(count / j for j, count in enumerate(best_of) if j) / boards
    win, tie = best_of[1] / boards, shared / boards
    return Equity(win, tie, (boards - best_of[1] - shared) / boards, share, 0.0, boards, True)


def exact_range_equity(
    first: ArrayLike,
    second: ArrayLike,
    board: Sequence[int] = (),
    *,
    by_table: bool = True,
) -> tuple[Equity, Equity]:
    """Return the equity of each of two ranges, all hands and boards counted.

    Args:
        by_table: before the flop, look the counts up.  Otherwise they are counted anew, which takes
            a second or less for most ranges, half a minute where no two suits are alike in either.

    Raises:
        ValueError: the board or a range is invalid, or no deal of both ranges is possible.
        ArtifactMismatch: the table is missing or damaged.
    """
    board = checked_board(board)
    ranges = np.stack([range_on_board(first, board), range_on_board(second, board)])
    if joint_reach(ranges[0] > 0, ranges[1] > 0) == 0:
        raise ValueError("no two hands of the ranges can be dealt together on this board")
    swaps: tuple[int, ...] = NO_SWAPS
    if board or not by_table:
        ranges, swaps = _with_symmetries(ranges, board)
    boards = _boards_for_two(board)
    deals = joint_reach(ranges[0], ranges[1]) * boards
    few = int(np.count_nonzero(ranges[0]) > np.count_nonzero(ranges[1]))
    hero, villain = ranges[few], ranges[1 - few]
    hero_combos = held_combos(hero > 0)
    won, drawn = (
        _showdowns(hero_combos, villain, board, swaps, by_table) @ hero[hero_combos]
    ).tolist()
    win, tie = max(0.0, won / deals), drawn / deals
    lose = max(0.0, (deals - won - drawn) / deals)
    hero_equity = Equity(win, tie, lose, win + tie / 2, 0.0, boards, True)
    villain_equity = Equity(lose, tie, win, lose + tie / 2, 0.0, boards, True)
    return (villain_equity, hero_equity) if few else (hero_equity, villain_equity)


def exact_combo_equity(
    opponent: ArrayLike, board: Sequence[int] = (), *, by_table: bool = True
) -> ComboEquities:
    """Return the equity of every combo against a range; arguments as of `exact_range_equity`.

    Raises:
        ValueError: the board or the range is invalid.
        ArtifactMismatch: the table is missing or damaged.
    """
    board = checked_board(board)
    weights = range_on_board(opponent, board)
    hero_combos = held_combos(live_combos(card_bits(board)))
    swaps = range_symmetries(_board_swaps(board), weights[None])
    sums = np.zeros((2, COMBOS))
    sums[:, hero_combos] = _showdowns(hero_combos, weights, board, swaps, by_table)
    sums = _over_images(sums, swaps) / len(swaps)
    win, tie = sums / (weight_met(weights, hero_combos) * _boards_for_two(board))
    return ComboEquities(win, tie, win + tie / 2)


def matchups(hole: Sequence[int], board: Sequence[int] = (), *, by_table: bool = True) -> Matchups:
    """Return how one hand does against every combo; arguments as of `exact_range_equity`.

    Raises:
        ValueError: the cards are not hole cards and board of hold'em.
        ArtifactMismatch: the table is missing or damaged.
    """
    board = checked_board(board)
    if len(hole) != 2:
        raise ValueError(f"{len(hole)} hole cards")
    live = live_combos(card_bits((*hole, *board)))
    boards = _boards_for_two(board)
    hero_combo = np.array([combo_of(*hole)], np.int32)
    if by_table and not board:
        (win,), (tie,) = _look_up(hero_combo, np.arange(COMBOS, dtype=np.int32))
        return Matchups(win, tie, boards * live - win - tie, boards)
    swaps = tuple(set(_board_swaps(board)) & set(board_symmetries(hole)))
    runouts = list_runouts(board, _to_come(board), card_bits(hole), swaps)
    counts = _compare(hero_combo, runouts)[:, 0].astype(np.int64)
    lose, tie = _over_images(counts, swaps) // len(swaps) * live
    return Matchups(boards * live - lose - tie, tie, lose, boards)


def checked_board(board: Sequence[int]) -> tuple[int, ...]:
    """Return the cards of a board, which may be an array, as plain numbers.

    Raises:
        ValueError: not 0, 3, 4 or 5 different cards.
    """
    if len(board) not in (0, 3, 4, 5):
        raise ValueError(f"a board of {len(board)} cards: want 0, 3, 4 or 5")
    card_bits(board)
    return tuple(map(int, board))


def _to_come(board: Sequence[int]) -> int:
    return BOARD_CARDS - len(board)


def _boards_for_two(board: Sequence[int]) -> int:
    """Return how many boards are possible once two hands are known."""
    return math.comb(CARDS - 4 - len(board), _to_come(board))


def range_on_board(weights: ArrayLike, cards: Sequence[int]) -> NDArray[np.float64]:
    """Return a checked copy of a range without the combos that some known cards block.

    Raises:
        ValueError: bad weights or cards, or nothing is left.
    """
    live = without_blocked(weights, cards)
    if not live.any():
        raise ValueError("no hand of a range is possible beside the known cards")
    return live


def weight_met(weights: NDArray[np.float64], combos: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return (1326,) the weight that some combos can meet; nan elsewhere and where it is 0."""
    met = np.full(COMBOS, np.nan)
    met[combos] = compatible_reach(weights)[combos]
    met[compatible_reach(weights > 0) == 0] = np.nan  # exactly, whatever was rounded
    return met


def held_combos(mask: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return the combos set in (1326,) bool as numbers, the way kernels take them."""
    return np.flatnonzero(mask).astype(np.int32)


def _board_swaps(board: Sequence[int]) -> tuple[int, ...]:
    """Return the exchanges of suits to look for; none where few boards are left."""
    return board_symmetries(board) if _to_come(board) > 1 else NO_SWAPS


def _with_symmetries(
    ranges: NDArray[np.float64], board: Sequence[int]
) -> tuple[NDArray[np.float64], tuple[int, ...]]:
    """Return ranges with the same equities and the exchanges of suits that leave both unchanged.

    Where one of them has more symmetries than the other, the other may be replaced by the sum of
    its images: the first range cannot tell them apart.
    """
    swap_groups = [range_symmetries(_board_swaps(board), weights[None]) for weights in ranges]
    more = int(len(swap_groups[1]) > len(swap_groups[0]))
    swaps = swap_groups[more]
    ranges[1 - more] = ranges[1 - more][COMBO_SWAPS[list(swaps)]].sum(axis=0)
    return ranges, swaps


def _showdowns(
    hero: NDArray[np.int32],
    weights: NDArray[np.float64],
    board: Sequence[int],
    swaps: tuple[int, ...],
    by_table: bool,
) -> NDArray[np.float64]:
    """Return (2, K) the weight that each own combo beats and that it ties, over all boards.

    Where boards stand for their images under `swaps`, only sums over images of combos are right.
    """
    from engine.equity.equity_kernels import add_showdowns

    villain = held_combos(weights > 0)
    if by_table and not board:
        return _look_up(hero, villain) @ weights[villain]
    runouts = list_runouts(board, _to_come(board), 0, swaps)
    if len(hero) <= _FEW_COMBOS:
        apart = (COMBO_MASKS[hero, None] & COMBO_MASKS) == 0
        lost, drawn = (_compare(hero, runouts) * apart) @ weights
        met = (apart @ weights) * _boards_for_two(board)
        return np.stack((met - lost - drawn, drawn))
    sums = np.zeros((2, COMBOS))
    for part in _parts(runouts):
        add_showdowns(*part, hero, villain, weights, sums[0], sums[1])
    return sums[:, hero]


def _look_up(hero: NDArray[np.int32], villain: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return (2, K, M) boards won and tied before the flop, 0 for combos that share a card."""
    first, second = np.repeat(hero, len(villain)), np.tile(villain, len(hero))
    return np.stack(pair_counts(first, second)).reshape(2, len(hero), len(villain))


def _compare(hero: NDArray[np.int32], runouts: Runouts) -> NDArray[np.int32]:
    """Return (2, K, 1326) run-outs lost and tied; combos that share a card count as well."""
    from engine.equity.equity_kernels import count_showdowns

    counts = np.zeros((2, len(hero), COMBOS), np.int32)
    for part in _parts(runouts):
        count_showdowns(*part, hero, counts[0], counts[1])
    return counts


def _over_images(values: NDArray[Any], swaps: tuple[int, ...]) -> NDArray[Any]:
    """Return (..., 1326) for each combo the sum of values over its images.

    A run-out stands for its own images, on which what happens to a combo happens to its image.
    """
    images: NDArray[Any] = values[..., COMBO_SWAPS[list(swaps)]].sum(axis=-2)
    return images


def _parts(runouts: Runouts) -> Iterator[Runouts]:
    """Yield run-outs in parts of about ten milliseconds of work, so that Ctrl-C is noticed."""
    for start in range(0, len(runouts.deals), _BOARDS_AT_ONCE):
        end = start + _BOARDS_AT_ONCE
        yield Runouts(runouts.boards[start:end], runouts.deals[start:end])
