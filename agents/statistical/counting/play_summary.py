"""How a player plays, in ten numbers within 0..1, from which its type follows.

    folds, calls, raises           shares of the actions
    bet                            mean raise as a share of the pot, 2 at most, halved
    stack                          mean of chips behind / chips that the hand could cost
    winner folds, winner calls,    what is done with hands that could be won, shares
    winner raises
    weak raises                    of the actions taken with weak hands, the share of raises
    waits                          of the calls and raises with hands that could be won, the share
                                   of raises on the last street less that before it, from 0 to 1:
                                   0.5 where there is no difference

The first eight are those of the patent (see `agents.statistical`).  Weak raises tell the player who
bets high with little, as its picture of bets against chances to win does; waits the one who calls
with strong hands and raises them on the last street.

Effective strengths: WEAK at most is weak, WINNABLE at least could be won.  A bot at the table
learns only hands that are shown, and folded hands are not.  But a player who folds more than the
worst four fifths of the hands in a situation must have folded some of the best fifth.  So in each
cell of `situations`, n decisions of which a share f were folds (shrunk to the generic one) count
for

    n max(0, f - WINNABLE) folds of WINNERS n hands that could be won.

The rest of these is shared out as among the hands that were shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.statistical.counting.habits import GENERIC_SHARES, MOST_COUNTED, counted
from agents.statistical.counting.situations import (
    ACTIONS,
    CALL,
    CELLS,
    FOLD,
    RAISE,
    RAISES_TOLD_APART,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

NUMBERS: Final = (
    "folds",
    "calls",
    "raises",
    "bet",
    "stack",
    "winner folds",
    "winner calls",
    "winner raises",
    "weak raises",
    "waits",
)
LAST_STREET: Final = 3
WINNABLE_STRENGTH: Final = 0.8
"""A hand could be won with an effective strength from here on: four fifths of all hands."""
WINNABLE_SHARE: Final = 1 - WINNABLE_STRENGTH
_CELL_PRIOR_DECISIONS: Final = 4.0
WEAK_STRENGTH: Final = 0.4
LARGEST_BET_POTS: Final = 2.0
_SMOOTHING_ACTIONS: Final = 2.0
_LEAST_SHARE: Final = 1e-9
_LARGEST_SUM: Final = LARGEST_BET_POTS * MOST_COUNTED * ACTIONS
_COUNTED: Final = ("actions", "winners", "weak", "late")
_LATER_NAMES: Final = ("late",)
"""Not in files of versions before."""


class PlaySummary:
    """What the nine numbers are made of; it grows while a player is watched."""

    def __init__(self, no_limit: bool) -> None:
        self.hands = 0
        self.no_limit = no_limit
        self._counts = {name: np.zeros(ACTIONS, np.int64) for name in _COUNTED}
        self._cells = np.zeros((CELLS, ACTIONS), np.int64)
        self._bets = self._stacks = 0.0

    def add_hand(self) -> None:
        """Count a hand in which the player decided something."""
        self.hands += 1

    def add(self, kind: int, raised: float, stack: float, cell: int) -> None:
        """Count an action with what `SeenAction` tells of it."""
        self._cells[cell, kind] += 1
        self._counts["actions"][kind] += 1
        self._stacks += stack
        if kind == RAISE:
            self._bets += min(raised, LARGEST_BET_POTS)

    def add_shown(self, kind: int, strength: float, cell: int) -> None:
        """Tell the strength with which an action was taken, when the hand is shown at its end."""
        if strength >= WINNABLE_STRENGTH:
            self._counts["winners"][kind] += 1
            if cell // RAISES_TOLD_APART == LAST_STREET:
                self._counts["late"][kind] += 1
        elif strength <= WEAK_STRENGTH:
            self._counts["weak"][kind] += 1

    def numbers(self) -> NDArray[np.float64]:
        """Return (10,) the numbers of `NUMBERS`.

        Raises:
            ValueError: no action has been seen.
        """
        actions = self._counts["actions"]
        count = actions.sum()
        if count == 0:
            raise ValueError("no action has been seen")
        shares = actions / count
        usual = shares * (1 - np.eye(ACTIONS)[FOLD])
        usual = _SMOOTHING_ACTIONS * usual / max(usual.sum(), _LEAST_SHARE)
        late = self._counts["late"]
        weak, winners, early_winners, late_winners = (
            (counts + usual) / max((counts + usual).sum(), _LEAST_SHARE)
            for counts in (
                self._counts["weak"],
                self._counts["winners"],
                self._counts["winners"] - late,
                late,
            )
        )
        bet = self._bets / max(actions[RAISE], 1) / LARGEST_BET_POTS
        stack = self._stacks / count
        given_up = self._winner_folds()
        winners = winners * (1 - given_up)
        waits = (1 + late_winners[RAISE] - early_winners[RAISE]) / 2
        return np.array(
            [*shares, bet, stack, given_up, winners[CALL], winners[RAISE], weak[RAISE], waits]
        )

    def _winner_folds(self) -> float:
        decisions = self._cells.sum(axis=1)
        prior = _CELL_PRIOR_DECISIONS * GENERIC_SHARES[FOLD]
        folds = (self._cells[:, FOLD] + prior) / (decisions + _CELL_PRIOR_DECISIONS)
        most = float(decisions @ np.maximum(folds - WINNABLE_STRENGTH, 0))
        return most / (WINNABLE_SHARE * max(int(decisions.sum()), 1))

    def plain(self) -> dict[str, Any]:
        """Return everything but the kind of game as plain values, to be kept in a file."""
        counts = {name: count.tolist() for name, count in self._counts.items()}
        sums = {"bets": self._bets, "stacks": self._stacks}
        return {"hands": self.hands, **counts, **sums, "cells": self._cells.tolist()}

    @classmethod
    def of_plain(cls, values: Any, no_limit: bool) -> PlaySummary:
        """Return a summary of what `plain` gave, of versions before as well.

        Raises:
            KeyError: a value is missing.
            TypeError, ValueError: one is of another shape or out of range.
        """
        if not isinstance(values, dict):
            raise ValueError("no map")
        made = cls(no_limit)
        made._counts |= {
            name: counted(values[name], (ACTIONS,))
            for name in _COUNTED
            if name in values or name not in _LATER_NAMES
        }
        if (made._counts["late"] > made._counts["winners"]).any():
            raise ValueError("more late winners than winners")
        made.hands = int(counted(values["hands"]))
        if made.hands > made._counts["actions"].sum():
            raise ValueError("more hands than actions")
        if "cells" in values:
            made._cells = counted(values["cells"], (CELLS, ACTIONS))
        made._bets, made._stacks = float(values["bets"]), float(values["stacks"])
        if not (0 <= made._bets <= _LARGEST_SUM and 0 <= made._stacks <= _LARGEST_SUM):
            raise ValueError(f"bets and stacks: want 0 to {_LARGEST_SUM:g}")
        return made
