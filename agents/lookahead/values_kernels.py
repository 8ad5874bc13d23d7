"""What each action wins, looked one step ahead, in chips over the whole hand.

With P the chips in the middle, c those to call, w the win rate, f the fold rate:

    fold        -(P - c) / 2
    call        (2 w - 1) (P + c) / 2
    check       (2 w - 1) P / 2; where the opponent is still to act it bets with chance b, e pots
                on average, and is called if w > e / (2 e + 1):
                (1 - b) (2 w - 1) P / 2 + b ((2 w - 1) P (1/2 + e), or -P / 2)
    raise to r  f (P + c) / 2 + (1 - f) (2 w - 1) r

Raises are by half a pot and a pot, four on a street before the river at most; all-in where a pot
would put in more than half the stack, and on the river.  b and e come from the node behind the
check.  Source: Li, Miikkulainen, named in `agents.lookahead`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.patterns.raise_classes import FIRST_RAISE, MOVES
from agents.patterns.trees_kernels import (
    ACTIONS,
    BEGIN,
    CHILDREN,
    LENGTH,
    NODE,
    NOWHERE,
    TRUST,
    TreePath,
)
from engine.compiled.jit import inlined_kernel
from engine.play.spot import Spot

MOST_RAISES: Final = 4
"""On a street before the river."""
RIVER: Final = 3
COMMITTED: Final = 0.5
"""Share of the stack after which the rest goes in as well."""
USUAL_BETS: Final = 1.0 / 3
"""Chance that somebody of whom nothing is known bets after a check."""
USUAL_BET: Final = 0.75
"""Pots that it bets."""
_POTS: Any = np.array([0.06, 0.25, 0.5, 1.0, 1.6, 3.0, 6.0])
"""About the middle of each class of raises, in pots."""
CHECK: Final = 1
"""The move, as a call."""


@inlined_kernel
def fold_value(spot: Spot) -> float:
    """Return what folding wins."""
    return -float(spot.spent)


@inlined_kernel
def call_value(spot: Spot, wins: float) -> float:
    """Return what a call, or a check that ends the street, wins."""
    return (2.0 * wins - 1.0) * (spot.pot + spot.to_call) / 2.0


@inlined_kernel
def check_value(spot: Spot, wins: float, bets: float, pots: float) -> float:
    """Return what a check wins after which the opponent acts."""
    pot = float(spot.pot)
    called = (2.0 * wins - 1.0) * pot * (0.5 + pots) if wins > pots / (2 * pots + 1) else -pot / 2
    return (1.0 - bets) * (2.0 * wins - 1.0) * pot / 2.0 + bets * called


@inlined_kernel
def raise_value(spot: Spot, raise_to: int, wins: float, folds: float) -> float:
    """Return what a raise wins."""
    return folds * (spot.pot + spot.to_call) / 2.0 + (1.0 - folds) * (2.0 * wins - 1.0) * raise_to


@inlined_kernel
def opens_street(spot: Spot, path: TreePath) -> bool:
    """Return whether the street has no action yet."""
    return spot.to_call == 0 and path.state[LENGTH] - path.state[BEGIN] == 1


@inlined_kernel
def bets_after_check(nodes: NDArray[np.float64], path: TreePath) -> tuple[float, float]:
    """Return how often the opponent bets after a check, and how many pots it bets on average."""
    bet, size, seen = TRUST * USUAL_BETS, TRUST * USUAL_BETS * USUAL_BET, TRUST
    node = int(path.state[NODE])
    if node != NOWHERE and nodes[node, CHILDREN + CHECK] > 0:
        row = nodes[int(nodes[node, CHILDREN + CHECK])]
        for move in range(MOVES):
            seen += row[ACTIONS + move]
            if move >= FIRST_RAISE:
                bet += row[ACTIONS + move]
                size += row[ACTIONS + move] * _POTS[move - FIRST_RAISE]
    return bet / seen, size / bet


@inlined_kernel
def legal_pot_raise(spot: Spot, pots: float) -> int:
    """Return the raise-to that adds some pots to a call, as far as it is legal."""
    wanted = spot.to_match + int(pots * (spot.pot + spot.to_call))
    return min(max(wanted, spot.low), spot.high)


@inlined_kernel
def odds_of_call(pot: float, to_call: float) -> float:
    """Return the share of the pot that a call puts in, of the pot after it."""
    return to_call / (pot + to_call)
