"""Players who act at random, with given probabilities.

The defaults are those of the example player that comes with the ACPC reference dealer: fold 6 %
(only where something is to be called), call 47 %, raise 47 % (only where a raise is legal); what is
left after an illegal kind is dropped is scaled up to 1.  A no-limit raise is uniform over all
legal totals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.baselines.options import RandomOptions
from agents.bot import Bot
from engine.play.generators import decision_generator
from protocol.actions import CALL, FOLD, Action

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.gamedef import GameDef


class BiasedRandom(Bot):
    """Folds, calls and raises with fixed weights among the legal kinds of action."""

    def __init__(self, **options: float) -> None:
        """Set the weights; see `RandomOptions`.

        Raises:
            ValueError: a weight is negative, or not above zero for calling (the one kind of
                action that is always legal).
        """
        weights = RandomOptions(**options)
        self._weights = weights.fold, weights.call, weights.raise_
        self._seed = 0

    def start_match(self, game: GameDef, seed: int) -> None:
        """Draw from `seed`."""
        self._seed = seed

    def act(self, view: PlayerView) -> Action:
        """Return a random action."""
        fold, call, raise_ = self._weights
        if not view.can_fold:
            fold = 0.0
        if not view.can_raise:
            raise_ = 0.0
        rng = decision_generator(self._seed, view)
        pick = rng.random() * (fold + call + raise_)
        if pick < fold:
            return FOLD
        if pick < fold + call:
            return CALL
        chips = rng.integers(view.min_raise_to, view.max_raise_to, endpoint=True)
        return view.raise_to(int(chips))


class UniformRandom(BiasedRandom):
    """Each legal kind of action is as likely as the others."""

    def __init__(self) -> None:
        super().__init__(fold=1.0, call=1.0, raise_=1.0)
