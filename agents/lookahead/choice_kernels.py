"""The action with the highest value, and the rules before the flop.

The rules go by the equity p against a random hand; thresholds are the authors'.  What they leave
open is as follows:

    nobody raised     p below FOLDED on the button: half a pot if that wins more than a fold, else
                      a fold; without it p below CHECKED: a check.  Above STRONG a pot, between
                      them a pot with chance p, else half a pot
    somebody raised   p below FOLDED: a fold.  Above AGAIN on the button, STRONG without it: a pot.
                      Else a call, unless p ** (2 - how often the node is visited) is less than the
                      odds
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.lookahead.estimators_kernels import (
    Estimators,
    advance_stacks,
    fold_rate,
    win_chance,
    win_trust,
)
from agents.lookahead.values_kernels import (
    COMMITTED,
    MOST_RAISES,
    RIVER,
    bets_after_check,
    call_value,
    check_value,
    fold_value,
    legal_pot_raise,
    odds_of_call,
    opens_street,
    raise_value,
)
from agents.patterns.raise_classes import move_of
from agents.patterns.trees_kernels import NODE, NOWHERE, VECTOR, VISITS, TreePath
from engine.compiled.jit import inlined_kernel, kernel
from engine.play.spot import Spot
from engine.rules.fast_state import CALL, FOLD, RAISE

FOLDED: Final = 0.40
CHECKED: Final = 0.50
STRONG: Final = 0.66
AGAIN: Final = 0.80
HALF: Final = 0.5
WHOLE: Final = 1.0
_BOARD: Any = np.array([0, 3, 4, 5])


@kernel
def choose(
    spot: Spot,
    net: Estimators,
    nodes: NDArray[np.float64],
    path: TreePath,
    draw: float,
) -> tuple[int, int]:
    """Return the kind of action and, where it is a raise, the raise-to.

    Args:
        spot: where the player is to act; the path has come there.
        draw: from [0, 1).
    """
    vector = np.zeros(VECTOR)
    raises = advance_stacks(net, nodes, path, vector)
    trust = win_trust(net)
    values, raises_to = np.full(3, -np.inf), np.zeros(3, np.int64)
    _raises(spot, net, nodes, path, vector, raises, trust, values, raises_to)
    if spot.street == 0:
        return _before_flop(spot, nodes, path, draw, values[0])
    best, kind, raise_to = fold_value(spot), FOLD, 0
    odds = odds_of_call(float(spot.pot), float(spot.to_call))
    value = call_value(spot, win_chance(spot.p, trust, odds))
    if opens_street(spot, path):
        bets, pots = bets_after_check(nodes, path)
        value = check_value(spot, win_chance(spot.p, trust, 0.0), bets, pots)
    if spot.to_call == 0 or value > best:
        best, kind = value, CALL
    for one in range(3):
        if values[one] > best:
            best, kind, raise_to = values[one], RAISE, int(raises_to[one])
    return kind, raise_to


@inlined_kernel
def _raises(
    spot: Spot,
    net: Estimators,
    nodes: NDArray[np.float64],
    path: TreePath,
    vector: NDArray[np.float64],
    raises: int,
    trust: float,
    values: NDArray[np.float64],
    raises_to: NDArray[np.int64],
) -> None:
    """Write (3,) what half a pot, a pot and all-in win, and what they raise to; -inf for none."""
    if spot.low == 0 or (spot.street < RIVER and spot.raises >= MOST_RAISES):
        return
    raises_to[0], raises_to[1] = legal_pot_raise(spot, HALF), legal_pot_raise(spot, WHOLE)
    raises_to[2] = spot.high
    all_in = spot.street == RIVER or raises_to[1] > COMMITTED * spot.stack
    for one in range(3 if all_in else 2):
        raise_to = int(raises_to[one])
        odds = odds_of_call(
            float(spot.pot + raise_to - spot.spent), float(raise_to - spot.to_match)
        )
        folds = fold_rate(
            net,
            nodes,
            path,
            vector,
            raises,
            move_of(spot, RAISE, raise_to),
            odds,
            int(_BOARD[spot.street]),
        )
        values[one] = raise_value(spot, raise_to, win_chance(spot.p, trust, odds), folds)


@inlined_kernel
def _before_flop(
    spot: Spot, nodes: NDArray[np.float64], path: TreePath, draw: float, half_pot: float
) -> tuple[int, int]:
    """Return the action by the rules, see the module; half_pot is what such a raise wins."""
    may_raise = spot.low > 0 and spot.raises < MOST_RAISES
    if spot.raises == 0:
        if spot.button == 1 and spot.p < FOLDED:
            if half_pot > fold_value(spot):
                return RAISE, legal_pot_raise(spot, HALF)
            return FOLD, 0
        if (spot.button == 0 and spot.p < CHECKED) or not may_raise:
            return CALL, 0
        pots = WHOLE if spot.p > STRONG or draw < spot.p else HALF
        return RAISE, legal_pot_raise(spot, pots)
    if spot.p < FOLDED:
        return FOLD, 0
    if may_raise and spot.p > (AGAIN if spot.button == 1 else STRONG):
        return RAISE, legal_pot_raise(spot, WHOLE)
    node, visited = int(path.state[NODE]), 0.0
    if node != NOWHERE:
        root = nodes[4 * (1 - spot.button) + spot.street, VISITS]
        visited = nodes[node, VISITS] / max(root, 1.0)
    odds = odds_of_call(float(spot.pot), float(spot.to_call))
    return (CALL, 0) if spot.p ** (2.0 - visited) >= odds else (FOLD, 0)
