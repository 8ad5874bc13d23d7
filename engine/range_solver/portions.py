"""The next cards in portions, so that the first street learns more often in the same time.

An iteration visits one portion, which stands for all: what the boards not visited would have won is
taken to be the same on average.  A board that is visited once in P iterations discounts for all P.
Each round of P iterations cuts the boards anew, so none of them keeps the same company; what is
drawn depends on the round's number alone.

With LCFR on turns, three portions leave a fifth to a quarter less to be won after the same work as
all boards at once: docs/libratus.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cfr.variants import Step
from engine.range_solver.game import RangeGame


def portion_of(game: RangeGame, portions: int, iterations: int) -> NDArray[np.intp] | None:
    """Return the boards of the second street for an iteration, ascending; None for all.

    Args:
        portions: P, as many as there are boards at most.
        iterations: how many there were.
    """
    if portions == 1 or game.levels == 1:
        return None
    turn, number = divmod(iterations, portions)
    boards = len(game.boards[1].boards)
    order = np.random.default_rng(turn).permutation(boards)
    return np.sort(np.array_split(order, min(portions, boards))[number % boards])


def less_often(step: Step, times: float) -> Step:
    """Return the factors of boards that see one iteration out of some: they discount for all."""
    return step._replace(
        positive=step.positive**times, negative=step.negative**times, keep=step.keep**times
    )
