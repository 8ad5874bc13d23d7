"""How a player plays, in eight numbers within 0..1, from which its type follows.

    folds, calls, raises           shares of the actions
    bet                            mean raise as a share of the pot, 2 at most, halved
    stack                          mean of chips behind / chips that the hand could cost
    weak raises                    of the actions taken with weak hands, the share of raises
    winner calls, winner raises    shares of the actions taken with a hand that could be won

Effective strengths: WEAK at most is weak, WINNABLE at least could be won.  Only hands that were
shown count there, because a bot at the table learns no others; so nobody is seen to fold a winner.
The patent (see `agents.statistical`) has that share; weak raises stand in its place, for they tell
the player who bets high with little, as its picture of bets against chances to win does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.counting.habits import MOST_COUNTED, counted
from agents.statistical.counting.situations import ACTIONS, CALL, FOLD, RAISE

if TYPE_CHECKING:
    from numpy.typing import NDArray

NUMBERS: Final = (
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
LARGEST_BET: Final = 2.0
"""Pots; of a larger raise no more counts."""
_SMOOTHING: Final = 2.0
"""Actions that a player's shares over all hands count for in those of shown ones."""
_LEAST_SHARE: Final = 1e-9
_MOST_SUMMED: Final = LARGEST_BET * MOST_COUNTED * ACTIONS
"""No sum of bets or stacks gets so far."""
_COUNTED: Final = ("actions", "winners", "weak")


class PlaySummary:
    """What the eight numbers are made of; it grows while a player is watched."""

    def __init__(self, no_limit: bool) -> None:
        """Start with nothing seen of a player of limit or no-limit games."""
        self.hands = 0
        self.no_limit = no_limit
        self._counts = {name: np.zeros(ACTIONS, np.int64) for name in _COUNTED}
        self._bets = self._stacks = 0.0

    def add_hand(self) -> None:
        """Count a hand in which the player decided something."""
        self.hands += 1

    def add(self, kind: int, raised: float, stack: float) -> None:
        """Count an action with what `SeenAction` tells of it."""
        self._counts["actions"][kind] += 1
        self._stacks += stack
        if kind == RAISE:
            self._bets += min(raised, LARGEST_BET)

    def add_shown(self, kind: int, strength: float) -> None:
        """Tell the strength with which an action was taken, when the hand is shown at its end."""
        if strength >= WINNABLE:
            self._counts["winners"][kind] += 1
        elif strength <= WEAK:
            self._counts["weak"][kind] += 1

    def numbers(self) -> NDArray[np.float64]:
        """Return (8,) the numbers of `NUMBERS`.

        Raises:
            ValueError: no action has been seen.
        """
        actions = self._counts["actions"]
        count = actions.sum()
        if count == 0:
            raise ValueError("no action has been seen")
        shares = actions / count
        usual = shares * (1 - np.eye(ACTIONS)[FOLD])
        usual = _SMOOTHING * usual / max(usual.sum(), _LEAST_SHARE)
        weak, winners = (
            (seen + usual) / max((seen + usual).sum(), _LEAST_SHARE)
            for seen in (self._counts["weak"], self._counts["winners"])
        )
        bet = self._bets / max(actions[RAISE], 1) / LARGEST_BET
        stack = self._stacks / count
        return np.array([*shares, bet, stack, weak[RAISE], winners[CALL], winners[RAISE]])

    def plain(self) -> dict[str, Any]:
        """Return everything but the kind of game as plain values, to be kept in a file."""
        counts = {name: count.tolist() for name, count in self._counts.items()}
        return {"hands": self.hands, **counts, "bets": self._bets, "stacks": self._stacks}

    @classmethod
    def of_plain(cls, values: Any, no_limit: bool) -> PlaySummary:
        """Return a summary of what `plain` gave.

        Raises:
            KeyError: a value is missing.
            TypeError, ValueError: one is of another shape or out of range.
        """
        if not isinstance(values, dict):
            raise ValueError("no map")
        made = cls(no_limit)
        made._counts = {name: counted(values[name], (ACTIONS,)) for name in _COUNTED}
        made.hands = int(counted(values["hands"]))
        if made.hands > made._counts["actions"].sum():
            raise ValueError("more hands than actions")
        made._bets, made._stacks = float(values["bets"]), float(values["stacks"])
        if not (0 <= made._bets <= _MOST_SUMMED and 0 <= made._stacks <= _MOST_SUMMED):
            raise ValueError(f"bets and stacks: want 0 to {_MOST_SUMMED:g}")
        return made
