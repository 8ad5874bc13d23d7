"""Five types of players, by K-means over how they play.

A player is eight numbers within 0..1 (the patent's features, see `agents.statistical`):

    folds, calls, raises           shares of the actions
    bet                            mean raise as a share of the pot, 2 at most, halved
    stack                          mean of chips behind / chips that the hand could cost
    weak raises                    of the actions taken with weak hands, the share of raises
    winner calls, winner raises    shares of the actions taken with a hand that could be won

Effective strengths: WEAK at most is weak, WINNABLE at least could be won.  Only hands that were
shown count there, because a bot at the table learns no others; so nobody is seen to fold a winner.
The patent has that share; weak raises stand in its place, for they tell the player who bets high
with little, as its picture of bets against chances to win does.

K-means works on numbers in standard deviations from the mean, each kind of game, limit and
no-limit, with means and deviations of its own: what can be bet differs.  It finds more centres than
there are types.  A centre gets the first name whose condition it meets; several may get the same,
and a type that nobody plays has none:

    bluffer        weak raises >= 0.35      raises every third weak hand that it shows, or more
    conservative   folds >= 0.25            gives up at a quarter of its decisions, or more
    trapper        winner raises <= 0.5     calls with winners at least as often as it raises them
    aggressive     raises >= 0.4
    regular        all others

Players who never raise are trappers, too: what helps against these helps against those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.counting.habits import ACTIONS, CALL, FOLD, MOST_COUNTED, RAISE, counted
from agents.statistical.predicting.predictor import REMEDY
from engine.errors import ArtifactMismatch
from engine.rules.pots import most_chips
from engine.storage.artifacts import Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.rules.state import HandState

KIND: Final = Kind("types of players", 2, REMEDY)
TYPES: Final = ("aggressive", "conservative", "regular", "bluffer", "trapper")
FEATURES: Final = (
    "folds",
    "calls",
    "raises",
    "bet",
    "stack",
    "weak raises",
    "winner calls",
    "winner raises",
)
WINNABLE: Final = 0.8
"""Effective strength from which a hand could be won: of four fifths of all hands."""
WEAK: Final = 0.4
"""Effective strength up to which a hand is weak."""
BLUFFER_WEAK_RAISES: Final = 0.35
CONSERVATIVE_FOLDS: Final = 0.25
TRAPPER_WINNER_RAISES: Final = 0.5
AGGRESSIVE_RAISES: Final = 0.4
GAME_KINDS: Final = 2
"""Rows of means and deviations: limit games, no-limit games."""
_LARGEST_BET: Final = 2.0
_SMOOTHING: Final = 2.0
"""Actions that a player's shares over all hands count for in those of shown ones."""
_LEAST_SHARE: Final = 1e-9
_MOST_SUMMED: Final = _LARGEST_BET * MOST_COUNTED * ACTIONS
"""No sum of bets or stacks gets so far."""


def raised_share(before: HandState, after: HandState) -> float:
    """Return the size of a raise, as a share of the pot after the call."""
    return (after.to_match - before.to_match) / max(before.pot + before.to_call, 1)


def stack_behind(state: HandState) -> float:
    """Return what the actor can still lose, as a share of what the hand could cost it, 0 to 1.

    In limit games that is what the betting can come to, as stacks may be without bound.
    """
    most = min(state.game.stacks[state.actor], most_chips(state.game))
    return max(most - state.spent[state.actor], 0) / most


