"""Tournaments written as TOML: one table for each bot, and settings named as the options.

`SAMPLE_TOURNAMENT` is one.  Keys of a bot that it lacks: `arguments`, a list of texts; `directory`,
where it is started, relative to the file; `t_hand` and `t_per_hand`.  A table [each] has what bots
do not say themselves.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dealer.errors import MatchUsageError
from dealer.plan.match_plan import CLOCKS, SeatClock
from engine.storage.documents import toml_document

SAMPLE_TOURNAMENT: Final = """\
style = "round-robin"     # any option of the tournament, without dashes
hands = 200
rounds = 2

[[bot]]
command = "rule"          # a shipped bot, a program, or listen

[[bot]]
command = "biased-random"
label = "wild"            # in logs and tables
options = { raise = 0.5 } # becomes --raise 0.5
t_response = 2000         # a time limit of its own, milliseconds

[[bot]]
command = "always-call"
"""
_EACH_KEYS: Final[dict[str, tuple[type, str]]] = {
    "arguments": (list, "a list of texts"),
    "directory": (str, "a text"),
    "options": (dict, "a table, such as { depth = 3 }"),
    **dict.fromkeys(CLOCKS, (int, "a whole number of milliseconds")),
}
_BOT_KEYS: Final = {"command": (str, "a text"), "label": (str, "a text"), **_EACH_KEYS}


@dataclass(frozen=True, slots=True)
class BotEntry:
    """A bot as the user described it."""

    spec: str
    """BOT argument of the command line."""
    directory: str = ""
    """Folder in which it is started, absolute; "" for the current one."""
    clocks: tuple[SeatClock, ...] = ()
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
        document = toml_document(path.read_text(encoding="utf-8"))
    except OSError as exc:
        raise MatchUsageError(f"{path}: {exc.strerror or exc}") from exc
    except ValueError as exc:
        raise MatchUsageError(f"{path}: {exc}") from exc
    bots = document.pop("bot", [])
    each = document.pop("each", {})
    if not isinstance(bots, list) or not all(isinstance(bot, dict) for bot in bots):
        raise MatchUsageError(f"{path}: each bot is a table [[bot]]")
    if not isinstance(each, dict):
        raise MatchUsageError(f"{path}: [each] is a table")
    if strange := next((name for name in document if name not in settings), None):
        raise MatchUsageError(f"{path}: {strange} is no setting; {_hint(strange, settings)}")
    _check(path, "[each]", each, _EACH_KEYS)
    entries = []
    for number, bot in enumerate(bots, 1):
        _check(path, f"bot {number}", bot, _BOT_KEYS)
        options = each.get("options", {}) | bot.get("options", {})
        entries.append(_entry(path, f"bot {number}", each | bot | {"options": options}))
    arguments = [
        argument
        for name, value in document.items()
        for element in (value if name in lists and isinstance(value, list) else [value])
        for argument in _option(path, name, element)
    ]
    return arguments, entries


def _check(
    path: Path, where: str, table: dict[str, Any], keys: Mapping[str, tuple[type, str]]
) -> None:
    for key, value in table.items():
        if key not in keys:
            raise MatchUsageError(f"{path}: {key} is no key of {where}; {_hint(key, keys)}")
        kind, meaning = keys[key]
        long = isinstance(value, int) and abs(value) >= 10**15
        texts = not isinstance(value, list) or all(isinstance(element, str) for element in value)
        if type(value) is not kind or long or not texts:
            raise MatchUsageError(f"{path}: {key} of {where} is {meaning}")


def _hint(name: str, candidates: Iterable[str]) -> str:
    """Return which name may have been meant, or which there are."""
    tables = {"bot": "[[bot]]", "each": "[each]"}
    names = [*candidates, *tables]
    near = difflib.get_close_matches(name.lower().replace("_", "-"), names, 1, 0.7)
    near = near or difflib.get_close_matches(name.lower(), names, 1, 0.7)
    if near:
        return f"did you mean {tables.get(near[0], near[0])}?"
    return f"there are {', '.join(tables.get(key, key) for key in names)}"


def _entry(path: Path, where: str, bot: dict[str, Any]) -> BotEntry:
    try:
        command = shlex.split(bot.get("command", ""))
    except ValueError as exc:
        raise MatchUsageError(f"{path}: command of {where}: {str(exc).lower()}") from exc
    if not command:
        raise MatchUsageError(f"{path}: {where} has no command")
    command += bot.get("arguments", [])
    for name, value in bot["options"].items():
        command += _option(path, name, value)
    spec = shlex.join(command)
    label, directory = bot.get("label", ""), bot.get("directory", "")
    folder = str((path.absolute().parent / directory).resolve()) if directory else ""
    if folder and not Path(folder).is_dir():
        raise MatchUsageError(f"{path}: directory of {where}: there is no folder {folder}")
    clocks = tuple(SeatClock(name, bot[name]) for name in CLOCKS if name in bot)
    return BotEntry(f"{label}={spec}" if label else spec, folder, clocks)


def _option(path: Path, name: str, value: object) -> list[str]:
    """Return an option as words: true is the option alone, false its absence."""
    if isinstance(value, bool):
        return [f"--{name}"] if value else []
    if isinstance(value, int | float | str):
        return [f"--{name}", str(value)]
    raise MatchUsageError(f"{path}: {name} is a number, a text, true or false")
