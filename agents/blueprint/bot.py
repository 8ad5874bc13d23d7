"""The blueprint bot: interpret the hand, look up what to do, draw."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from agents.blueprint_model.branch_switch import BranchSwitch
from agents.blueprint_model.interpretation import (
    ActionShares,
    HandBuckets,
    Interpretation,
    Interpreter,
)
from agents.blueprint_model.model import BlueprintModel, load_model
from agents.blueprint_model.models import (
    check_model_game,
    named_model,
    restrained_model,
    shipped_model,
)
from agents.blueprint_model.options import BlueprintOptions
from agents.bot import Bot
from agents.errors import AgentError
from engine.console.output import tell
from engine.errors import ArtifactMismatch
from engine.play import quick_generators
from engine.play.quick_generators import quick_draw

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef


_CACHED_STREETS: Final = 4


class Blueprint(Bot):
    """Plays the average strategy of an abstract game.

    It learns nothing in play, but for this: branches of a model that were learned alone are used
    by what the opponent does (`agents.blueprint_model.branch_switch`).
    """

    def __init__(
        self, model: str | None = None, *, response: float = 0.0, **options: float
    ) -> None:
        """Choose how to play; see `BlueprintOptions`.

        Args:
            response: 1: of the shipped models, that of a response, not of an equilibrium.

        Raises:
            ValueError: an option cannot be, or there is no such file.
        """
        chosen = BlueprintOptions(model, **options)
        self._path = None if model is None else named_model(model)
        self._shipped = restrained_model if response else shipped_model
        self._threshold = chosen.threshold
        self._purify = bool(chosen.purify)
        self._alone = chosen.alone
        self._renews = bool(chosen.renew)
        self._version: tuple[int, ...] = ()
        self._interpreter: Interpreter | None = None
        self._switch: BranchSwitch
        self._bucket: Callable[[tuple[int, ...], tuple[int, ...]], int]
        self._seed = 0
        self._seen: tuple[PlayerView, list[Interpretation]] | None = None

    def start_match(self, game: GameDef, seed: int) -> None:
        """Open the model for `game`.

        Raises:
            AgentError: it cannot be read.
            GameNotPlayed: the model is for another kind of game, or there is none.
        """
        path = self._shipped(game) if self._path is None else self._path
        try:
            self._version = _version_of(path)
            model = load_model(path)
        except (ArtifactMismatch, OSError) as error:
            raise AgentError(str(error)) from error
        self._open(path, model, game)
        quick_generators.warm_up()
        self._seed = seed

    @property
    def learns(self) -> bool:
        """Whether the model has branches that are used by what the opponent did."""
        return self._interpreter is not None and self._switch.counts

    def end_hand(self, view: PlayerView) -> None:
        """Count what the opponent did where that matters; take a newer model if that is wanted."""
        if self._interpreter is None:
            raise RuntimeError("start_match comes first")
        if self._switch.counts:
            self._switch.note(view.state, 1 - view.position)
            self._interpreter.reader.close(self._switch.closed)
        if self._renews and self._path is not None:
            self._renew(self._path, view.game)

    def _renew(self, path: Path, game: GameDef) -> None:
        """Open the model's file again if it is another one by now, and one that can be played."""
        try:
            version = _version_of(path)
            if version == self._version:
                return
            self._version = version
            self._open(path, load_model(path), game)
        except (AgentError, ArtifactMismatch, OSError) as error:
            tell(f"blueprint: plays on with the model that it has: {error}")

    def _open(self, path: Path, model: BlueprintModel, game: GameDef) -> None:
        """Play by a model from the next hand on.

        Raises:
            GameNotPlayed: it is for another kind of game.
        """
        check_model_game(path, model.tree.game, game)
        deck, hole_cards = list(game.deck), game.hole_cards
        for street in range(game.streets):  # what has to be compiled is compiled before the match
            model.cards.bucket(
                deck[:hole_cards], deck[hole_cards : hole_cards + game.board_seen(street)]
            )
        model.warm_up()
        self._bucket = lru_cache(_CACHED_STREETS)(model.cards.bucket)
        self._interpreter = Interpreter(model, game, threshold=self._threshold, purify=self._purify)
        self._switch = BranchSwitch(model, game, self._alone)
        self._interpreter.reader.close(self._switch.closed)
        self._seen = None

    def act(self, view: PlayerView) -> Action:
        """Draw an action from the strategy of the hand's bucket."""
        answer = self.distribution(view)
        drawn = quick_draw(answer.probabilities.tolist(), self._seed, view)
        return answer.actions[drawn]

    def distribution(self, view: PlayerView) -> ActionShares:
        """Return what is drawn from, for the hand held."""
        if self._interpreter is None:
            raise RuntimeError("start_match comes first")
        hands = self._hand(view)
        return self._interpreter.answer(self._interpretations(view, hands), view.state, hands)

    def _hand(self, view: PlayerView) -> HandBuckets:
        game = view.game
        return lambda street: self._bucket(view.hole, view.board[: game.board_seen(street)])

    def _interpretations(self, view: PlayerView, hands: HandBuckets) -> list[Interpretation]:
        """Return the interpretations of the hand, continuing those of the last view of it."""
        assert self._interpreter is not None
        last = self._seen
        if last is None or not view.continues(last[0]):
            done, interpretations = 0, self._interpreter.start(hands)
        else:
            done, interpretations = len(last[0].history), last[1]
        for state, action, after in view.state.steps(since=done):
            interpretations = self._interpreter.step(
                interpretations, state, action, after, view.position, hands
            )
        self._seen = view, interpretations
        return interpretations


def _version_of(path: Path) -> tuple[int, ...]:
    """Return what tells a file from the one that takes its place.  Raises OSError."""
    status = path.stat()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
