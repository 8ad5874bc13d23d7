"""How an opponent's actions are interpreted: in the way that predicted best the hands it has shown.

INTERPRETATION_KEYS are tried on each hand that is shown; the first holds until another one has
done better.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.counting.counters import INTERPRETATION_COUNT, STRENGTH_BINS
from agents.statistical.counting.situations import RAISES_TOLD_APART
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange, shown_combo
from agents.statistical.ranges.thresholds import Ramp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.statistical.counting.counters import OpponentCounters
    from agents.statistical.counting.situations import SeenAction
    from agents.statistical.predicting.action_chances import ActionChances
    from agents.statistical.predicting.action_curves import ActionCurves
    from engine.equity.strength import StrengthReader
    from engine.rules.view import PlayerView


class InterpretationKey(NamedTuple):
    """What tells one interpretation from another."""

    blur: float = 1.0
    by_shown: bool = False
    """Whether the strengths that were shown give the thresholds where they can."""
    by_curves: bool = False
    """Whether what other players did gives the likelihoods, see `action_curves`."""


INTERPRETATION_KEYS: Final = (
    InterpretationKey(),
    InterpretationKey(blur=0.4),
    InterpretationKey(by_shown=True),
    InterpretationKey(blur=0.4, by_shown=True),
    InterpretationKey(by_curves=True),
)
FIRST_PRIOR_NATS: Final = 3.0
MOST_SCORED_HANDS: Final = 200
LEAST_SHOWN_HANDS: Final = 8
SHOWN_RAMP_SHARES: Final = (0.1, 0.5)


class InterpretationChoice(NamedTuple):
    """Chooses among INTERPRETATION_KEYS."""

    curves: ActionCurves | None
    """Counted from other players, for the way that goes by curves."""
    mirrored: bool = True
    """Whether a call also lowers the hands that would have raised."""
    like: ActionInterpretation = ActionInterpretation()
    """What else all ways have in common."""

    def best(self, counters: OpponentCounters) -> ActionInterpretation:
        """Return how the actions of the opponent with these counters are interpreted."""
        return self._interpretation_of(best_key(counters), counters)

    def open(self, counters: OpponentCounters) -> bool:
        """Return whether hands that this opponent shows are still scored."""
        return counters.scored < MOST_SCORED_HANDS

    def learn(
        self,
        counters: OpponentCounters,
        view: PlayerView,
        actions: Sequence[SeenAction],
        chances: ActionChances,
        strengths: StrengthReader,
    ) -> None:
        """Score each interpretation on a hand that was shown, and count the hand's strengths.

        Args:
            view: the end of the hand, from the other seat.
            actions: the opponent's, all of the hand.
            chances: of its actions, by what was known before the hand.
        """
        combo = shown_combo(view, actions[0].actor if actions else None)
        if self.open(counters):
            shares = [chances.shares(action.situation) for action in actions]
            scores = []
            for key in INTERPRETATION_KEYS:
                opponent_range = OpponentRange(
                    view.hole, strengths, self._interpretation_of(key, counters)
                )
                opponent_range.follow(actions, shares, view.board)
                scores.append(math.log(opponent_range.belief()[combo]))
            counters.add_scores(scores)
        for situation, kind, _ in actions:
            strength = float(strengths.read(situation.board)[combo])
            counters.add_shown(situation.cell, kind, strength)
        counters.showdowns += 1

    def _interpretation_of(
        self, key: InterpretationKey, counters: OpponentCounters
    ) -> ActionInterpretation:
        return replace(
            self.like,
            mirrored=self.mirrored,
            blur=key.blur,
            shown=partial(shown_ramp, counters) if key.by_shown else None,
            curves=self.curves if key.by_curves else None,
        )


def best_key(counters: OpponentCounters) -> InterpretationKey:
    """Return the one of INTERPRETATION_KEYS that predicted the hands shown by an opponent best."""
    likely = counters.scores.astype(np.float64)
    likely[0] += 1000 * FIRST_PRIOR_NATS
    return INTERPRETATION_KEYS[int(likely.argmax())]


def shown_ramp(counters: OpponentCounters, cell: int, kind: int) -> Ramp | None:
    """Return the likelihood of an action by strength, from the shown hands that took it.

    Where too few were shown in the cell, all streets after the first with as many raises faced are
    counted; None where these are too few.
    """
    bins = counters.shown[cell, kind]
    if bins.sum() < LEAST_SHOWN_HANDS and cell >= RAISES_TOLD_APART:
        later = RAISES_TOLD_APART + cell % RAISES_TOLD_APART
        bins = counters.shown[later::RAISES_TOLD_APART, kind].sum(axis=0)
    if bins.sum() < LEAST_SHOWN_HANDS:
        return None
    upto = np.cumsum(bins) / bins.sum()
    low, high = (np.searchsorted(upto, share) / STRENGTH_BINS for share in SHOWN_RAMP_SHARES)
    width = 1 / STRENGTH_BINS
    return Ramp(float(low + high + width) / 2, float(high - low + width) / 2)


assert len(INTERPRETATION_KEYS) == INTERPRETATION_COUNT
