"""The next cards in portions, so that the first street learns more often in the same time.

An iteration visits one portion, which stands for all: what the boards not visited would have won is
taken to be the same on average.  A board that is visited once in P iterations discounts for all P.
Each round of P iterations cuts the boards anew, so none of them keeps the same company; what is
drawn depends on the round's number alone.

With LCFR on turns, three portions leave a quarter less to be won after the work of 20 iterations
over all boards, a fifth after 40, no less after 160: docs/libratus.md.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cfr.variants import Step
from engine.range_solver.boards import CardDeals
from engine.range_solver.game import RangeGame


class Portion(NamedTuple):
    """The boards below one board that a pass visits."""

    boards: NDArray[np.intp]
    """(N,) ascending."""
    ways: NDArray[np.intp] | slice
    """(W,) deals that lead to them."""
    standing: NDArray[np.int32]
    """(W,) which of the N each leads to."""
    stands_for: float
    """How many boards each stands for."""


def whole(deals: CardDeals, board: int) -> Portion:
    """Return all boards below one."""
    ways, below = deals.of(board), deals.below(board)
    standing = deals.board[ways] - np.int32(below.start)
    return Portion(np.arange(below.start, below.stop), ways, standing, 1.0)


class Portions:
    """The portions of a game's second street, round by round."""

    def __init__(self, game: RangeGame, portions: int) -> None:
        """Cut into so many, but no more than there are boards."""
        self._deals: Final = game.boards[0].deals
        self._count: Final = 1 if game.levels == 1 else min(portions, len(game.boards[1].boards))
        self._round = -1
        self._cut: list[NDArray[np.intp]] = []

    def part(self, iterations: int) -> Portion | None:
        """Return what the iteration after so many visits; None for all boards."""
        if self._count == 1 or self._deals is None:
            return None
        turn, number = divmod(iterations, self._count)
        below, ways = self._deals.below(0), self._deals.of(0)
        leads_to = self._deals.board[ways]
        if turn != self._round:
            order = np.random.default_rng(turn).permutation(len(below))
            self._cut = np.array_split(order + below.start, self._count)
            self._round = turn
        boards = np.sort(self._cut[number])
        index_of = np.full(below.stop, -1, np.int32)
        index_of[boards] = np.arange(len(boards))
        deals = np.flatnonzero(index_of[leads_to] >= 0)
        return Portion(
            boards, deals + ways.start, index_of[leads_to[deals]], len(below) / len(boards)
        )


def less_often(step: Step, times: float) -> Step:
    """Return the factors of boards that see one iteration out of some: they discount for all."""
    if times == 1:
        return step
    return step._replace(
        positive=step.positive**times, negative=step.negative**times, keep=step.keep**times
    )
