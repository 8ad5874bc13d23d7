"""Five types of players, by K-means over CLUSTERED, numbers of `counting.play_summary`.

K-means works on numbers in standard deviations from the mean.  Limit and no-limit games have means
and deviations of their own, since what can be bet differs.  Each type is one cluster.  Which of
them gets which name follows from its centre, in deviations: of all ways to give the five names, the
one with the largest sum of

    aggressive     raises
    conservative   folds - raises
    bluffer        weak raises - winner raises
    trapper        waits
    regular        0: what is left over

Left out are the chips behind and calls with winners, which say again what bets and raises say.
Players who never raise, or always, are far from all others: K-means would give each a cluster of
its own.  They were not among those that the shipped types were made of.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations
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
CLUSTERED: Final = (
    "folds",
    "calls",
    "raises",
    "bet",
    "winner folds",
    "winner raises",
    "weak raises",
    "waits",
)
_COLUMNS: Final = [NUMBERS.index(name) for name in CLUSTERED]
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
    """(5, 8) in units of `spreads` from `means`."""
    means: NDArray[np.float64]
    """(2, 8) of the players it was made of, limit games and no-limit games."""
    spreads: NDArray[np.float64]
    """(2, 8) their standard deviations."""
    width: float
    """Of a centre's players, standard deviations a feature."""
    window: int
    """Hands that each point was made of."""
    names: tuple[str, ...] = field(init=False)
    """(5,) the type of each centre."""

    KIND: ClassVar = Kind("types of players", 3, REMEDY)
    ARRAYS: ClassVar = ("centres", "means", "spreads")
    MADE_FOR: ClassVar = {"types": list(TYPES), "features": list(CLUSTERED)}

    def __post_init__(self) -> None:
        arrays = (self.centres, self.means, self.spreads)
        lengths = (len(TYPES), GAME_KINDS, GAME_KINDS)
        for name, array, length in zip(self.ARRAYS, arrays, lengths, strict=True):
            check_array(name, array, "float64", (length, len(CLUSTERED)))
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
        self.names = type_names(self.centres)
        self._member = np.array(
            [[name == type_of_list for type_of_list in TYPES] for name in self.names]
        )

    def plain_centres(self) -> NDArray[np.float64]:
        """Return (5, 8) the centres in units of the features, means over kinds of game."""
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
            points: (N, 10) as of `NUMBERS`.
            kinds: (N,) 1 for players of no-limit games, 0 of limit games.
            trust: 0..1, below 1 for points of fewer hands than the centres were made of.
        """
        scaled = (clustered(points) - self.means[kinds]) / self.spreads[kinds]
        apart = ((scaled[:, None] - self.centres) ** 2).sum(axis=2)
        scores = -trust * (apart - apart.min(axis=1, keepdims=True)) / (2 * self.width**2)
        odds = np.exp(scores)
        shares: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True) @ self._member
        return shares

    def likeliest(
        self, points: NDArray[np.float64], kinds: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Return (N,) the likeliest of `TYPES` for (N, 10) points of (N,) kinds."""
        likeliest: NDArray[np.int64] = self.chances(points, kinds).argmax(axis=1)
        return likeliest


def clustered(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (N, 8) those of (N, 10) numbers that clusters go by."""
    return points[:, _COLUMNS]


def type_names(centres: NDArray[np.float64]) -> tuple[str, ...]:
    """Return the type of each of (5, 8) centres in deviations, by the scores of this module."""
    number = dict(zip(CLUSTERED, centres.T, strict=True))
    scores = {
        "aggressive": number["raises"],
        "conservative": number["folds"] - number["raises"],
        "regular": np.zeros(len(centres)),
        "bluffer": number["weak raises"] - number["winner raises"],
        "trapper": number["waits"],
    }
    return max(
        permutations(TYPES),
        key=lambda names: sum(scores[name][centre] for centre, name in enumerate(names)),
    )
