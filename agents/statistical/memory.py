"""Whom the modeller has met: opponents' counters in a file, by name.

The file is msgpack: a map of "kind", "version" and "opponents", which maps a name to what
`OpponentCounters.plain` gives.  It is written whole to another name and then put in place, so
nobody ever sees half of it, and what was there stays until then.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]

from agents.errors import AgentError
from agents.statistical.counters import OpponentCounters

KIND: Final = "arena opponents"
VERSION: Final = 3
MOST_BYTES: Final = 64 << 20
"""No file of ours is nearly so long; a longer one is not read."""


class MemoryDamaged(AgentError):
    """A file of opponents cannot be read as one."""

    exit_code = 2


def load_opponents(path: Path) -> dict[str, OpponentCounters]:
    """Return the opponents of a file by name; none where there is no such file.

    Raises:
        MemoryDamaged: it is no such file, of another version, or damaged; the message says what.
        OSError: it cannot be read.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise MemoryDamaged(f"{path}: too long for a file of opponents")
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    try:
        held: Any = msgpack.unpackb(data)
    except Exception as error:  # msgpack raises many kinds, for any bytes at all
        raise MemoryDamaged(f"{path}: not a file of opponents: {error}") from error
    if not isinstance(held, dict) or held.get("kind") != KIND:
        raise MemoryDamaged(f"{path}: not a file of opponents")
    if held.get("version") != VERSION:
        raise MemoryDamaged(f"{path}: version {held.get('version')!r}, want {VERSION}")
    opponents = held.get("opponents")
    if not isinstance(opponents, dict):
        raise MemoryDamaged(f"{path}: damaged: no opponents")
    try:
        return {_name(name): OpponentCounters.of_plain(held) for name, held in opponents.items()}
    except ValueError as error:
        raise MemoryDamaged(f"{path}: damaged: {error}") from error


def save_opponents(path: Path, opponents: Mapping[str, OpponentCounters]) -> None:
    """Write a file of opponents.

    Raises:
        OSError: it cannot be written; what was there is unchanged.
    """
    held = {name: counters.plain() for name, counters in opponents.items()}
    data = msgpack.packb({"kind": KIND, "version": VERSION, "opponents": held})
    target = path.resolve()
    unfinished = target.with_name(f"{target.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise ValueError(f"an opponent is called {name!r}")
    return name
