"""What a bot that searches answers with: a strategy, and where it is from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from engine.betting.policy import Strategy
    from engine.search.subgame_search import Solution


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
