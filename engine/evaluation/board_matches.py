"""Matches that are exact on a board: which boards are drawn, and what they come to on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.hands.cards import CARDS
from engine.parallel.processes import in_order
from engine.range_solver.terminal import BOARD_CARDS

if TYPE_CHECKING:
    from engine.parallel.cluster import Cluster

HOLDING_PAIRS: Final = 1081 * 990
_STREAM: Final = 0x565355
"""Keeps these boards apart from other draws of the same seed."""


class BoardMatch(Protocol):
    """Two players whose match is summed up over all hands; see `exact_match.ExactMatch`."""

    def value(self, board: Sequence[int]) -> float:
        """Return what the first wins on a board of five cards, chips per hand, both seatings."""


def sample_board(seed: int, number: int) -> NDArray[np.int64]:
    """Return the (5,) cards of one board of a seed's sequence."""
    generator = np.random.default_rng((_STREAM, seed, number))
    return generator.choice(CARDS, BOARD_CARDS, replace=False).astype(np.int64)


def values_on_boards(
    matches: Callable[..., Sequence[BoardMatch]],
    arguments: tuple[Any, ...],
    boards: Sequence[int],
    seed: int,
    *,
    workers: int = 1,
    cluster: Cluster | None = None,
) -> Iterator[NDArray[np.float64]]:
    """Yield (M,) what each of M matches comes to, board by board; chips per hand.

    Args:
        matches: called with `arguments` once in each process; gives the matches.
        arguments: they travel to the processes.
        workers: processes; the values do not depend on it.  See `in_order`.
        cluster: who works in place of processes.

    Raises:
        Exception: whatever `matches` raises.
    """
    return in_order(
        _valuer,
        (matches, arguments, seed),
        boards,
        workers,
        cluster=cluster,
        alike=lambda sent, here: bool(np.array_equal(sent, here)),
    )


def _valuer(
    matches: Callable[..., Sequence[BoardMatch]], arguments: tuple[Any, ...], seed: int
) -> Callable[[int], NDArray[np.float64]]:
    seated = matches(*arguments)

    def values(number: int) -> NDArray[np.float64]:
        board = sample_board(seed, number).tolist()
        return np.array([match.value(board) for match in seated])

    return values
