"""The libratus bot: the blueprint before the turn, from there on a search at each decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.blueprint_model.branch_switch import BranchSwitch
from agents.blueprint_model.models import named_model
from agents.blueprint_model.options import USUAL
from agents.bot import Bot
from agents.errors import AgentError
from agents.libratus.options import LibratusOptions
from agents.libratus.policy import LibratusPolicy, seated_policy
from engine.errors import ArtifactMismatch
from engine.hands.cards import combo_of
from engine.play import quick_generators
from engine.play.budget import UNLIMITED, TimeBudget
from engine.play.quick_generators import quick_draw

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from engine.search.answers import Answer
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_BET_SIZE_STREAM: Final = 1


class Libratus(Bot):
    """Searches from the turn on, or the flop on wish.

    It learns nothing in play, but for this: branches of a blueprint that were learned alone are
    used by what the opponent does (`agents.blueprint_model.branch_switch`).
    """

    def __init__(self, **options: Any) -> None:
        """Choose how to play; see `LibratusOptions`.

        Raises:
            ValueError: an option cannot be, or there is no such file.
        """
        self._options: Final = LibratusOptions(**options)
        if self._options.model is not None:
            named_model(self._options.model)
        self._policy: LibratusPolicy | None = None
        self._switch: BranchSwitch | None = None
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
            self._policy = seated_policy(game, self._options)
        except ArtifactMismatch as error:
            raise AgentError(str(error)) from error
        blueprint = self._policy.blueprint
        self._switch = BranchSwitch(blueprint.model, game, USUAL)
        blueprint.close(self._switch.closed)
        self._seed = seed
        self._hand = self._answer = None
        quick_generators.warm_up()
        self._policy.rehearse()

    @property
    def learns(self) -> bool:
        """Whether the blueprint has branches that are used by what the opponent did."""
        return self._switch is not None and self._switch.counts

    def end_hand(self, view: PlayerView) -> None:
        """Count what the opponent did where that matters."""
        if self._policy is not None and self._switch is not None and self._switch.counts:
            self._switch.note(view.state, 1 - view.position)
            self._policy.blueprint.close(self._switch.closed)

    def act(self, view: PlayerView, budget: TimeBudget = UNLIMITED) -> Action:
        """Draw an action from the strategy of the hand held."""
        policy = self._policy
        if policy is None:
            raise RuntimeError("start_match comes first")
        if self._hand != (view.hand_id, view.position):
            self._hand = view.hand_id, view.position
            policy.session.forget()
            policy.session.factors = self._factors(view)
        limits = policy.session.settings.budget
        allowed = limits._replace(seconds=min(limits.seconds, budget.thinking))
        answer = policy.answer(view.state, view.board, allowed)
        self._answer = answer
        shares = answer.strategy.probabilities[combo_of(*view.hole)].tolist()
        return answer.strategy.actions[quick_draw(shares, self._seed, view)]

    def notes(self) -> dict[str, Any]:
        """Return where the last decision came from."""
        return {} if self._answer is None else self._answer.notes("blueprint")

    def _factors(self, view: PlayerView) -> tuple[float, float]:
        shake = self._options.shake
        if not shake:
            return 1.0, 1.0
        draw = np.random.default_rng((self._seed, view.hand_id, 0, _BET_SIZE_STREAM))
        factor = float(draw.uniform(1 - shake, 1 + shake))
        return (factor, 1.0) if view.position == 0 else (1.0, factor)
