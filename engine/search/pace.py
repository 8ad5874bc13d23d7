"""How fast this machine searches, so that a search fits its time or is not begun.

    overhead   seconds before the first iteration: the way from the solution before, tree, boards
    per_node   seconds of an iteration for each node of the betting

Both are what was measured last, or the slower figure before it, which is forgotten slowly.  A
search tells of no more than twice what was known: a pause of the machine is no pace.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from engine.search.subgame_search import Solution

LEAST_ITERATIONS: Final = 8
"""The smallest turn tree is then less exploitable than the blueprint: docs/libratus.md."""
WANTED_ITERATIONS: Final = 150
"""For which menus are made smaller: LBR won 149 ± 69 mbb/h less from 160 iterations of the smallest
than from 60, and between trees it did not decide (docs/libratus.md)."""
_PACE_EASING: Final = 0.8
_MOST_SLOWING: Final = 2.0


class Pace(NamedTuple):
    """Of one street; see the module's text."""

    overhead: float
    per_node: float

    def most_nodes(self, seconds: float, iterations: int) -> float:
        """Return how many nodes may be searched so often in some seconds; inf without a limit."""
        return (seconds - self.overhead) / (iterations * self.per_node)

    def eased(self) -> Pace:
        """Return a pace that is forgotten a little, so that one hiccup ends no searching."""
        return Pace(_PACE_EASING * self.overhead, _PACE_EASING * self.per_node)

    def after(self, solution: Solution, seconds: float) -> Pace:
        """Return the slower of this pace and that of a search that took some seconds in all."""
        iterating = solution.seconds - solution.set_up
        nodes = solution.iterations * solution.solver.game.tree.nodes
        slower = _MOST_SLOWING * self.overhead, _MOST_SLOWING * self.per_node
        measured = min(seconds - iterating, slower[0]), min(iterating / nodes, slower[1])
        return Pace(max(measured[0], self.overhead), max(measured[1], self.per_node))


USUAL_PACE_OF_STREET: Final = {2: Pace(0.15, 0.0004), 3: Pace(0.02, 0.00002)}
