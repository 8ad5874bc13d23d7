"""A run in which a learner learns a game: a folder that can be stopped and resumed.

    checkpoint       all that the learner has learned and remembers, and its random generator
    model.learned    what is to be played, of hold'em in groups model.blueprint; model.json: how
                     that came about
    curve.json, .svg exploitability by decisions made

A run that was stopped and resumed ends with the same bits as one that was not, on one thread.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch

from agents.blueprint_model.grouped_holdem import GroupedHoldem
from agents.learners.configuration import NfspSettings, PolicyGradientSettings
from agents.learners.grouped_game import GroupedGame
from agents.learners.model import LearnedModel
from agents.learners.small_game import SmallLearnedGame
from agents.learners.train.nfsp import NfspLearner
from agents.learners.train.policy_gradient import PolicyGradientLearner
from agents.learners.train.sampled_cfr import SampledCfrLearner
from agents.training.run_folder import CHECKPOINT, RunFolder, save_note, today_here
from engine.console.line_chart import ChartLine, line_chart
from engine.storage.artifacts import Kind
from engine.storage.atomic import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.blueprint_model.model import BlueprintModel
    from agents.learners.configuration import LearnerConfig, Settings
    from agents.learners.learned_game import LearnedGame
    from agents.learners.train.learner import SelfPlayLearner

MODEL: Final = "model.learned"
CURVE: Final = "curve.json"
PICTURE: Final = "curve.svg"
FILES_OF_RUN: Final = (
    *(CHECKPOINT, MODEL, GroupedHoldem.model_name),
    *("model.json", CURVE, PICTURE),
)
KIND: Final = Kind("learner's run", 1, "the run has to be begun again, in another folder")
_FIRST_POINT: Final = 1000
_GROWTH: Final = 1.25
"""Of the decisions between two points of the curve."""


def learner_of(game: LearnedGame, settings: Settings, rng: np.random.Generator) -> SelfPlayLearner:
    """Return a learner that has learned nothing yet."""
    if isinstance(settings, NfspSettings):
        return NfspLearner(game, settings, rng)
    if isinstance(settings, PolicyGradientSettings):
        return PolicyGradientLearner(game, settings, rng)
    return SampledCfrLearner(game, settings, rng)


class LearnerRun:
    """A new or resumed run.

    Attributes:
        decisions: made so far.
        curve: (decisions, exploitability in chips) on the way.
        seconds: of learning, so far.
        commands: the command lines that worked on it.
    """

    def __init__(self, folder: Path, config: LearnerConfig, *, resume: bool = False) -> None:
        """Write the game out, or count its deals, and begin or resume.

        Raises:
            ArtifactMismatch, GameNotPlayed, ValueError: as from `GroupedGame`.
            InvalidGame: the game is too large to be written out, or is none for learners.
            OSError: the folder cannot be written.
            TrainingError: the folder holds a run already, or none to resume, or one of another
                config, or a damaged one.
        """
        torch.set_num_threads(1)
        self.config: Final = config
        self._folder: Final = RunFolder(folder, KIND)
        self._folder.open(resume=resume)
        if resume:  # another run is refused before a minute of counting
            with self._folder.restoring(config.facts()):
                pass
        self.game: Final[SmallLearnedGame | GroupedGame] = (
            SmallLearnedGame(config.game)
            if config.groups is None
            else GroupedGame(config.game, config.groups, config.seed, config.bets)
        )
        self._rng: Final = np.random.default_rng(config.seed)
        self._learner: Final = learner_of(self.game, config.settings, self._rng)
        self.decisions = 0
        self.curve: list[tuple[int, float]] = []
        self.seconds = 0.0
        self.commands: list[str] = []
        if resume:
            self._restore()

    @property
    def model_file(self) -> Path:
        """Where the model is written."""
        grouped = isinstance(self.game, GroupedGame)
        return self._folder.path / (GroupedHoldem.model_name if grouped else MODEL)

    @property
    def over(self) -> bool:
        """Whether all decisions have been made."""
        return self.decisions >= self.config.steps

    def learn(
        self,
        seconds: float,
        on_point: Callable[[], None],
        stop: Callable[[], bool],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Learn until all decisions are made, for so long, or until `stop` says so.

        Args:
            on_point: called for each new point of the curve.
        """
        begun, before = clock(), self.seconds
        while not (self.over or stop() or clock() - begun >= seconds):
            steps = self.config.steps
            self.decisions += self._learner.learn(self.decisions / steps, steps - self.decisions)
            self.seconds = before + clock() - begun
            latest = self.curve[-1][0] if self.curve else 0
            if self.over or self.decisions >= max(_FIRST_POINT, _GROWTH * latest):
                self.curve.append((self.decisions, self.exploitability()))
                on_point()

    def exploitability(self) -> float:
        """Return that of what has been learned, exactly, in chips."""
        return self.game.exploitability(self._learner.profile())

    def save(self) -> LearnedModel | BlueprintModel | None:
        """Write all files of the run; return the model, None where there is none yet.

        Raises:
            OSError: a file cannot be written.
        """
        facts = {
            "decisions": self.decisions,
            "curve": self.curve,
            "seconds": self.seconds,
            "commands": self.commands,
            "generator": self._rng.bit_generator.state,
        }
        self._folder.save(self.config.facts(), facts, self._learner.arrays())
        if not self.curve:
            return None
        self._save_curve()
        model = self._model()
        if model is not None:
            model.save(self.model_file)
            save_note(self.model_file, dict(model.provenance))
        return model

    def _model(self) -> LearnedModel | BlueprintModel | None:
        """Return what is to be played."""
        provenance = {
            "name": self.config.name,
            **self.config.facts(),
            "decisions": self.decisions,
            "commands": self.commands,
            "seconds": round(self.seconds, 1),
            **today_here(),
        }
        if isinstance(self.game, GroupedGame):
            return self.game.holdem.model(self._learner.profile(), provenance)
        networks = self._learner.networks()
        if networks is None:
            return None
        provenance["exploitability"] = self.game.exploitability(self.game.average(networks))
        return LearnedModel(self.config.game, networks, provenance)

    def _save_curve(self) -> None:
        told = {
            "game": self.config.name,
            "algorithm": self.config.algorithm,
            "seed": self.config.seed,
            "measure": "exploitability: NashConv by the number of players, in chips",
            "points": self.curve,
        }
        write_whole(self._folder.path / CURVE, json.dumps(told) + "\n")
        points = [(float(decisions), value) for decisions, value in self.curve]
        title = f"{self.config.algorithm}, {self.config.name}, seed {self.config.seed}"
        picture = line_chart(
            title,
            "exploitability, chips",
            "decisions",
            [ChartLine(title.partition(",")[0], points)],
        )
        write_whole(self._folder.path / PICTURE, picture)

    def _restore(self) -> None:
        with self._folder.restoring(self.config.facts()) as saved:
            facts: dict[str, Any] = saved.facts
            self._learner.restore(saved.arrays)
            self._rng.bit_generator.state = facts["generator"]
            self.decisions = int(facts["decisions"])
            self.curve = [(int(decisions), float(value)) for decisions, value in facts["curve"]]
            self.seconds = float(facts["seconds"])
            self.commands = list(map(str, facts["commands"]))
