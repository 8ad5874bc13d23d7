"""How many rooms lie behind a command or a bot: who follows it reads no more than these."""

import functools

import pytest

from agents.roster.bots import ROSTER
from agents.training.kinds import DATA_KINDS, KINDS
from dealer.arena import COMMANDS
from tests.architecture.repository import imported_modules, module_name, source_files

MOST_ROOMS = {
    "match": 28,
    "tournament": 28,
    "play": 32,
    "check": 28,
    "server": 28,
    "connect": 12,
    "sprt": 28,
    "dealer": 13,
    "agent": 18,
    "replay": 24,
    "web": 36,
    "deals": 18,
    "stats": 23,
    "rate": 23,
    "aivat": 25,
    "convert": 18,
    "equity": 14,
    "games": 6,
    "solve": 17,
    "data": 24,
    "train": 27,
    "improve": 24,
    "lbr": 24,
    "merge": 28,
    "versus": 23,
}
"""Command -> rooms of which it may need modules, directly or by others.  Whoever makes a walk
shorter takes the number down; a new room on a walk is a reason to ask whether it belongs there."""
MOST_ROOMS_OF_A_BOT = 23


@functools.cache
def imports() -> dict[str, set[str]]:
    """Return what each module of ours imports, within functions and for type checkers too."""
    paths = {module_name(path): path for path in source_files()}
    return {name: imported_modules(path, set(paths)) for name, path in paths.items()}


@functools.cache
def packages() -> frozenset[str]:
    """Return the rooms of ours."""
    return frozenset(module_name(path) for path in source_files() if path.stem == "__init__")


def rooms_behind(entry: str, imports: dict[str, set[str]], packages: frozenset[str]) -> set[str]:
    """Return the rooms of all modules that a "module" or "module:name" needs, and its own."""
    reached = {entry.partition(":")[0]}
    waiting = list(reached)
    while waiting:
        new = imports[waiting.pop()] - reached
        reached |= new
        waiting += new
    return {name if name in packages else name.rpartition(".")[0] for name in reached}


def entries(command: str) -> list[str]:
    """Return where a command begins; those of its kinds where it has some."""
    kinds = {"train": KINDS, "data": DATA_KINDS}.get(command)
    return [entry for entry, _ in kinds.values()] if kinds else [COMMANDS[command][0]]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_needs_few_rooms(command):
    """Each of its kinds, where it has some."""
    for entry in entries(command):
        rooms = rooms_behind(entry, imports(), packages())
        assert len(rooms) <= MOST_ROOMS[command], sorted(rooms)


def test_a_bot_needs_few_rooms():
    """From its factory to its last answer."""
    for bot in ROSTER:
        rooms = rooms_behind(bot.factory, imports(), packages())
        assert len(rooms) <= MOST_ROOMS_OF_A_BOT, (bot.name, sorted(rooms))


def test_rooms_are_counted_however_far_they_are():
    """Once each, that of the beginning too, and a package's own file is in that package."""
    imports = {
        "a.b.run": {"a.c.one", "a.b.two"},
        "a.c.one": {"a"},
        "a.b.two": {"a.b.run"},
        "a": set(),
    }
    rooms = rooms_behind("a.b.run:main", imports, frozenset({"a", "a.b", "a.c"}))
    assert rooms == {"a", "a.b", "a.c"}
