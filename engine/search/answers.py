"""What a bot that searches answers with: a strategy, where it is from, and the time it may take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from engine.betting.policy import Strategy
    from engine.play.budget import TimeBudget
    from engine.search.subgame_search import Budget, Solution

_ANSWER_TIME_SHARE: Final = 0.5
_HAND_TIME_SHARE: Final = 0.25
"""There may be as many decisions to come."""


class Answer(NamedTuple):
    """A strategy, and where it comes from."""

    strategy: Strategy
    solution: Solution | None
    """None: it was not searched for."""
    why: str = ""
    """Why not."""

    def notes(self, otherwise: str) -> dict[str, Any]:
        """Return what a log tells of it; `otherwise` says who decided without a search."""
        if self.solution is None:
            return {"decided_by": otherwise, "because": self.why}
        return {
            "decided_by": "search",
            "iterations": self.solution.iterations,
            "nodes": self.solution.solver.game.tree.nodes,
            "search_seconds": round(self.solution.seconds, 3),
        }


def allowed(limits: Budget, budget: TimeBudget) -> Budget:
    """Return what a search may take of the dealer's time, no more than its own limits."""
    dealers = min(_ANSWER_TIME_SHARE * budget.seconds, _HAND_TIME_SHARE * budget.hand)
    return limits._replace(seconds=min(limits.seconds, dealers))
