"""The blueprint bot: read the hand, look up what to do, draw."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from agents.blueprint.model import load_model
from agents.blueprint.models import shipped_model
from agents.blueprint.reading import Answer, Hands, Reader, Reading
from agents.bot import Bot
from agents.errors import AgentError, GameNotPlayed
from agents.session import describe
from engine.errors import ArtifactMismatch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef


class Blueprint(Bot):
    """Plays the average strategy of an abstract game; learns nothing in play."""

    def __init__(
        self, model: str | None = None, threshold: float = 0.0, purify: float = 0.0
    ) -> None:
        """Choose how to play.

        Args:
            model: file of the model; None: the one that comes along for the game.
            threshold: probabilities below it are dropped, 0 to 1.
            purify: 1 to take the likeliest action only.

        Raises:
            ValueError: the threshold is no probability, or `purify` is neither 0 nor 1.
        """
        if not 0 <= threshold <= 1:
            raise ValueError(f"threshold {threshold}: want a probability")
        if purify not in (0, 1):
            raise ValueError(f"purify {purify:g}: want 0 or 1")
        self._path = None if model is None else Path(model)
        self._threshold = threshold
        self._purify = bool(purify)
        self._reader: Reader | None = None
        self._rng = np.random.default_rng(0)
        self._seen: tuple[PlayerView, list[Reading]] | None = None

    def start_match(self, game: GameDef, seed: int) -> None:
        """Open the model for `game`.

        Raises:
            AgentError: it cannot be read.
            GameNotPlayed: the model is for another game, or there is none.
        """
        path = shipped_model(game) if self._path is None else self._path
        try:
            model = load_model(path)
        except ArtifactMismatch as error:
            raise AgentError(str(error)) from error
        if model.tree.game != game:
            raise GameNotPlayed(f"{path} plays {describe(model.tree.game)}, not {describe(game)}")
        deck, own = list(game.deck), game.hole_cards
        for street in range(game.streets):  # what has to be compiled is compiled before the match
            model.cards.bucket(deck[:own], deck[own : own + game.board_seen(street)])
        self._reader = Reader(model, threshold=self._threshold, purify=self._purify)
        self._rng = np.random.default_rng(seed)
        self._seen = None

    def act(self, view: PlayerView) -> Action:
        """Draw an action from the strategy of the hand's bucket."""
        answer = self.distribution(view)
        upto = np.cumsum(answer.probabilities[0])
        drawn = int(np.searchsorted(upto, self._rng.random() * upto[-1], side="right"))
        return answer.actions[min(drawn, len(answer.actions) - 1)]

    def distribution(self, view: PlayerView) -> Answer:
        """Return what is drawn from: one row, that of the hand held."""
        if self._reader is None:
            raise RuntimeError("start_match comes first")
        hands = self._hand(view)
        return self._reader.answer(self._readings(view, hands), view.state, hands)

    def _hand(self, view: PlayerView) -> Hands:
        """Return the buckets of the one hand held."""
        assert self._reader is not None
        game, cards = view.game, self._reader.model.cards

        def buckets(street: int) -> NDArray[np.int32]:
            board = view.board[: game.board_seen(street)]
            return np.array([cards.bucket(view.hole, board)], np.int32)

        return buckets

    def _readings(self, view: PlayerView, hands: Hands) -> list[Reading]:
        """Return the readings of the hand, going on from those of the last view if it is of it."""
        assert self._reader is not None
        seen = self._seen
        if seen is None or not view.continues(seen[0]):
            done, readings = 0, self._reader.start(hands)
        else:
            done, readings = len(seen[0].history), seen[1]
        for before, action, after in view.state.steps(since=done):
            readings = self._reader.step(readings, before, action, after, view.position, hands)
        self._seen = view, readings
        return readings
