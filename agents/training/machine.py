"""What a run was made on, for its provenance."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    """Return processor, cores and system in a line."""
    processor = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    python = platform.python_version()
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {python}"
