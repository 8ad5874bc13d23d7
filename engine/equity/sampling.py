"""Equity of any number of ranges, estimated from random deals, with a 95 % interval.

Ranges and boards are those of `engine.equity.equity`.  A deal gives each player a combo in
proportion to its weight and completes the board.  Deals in which a card would come twice are thrown
away, so the others have the product of the weights.  About 15 million deals a second between two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.equity.equity import (
    MOST_HANDS,
    Equity,
    checked_board,
    equity_of_counts,
    held_combos,
    range_on_board,
)
from engine.estimates.winrate import half_interval
from engine.hands.cards import COMBO_CARDS
from engine.parallel.halting import Halt
from engine.showdown.tables import card_keys, card_masks

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

Progress = Callable[[float], None]
"""Called now and then with the part of the work that is done, 0 to 1."""

_DEALS_AT_ONCE: Final = 16384
_ATTEMPTS_PER_DEAL: Final = 1000
_LOOKUP_STARTS: Final = 2048


def sampled_equity(
    ranges: Sequence[ArrayLike],
    board: Sequence[int],
    samples: int,
    rng: np.random.Generator,
    on_progress: Progress | None = None,
) -> tuple[Equity, ...]:
    """Return the equity of each of 2 to 10 ranges, estimated from random deals.

    Args:
        ranges: weights, one range per player.
        board: the known cards, 0, 3, 4 or 5.
        samples: number of deals.

    Raises:
        ValueError: the board or a range is invalid, there is no sample, or hardly any deal of all
            ranges is possible without a card coming twice.
    """
    from engine.equity.sampling_kernels import sample_showdowns

    if not 2 <= len(ranges) <= MOST_HANDS:
        raise ValueError(f"want 2 to {MOST_HANDS} ranges, got {len(ranges)}")
    if samples < 1:
        raise ValueError(f"{samples} samples")
    board_cards = np.array(checked_board(board), np.uint8)
    holdings = _holdings([range_on_board(weights, board) for weights in ranges])
    deck = np.stack((card_masks(), card_keys()))
    counts = np.zeros((len(ranges), len(ranges) + 1), np.int64)
    with Halt() as halt:  # numba crashes where Ctrl-C comes while it looks at a generator
        for start in range(0, samples, _DEALS_AT_ONCE):
            wanted = min(_DEALS_AT_ONCE, samples - start)
            tries = _ATTEMPTS_PER_DEAL * wanted
            if not sample_showdowns(rng, *holdings, deck, board_cards, wanted, tries, counts):
                raise ValueError(
                    f"of {_ATTEMPTS_PER_DEAL} deals of these ranges hardly one repeats no card"
                )
            if on_progress is not None:
                on_progress((start + wanted) / samples)
            if halt():
                break
    return tuple(_estimate(row, samples) for row in counts.tolist())


def _holdings(
    ranges: Sequence[NDArray[np.float64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return first, holes, cumulative and guide as the kernel takes them."""
    combos = [held_combos(weights > 0) for weights in ranges]
    first = np.cumsum([0, *map(len, combos)])
    cumulative, guides = [], []
    for start, weights, live in zip(first, ranges, combos, strict=False):
        steps = weights[live].cumsum() / weights[live].sum()
        steps[-1] = 2.0  # never passed, however the sum was rounded
        cumulative.append(steps)
        guides.append(
            start + np.searchsorted(steps, np.arange(_LOOKUP_STARTS) / _LOOKUP_STARTS, side="right")
        )
    cards = COMBO_CARDS[np.concatenate(combos)]
    holes = np.stack((card_masks()[cards].sum(axis=1), card_keys()[cards].sum(axis=1)))
    return first, holes, np.concatenate(cumulative), np.stack(guides)


def _estimate(best_of: list[int], samples: int) -> Equity:
    found = equity_of_counts(best_of, samples)
    ci95 = math.inf
    if samples > 1:
        squares = math.fsum(count / j**2 for j, count in enumerate(best_of) if j)
        variance = max(0.0, squares - samples * found.equity**2) / (samples - 1)
        ci95 = half_interval(math.sqrt(variance), samples)
    return Equity(found.win, found.tie, found.lose, found.equity, ci95, samples, False)
