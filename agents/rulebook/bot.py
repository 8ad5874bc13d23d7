"""The rule bot: work out the situation, play the first rule that applies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.bot import Bot
from agents.rulebook import strength
from agents.rulebook.rules import POSTFLOP, PREFLOP, RuleAction, first_match
from agents.rulebook.situation import postflop_situation, preflop_situation
from engine.play import quick_generators
from engine.play.quick_generators import quick_decision_generator

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_COMMITTED_STACK_SHARE: Final = 0.55
"""A larger raise goes all-in at once: there is no way back."""


class RuleBot(Bot):
    """Hold'em for 2 to 10 players, limit and no-limit, by hand strength and pot odds.

    It does not learn: the same cards and betting get the same answer, but for the random numbers
    that mix slow-plays and bluffs in and that sample the hand strength.  They follow from the
    match seed, the hand and the decision.
    """

    def __init__(self) -> None:
        self._seed = 0

    def warm_up(self) -> None:
        """Compile the sampler and what it draws from."""
        strength.warm_up()
        quick_generators.warm_up()

    def start_match(self, game: GameDef, seed: int) -> None:
        """Draw from `seed`."""
        self._seed = seed

    def act(self, view: PlayerView) -> Action:
        """Return the action of the first rule that applies."""
        return _in_chips(self.choose(view), view)

    def choose(self, view: PlayerView) -> RuleAction:
        """Return what the rules say, before it is turned into chips."""
        rng = quick_decision_generator(self._seed, view)
        roll = rng.random()
        if view.street == 0:
            return first_match(PREFLOP, preflop_situation(view, roll)).play
        return first_match(POSTFLOP, postflop_situation(view, roll, rng)).play


def _in_chips(play: RuleAction, view: PlayerView) -> Action:
    if play.kind == "f":
        return view.fold()
    if play.kind == "c":
        return view.call()
    chips = view.pot_fraction(play.pot_fraction)
    if chips > _COMMITTED_STACK_SHARE * view.max_raise_to:
        chips = view.max_raise_to
    return view.raise_to(chips)
