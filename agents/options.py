"""The options of a bot: one frozen record has their names, defaults, types, help and checks.

    @dataclass(frozen=True, slots=True)
    class NetworkOptions(BotOptions):
        model: str | None = option(None, "file of the network, not the shipped one")
        sharpness: float | None = option(None, "of the choice (1)", "X", check=above_zero)

Command lines take them by `options_of`; the record refuses what cannot be.  Nothing heavy is
imported, for the roster names these records and loads no bot.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import Field, dataclass, field, fields
from typing import Any, Final, TypeAlias

SWITCH: Final = "1|0"
_ABOUT: Final = "option"

Check: TypeAlias = Callable[[Any], str]
"""Takes a value that is not None; returns what is wanted instead, "" where it is right."""


@dataclass(frozen=True, slots=True)
class BotOption:
    """A number or a text that the user may set on the command line."""

    flag: str
    """As typed, with its dashes."""
    keyword: str
    """Field of the record."""
    default: float | str | None
    """None: left to the bot."""
    summary: str
    kind: type[float] | type[str] = float
    metavar: str | None = None
    """What stands for the value in the help; None: P for a number, FILE for a text."""


@dataclass(frozen=True, slots=True)
class BotOptions:
    """Base of the records, and the record of bots without options.

    Raises:
        ValueError: a value cannot be.
    """

    def __post_init__(self) -> None:
        """Check each option by itself."""
        for entry in fields(self):
            check: Check | None = entry.metadata[_ABOUT]["check"]
            value = getattr(self, entry.name)
            if check is not None and value not in (None, "") and (wanted := check(value)):
                shown = repr(value) if isinstance(value, str) else f"{value:g}"
                raise ValueError(f"{entry.name.rstrip('_')} {shown}: want {wanted}")


def option(
    default: Any,
    summary: str,
    metavar: str | None = None,
    *,
    check: Check | None = None,
    flag: str | None = None,
) -> Any:
    """Return a field of a record of options.

    Args:
        default: None where it is left to the bot.
        summary: the help.
        metavar: what stands for the value in the help; None: P for a number, FILE for a text.
        flag: as typed; None: the name of the field with two dashes.
    """
    about = {
        "default": default,
        "summary": summary,
        "metavar": metavar,
        "check": check,
        "flag": flag,
    }
    return field(default=default, metadata={_ABOUT: about})


def options_of(record: type[BotOptions], fixed: Collection[str] = ()) -> tuple[BotOption, ...]:
    """Return the options that a record has, without those that are fixed."""
    return tuple(_option(entry) for entry in fields(record) if entry.name not in fixed)


def _option(entry: Field[Any]) -> BotOption:
    about = entry.metadata[_ABOUT]
    is_text = str(entry.type).startswith("str")
    return BotOption(
        flag=about["flag"] or f"--{entry.name}",
        keyword=entry.name,
        default=about["default"],
        summary=about["summary"],
        kind=str if is_text else float,
        metavar=about["metavar"],
    )


def whole_from(least: int) -> Check:
    """Return a check for whole numbers."""
    wanted = f"a whole number from {least} on"
    return lambda value: "" if value >= least and float(value).is_integer() else wanted


def any_whole(value: float) -> str:
    """Check a whole number."""
    return "" if float(value).is_integer() else "a whole number"


def between(least: float, most: float) -> Check:
    """Return a check for numbers, both ends included."""
    return lambda value: "" if least <= value <= most else f"{least:g} to {most:g}"


def at_least_zero(value: float) -> str:
    """Check a number that is not negative, and finite."""
    return "" if 0 <= value < math.inf else "0 or more"


def one_of(*names: str) -> Check:
    """Return a check for names."""
    return lambda value: "" if value in names else ", ".join(names)


def switch(value: float) -> str:
    """Check a switch."""
    return "" if value in (0, 1) else "0 or 1"


def above_zero(value: float) -> str:
    """Check a positive, finite number."""
    return "" if math.isfinite(value) and value > 0 else "more than 0"


@dataclass(frozen=True, slots=True)
class ModelOptions(BotOptions):
    """Of bots of which nothing but the file can be chosen."""

    model: str | None = option(None, "file of the model, not the shipped one")
