"""Bots that play what a learner learned: evaluate the network, draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.bot import Bot
from agents.errors import AgentError
from agents.learners.encoder import ACTIONS
from agents.learners.model import LearnedModel, learned_model
from engine.errors import ArtifactMismatch
from engine.play.generators import decision_generator
from engine.small_games.poker_tree import legal_actions

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_POLICY: Final = 1 << 20
"""Number of the draw of a hand's policy, beyond those of its decisions."""


class LearnedBot(Bot):
    """Plays a learned policy from any seat; learns nothing in play."""

    def __init__(self, algorithm: str, model: str | None = None) -> None:
        """Take the file of a model; None: the one by the algorithm that comes along."""
        self._algorithm = algorithm
        self._file = model
        self._model: LearnedModel | None = None
        self._seed = 0

    def start_match(self, game: GameDef, seed: int) -> None:
        """Load the model.

        Raises:
            AgentError: it cannot be read.
            GameNotPlayed: the model is for another game, or there is none.
        """
        try:
            self._model = learned_model(self._algorithm, game, self._file)
        except ArtifactMismatch as error:
            raise AgentError(str(error)) from error
        self._seed = seed

    def act(self, view: PlayerView) -> Action:
        """Draw an action; where there are several policies, the hand's is drawn by its number."""
        model = self._model
        if model is None:
            raise RuntimeError("start_match comes first")
        actions = {action.kind: action for action in legal_actions(view.state)}
        legal = np.array([kind in actions for kind in ACTIONS])
        row = model.encoder.encode(view.state, view.hole, view.board)
        chances = model.networks.probabilities(self._policy(model, view), view.position, row, legal)
        share = decision_generator(self._seed, view).random()
        drawn = int(np.searchsorted(np.cumsum(chances), share, side="right"))
        kinds = [kind for kind in ACTIONS if kind in actions]
        return (
            actions[ACTIONS[drawn]] if drawn < len(ACTIONS) and legal[drawn] else actions[kinds[-1]]
        )

    def _policy(self, model: LearnedModel, view: PlayerView) -> int:
        """Return the policy of a hand, the same at all its decisions."""
        shares = np.cumsum(model.networks.shares)
        drawn = np.random.default_rng((self._seed, view.hand_id, _POLICY)).random() * shares[-1]
        return min(int(np.searchsorted(shares, drawn, side="right")), len(shares) - 1)
