"""The libratus bot: the blueprint before the turn, from there on a search at each decision."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.blueprint_model.models import named_model
from agents.bot import Bot
from agents.errors import AgentError
from agents.libratus.policy import Answer, LibratusPolicy, policy_for
from agents.libratus.settings import SECONDS, libratus_settings
from engine.errors import ArtifactMismatch
from engine.hands.cards import combo_of
from engine.play import quick_generators
from engine.play.budget import UNLIMITED, TimeBudget
from engine.play.quick_generators import quick_decision_generator
from engine.search.subgame_search import Budget, SafetyKind

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_OF_THE_ANSWER: Final = 0.5
"""Share of the time for an answer that a search may take."""
_OF_THE_HAND: Final = 0.25
"""Share of what is left of the hand's time: there may be as many decisions to come."""
_SHAKEN: Final = 1
"""What tells the generator of a hand's bet sizes from those of its decisions."""


class Libratus(Bot):
    """Searches from the turn on, or the flop on wish; learns nothing in play."""

    def __init__(
        self,
        model: str | None = None,
        seconds: float = SECONDS,
        iterations: float | None = None,
        safety: str = SafetyKind.RESOLVE.value,
        threads: float = 1,
        nodes: float | None = None,
        estimates: float = 0.0,
        flop: float = 0.0,
        shake: float = 0.0,
    ) -> None:
        """Choose how to play.

        Args:
            model: file of the blueprint; None: the one that comes along for the game.
            seconds: of a decision.
            iterations: of a decision, instead of a clock: play is then the same again.
            safety: "resolve", "margin" or "unsafe"; see `engine.search.subgame_search.SafetyKind`.
            threads: that share the boards to come.
            nodes: most of the betting of a search before the river; None: by the seconds.
            estimates: 1: the first search of a hand is safe too, by the blueprint's values.
            flop: runouts at each end of a depth-limited search of the flop; 0: no such search.
            shake: own bet sizes of a hand are multiplied by a factor between 1 - shake and
                1 + shake.

        Raises:
            ValueError: an option cannot be, or there is no such file.
        """
        options = seconds, iterations, safety, threads, nodes, estimates, flop
        libratus_settings(*options)
        if model is not None:
            named_model(model)
        if not 0 <= shake < 1:
            raise ValueError(f"shake {shake:g}: want 0 to less than 1")
        self._options: Final = (model, *options)
        self._shake: Final = shake
        self._policy: LibratusPolicy | None = None
        self._seed = 0
        self._hand: tuple[int, int] | None = None
        self._answer: Answer | None = None

    def start_match(self, game: GameDef, seed: int) -> None:
        """Open the blueprint, and compile what a search needs.

        Raises:
            AgentError: it cannot be read.
            GameNotPlayed: the model is for another kind of game, or there is none.
        """
        try:
            self._policy = policy_for(game, *self._options)
        except ArtifactMismatch as error:
            raise AgentError(str(error)) from error
        self._seed = seed
        self._hand = self._answer = None
        quick_generators.warm_up()
        self._policy.rehearse()

    def act(self, view: PlayerView, budget: TimeBudget = UNLIMITED) -> Action:
        """Draw an action from the strategy of the hand held."""
        policy = self._policy
        if policy is None:
            raise RuntimeError("start_match comes first")
        if self._hand != (view.hand_id, view.position):
            self._hand = view.hand_id, view.position
            policy.forget()
            policy.factors = self._factors(view)
        answer = policy.answer(view.state, view.board, self._allowed(policy, budget))
        self._answer = answer
        shares = answer.strategy.probabilities[combo_of(*view.hole)].tolist()
        upto = list(accumulate(shares))
        share = quick_decision_generator(self._seed, view).random()
        drawn = bisect_right(upto, share * upto[-1])
        return answer.strategy.actions[min(drawn, len(upto) - 1)]

    def notes(self) -> dict[str, Any]:
        """Return where the last decision came from."""
        answer = self._answer
        if answer is None:
            return {}
        if answer.solution is None:
            return {"decided_by": "blueprint", "because": answer.why}
        return {
            "decided_by": "search",
            "iterations": answer.solution.iterations,
            "nodes": answer.solution.solver.game.tree.nodes,
            "search_seconds": round(answer.solution.seconds, 3),
        }

    def _allowed(self, policy: LibratusPolicy, budget: TimeBudget) -> Budget:
        own = policy.settings.budget
        dealers = min(_OF_THE_ANSWER * budget.seconds, _OF_THE_HAND * budget.hand)
        return own._replace(seconds=min(own.seconds, dealers))

    def _factors(self, view: PlayerView) -> tuple[float, float]:
        if not self._shake:
            return 1.0, 1.0
        draw = np.random.default_rng((self._seed, view.hand_id, 0, _SHAKEN))
        factor = float(draw.uniform(1 - self._shake, 1 + self._shake))
        return (factor, 1.0) if view.position == 0 else (1.0, factor)
