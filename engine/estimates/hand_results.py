"""What each logged hand was worth to whom, hand by hand, in the order of the logs.

Compiled code leaves a row for each of N hands of P positions:

    rows   (N, 5 + 2 P) int64   the RESULT_ entries below, then by position the player's index, then
                                the chips won in millionths

and `hand_results` makes columns of them.  The number of a deal stands for the number of the hand
and all hole cards; the board is packed, BOARD_BITS for each card + 1, the first card lowest.  So
a board that was seen less far is the lower bits of one that was seen further.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RESULT_DEAL: Final = 0
RESULT_BOARD: Final = 1
RESULT_ALLIN: Final = 2
"""Number of the all-in among all that were met, from 1; 0 where the hand was none."""
RESULT_HAND: Final = 3
"""Number of the hand, as printed."""
RESULT_POT: Final = 4
"""Chips put in by all, with those that nobody matched."""
RESULT_SEATS: Final = 5
BOARD_BITS: Final = 6
_MILLION: Final = 1e6


@dataclass(frozen=True, slots=True, eq=False)
class HandResults:
    """N hands of one game."""

    deal: NDArray[np.int64]
    """(N,) number of the deal: the same for hands of the same number and hole cards."""
    board: NDArray[np.int64]
    """(N,) the board as far as it was seen, packed."""
    hand: NDArray[np.int64]
    """(N,) number of the hand in its log."""
    pot: NDArray[np.int64]
    """(N,) chips in the pot; what of a bet nobody called is not part of it."""
    session: NDArray[np.int32]
    """(N,) number of the part of the logs that a hand stands in."""
    players: NDArray[np.int32]
    """(N, P) index of the player in each position."""
    chips: NDArray[np.float64]
    """(N, P) chips won by position, as printed."""
    expected: NDArray[np.float64] | None
    """(N, P) the same with all-in hands at their expectation; None where that was not computed."""

    def __len__(self) -> int:
        return len(self.deal)


@dataclass(frozen=True, slots=True, eq=False)
class Lineups:
    """Who played with whom: G groups of P players."""

    groups: NDArray[np.int32]
    """(G, P) the players of each group, ascending."""
    group: NDArray[np.int64]
    """(N,) number of the group that played a hand."""
    order: NDArray[np.int64]
    """(N, P) position of each player of the group in that hand."""

    def by_player(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (N, P) values by position, reordered as `groups` names the players."""
        return np.take_along_axis(values, self.order, axis=1)


def hand_results(
    players: int,
    sessions: Sequence[Sequence[NDArray[np.int64]]],
    allins: NDArray[np.float64] | None,
) -> HandResults:
    """Return the columns of rows.

    Args:
        sessions: blocks of rows, session by session.
        allins: (A, P) chips by position of each all-in that was met; None leaves expectation out.
    """
    lengths = [sum(map(len, blocks)) for blocks in sessions]
    none = np.zeros((0, RESULT_SEATS + 2 * players), np.int64)
    rows = np.concatenate([none, *(block for blocks in sessions for block in blocks)])
    chips = rows[:, RESULT_SEATS + players :] / _MILLION
    expected = None
    if allins is not None:
        expected = chips.copy()
        number = rows[:, RESULT_ALLIN]
        expected[number > 0] = allins[number[number > 0] - 1]
    return HandResults(
        deal=rows[:, RESULT_DEAL].copy(),
        board=rows[:, RESULT_BOARD].copy(),
        hand=rows[:, RESULT_HAND].copy(),
        pot=rows[:, RESULT_POT].copy(),
        session=np.repeat(np.arange(len(lengths), dtype=np.int32), lengths),
        players=rows[:, RESULT_SEATS : RESULT_SEATS + players].astype(np.int32),
        chips=chips,
        expected=expected,
    )


def lineups(players: NDArray[np.int32]) -> Lineups:
    """Return who played with whom, from (N, P) players by position."""
    order = np.argsort(players, axis=1, kind="stable")
    ranked = np.take_along_axis(players, order, axis=1)
    number = np.zeros(len(players), np.int64)
    for column in ranked.T:  # numbers stay small, so that no product of them is too large
        _, number = np.unique(number * (column.max(initial=0) + 1) + column, return_inverse=True)
    _, first = np.unique(number, return_index=True)
    return Lineups(ranked[first], number, order)
