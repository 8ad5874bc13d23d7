"""Five types of players, by K-means over how they play; and what to do against each.

A player is eight numbers within 0..1 (the patent's features, ALGORITHMS 2.7):

    folds, calls, raises             shares of the actions
    bet                              mean raise as a share of the pot, 2 at most, halved
    stack                            mean of chips behind / chips at the start of the hand
    winner folds, calls, raises      shares of the actions taken with a hand that could be won

A hand could be won when its effective strength was at least one half.  Only hands that were shown
count there, because a bot at the table learns no others; so nobody is seen to fold a winner, and
the other two tell slow play from fast play.  The sources leave open what they mean by winnable, and
what bets and stacks are measured in.

K-means works on numbers divided by their standard deviations.  Centres get their names so that the
sum of these scores, of centres in standard deviations from the mean, is largest:

    aggressive     raises
    conservative   folds
    regular        - distance from the mean
    bluffer        raises + bet - winner raises         bets high, and not for the hand's strength
    trapper        winner calls - winner raises - bet   calls with what others raise, or bets low
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.statistical.habits import ACTIONS, FOLD, RAISE
from agents.statistical.predictor import REMEDY
from engine.artifacts import Kind, load_artifact, save_artifact
from engine.errors import ArtifactMismatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

KIND: Final = Kind("types of players", 1, REMEDY)
TYPES: Final = ("aggressive", "conservative", "regular", "bluffer", "trapper")
FEATURES: Final = (
    "folds",
    "calls",
    "raises",
    "bet",
    "stack",
    "winner folds",
    "winner calls",
    "winner raises",
)
WINNABLE: Final = 0.5
"""Effective strength from which a hand could be won."""
_LARGEST_BET: Final = 2.0
_SMOOTHING: Final = 4.0
"""Actions that a player's shares over all hands count for in those of winnable hands."""
_LEAST_SHARE: Final = 1e-9


class CounterPolicy(NamedTuple):
    """How to play against a type: what is added to the own strength before a decision is made.

    The patent says "call more against aggressive, bluff against conservative"; the numbers are
    ours.
    """

    call_shift: float
    """Added when the question is to call or to fold."""
    raise_shift: float
    """Added when the question is to raise or to call."""
    bluff: float
    """Probability to raise with a hand that would be checked or folded."""


COUNTER_POLICIES: Final[Mapping[str, CounterPolicy]] = {
    "aggressive": CounterPolicy(call_shift=0.08, raise_shift=0.0, bluff=0.02),
    "conservative": CounterPolicy(call_shift=-0.08, raise_shift=-0.03, bluff=0.25),
    "regular": CounterPolicy(call_shift=0.0, raise_shift=0.0, bluff=0.08),
    "bluffer": CounterPolicy(call_shift=0.12, raise_shift=0.03, bluff=0.02),
    "trapper": CounterPolicy(call_shift=-0.05, raise_shift=-0.05, bluff=0.05),
}


class Summary:
    """What the eight numbers are made of; it grows while a player is watched."""

    __slots__ = ("_actions", "_bets", "_stacks", "_winners", "hands")

    def __init__(self) -> None:
        """Start with nothing seen."""
        self.hands = 0
        self._actions = np.zeros(ACTIONS)
        self._winners = np.zeros(ACTIONS)
        self._bets = self._stacks = 0.0

    def add_hand(self) -> None:
        """Count a hand in which the player decided something."""
        self.hands += 1

    def add(self, action: int, raised: float, stack: float) -> None:
        """Count an action.

        Args:
            action: FOLD, CALL or RAISE.
            raised: of a raise, its share of the pot after the call.
            stack: chips behind before the action / chips at the start of the hand.
        """
        self._actions[action] += 1
        self._stacks += stack
        if action == RAISE:
            self._bets += min(raised, _LARGEST_BET)

    def add_shown(self, action: int, strength: float) -> None:
        """Tell the strength with which an action was taken, when the hand is shown at its end."""
        if strength >= WINNABLE:
            self._winners[action] += 1

    def features(self) -> NDArray[np.float64]:
        """Return (8,) the numbers of `FEATURES`.

        Raises:
            ValueError: no action has been seen.
        """
        count = self._actions.sum()
        if count == 0:
            raise ValueError("no action has been seen")
        shares = self._actions / count
        usual = shares * (1 - np.eye(ACTIONS)[FOLD])
        winners = self._winners + _SMOOTHING * usual / max(usual.sum(), _LEAST_SHARE)
        winners /= max(winners.sum(), _LEAST_SHARE)
        bet = self._bets / max(self._actions[RAISE], 1) / _LARGEST_BET
        return np.array([*shares, bet, self._stacks / count, *winners])


