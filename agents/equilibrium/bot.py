"""The equilibrium bot: look up the information set, draw."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.bot import Bot
from agents.equilibrium.model import REMEDY, EquilibriumModel, model_for
from agents.errors import AgentError
from engine.errors import ArtifactMismatch
from engine.play.generators import decision_generator
from engine.small_games.poker_tree import info_set_name, legal_actions, told_by_rank

if TYPE_CHECKING:
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef


class Equilibrium(Bot):
    """Plays the average strategy of a small game, from any seat; learns nothing in play."""

    def __init__(self, model: str | None = None) -> None:
        """Take the file of a model; None: the one that comes along."""
        self._file = model
        self._model: EquilibriumModel | None = None
        self._played = Path()
        self._by_rank = False
        self._seed = 0

    def start_match(self, game: GameDef, seed: int) -> None:
        """Load the model.

        Raises:
            AgentError: it cannot be read.
            GameNotPlayed: the model is for another game, or there is none.
        """
        try:
            self._played, self._model = model_for(game, self._file)
        except ArtifactMismatch as error:
            raise AgentError(str(error)) from error
        self._by_rank = told_by_rank(game)
        self._seed = seed

    def act(self, view: PlayerView) -> Action:
        """Draw an action from the strategy of the information set.

        Raises:
            AgentError: the model has no strategy for it.
        """
        if self._model is None:
            raise RuntimeError("start_match comes first")
        name = info_set_name(view.state, view.hole, view.board, by_rank=self._by_rank)
        actions = legal_actions(view.state)
        try:
            shares, texts = self._model.shares(name), self._model.actions(name)
        except KeyError:
            raise AgentError(f"{self._played} has no strategy for {name}; {REMEDY}") from None
        if texts != tuple(action.text for action in actions):
            raise AgentError(f"{self._played} has other actions for {name}; {REMEDY}")
        upto = np.cumsum(shares)
        share = decision_generator(self._seed, view).random()
        drawn = int(np.searchsorted(upto, share * upto[-1], side="right"))
        return actions[min(drawn, len(actions) - 1)]
