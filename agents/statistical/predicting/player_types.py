"""Five types of players, by K-means over the nine numbers of `counting.play_summary`.

K-means works on numbers in standard deviations from the mean.  Limit and no-limit games have means
and deviations of their own, since what can be bet differs.  It finds more centres than there are
types.  A centre gets the first name whose condition it meets; several may get the same, and a type
that nobody plays has none.  Aggression is raises / (calls + raises):

    bluffer        weak raises >= 0.35, aggression < 0.8: raises every third weak hand that it
                   shows, or more; who raises nearly everything is aggressive, no bluffer
    aggressive     aggression >= 0.3, and winners are raised more often than called
    conservative   folds >= 0.25 or winner folds >= 0.05: gives up much, or what could be won
    trapper        winner raises <= 0.55 of what is raised and called with winners
    regular        all others

In the pool there is a gap around 0.3, between players who mostly call and those who mostly raise.
Aggression is asked before folds, so that who plays few hands and raises them is aggressive.
Players who never raise are trappers, too: the same counter-policy wins against both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from agents.statistical.counting.counters import GAME_KINDS
from agents.statistical.counting.play_summary import NUMBERS
from agents.statistical.predicting.trained import (
    MOST_DECISIONS,
    REMEDY,
    TrainedModel,
    check_array,
    check_number,
)
from engine.storage.artifacts import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.statistical.counting.play_summary import PlaySummary

TYPES: Final = ("aggressive", "conservative", "regular", "bluffer", "trapper")
BLUFFER_WEAK_RAISES: Final = 0.35
BLUFFER_AGGRESSION: Final = 0.8
AGGRESSION: Final = 0.3
CONSERVATIVE_FOLDS: Final = 0.25
CONSERVATIVE_WINNER_FOLDS: Final = 0.05
TRAPPER_WINNER_RAISES: Final = 0.55
_LEAST_ACTIONS: Final = 1e-9
LARGEST_NUMBER: Final = 1e6
"""No number of a model is larger, no width smaller than the inverse."""


@dataclass(frozen=True, slots=True)
class TypeAssignment:
    """What type a player seems to be."""

    name: str
    confidence: float
    """Probability of the type, if types were normal distributions of one width around the centres;
    with fewer hands than a centre was made of, less sure."""
    hands: int
    """That were seen of it."""


@dataclass(eq=False)
class PlayerTypes(TrainedModel):
    """The centres of the types."""

    centres: NDArray[np.float64]
    """(K, 9) in units of `spreads` from `means`."""
    means: NDArray[np.float64]
    """(2, 9) of the players it was made of, limit games and no-limit games."""
    spreads: NDArray[np.float64]
    """(2, 9) their standard deviations."""
    width: float
    """Of a centre's players, standard deviations a feature."""
    window: int
    """Hands that each point was made of."""
    names: tuple[str, ...] = field(init=False)
    """(K,) the type of each centre."""

    KIND: ClassVar = Kind("types of players", 2, REMEDY)
    ARRAYS: ClassVar = ("centres", "means", "spreads")
    MADE_FOR: ClassVar = {"types": list(TYPES), "features": list(NUMBERS)}

    def __post_init__(self) -> None:
        arrays = (self.centres, self.means, self.spreads)
        lengths = (max(len(self.centres), 1), GAME_KINDS, GAME_KINDS)
        for name, array, length in zip(self.ARRAYS, arrays, lengths, strict=True):
            check_array(name, array, "float64", (length, len(NUMBERS)))
        finite = all(np.isfinite(array).all() for array in arrays)
        if not finite or not (self.spreads > 0).all():
            raise ValueError("a number is not finite or a width not positive")
        if max(np.abs(self.centres).max(), np.abs(self.means).max()) > LARGEST_NUMBER:
            raise ValueError("a number is far too large")
        if (
            not (self.spreads >= 1 / LARGEST_NUMBER).all()
            or not (self.spreads <= LARGEST_NUMBER).all()
        ):
            raise ValueError("a spread is far too small, or far too large")
        check_number("width", self.width, 1 / LARGEST_NUMBER, LARGEST_NUMBER)
        check_number("window", self.window, 1, MOST_DECISIONS)
        self.names = tuple(map(type_name, self.plain_centres()))
        self._member = np.array(
            [[name == type_of_list for type_of_list in TYPES] for name in self.names]
        )

    def plain_centres(self) -> NDArray[np.float64]:
        """Return (K, 9) the centres in units of the features, means over kinds of game."""
        plain: NDArray[np.float64]
        plain = self.centres * self.spreads.mean(axis=0) + self.means.mean(axis=0)
        return plain

    def assign(self, summary: PlaySummary) -> TypeAssignment:
        """Return the type of a player.

        Raises:
            ValueError: no action has been seen.
        """
        trust = min(1.0, summary.hands / self.window)
        kinds = np.array([int(summary.no_limit)])
        chances = self.chances(summary.numbers()[None], kinds, trust)[0]
        likeliest = int(np.argmax(chances))
        return TypeAssignment(TYPES[likeliest], float(chances[likeliest]), summary.hands)

    def chances(
        self, points: NDArray[np.float64], kinds: NDArray[np.integer], trust: float = 1.0
    ) -> NDArray[np.float64]:
        """Return (N, 5), the probability of each type, as in `TypeAssignment`.

        Args:
            points: (N, 9) features.
            kinds: (N,) 1 for players of no-limit games, 0 of limit games.
            trust: 0..1, below 1 for points of fewer hands than the centres were made of.
        """
        scaled = (points - self.means[kinds]) / self.spreads[kinds]
        apart = ((scaled[:, None] - self.centres) ** 2).sum(axis=2)
        scores = -trust * (apart - apart.min(axis=1, keepdims=True)) / (2 * self.width**2)
        odds = np.exp(scores)
        shares: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True) @ self._member
        return shares

    def likeliest(
        self, points: NDArray[np.float64], kinds: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return (N,) the likeliest of `TYPES` for (N, 9) points of (N,) kinds."""
        likeliest: NDArray[np.int64] = self.chances(points, kinds).argmax(axis=1)
        return likeliest


def type_name(point: NDArray[np.float64]) -> str:
    """Return the type of (9,) features, by the conditions of this module."""
    folds, calls, raises, _, _, winner_folds, winner_calls, winner_raises, weak_raises = (
        point.tolist()
    )
    aggression = raises / max(calls + raises, _LEAST_ACTIONS)
    if weak_raises >= BLUFFER_WEAK_RAISES and aggression < BLUFFER_AGGRESSION:
        return "bluffer"
    if aggression >= AGGRESSION and winner_raises >= winner_calls:
        return "aggressive"
    if folds >= CONSERVATIVE_FOLDS or winner_folds >= CONSERVATIVE_WINNER_FOLDS:
        return "conservative"
    slow = winner_raises <= TRAPPER_WINNER_RAISES * (winner_calls + winner_raises)
    return "trapper" if slow else "regular"
