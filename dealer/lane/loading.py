"""Getting the lane's code: loading takes milliseconds, compiling seconds, but once on a machine."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from dealer.lane.layout import SOCKET_LOOKS
from engine.compiled.kept_objects import KeptObject
from engine.parallel.cores import core_count
from engine.parallel.own_programs import environment, own_program

if TYPE_CHECKING:
    from dealer.lane.handover import LaneTerms
    from dealer.lane.lane import Lane

LaneMaker: TypeAlias = "Callable[[LaneTerms], Lane]"

ENTRY_POINT: Final = "play_hands_at"
_HANDS_WORTH_COMPILING: Final = 1000
"""It takes seconds of a free core, once on a machine."""
_MOST_MISSES: Final = 2
_CORES_A_MATCH: Final = 2
"""Of which one looks while a bot is busy on the other."""


def kept_code() -> KeptObject:
    """Return the lane's code as it is now, compiled or not."""
    return KeptObject("dealer.lane.entry", str(Path(__file__).with_name("entry.py")))


def load_lane(code: bytes) -> LaneMaker:
    """Load the lane's code.

    Raises:
        OSError, RuntimeError: it cannot be loaded.
    """
    from dealer.lane.lane import Lane
    from engine.compiled.machine_code import load_function

    return partial(Lane, load_function(code, ENTRY_POINT))


class LaneLoader:
    """Has the code for all matches of a dealer, and has it compiled where nobody has done that."""

    def __init__(self, cores: int | None = None) -> None:
        """Look at nothing yet; `cores` may be kept busy, all if that is None."""
        self._cores = core_count() if cores is None else cores
        self.visits = 0
        """Matches in the lane."""
        self._stored_code: KeptObject | None = None
        self._made: LaneMaker | None = None
        self._loading = threading.Lock()
        self._compiler: subprocess.Popen[bytes] | None = None
        self._misses = 0
        self._closed = False

    @property
    def looks(self) -> int:
        """How often a match looks for bytes before it sleeps: only where a core is free for it."""
        return SOCKET_LOOKS if _CORES_A_MATCH * self.visits <= self._cores else 0

    def ready(self, hands: int) -> bool:
        """Return whether `load` has something to load; for a match with so many hands to come.

        Where the code must be compiled first, that is done meanwhile, in another process.
        """
        if self._made is not None:
            return True
        if self._misses >= _MOST_MISSES:
            return False
        if self._compiler is not None:
            return self._compiler.poll() == 0
        if self._stored_code is None:
            self._stored_code = kept_code()
            if self._stored_code.exists():
                return True
        if hands >= _HANDS_WORTH_COMPILING and not _memory_is_limited():
            self._compiler = _start_compiler("--beside")
            self._misses += self._compiler is None
        return False

    def load(self, *, compiling: bool) -> LaneMaker | None:
        """Load the code; None if there is none, or it cannot be loaded.  From any thread.

        This takes milliseconds, or some ten seconds where it has to be compiled and `compiling`
        says so; `close` makes that shorter.
        """
        with self._loading:
            if self._made is None and self._misses < _MOST_MISSES:
                try:
                    self._made = self._load(compiling=compiling)
                except Exception:  # whatever a machine without memory raises: it is not needed
                    self._made = None
                self._misses += self._made is None
            return self._made

    def _load(self, *, compiling: bool) -> LaneMaker | None:
        stored_code = kept_code()
        code = stored_code.read()
        if code is None and compiling and not self._closed:
            self._compiler = _start_compiler()
            if self._compiler is not None:
                if self._closed:
                    self._compiler.kill()
                self._compiler.wait()
            code = stored_code.read()
        return None if code is None or sys.byteorder != "little" else load_lane(code)

    def close(self) -> None:
        """Compile nothing more."""
        self._closed = True
        if self._compiler is not None:
            self._compiler.kill()
            self._compiler.wait()


def _start_compiler(*options: str) -> subprocess.Popen[bytes] | None:
    """Compile in a process of its own, which leaves the code where this one finds it.

    It ends with the thread that calls this, which is the main one or waits for it.  None where
    no process can be started.
    """
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            [*own_program("lane compiler"), "--dealer", str(os.getpid()), *options],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    return None


def _memory_is_limited() -> bool:
    """Return whether the user set a limit (`ulimit -v`), which a compiler would have, too."""
    import resource  # only where there is a lane is there this module

    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
