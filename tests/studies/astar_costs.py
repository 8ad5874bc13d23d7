"""What the evolved players cost: to train, to keep, and to ask for an action.

    make study astar-costs

What was written down in training, and times of actions at a table of this process, on one core:
minutes, and nothing else should run.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.ashe.bot import MODELS as ASHE_MODELS
from agents.astar.bot import variant_policy
from agents.astar.ensemble_models import (
    BASE_STEM,
    KNOWN_LIBRARY,
    MODELS,
    REFUGE_STEM,
    WIDE_LIBRARY,
    library_file,
    load_models,
    network_file,
)
from agents.evolution.network import KIND, SUFFIX
from agents.roster.bots import find_agent
from agents.roster.words import chosen_bot
from engine.console.arguments import count
from engine.play.budget import without_budget
from engine.play.learners import play_learning_match
from engine.storage.artifacts import load_artifact
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.bot import Bot
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

GAME: Final = "hunl"
HANDS: Final = 1000
"""Played at a table to time actions."""
TIMED: Final = (
    "astar",
    "astar --variant base",
    "ashe",
    "ashe-2",
    "blueprint",
    "statistical",
    "deepstack-fast",
)
OPPONENT: Final = "O8"
ANCESTORS: Final = ("ashe", "ashe-2")


ALL: Final = "all networks"
"""Whose the sums are."""


SMALL: Final = {"hands": 5}


def add_options(parser: ArgumentParser) -> None:
    """Add how long actions are timed."""
    parser.add_argument("--hands", metavar="N", type=count, default=HANDS, help="of a bot")


def result_name(_: Namespace) -> str:
    """Return the file beside the duels."""
    return "astar/costs.json"


def run(options: Namespace) -> list[dict[str, Any]]:
    """Return a row for each number."""
    return [cost._asdict() for cost in measured_costs(options.hands)]


class Cost(NamedTuple):
    """One row: a number, its unit, and whose it is."""

    whose: str
    what: str
    number: float
    unit: str


def measured_costs(hands: int = HANDS) -> list[Cost]:
    """Return what was written down in training, and what is measured now.

    Raises:
        AgentError: a model is missing or damaged.
    """
    library = load_models(MODELS, WIDE_LIBRARY).library
    files = {f"counter-{name}": network_file(name) for name in library.names}
    files |= {"astar --variant base": network_file(BASE_STEM)}
    files |= {name: ASHE_MODELS / f"{name}{SUFFIX}" for name in ANCESTORS}
    trained = {name: _training(path) for name, path in files.items()}
    costs = [cost for name, run in trained.items() for cost in _rows(name, *run)]
    costs += _rows(ALL, *map(sum, zip(*trained.values(), strict=True)))
    others = [library_file(KNOWN_LIBRARY), library_file(WIDE_LIBRARY), network_file(REFUGE_STEM)]
    size = sum(path.stat().st_size for path in (*files.values(), *others))
    costs.append(Cost("all models", "disk", size / 1e6, "MB"))
    policy = variant_policy(load_builtin(GAME), 0)
    numbers = policy.family.params + policy.family.memory
    costs.append(Cost("astar", "networks, library and memory of a match", numbers * 8 / 1e6, "MB"))
    for name in TIMED:
        costs += _actions(name, hands)
    return costs


def _training(path: Path) -> tuple[float, float]:
    """Return the hands that a network was trained with, and the seconds."""
    made = load_artifact(path, KIND).facts["made"]
    return 2 * made["deals"], made["seconds"]


def _rows(name: str, hands: float, seconds: float) -> list[Cost]:
    return [
        Cost(name, "hands in training", hands / 1e6, "M"),
        Cost(name, "training", seconds / 3600, "h"),
        Cost(name, "training", hands / seconds, "hands/s"),
    ]


def _actions(name: str, hands: int) -> list[Cost]:
    """Return how long an agent takes for an action at a table of this process."""
    bot = _Timed(chosen_bot(name).build())
    play_learning_match(load_builtin(GAME), 1, hands, [bot, find_agent(OPPONENT).build()])
    seconds = np.array(bot.seconds[1:])  # the first loads and compiles
    return [
        Cost(name, "action, mean", 1000 * float(seconds.mean()), "ms"),
        Cost(name, "action, 99 %", 1000 * float(np.quantile(seconds, 0.99)), "ms"),
        Cost(name, "action, longest", 1000 * float(seconds.max()), "ms"),
    ]


class _Timed:
    """A bot whose actions are timed."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._asked = without_budget(bot.act)
        self.seconds: list[float] = []
        self.observe, self.end_hand = bot.observe, bot.end_hand

    def start_match(self, game: GameDef, seed: int) -> None:
        self._bot.start_match(game, seed)

    @property
    def act(self) -> Callable[..., Action]:
        return self._act

    def _act(self, view: PlayerView) -> Action:
        begun = time.perf_counter()
        action = self._asked(view)
        self.seconds.append(time.perf_counter() - begun)
        return action
