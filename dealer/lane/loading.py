"""Getting the lane's code: loading takes a second, compiling much longer, but once on a machine."""

from __future__ import annotations

import contextlib
import math
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.parallel.own_programs import environment
from engine.storage.cache import cache_folder

if TYPE_CHECKING:
    from dealer.lane.handover import LaneTerms
    from dealer.lane.lane import Lane

LaneMaker: TypeAlias = "Callable[[LaneTerms], Lane]"

_PLAYED_SECONDS: Final = 1.0
"""What must have been played to know how fast a match is."""
_SLOWEST: Final = 50.0
"""Hands a second; a slower match waits for its bots, not for its dealer."""
_WORTH_LOADING: Final = 10_000
"""Hands still to be played.  Loading takes 1.2 s, and each hand 0.4 ms less."""
_WORTH_COMPILING: Final = 200_000
"""Compiling takes half a minute, of time that nobody else wants, and once on a machine."""
_COMPILE: Final = """
import os
os.nice(19)
from dealer.lane.loading import load_lane
load_lane()
"""


def load_lane() -> LaneMaker | None:
    """Load the lane's code, compile what has to be; None where there is no compiled code."""
    from dealer.lane.handover import LaneTerms
    from dealer.lane.lane import Lane
    from engine.compiled.jit import RUNS_AS_PYTHON
    from protocol.gamedefs import load_builtin

    if RUNS_AS_PYTHON:
        return None
    nothing_to_play = LaneTerms(
        load_builtin("kuhn"), 0, ("", ""), False, 0, [(math.inf,) * 3] * 2, -1, -1
    )
    Lane(nothing_to_play).rehearse()
    return Lane


class LaneLoader:
    """Knows when it pays to load the code, and has it compiled where nobody has done that yet."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        """`monotonic` returns seconds."""
        self._monotonic = monotonic
        self._first_look: tuple[float, int] | None = None
        self._compiler: subprocess.Popen[bytes] | None = None
        self._misses = 0
        self._closed = False

    def pays(self, played: int, wanted: int) -> bool:
        """Return whether a match is long and quick enough; to be asked between hands.

        Where the code must be compiled first, that is done meanwhile, in another process.

        Args:
            played: hands so far.
            wanted: hands of the match.
        """
        now = self._monotonic()
        if self._first_look is None:
            self._first_look = now, played
        seconds, hands = now - self._first_look[0], played - self._first_look[1]
        left = wanted - played
        if seconds < _PLAYED_SECONDS or left < _WORTH_LOADING or hands < _SLOWEST * seconds:
            return False
        if _memory_is_limited():
            return False
        if self._misses == 0 and _was_compiled():
            return True
        if self._compiler is None and left >= _WORTH_COMPILING and self._misses < 2:
            self._compiler = _start_compiler()
            self._misses += self._compiler is None
        return self._compiler is not None and self._compiler.poll() == 0 and self._misses < 2

    @staticmethod
    def pays_at_once(hands: int) -> bool:
        """Return whether to load before the first of so many hands, which has to be quick."""
        return hands >= _WORTH_LOADING and not _memory_is_limited() and _was_compiled()

    def load(self, *, compiling: bool) -> LaneMaker | None:
        """Load the code; None if there is none, or it cannot be loaded.

        This takes a second, or half a minute where it has to be compiled and `compiling` says so;
        `close` makes that shorter.
        """
        try:
            made = self._load(compiling=compiling)
        except Exception:  # whatever a compiler without memory raises: a match needs no lane
            made = None
        if made is None:
            self._misses += 1
        return made

    def _load(self, *, compiling: bool) -> LaneMaker | None:
        if not _is_compiled() and compiling and not self._closed:
            self._compiler = _start_compiler()
            if self._compiler is not None:
                if self._closed:
                    self._compiler.kill()
                self._compiler.wait()
        return load_lane() if _is_compiled() else None

    def close(self) -> None:
        """Compile nothing more."""
        self._closed = True
        if self._compiler is not None:
            self._compiler.kill()


def _start_compiler() -> subprocess.Popen[bytes] | None:
    """Compile in a process of its own, which leaves the code where this one finds it.

    None where no process can be started.
    """
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            [sys.executable, "-P", "-c", _COMPILE],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    return None


def _memory_is_limited() -> bool:
    """Return whether the user set a limit (`ulimit -v`), measured out for a dealer without lane."""
    import resource  # only where there is a lane is there this module

    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


@cache
def _was_compiled() -> bool:
    """Return whether this machine may have the code, as it is now or as it was once."""
    with contextlib.suppress(OSError, RuntimeError):
        folder = cache_folder() / "kernels" / "dealer.lane.kernels"
        return any(folder.glob("*/*.nbi"))
    return False


def _is_compiled() -> bool:
    """Return whether some process has compiled the code as it is now."""
    from dealer.lane.kernels import play_hands
    from engine.compiled.jit import is_compiled

    return is_compiled(play_hands)
