"""What the machine has: memory, in bytes."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

_MEMORY: Final = Path("/proc/meminfo")
_GROUP: Final = Path("/sys/fs/cgroup")
_KIB: Final = 1024


def machine_memory() -> int:
    """Return the bytes of memory that the machine has."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not a POSIX system
        return 16 * 2**30


def free_memory(facts: Path = _MEMORY, group: Path = _GROUP) -> int:
    """Return the bytes that can be had without swapping; all, where the system does not tell.

    Args:
        facts: where Linux tells of the machine.
        group: where it tells what a container is allowed.
    """
    free = machine_memory()
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in facts.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                free = min(free, int(line.split()[1]) * _KIB)
    with contextlib.suppress(OSError, ValueError):  # "max" where there is no bound
        allowed = int((group / "memory.max").read_text())
        free = min(free, max(0, allowed - int((group / "memory.current").read_text())))
    return free
