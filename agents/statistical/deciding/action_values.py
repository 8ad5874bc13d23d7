"""What each action would win, looked one action of the opponent ahead.

    fold    0
    call    the share of the pot against the weighted hands, less the call; no betting after it
    raise   the opponent folds, calls or raises again, as often and with the hands as predicted;
            after a raise of its own we fold or call, whichever is better

Chips are counted from the decision on, so that a fold wins nothing.  The form is that of the
miximax searches of Billings, Davidson, Schauenberg, Burch, Bowling, Holte, Schaeffer, Szafron,
"Game-tree search with adaptation in stochastic imperfect-information games", CG 2004, cut off after
one answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.counting.situations import CALL, FOLD, RAISE, situation_of
from agents.statistical.deciding.base_strategy import chips_of_kind
from agents.statistical.deciding.decision import mean_call_value
from engine.equity.equity import matchups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from agents.statistical.predicting.action_chances import ActionChances
    from agents.statistical.ranges.opponent_range import OpponentRange
    from engine.rules.state import HandState
    from engine.rules.view import PlayerView

RAISE_POTS_BEFORE_RIVER: Final = (0.5, 1.0, 1.5)
RIVER_FRACTIONS: Final = (0.5, 1.0, 2.0, 4.0)
OPPONENT_RERAISE_POTS: Final = 1.0


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
        """Return the pot share, 0 to 1, against (1326,) weights of the other's combos.

        Raises:
            ValueError: no combo that the hand can meet has any weight.
        """
        met = float(weights @ self._met)
        if not met > 0:
            raise ValueError("no combo that the hand can meet has any weight")
        return float(weights @ self._won) / met


def values_of(
    view: PlayerView,
    opponent_range: OpponentRange,
    chances: ActionChances,
    strengths: NDArray[np.float64],
    trust: Callable[[int], float],
) -> list[Value]:
    """Return what a fold, a call and raises of some sizes win; illegal ones are left out.

    Args:
        opponent_range: after all its actions in the hand.
        strengths: (1326,) on the board.
        trust: how far the share of folds in a cell is believed, 0 to 1; the others are calls.
    """
    showdowns = Showdowns(view)
    equity = showdowns.equity(opponent_range.weights)
    values = [Value(CALL, 0.0, mean_call_value(equity, _pot_to_win(view.state), view.to_call))]
    if view.to_call:
        values.append(Value(FOLD, 0.0, 0.0))
    if view.can_raise:
        values += _raises(view, opponent_range, chances, strengths, trust, showdowns)
    return values


def _raises(
    view: PlayerView,
    opponent_range: OpponentRange,
    chances: ActionChances,
    strengths: NDArray[np.float64],
    trust: Callable[[int], float],
    showdowns: Showdowns,
) -> Iterator[Value]:
    percentiles = opponent_range.percentiles(strengths)
    sizes_tried = set()
    for fraction in raise_fractions(view):
        action = chips_of_kind(view, RAISE, fraction)
        if action in sizes_tried:
            continue
        sizes_tried.add(action)
        state = view.state.apply(action)
        if state.over or state.actor == view.position:
            continue
        answering = situation_of(state, view.board)
        fold, call, again = chances.shares(answering)
        calling, raising = opponent_range.answers(
            answering, (fold, call, again), strengths, percentiles
        )
        hoped, fold = fold, fold * trust(answering.cell)
        call += hoped - fold
        put_in = min(state.to_match, min(view.game.stacks))  # more cannot be called
        cost = put_in - view.state.spent[view.position]
        pot = 2 * put_in
        value = call * (showdowns.equity(calling) * pot - cost)
        if again > 0:
            more = _raise_again(view, put_in)
            best = showdowns.equity(raising) * (pot + 2 * more) - cost - more
            value += again * max(-float(cost), best)
        yield Value(RAISE, fraction, fold * view.pot + value)


def raise_fractions(view: PlayerView) -> tuple[float, ...]:
    """Return the sizes of raises that are tried, fractions of the pot after a call."""
    if not view.game.no_limit:
        return RAISE_POTS_BEFORE_RIVER[:1]
    return RIVER_FRACTIONS if view.street == view.game.streets - 1 else RAISE_POTS_BEFORE_RIVER


def _pot_to_win(state: HandState) -> int:
    """Return the pot less what the other one has put in beyond the actor's stack."""
    others = sum(state.spent) - state.spent[state.actor]
    return state.spent[state.actor] + min(others, state.game.stacks[state.actor])


def _raise_again(view: PlayerView, put_in: int) -> float:
    """Return the chips to call a further raise; each has put in `put_in` before it."""
    stack = min(view.game.stacks) - put_in
    if view.game.no_limit:
        return min(OPPONENT_RERAISE_POTS * 2 * put_in, stack)
    return min(view.game.raise_sizes[view.street], stack)
