"""Our own programs as processes: how they are called, and how they find the packages."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

PACKAGES: Final = Path(__file__).resolve().parents[2]
"""The folder with the packages of this very program."""


def own_program(module: str) -> tuple[str, ...]:
    """Return the words that run a module of ours; its arguments go behind them."""
    return (sys.executable, "-P", "-m", module)


def environment() -> dict[str, str]:
    """Return the environment for our own programs: they find the packages of this very one."""
    paths = [str(PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
