"""What each action would win, looked one action of the opponent ahead.

    fold    0
    call    the share of the pot against the weighted hands, less the call; nobody bets any more
    raise   the opponent answers it: it folds, calls or raises again as often as it does, with the
            hands with which it does, and after a raise of its own we fold or call, whichever is
            better

Chips are counted from the decision on, so that a fold wins nothing.  The form is that of the
miximax searches of Billings et al., "Game-tree search with adaptation in stochastic
imperfect-information games", CG 2004, cut off after one answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.base_strategy import action_of
from agents.statistical.decision import call_value
from agents.statistical.habits import CALL, FOLD, RAISE
from engine.showdown.equity import matchups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from agents.statistical.action_chances import ActionChances
    from agents.statistical.range_reader import RangeReader
    from engine.rules.view import PlayerView

FRACTIONS: Final = (0.5, 1.0, 1.5)
"""Sizes of raises that are looked at, in pots after calling, before the river."""
RIVER_FRACTIONS: Final = (0.5, 1.0, 2.0, 4.0)
AGAIN: Final = 1.0
"""Pots that the opponent is taken to raise by again."""


class Value(NamedTuple):
    """An action, and the chips it wins."""

    kind: int
    fraction: float
    """Size of a raise."""
    chips: float


class Showdowns:
    """One hand against every combo on all boards to come."""

    def __init__(self, view: PlayerView) -> None:
        counts = matchups(view.hole, view.board)
        self._won = counts.win + counts.tie / 2
        self._met = (counts.win + counts.tie + counts.lose).astype(np.float64)

    def equity(self, weights: NDArray[np.float64]) -> float:
        """Return the share of the pot, 0 to 1, against (1326,) weights of the other's combos.

        Raises:
            ValueError: no combo that the hand can meet has any weight.
        """
        met = float(weights @ self._met)
        if not met > 0:
            raise ValueError("no combo that the hand can meet has any weight")
        return float(weights @ self._won) / met


def values_of(
    view: PlayerView,
    reader: RangeReader,
    chances: ActionChances,
    strengths: NDArray[np.float64],
    trust: Callable[[int], float],
) -> list[Value]:
    """Return what a fold, a call and raises of some sizes win; illegal ones are left out.

    Args:
        view: the decision.
        reader: has followed the hand up to it.
        chances: how the opponent answers.
        strengths: (1326,) on the board.
        trust: how far the share of folds in a cell is believed, 0 to 1; the others are calls.
    """
    showdowns = Showdowns(view)
    weights = reader.weights.weights
    found = [
        Value(CALL, 0.0, call_value(showdowns.equity(weights), view.pot, view.to_call)),
    ]
    if view.to_call:
        found.append(Value(FOLD, 0.0, 0.0))
    if view.can_raise:
        shares = np.nan_to_num(reader.weights.percentiles(strengths))
        found += _raises(view, reader, chances, trust, showdowns, weights, shares)
    return found


def _raises(
    view: PlayerView,
    reader: RangeReader,
    chances: ActionChances,
    trust: Callable[[int], float],
    showdowns: Showdowns,
    weights: NDArray[np.float64],
    percentiles: NDArray[np.float64],
) -> Iterator[Value]:
    seen = set()
    for fraction in _sizes(view):
        action = action_of(view, RAISE, fraction)
        if action in seen:
            continue
        seen.add(action)
        answering = reader.answer_to(action)
        if answering is None:
            continue
        state = answering.hand.state
        fold, call, again = chances.shares(answering)
        calling, raising = reader.answers(answering, (fold, call, again), percentiles)
        hoped, fold = fold, fold * trust(answering.cell)
        call += hoped - fold
        cost = state.spent[view.position] - view.state.spent[view.position]
        pot = state.pot + state.to_call
        staying = weights * calling
        value = call * (showdowns.equity(staying) * pot - cost)
        if again > 0:
            strong = weights * raising
            more = _raise_again(view, pot, cost)
            best = showdowns.equity(strong) * (pot + 2 * more) - cost - more
            value += again * max(-float(cost), best)
        yield Value(RAISE, fraction, fold * view.pot + value)


def _sizes(view: PlayerView) -> tuple[float, ...]:
    if not view.game.no_limit:
        return FRACTIONS[:1]
    return RIVER_FRACTIONS if view.street == view.game.streets - 1 else FRACTIONS


def _raise_again(view: PlayerView, pot: int, cost: int) -> float:
    """Return the chips that a further raise of the opponent takes to call."""
    behind = min(
        stack - spent for stack, spent in zip(view.game.stacks, view.state.spent, strict=True)
    )
    left = max(behind - cost, 0)
    if view.game.no_limit:
        return min(AGAIN * pot, left)
    return min(view.game.raise_sizes[view.street], left)