@dataclass(frozen=True, slots=True)
class Assignment:
    """What type a player seems to be."""

    name: str
    confidence: float
    """Probability of the type, if types were normal distributions of one width around the centres;
    with fewer hands than a centre was made of, less sure."""
    chances: tuple[float, ...]
    """The same for each of `TYPES`."""

    @property
    def counter_policy(self) -> CounterPolicy:
        """What to do against it."""
        return COUNTER_POLICIES[self.name]


class PlayerTypes:
    """The centres of the types.

    Attributes:
        centres: (5, 8) float64 in the order of `TYPES`, in units of `spreads` from `means`.
        means: (8,) float64 of the players it was made of.
        spreads: (8,) float64 their standard deviations.
        width: of a type, standard deviations a feature.
        window: hands that each point was made of.
        provenance: how it was made, as plain values.
    """

    def __init__(
        self,
        centres: NDArray[np.float64],
        means: NDArray[np.float64],
        spreads: NDArray[np.float64],
        width: float,
        window: int,
        provenance: Mapping[str, Any] | None = None,
    ) -> None:
        """Check the numbers.

        Raises:
            ValueError: they do not fit together.
        """
        count = len(FEATURES)
        if (centres.shape, means.shape, spreads.shape) != ((len(TYPES), count), (count,), (count,)):
            raise ValueError(f"centres {centres.shape}, means {means.shape}, {spreads.shape}")
        finite = all(bool(np.isfinite(array).all()) for array in (centres, means, spreads))
        if not finite or not (spreads > 0).all() or not width > 0 or window < 1:
            raise ValueError("a number is not finite or a width not positive")
        self.centres: Final = centres
        self.means: Final = means
        self.spreads: Final = spreads
        self.width: Final = width
        self.window: Final = window
        self.provenance: Final = dict(provenance or {})

    def assign(self, summary: Summary) -> Assignment:
        """Return the type of a player.

        Raises:
            ValueError: no action has been seen.
        """
        chances = self.chances(summary.features()[None], min(1.0, summary.hands / self.window))[0]
        likeliest = int(np.argmax(chances))
        return Assignment(TYPES[likeliest], float(chances[likeliest]), tuple(chances.tolist()))

    def chances(self, points: NDArray[np.float64], trust: float = 1.0) -> NDArray[np.float64]:
        """Return (N, 5), how likely each type is for (N, 8) points, as `Assignment` tells."""
        scaled = (points - self.means) / self.spreads
        apart = ((scaled[:, None] - self.centres) ** 2).sum(axis=2)
        scores = -trust * (apart - apart.min(axis=1, keepdims=True)) / (2 * self.width**2)
        odds = np.exp(scores)
        shares: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True)
        return shares

    def save(self, path: Path) -> None:
        """Write the file of the types.

        Raises:
            OSError: it cannot be written.
        """
        facts = {
            "types": list(TYPES),
            "features": list(FEATURES),
            "width": self.width,
            "window": self.window,
            "provenance": self.provenance,
        }
        arrays = {"centres": self.centres, "means": self.means, "spreads": self.spreads}
        save_artifact(path, KIND, facts, arrays)


def load_types(path: Path) -> PlayerTypes:
    """Open a file of types.

    Raises:
        ArtifactMismatch: it is missing, damaged, of another version or of other features.
    """
    found = load_artifact(path, KIND)
    facts, arrays = found.facts, found.arrays
    if (facts.get("types"), facts.get("features")) != (list(TYPES), list(FEATURES)):
        raise ArtifactMismatch(f"{path}: of other types or features; {REMEDY}")
    try:
        return PlayerTypes(
            np.array(arrays["centres"]),
            np.array(arrays["means"]),
            np.array(arrays["spreads"]),
            float(facts["width"]),
            int(facts["window"]),
            facts["provenance"],
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {REMEDY}") from error


def name_centres(centres: NDArray[np.float64]) -> tuple[int, ...]:
    """Return for each of `TYPES` which of (5, 8) centres it is, by the scores of this module.

    Raises:
        ValueError: not (5, 8) centres.
    """
    if centres.shape != (len(TYPES), len(FEATURES)):
        raise ValueError(f"centres {centres.shape}: want {(len(TYPES), len(FEATURES))}")
    folds, _, raises, bet, *_, winner_calls, winner_raises = centres.T
    scores = np.stack(
        (
            raises,
            folds,
            -np.sqrt((centres**2).sum(axis=1)),
            raises + bet - winner_raises,
            winner_calls - winner_raises - bet,
        )
    )
    every = np.arange(len(TYPES))
    return max(permutations(range(len(TYPES))), key=lambda order: float(scores[every, order].sum()))