class Summary:
    """What the eight numbers are made of; it grows while a player is watched."""

    __slots__ = ("_actions", "_bets", "_stacks", "_weak", "_winners", "hands", "no_limit")

    def __init__(self, no_limit: bool) -> None:
        """Start with nothing seen of a player of limit or no-limit games."""
        self.hands = 0
        self.no_limit = no_limit
        self._actions: NDArray[np.int64] = np.zeros(ACTIONS, np.int64)
        self._winners: NDArray[np.int64] = np.zeros(ACTIONS, np.int64)
        self._weak: NDArray[np.int64] = np.zeros(ACTIONS, np.int64)
        self._bets = self._stacks = 0.0

    def add_hand(self) -> None:
        """Count a hand in which the player decided something."""
        self.hands += 1

    def add(self, action: int, raised: float, stack: float) -> None:
        """Count an action.

        Args:
            action: FOLD, CALL or RAISE.
            raised: of a raise, its share of the pot after the call.
            stack: chips behind before the action / chips that the hand could cost.
        """
        self._actions[action] += 1
        self._stacks += stack
        if action == RAISE:
            self._bets += min(raised, _LARGEST_BET)

    def add_shown(self, action: int, strength: float) -> None:
        """Tell the strength with which an action was taken, when the hand is shown at its end."""
        if strength >= WINNABLE:
            self._winners[action] += 1
        elif strength <= WEAK:
            self._weak[action] += 1

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
        usual = _SMOOTHING * usual / max(usual.sum(), _LEAST_SHARE)
        weak, winners = (
            (seen + usual) / max((seen + usual).sum(), _LEAST_SHARE)
            for seen in (self._weak, self._winners)
        )
        bet = self._bets / max(self._actions[RAISE], 1) / _LARGEST_BET
        stack = self._stacks / count
        return np.array([*shares, bet, stack, weak[RAISE], winners[CALL], winners[RAISE]])

    def plain(self) -> dict[str, Any]:
        """Return everything but the kind of game as plain values, to be kept in a file."""
        return {
            "hands": self.hands,
            "actions": self._actions.tolist(),
            "winners": self._winners.tolist(),
            "weak": self._weak.tolist(),
            "bets": self._bets,
            "stacks": self._stacks,
        }

    @classmethod
    def of_plain(cls, values: Any, no_limit: bool) -> Summary:
        """Return a summary of what `plain` gave.

        Raises:
            KeyError: a value is missing.
            TypeError, ValueError: one is of another shape or out of range.
        """
        if not isinstance(values, dict):
            raise ValueError("no map")
        made = cls(no_limit)
        made._actions = counted(values["actions"], (ACTIONS,))
        made._winners = counted(values["winners"], (ACTIONS,))
        made._weak = counted(values["weak"], (ACTIONS,))
        made.hands = int(counted(values["hands"]))
        if made.hands > made._actions.sum():
            raise ValueError("more hands than actions")
        made._bets, made._stacks = float(values["bets"]), float(values["stacks"])
        if not (0 <= made._bets <= _MOST_SUMMED and 0 <= made._stacks <= _MOST_SUMMED):
            raise ValueError(f"bets and stacks: want 0 to {_MOST_SUMMED:g}")
        return made


@dataclass(frozen=True, slots=True)
class Assignment:
    """What type a player seems to be."""

    name: str
    confidence: float
    """Probability of the type, if types were normal distributions of one width around the centres;
    with fewer hands than a centre was made of, less sure."""
    chances: tuple[float, ...]
    """The same for each of `TYPES`."""
    hands: int
    """That were seen of it."""


class PlayerTypes:
    """The centres of the types.

    Attributes:
        centres: (K, 8) float64 in units of `spreads` from `means`.
        names: (K,) the type of each.
        means: (2, 8) float64 of the players it was made of, limit games and no-limit games.
        spreads: (2, 8) float64 their standard deviations.
        width: of a centre's players, standard deviations a feature.
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
        """Check the numbers, and name the centres.

        Raises:
            ValueError: they do not fit together.
        """
        scales = (GAME_KINDS, len(FEATURES))
        fits = centres.ndim == GAME_KINDS and centres.shape[1] == len(FEATURES) and len(centres)
        if not fits or (means.shape, spreads.shape) != (scales, scales):
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
        self.names: Final = tuple(map(name_of, self.plain_centres()))
        self._member: Final = np.array([[name == one for one in TYPES] for name in self.names])

    def plain_centres(self) -> NDArray[np.float64]:
        """Return (K, 8) the centres in units of the features, means over kinds of game."""
        plain: NDArray[np.float64]
        plain = self.centres * self.spreads.mean(axis=0) + self.means.mean(axis=0)
        return plain

    def assign(self, summary: Summary) -> Assignment:
        """Return the type of a player.

        Raises:
            ValueError: no action has been seen.
        """
        trust = min(1.0, summary.hands / self.window)
        kinds = np.array([int(summary.no_limit)])
        chances = self.chances(summary.features()[None], kinds, trust)[0]
        likeliest = int(np.argmax(chances))
        return Assignment(
            TYPES[likeliest], float(chances[likeliest]), tuple(chances.tolist()), summary.hands
        )

    def chances(
        self, points: NDArray[np.float64], kinds: NDArray[np.integer], trust: float = 1.0
    ) -> NDArray[np.float64]:
        """Return (N, 5), how likely each type is, as `Assignment` tells.

        Args:
            points: (N, 8) features.
            kinds: (N,) 1 for players of no-limit games, 0 of limit games.
            trust: 0..1, below 1 for points of fewer hands than the centres were made of.
        """
        scaled = (points - self.means[kinds]) / self.spreads[kinds]
        apart = ((scaled[:, None] - self.centres) ** 2).sum(axis=2)
        scores = -trust * (apart - apart.min(axis=1, keepdims=True)) / (2 * self.width**2)
        odds = np.exp(scores)
        shares: NDArray[np.float64] = odds / odds.sum(axis=1, keepdims=True) @ self._member
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


def name_of(point: NDArray[np.float64]) -> str:
    """Return the type of (8,) features, by the conditions of this module."""
    folds, _, raises, _, _, weak_raises, _, winner_raises = point.tolist()
    if weak_raises >= BLUFFER_WEAK_RAISES:
        return "bluffer"
    if folds >= CONSERVATIVE_FOLDS:
        return "conservative"
    if winner_raises <= TRAPPER_WINNER_RAISES:
        return "trapper"
    return "aggressive" if raises >= AGGRESSIVE_RAISES else "regular"
