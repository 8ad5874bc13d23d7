"""The rule bot: work out the situation, play the first rule that applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.bot import Bot
from agents.rulebook import strength
from agents.rulebook.rules import POSTFLOP, PREFLOP, RuleAction, first_match
from agents.rulebook.situation import postflop_situation, preflop_situation

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_POT_COMMITTED: Final = 0.55
"""A raise to more than this share of the stack goes all-in at once: there is no way back."""


class RuleBot(Bot):
    """Hold'em for 2 to 10 players, limit and no-limit, by hand strength and pot odds.

    It does not learn: the same cards and betting get the same answer, but for the random numbers
    that mix slow-plays and bluffs in and that sample the hand strength.  They follow from the
    match seed.
    """

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)

    def warm_up(self) -> None:
        """Compile the sampler."""
        strength.warm_up()

    def start_match(self, game: GameDef, seed: int) -> None:
        """Start the random choices from `seed`."""
        self._rng = np.random.default_rng(seed)

    def act(self, view: PlayerView) -> Action:
        """Return the action of the first rule that applies."""
        return _in_chips(self.choose(view), view)

    def choose(self, view: PlayerView) -> RuleAction:
        """Return what the rules say, before it is turned into chips."""
        roll = self._rng.random()
        if view.street == 0:
            return first_match(PREFLOP, preflop_situation(view, roll)).play
        return first_match(POSTFLOP, postflop_situation(view, roll, self._rng)).play


def _in_chips(play: RuleAction, view: PlayerView) -> Action:
    if play.kind == "f":
        return view.fold()
    if play.kind == "c":
        return view.call()
    chips = view.pot_fraction(play.pot_fraction)
    if chips > _POT_COMMITTED * view.max_raise_to:
        chips = view.max_raise_to
    return view.raise_to(chips)
