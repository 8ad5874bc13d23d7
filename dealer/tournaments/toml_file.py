"""Tournaments written as TOML: one table for each bot, and settings named as the options.

style = "round-robin"
hands = 1000
rounds = 2

[each]                      # what a bot does not say itself
directory = "bots"

[[bot]]
command = "blueprint"       # a shipped bot, a program, or listen

[[bot]]
command = "python mine.py"
arguments = ["--fast"]
label = "mine"
directory = "bots/mine"     # where it is started; relative to the file
options = { depth = 3 }     # becomes --depth 3
t_response = 2000           # a time limit of its own, milliseconds; t_hand, t_per_hand
"""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import CLOCKS
from dealer.errors import MatchUsageError

_EACH_KEYS: Final = ("arguments", "directory", "options", *CLOCKS)
_BOT_KEYS: Final = ("command", "label", *_EACH_KEYS)


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot as the user described it."""

    spec: str
    """BOT argument of the command line."""
    directory: str = ""
    """Folder in which it is started, absolute; "" for the current one."""
    clocks: tuple[tuple[str, str], ...] = ()
    """Time limits of its own, see `Participant`."""


def read_toml(
    path: Path, settings: Sequence[str], lists: Sequence[str] = ()
) -> tuple[list[str], list[BotEntry]]:
    """Return the settings of a file as options of the command line, and its bots.

    Args:
        settings: names of the options it may have.
        lists: those among them of which it may have a list.

    Raises:
        MatchUsageError: it cannot be read, or asks for something that is not understood.
    """
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as exc:
        raise MatchUsageError(f"{path}: {exc}") from exc
    bots = told.pop("bot", [])
    each = told.pop("each", {})
    if not isinstance(bots, list) or not all(isinstance(bot, dict) for bot in bots):
        raise MatchUsageError(f"{path}: each bot is a table [[bot]]")
    if not isinstance(each, dict):
        raise MatchUsageError(f"{path}: [each] is a table")
    _check_keys(path, "setting", told, (*settings, "bot", "each"))
    _check_keys(path, "key of [each]", each, _EACH_KEYS)
    entries = []
    for number, bot in enumerate(bots, 1):
        _check_keys(path, f"key of bot {number}", bot, _BOT_KEYS)
        entries.append(_entry(path, number, each | bot, each.get("options", {})))
    words = [
        word
        for name, value in told.items()
        for one in (value if name in lists and isinstance(value, list) else [value])
        for word in _option(path, name, one)
    ]
    return words, entries


def _check_keys(path: Path, what: str, table: dict[str, Any], known: Sequence[str]) -> None:
    if strange := next((key for key in table if key not in known), None):
        raise MatchUsageError(f"{path}: {strange} is no {what}; there are {', '.join(known)}")


def _entry(path: Path, number: int, bot: dict[str, Any], common: Any) -> BotEntry:
    where = f"bot {number}"
    words = [*_command(path, where, bot.get("command")), *_words(path, where, bot)]
    for options in (common, bot.get("options", {})):
        if not isinstance(options, dict):
            raise MatchUsageError(
                f"{path}: options of {where} are a table, such as {{ depth = 3 }}"
            )
    for name, value in {**common, **bot.get("options", {})}.items():
        words += _option(path, name, value)
    label = bot.get("label", "")
    directory = bot.get("directory", "")
    for key, value in (("label", label), ("directory", directory)):
        if not isinstance(value, str):
            raise MatchUsageError(f"{path}: {key} of {where} is a text")
    spec = shlex.join(words)
    folder = str((path.absolute().parent / directory).resolve()) if directory else ""
    if folder and not Path(folder).is_dir():
        raise MatchUsageError(f"{path}: directory of {where}: there is no folder {folder}")
    clocks = tuple((name, _limit(path, where, name, bot[name])) for name in CLOCKS if name in bot)
    return BotEntry(f"{label}={spec}" if label else spec, folder, clocks)


def _limit(path: Path, where: str, name: str, value: object) -> str:
    if type(value) is not int or abs(value) >= 10**15:
        raise MatchUsageError(f"{path}: {name} of {where} is a whole number of milliseconds")
    return str(value)


def _command(path: Path, where: str, command: object) -> list[str]:
    if not isinstance(command, str) or not command.strip():
        raise MatchUsageError(f"{path}: {where} has no command")
    try:
        return shlex.split(command)
    except ValueError as exc:
        raise MatchUsageError(f"{path}: command of {where}: {str(exc).lower()}") from exc


def _words(path: Path, where: str, bot: dict[str, Any]) -> list[str]:
    arguments = bot.get("arguments", [])
    if not isinstance(arguments, list) or not all(isinstance(one, str) for one in arguments):
        raise MatchUsageError(f"{path}: arguments of {where} are a list of texts")
    return arguments


def _option(path: Path, name: str, value: object) -> list[str]:
    """Return an option as words: true is the option alone, false its absence."""
    if isinstance(value, bool):
        return [f"--{name}"] if value else []
    if isinstance(value, int | float | str):
        return [f"--{name}", str(value)]
    raise MatchUsageError(f"{path}: {name} is a number, a text, true or false")
