"""What the trainer wants of a learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from agents.learners.model import LearnedNetworks


class SelfPlayLearner(Protocol):
    """Learns a game by playing all its seats."""

    def learn(self, done: float, limit: int) -> int:
        """Play and learn for a round; return how many decisions were made.

        Args:
            done: share of the run that is over.
            limit: decisions of the run that are not: no hand of a batch begins behind them.  Single
                deep CFR ends its iteration.
        """

    def profile(self) -> NDArray[Any]:
        """Return (E',) float64, the flat profile as it would be played now."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all that it has learned and remembers, but for its random generator."""

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take what `arrays` returned.  Raises KeyError, ValueError: it is of another learner."""

    def networks(self) -> LearnedNetworks | None:
        """Return what is to be played; None where it is no networks."""
