"""Our own programs as processes: how they are called, and how they find the packages."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

PACKAGES_FOLDER: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("protocol", "engine", "dealer", "agents")
_SHOWN_DIGITS: Final = 12
PROGRAMS: Final = {
    "arena": "dealer.arena",
    "agents": "agents",
    "aivat": "agents.aivat.aivat_command",
    "lane compiler": "dealer.lane.compiling",
    "leg player": "agents.roster.leg_player",
    "match host": "dealer.hub.match_host",
    "person's seat": "dealer.web.seat_program",
    "solver": "dealer.web.solve_program",
    "strategy": "agents.analysis.strategy_program",
    "watch page": "dealer.web.web_command",
}
"""Program that one room starts of another, or of itself -> its module.  Imports do not show these,
so all stand here."""

COMPILING: Final = b"compiling\n"
READY: Final = b"ready\n"
"""What a shipped bot says to who started it for a seat that is not there yet: that its code has to
be compiled first, and that it waits for the address."""
ADDRESS_FOLLOWS: Final = "-"
"""HOST of a bot that is told the address later, over the socket whose number is its PORT."""
_LOWEST: Final = 19
_BARE_NAMES: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ", "USER", "ARENA_CACHE_DIR")
_SESSION_PRIORITY: Final = Path("/proc/self/autogroup")


@lru_cache(maxsize=1)
def program_digest() -> str:
    """Return the beginning of a digest of the files of the program, its models included."""
    digest = hashlib.sha256()
    for path in _files_of(PACKAGES_FOLDER):
        digest.update(f"{path.relative_to(PACKAGES_FOLDER)}\0".encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()[:_SHOWN_DIGITS]


def _files_of(root: Path) -> Iterator[Path]:
    for package in PACKAGES:
        for path in sorted((root / package).rglob("*")):
            if path.suffix and path.is_file() and "__pycache__" not in path.parts:
                yield path


def own_program(name: str) -> tuple[str, ...]:
    """Return the words that run one of `PROGRAMS`; its arguments go behind them."""
    return (sys.executable, "-P", "-m", PROGRAMS[name])


def environment() -> dict[str, str]:
    """Return the environment for our own programs: they find the packages of this very one."""
    paths = [str(PACKAGES_FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def bare_environment() -> dict[str, str]:
    """Return the environment for our own programs that are to know nothing else of this one's."""
    names = {*_BARE_NAMES, "PYTHONPATH"}
    return {
        name: value
        for name, value in environment().items()
        if name in names or name.startswith("NUMBA_")
    }


def share_cores() -> None:
    """Keep matrix products of this process and of those it starts on one thread.

    To be called before NumPy is loaded.  Processes beside each other share the cores already, and
    threads of one product wait for each other.  Whoever sets OPENBLAS_NUM_THREADS has it so.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def yield_to_others() -> None:
    """Give this process the lowest priority there is, for programs beside a match.

    Linux may share cores out among sessions, each of which counts its own niceness only (sched(7),
    "The autogroup feature"): a process that leads a session lowers the session's too.
    """
    os.setpriority(os.PRIO_PROCESS, 0, _LOWEST)
    if os.getsid(0) == os.getpid():
        with contextlib.suppress(OSError):  # this system has no such thing
            _SESSION_PRIORITY.write_text(f"{_LOWEST}\n")
