"""Which processor cores this process may use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

CAN_PIN: Final = hasattr(os, "sched_setaffinity")
_QUOTA_FILE: Final = Path("/sys/fs/cgroup/cpu.max")
"""It says "MICROSECONDS PERIOD" in a container with a share of the processors."""


def usable_cores() -> list[int]:
    """Return the numbers of the cores that this process may run on; all where that is not known."""
    if CAN_PIN:
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def core_count(quota: Path = _QUOTA_FILE) -> int:
    """Return how many cores this process may keep busy, at least 1.

    Args:
        quota: file in which the system says what share of the processors a container has.
    """
    cores = len(usable_cores())
    try:
        allowed, period = quota.read_text(encoding="ascii").split()
        return max(1, min(cores, int(allowed) // int(period)))
    except (OSError, ValueError, ZeroDivisionError):  # no such file, or "max": no limit
        return cores
