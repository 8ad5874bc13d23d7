"""Ends what the bots of a leg have started, wherever it has gone: into another group or session.

A bot's processes carry a mark in their environment, which whatever they start inherits.  The mark
holds a random number of this run, so no other process has it.  Where the system does not show
environments (it is Linux that does), and for programs started with an empty one, only the bot's own
group is ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MARK_NAME: Final = "ARENA_LEG"
"""The environment variable with the mark."""
_PROCESSES: Final = Path("/proc")
_ROUNDS: Final = 50
_EMPTY_LOOKS: Final = 3
"""In a row, after which nobody is there: one that hands on to a child may be missed in a look."""
_PAUSE_SECONDS: Final = 0.02
"""Between two looks; what is being killed may just be starting another one."""


async def end_marked(mark: str) -> None:
    """Kill every process that carries `mark`, until there is none or it is hopeless."""
    entry = f"{MARK_NAME}={mark}".encode()
    empty = 0
    for _ in range(_ROUNDS):
        if [pid for pid in _marked(entry) if _kill(pid, entry)]:
            empty = 0
            await asyncio.sleep(_PAUSE_SECONDS)
        elif (empty := empty + 1) == _EMPTY_LOOKS:
            return


def marked_processes(mark: str) -> tuple[int, ...]:
    """Return the ids of the processes that carry `mark`; none where the system does not show it."""
    return tuple(_marked(f"{MARK_NAME}={mark}".encode()))


def _marked(entry: bytes) -> Iterator[int]:
    """Yield who has an entry in its environment, the newest first: they may be gone soon."""
    with contextlib.suppress(OSError):
        for name in reversed(os.listdir(_PROCESSES)):
            if name.isdigit() and entry in _environment(name):
                yield int(name)


def _kill(pid: int, entry: bytes) -> bool:
    """Kill a process, unless it is another one by now that has its number."""
    try:
        handle = os.pidfd_open(pid)
    except OSError:
        return False
    try:
        if entry not in _environment(str(pid)):
            return False
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        return True
    finally:
        os.close(handle)


def _environment(pid: str) -> list[bytes]:
    """Return the environment a process was started with, nothing where it is not shown."""
    try:
        with open(_PROCESSES / pid / "environ", "rb", 0) as file:
            return file.read().split(b"\0")
    except OSError:
        return []
