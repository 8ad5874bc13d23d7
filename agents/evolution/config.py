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
from collections.abc import Collection, Sequence
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
_PARTS: Final = {"opponent", "game", "head"}


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
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: {error}") from error
    try:
        if seed is not None:
            told["seed"] = seed
        name = "-".join([path.stem, *(against or ())])
        return _parsed(family, name, told, against)
    except KeyError as error:
        raise ConfigError(f"{path}: {error} is missing") from error
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from error


def _parsed(
    family: EvolvedFamily, name: str, told: dict[str, Any], against: Sequence[str] | None
) -> EvolutionConfig:
    _check_keys("the file", told, _KEYS)
    network = told["network"]
    _check_keys("network", network, _PARTS)
    shape = NetShape(
        opponent=Stack(*_whole_numbers("opponent", network["opponent"])),
        game=Stack(*_whole_numbers("game", network["game"])),
        head=_whole_numbers("head", network["head"]),
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
        stages=tuple(_stage(stage, told, against) for stage in told["stages"]),
        population=_whole("population", told["population"]),
        founders=_whole("founders", told.get("founders", 0)),
        breeding=Breeding(**breeding),
        seed=_whole("seed", told.get("seed", 1)),
    )
    resets = _names("resets", told.get("resets", ["game"]))
    unknown = [stack for stack in resets if stack not in RESETS]
    if unknown:
        raise ValueError(f"resets {unknown[0]!r}: want {' or '.join(RESETS)}")
    bits = sum(RESETS[stack] for stack in dict.fromkeys(resets))
    return EvolutionConfig(name, str(told.get("summary", "")), plan, bits)


def _stage(stage: Any, told: dict[str, Any], against: Sequence[str] | None) -> Stage:
    _check_keys("a stage", stage, Stage._fields)
    opponents: list[str] = []
    for name in _names("opponents", stage["opponents"]):
        if name == ANYBODY and not against:
            raise ValueError("whom is it to counter? --against BOT")
        opponents += (against or ()) if name == ANYBODY else (name,)
    deals = stage["deals"] if "deals" in stage else told["deals"]
    generations = _whole("generations", stage["generations"])
    return Stage(generations, tuple(dict.fromkeys(opponents)), _whole("deals", deals))


def _check_keys(where: str, table: Any, known: Collection[str]) -> None:
    """Refuse what is no table, or has a key that nobody would read."""
    if not isinstance(table, dict):
        raise TypeError(f"{where} is {table!r}: want a table")
    unknown = table.keys() - known
    if unknown:
        raise ValueError(f"unknown in {where}: {', '.join(sorted(unknown))}")


def _whole(name: str, value: Any) -> int:
    """Return a whole number, and nothing else: 6.7 is not to become 6."""
    if type(value) is not int:
        raise TypeError(f"{name} {value!r}: want a whole number")
    return value


def _whole_numbers(name: str, values: Any) -> tuple[int, ...]:
    if not isinstance(values, list):
        raise TypeError(f"{name} {values!r}: want a list of whole numbers")
    return tuple(_whole(name, value) for value in values)


def _names(name: str, values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{name} {values!r}: want a list of names")
    return values
