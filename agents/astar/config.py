"""What an A* network is evolved for, and how: one small TOML file for each.

summary = "..."                     one line for lists
seed = 1                            of everything random
population = 40
founders = 200                      of the first generation, if more
deals = 400                         of a match, each played from both seats
resets = ["game", "opponent"]       stacks that begin each hand anew

[[stages]]                          one after the other
generations = 40
opponents = ["O2", "O4"]
deals = 250                         if not as in the others

[network]
opponent = [1, 1, 10]               layers, blocks side by side, cells of a block
game = [1, 10, 5]
head = [300, 300]                   widths of the hidden layers

[breeding]                          fields of `Breeding`; rate and strength: first, last
survival = 0.25
rate = [0.25, 0.05]
strength = [1.0, 0.3]
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agents.astar.features.raise_classes import MOVES
from agents.astar.features.trees_kernels import VECTOR
from agents.astar.play.memory import GAME_INPUTS
from agents.errors import ConfigError
from agents.evolution.evolution import EvolutionPlan, Stage
from agents.evolution.selection import Breeding, Fading
from agents.recurrent.shape import NetShape, Stack

CONFIGS: Final = Path(__file__).with_name("configs")
RESETS: Final = {"opponent": 1, "game": 2}
_KEYS: Final = {
    "summary", "seed", "population", "founders", "deals", "resets", "stages", "network", "breeding",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AstarConfig:
    """One network and its evolution."""

    name: str
    summary: str
    plan: EvolutionPlan
    resets: int
    """Which stacks begin each hand anew, see `play.policy_kernels.RESETS`."""


def config_names() -> list[str]:
    """Return the names of the configs that come along."""
    return sorted(path.stem for path in CONFIGS.glob("*.toml"))


def load_config(
    named: str, against: Sequence[str] | None = None, seed: int | None = None
) -> AstarConfig:
    """Return the config of a name, or that of a file.

    Args:
        named: a name or a file.
        against: opponents of the last stage, if not those of the config.
        seed: of everything random, if not that of the config.

    Raises:
        ConfigError: there is neither, or it is none; the message says what is wrong.
    """
    path = CONFIGS / f"{named}.toml" if named in config_names() else Path(named)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(
            f"config {named!r}: want {', '.join(config_names())}, or a TOML file"
        ) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    try:
        if against:
            told["stages"][-1]["opponents"] = list(against)
        if seed is not None:
            told["seed"] = seed
        name = "-".join([path.stem, *(against or ())])
        return _parsed(name, told)
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from error


def _parsed(name: str, told: dict[str, Any]) -> AstarConfig:
    unknown = told.keys() - _KEYS
    if unknown:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    network = told["network"]
    shape = NetShape(
        opponent=Stack(*network["opponent"]),
        game=Stack(*network["game"]),
        head=tuple(network["head"]),
        opponent_inputs=VECTOR,
        game_inputs=GAME_INPUTS,
        outputs=MOVES,
    )
    breeding = dict(told.get("breeding", {}))
    for fading in ("rate", "strength"):
        if fading in breeding:
            breeding[fading] = Fading(*breeding[fading])
    plan = EvolutionPlan(
        shape=shape,
        stages=tuple(
            Stage(
                int(stage["generations"]),
                tuple(stage["opponents"]),
                int(stage.get("deals", told["deals"])),
            )
            for stage in told["stages"]
        ),
        population=int(told["population"]),
        founders=int(told.get("founders", 0)),
        breeding=Breeding(**breeding),
        seed=int(told.get("seed", 1)),
    )
    resets = sum(RESETS[stack] for stack in told.get("resets", ["game"]))
    return AstarConfig(name, str(told.get("summary", "")), plan, resets)
