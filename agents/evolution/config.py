"""What a network is evolved for, and how: one small TOML file for each.

summary = "..."                     one line for lists
seed = 1                            of everything random
population = 40
founders = 200                      of the first generation, if more
deals = 400                         of a match, each played from both seats
resets = ["game", "opponent"]       stacks that begin each hand anew

[[stages]]                          one after the other
generations = 40
opponents = ["O2", "*"]             names of agents; *: those of --against
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
from typing import TYPE_CHECKING, Any, Final

from agents.errors import ConfigError
from agents.evolution.evolution import EvolutionPlan, Stage
from agents.evolution.selection import Breeding, Fading
from agents.recurrent.shape import NetShape, Stack
from agents.recurrent.sizes import RESETS

if TYPE_CHECKING:
    from agents.evolution.family import EvolvedFamily

ANYBODY: Final = "*"
_KEYS: Final = {
    "summary", "seed", "population", "founders", "deals", "resets", "stages", "network", "breeding",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class EvolutionConfig:
    """One network and its evolution."""

    name: str
    summary: str
    plan: EvolutionPlan
    resets: int
    """Which stacks begin each hand anew, see `agents.recurrent.sizes`."""


def config_names(family: EvolvedFamily) -> list[str]:
    """Return the names of the configs that come along."""
    return sorted(path.stem for path in family.configs.glob("*.toml"))


def load_config(
    family: EvolvedFamily, named: str, against: Sequence[str] | None = None, seed: int | None = None
) -> EvolutionConfig:
    """Return the config of a name, or that of a file.

    Args:
        family: what evolves.
        named: a name or a file.
        against: those for whom ANYBODY stands in its stages.
        seed: of everything random, if not that of the config.

    Raises:
        ConfigError: there is neither, or it is none; the message says what is wrong.
    """
    names = config_names(family)
    path = family.configs / f"{named}.toml" if named in names else Path(named)
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"config {named!r}: want {', '.join(names)}, or a TOML file") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    try:
        for stage in told["stages"]:
            stage["opponents"] = _chosen(stage["opponents"], against)
        if seed is not None:
            told["seed"] = seed
        name = "-".join([path.stem, *(against or ())])
        return _parsed(family, name, told)
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from error


def _chosen(opponents: Sequence[str], against: Sequence[str] | None) -> list[str]:
    """Return the opponents of a stage, each once.  Raises ValueError where nobody was chosen."""
    if ANYBODY in opponents and not against:
        raise ValueError("whom is it to counter? --against BOT")
    chosen = [one if one != ANYBODY else None for one in opponents]
    return list(dict.fromkeys(name for one in chosen for name in ([one] if one else against or ())))


def _parsed(family: EvolvedFamily, name: str, told: dict[str, Any]) -> EvolutionConfig:
    unknown = told.keys() - _KEYS
    if unknown:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    network = told["network"]
    shape = NetShape(
        opponent=Stack(*network["opponent"]),
        game=Stack(*network["game"]),
        head=tuple(network["head"]),
        opponent_inputs=family.opponent_inputs,
        game_inputs=family.game_inputs,
        outputs=family.outputs,
        activation=family.activation,
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
    return EvolutionConfig(name, str(told.get("summary", "")), plan, resets)
