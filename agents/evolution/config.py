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

[breeding]                          fields of `ReproductionConfig`; rate and strength: first, last
scheme = "tiered"                   proportional, if not said
survival = 0.25
rate = [0.25, 0.05]
strength = [1.0, 0.3]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.errors import ConfigError
from agents.evolution.evolution import EvolutionPlan, Stage
from agents.evolution.selection import LinearSchedule, ReproductionConfig
from agents.recurrent.shape import RESETS, NetShape, Stack
from engine.storage.documents import toml_document

if TYPE_CHECKING:
    from agents.evolution.family import EvolvedFamily

ANYBODY: Final = "*"
_KEYS: Final = {
    "summary", "seed", "population", "founders", "deals", "resets", "stages", "network", "breeding",
}  # fmt: skip
_PARTS: Final = {"opponent", "game", "head"}
_LARGEST_NUMBER: Final = 1000


@dataclass(frozen=True, slots=True)
class EvolutionConfig:
    """One network and its evolution."""

    name: str
    summary: str
    plan: EvolutionPlan


def config_names(family: EvolvedFamily) -> list[str]:
    """Return the names of the configs that come along."""
    return sorted(path.stem for path in family.configs.glob("*.toml"))


def load_config(
    family: EvolvedFamily, named: str, against: Sequence[str] | None = None, seed: int | None = None
) -> EvolutionConfig:
    """Return the config of a name, or that of a file.

    Args:
        named: a name or a file.
        against: the agents for whom ANYBODY stands in its stages.
        seed: of everything random; None: the config's.

    Raises:
        ConfigError: there is neither, or it is none; the message says what is wrong.
    """
    names = config_names(family)
    path = family.configs / f"{named}.toml" if named in names else Path(named)
    try:
        document = toml_document(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"config {named!r}: want {', '.join(names)}, or a TOML file") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from error
    try:
        if seed is not None:
            document["seed"] = seed
        name = "-".join([path.stem, *(against or ())])
        return _parsed(family, name, document, against)
    except KeyError as error:
        raise ConfigError(f"{path}: {error} is missing") from error
    except (ArithmeticError, TypeError, ValueError) as error:
        raise ConfigError(f"{path}: {error}") from error


def _parsed(
    family: EvolvedFamily, name: str, document: dict[str, Any], against: Sequence[str] | None
) -> EvolutionConfig:
    _check_keys("the file", document, _KEYS)
    network = document["network"]
    _check_keys("network", network, _PARTS)
    shape = NetShape(
        opponent=_stack("opponent", network),
        game=_stack("game", network),
        head=_whole_numbers("head", network["head"]),
        opponent_inputs=family.opponent_inputs,
        game_inputs=family.game_inputs,
        outputs=family.outputs,
        activation=family.activation,
    )
    breeding = document.get("breeding", {})
    _check_keys("breeding", breeding, [entry.name for entry in fields(ReproductionConfig)])
    breeding = {key: _bred(key, value) for key, value in breeding.items()}
    plan = EvolutionPlan(
        shape=shape,
        stages=tuple(
            _stage(stage, document, against) for stage in _list("stages", document["stages"])
        ),
        population=_whole("population", document["population"]),
        founders=_whole("founders", document.get("founders", 0)),
        breeding=ReproductionConfig(**breeding),
        seed=_whole("seed", document.get("seed", 1)),
    )
    resets = _names("resets", document.get("resets", ["game"]))
    unknown = [stack for stack in resets if stack not in RESETS]
    if unknown:
        raise ValueError(f"resets {unknown[0]!r}: want {' or '.join(RESETS)}")
    if against and not any(ANYBODY in stage["opponents"] for stage in document["stages"]):
        raise ValueError(f"it names its opponents itself, where no {ANYBODY} stands: no --against")
    bits = sum(RESETS[stack] for stack in dict.fromkeys(resets))
    return EvolutionConfig(name, str(document.get("summary", "")), replace(plan, resets=bits))


def _stage(stage: Any, document: dict[str, Any], against: Sequence[str] | None) -> Stage:
    _check_keys("a stage", stage, Stage._fields)
    opponents: list[str] = []
    for name in _names("opponents", stage["opponents"]):
        if name == ANYBODY and not against:
            raise ValueError("whom is it to counter? --against BOT")
        opponents += (against or ()) if name == ANYBODY else (name,)
    deals = stage["deals"] if "deals" in stage else document["deals"]
    generations = _whole("generations", stage["generations"])
    return Stage(generations, tuple(dict.fromkeys(opponents)), _whole("deals", deals))


def _check_keys(where: str, table: Any, keys: Collection[str]) -> None:
    """Refuse what is no table, or has an unknown key."""
    if not isinstance(table, dict):
        raise TypeError(f"{where} is {table!r}: want a table")
    unknown = table.keys() - keys
    if unknown:
        raise ValueError(f"unknown in {where}: {', '.join(sorted(unknown))}")


def _whole(name: str, value: Any) -> int:
    """Return an integer; 6.7 must not become 6."""
    if type(value) is not int:
        raise TypeError(f"{name} {value!r}: want a whole number")
    return value


def _list(name: str, values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise TypeError(f"{name} {values!r}: want a list")
    return values


def _whole_numbers(name: str, values: Any) -> tuple[int, ...]:
    return tuple(_whole(name, value) for value in _list(name, values))


def _stack(name: str, network: dict[str, Any]) -> Stack:
    numbers = _whole_numbers(name, network[name])
    if len(numbers) != len(fields(Stack)):
        raise ValueError(f"{name} {list(numbers)}: want layers, blocks and cells")
    return Stack(*numbers)


def _bred(name: str, value: Any) -> Any:
    """Return a field of `ReproductionConfig`: two numbers where it fades."""
    if name == "scheme":
        return value
    numbers = _list(name, value) if name in ("rate", "strength") else [value]
    for number in numbers:
        if type(number) not in (int, float) or abs(number) > _LARGEST_NUMBER:
            raise TypeError(f"{name} {_short(number)}: want a number, {_LARGEST_NUMBER} at most")
    if name not in ("rate", "strength"):
        return value
    if len(numbers) != len(fields(LinearSchedule)):
        raise TypeError(f"{name} {value!r}: want its first and its last value")
    return LinearSchedule(*numbers)


def _short(value: Any) -> str:
    """Return a value for a message; very large integers cannot be printed."""
    return "of many digits" if isinstance(value, int) and abs(value) > 10**20 else repr(value)[:40]


def _names(name: str, values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{name} {values!r}: want a list of names")
    return values
