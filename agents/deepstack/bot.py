"""The deepstack bot: continual re-solving at every decision, without a strategy made before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from agents.bot import Bot
from agents.deepstack.options import DeepStackOptions
from agents.deepstack.policy import DeepStackPolicy
from engine.hands.cards import combo_of
from engine.play import quick_generators
from engine.play.budget import UNLIMITED, TimeBudget
from engine.play.quick_generators import quick_draw

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from engine.search.answers import Answer
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_MATCH_SHARE: Final = 0.25
"""Of what is left of the match's time so far, for a decision: there are some more in a hand."""
_WAY_SECONDS: Final = 0.005
"""Of an answer's way to the dealer and back, which the dealer counts and the bot cannot see."""


class DeepStack(Bot):
    """Searches at each decision; it learns nothing in play."""

    def __init__(self, **options: Any) -> None:
        """Choose how to play; see `DeepStackOptions`.

        Raises:
            ArtifactMismatch: a network cannot be read.
            ValueError: an option cannot be.
        """
        self._options: Final = DeepStackOptions(**options)
        self._policy: DeepStackPolicy | None = None
        self._seed = 0
        self._hand: tuple[int, int] | None = None
        self._answer: Answer | None = None
        self._answers = 0

    def start_match(self, game: GameDef, seed: int) -> None:
        """Read the networks, compile what a search needs, and solve the beginning of hands.

        Raises:
            GameNotPlayed: it is another game.
            OutOfMemory: there is too little.
        """
        self._policy = DeepStackPolicy(game, self._options)
        self._seed = seed
        self._hand = self._answer = None
        self._answers = 0
        quick_generators.warm_up()
        self._policy.rehearse()

    def act(self, view: PlayerView, budget: TimeBudget = UNLIMITED) -> Action:
        """Draw an action from the strategy of the hand held."""
        policy = self._policy
        if policy is None:
            raise RuntimeError("start_match comes first")
        if self._hand != (view.hand_id, view.position):
            self._hand = view.hand_id, view.position
            policy.resolving.forget()
        self._answers += 1
        limits, left = policy.resolving.budget, budget.match - _WAY_SECONDS * self._answers
        seconds = min(limits.seconds, budget.thinking, _MATCH_SHARE * left)
        allowed = limits._replace(seconds=seconds)
        self._answer = policy.answer(view.state, view.board, allowed)
        actions, probabilities = self._answer.strategy
        shares = probabilities[combo_of(*view.hole)].tolist()
        return actions[quick_draw(shares, self._seed, view)]

    def notes(self) -> dict[str, Any]:
        """Return where the last decision came from."""
        return {} if self._answer is None else self._answer.notes("odds")
