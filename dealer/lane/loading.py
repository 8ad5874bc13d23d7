"""Getting the lane's code: loading takes a second, compiling much longer, but once on a machine."""

from __future__ import annotations

import asyncio
import contextlib
import math
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.parallel.own_programs import environment
from engine.storage.cache import cache_folder

if TYPE_CHECKING:
    from dealer.lane.lane import Lane, LaneTerms

LaneMaker: TypeAlias = "Callable[[LaneTerms], Lane]"

_PLAYED_SECONDS: Final = 1.0
"""What must have been played to know how fast a match is."""
_WORTH_LOADING: Final = 10.0
"""Seconds still to be played."""
_WORTH_COMPILING: Final = 120.0
_COMPILE: Final = """
import os
os.nice(19)
from dealer.lane.loading import load_lane
load_lane()
"""


def load_lane() -> LaneMaker | None:
    """Load the lane's code, compile what has to be; None where there is no compiled code."""
    from dealer.lane.lane import Lane, LaneTerms
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
    """Loads the code on a thread; what nobody has compiled yet is compiled in another process."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        """`monotonic` returns seconds."""
        self.made: LaneMaker | None = None
        """What makes lanes; None until there is one, and for good where there is no code."""
        self._monotonic = monotonic
        self._first_look: tuple[float, int] | None = None
        self._thread: threading.Thread | None = None
        self._compiler: subprocess.Popen[bytes] | None = None
        self._closed = False

    @property
    def over(self) -> bool:
        """Whether `made` is all there will be."""
        return self._thread is not None and not self._thread.is_alive()

    def consider(self, played: int, wanted: int) -> None:
        """Begin once a match will go on for long enough, at its pace; to be called between hands.

        Args:
            played: hands so far.
            wanted: hands of the match.
        """
        if self._thread is not None:
            return
        now = self._monotonic()
        if self._first_look is None:
            self._first_look = now, played
        seconds, hands = now - self._first_look[0], played - self._first_look[1]
        if seconds < _PLAYED_SECONDS or not hands:
            return
        left = seconds / hands * (wanted - played)
        if left > (_WORTH_LOADING if _was_compiled() else _WORTH_COMPILING):
            self.begin(compiling=left > _WORTH_COMPILING)

    def begin(self, *, compiling: bool) -> None:
        """Begin; `compiling` says whether code that nobody has compiled yet is to be compiled."""
        self._thread = threading.Thread(target=self._load, args=(compiling,), name="lane loader")
        self._thread.start()  # the program waits for it, since LLVM must not be left in mid-work

    async def wait(self) -> None:
        """Wait until all is over."""
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    def close(self) -> None:
        """Compile nothing more."""
        self._closed = True
        if self._compiler is not None:
            self._compiler.kill()

    def _load(self, compiling: bool) -> None:
        with contextlib.suppress(Exception):  # a match is played without the lane as well
            if _is_compiled() or (compiling and self._compile() and _is_compiled()):
                self.made = load_lane()

    def _compile(self) -> bool:
        """Compile in a process of its own, which leaves the code where this one finds it."""
        compiler = self._compiler = subprocess.Popen(
            [sys.executable, "-P", "-c", _COMPILE],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        if self._closed:
            compiler.kill()
        return compiler.wait() == 0


def _was_compiled() -> bool:
    """Return whether this machine may have the code; it costs nothing to ask."""
    with contextlib.suppress(OSError, RuntimeError):
        folder = cache_folder() / "kernels" / "dealer.lane.kernels"
        return any(folder.glob("*/*.nbi"))
    return False


def _is_compiled() -> bool:
    """Return whether some process has compiled the code as it is now."""
    from dealer.lane.kernels import play_hands
    from engine.compiled.jit import is_compiled

    return is_compiled(play_hands)
