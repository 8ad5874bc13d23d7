"""Compiles the lane's code for this machine and keeps it: `python -m dealer.lane.compiling`.

A program of its own: it takes the compiler a quarter of a minute and 300 MB, which no dealer has.
With `--dealer PROCESS` it is one that a dealer starts, whose process that is: it ends with the
dealer.  With `--beside` nobody waits for it.

Exit codes: 0 the code is there, 1 it cannot be compiled or kept, 2 wrong arguments, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from dealer.lane.loading import ENTRY_POINT, kept_code
from engine.compiled.kept_objects import KeptObject
from engine.console.command import Command, Option
from engine.console.exit_codes import FAILED
from engine.console.output import tell
from engine.storage.cache import cache_folder

_PR_SET_PDEATHSIG: Final = 1


def _compile_once(options: argparse.Namespace) -> int:
    """Compile what has not been compiled, and say where it is; return the exit code."""
    if options.dealer is not None:
        _end_with(options.dealer)
    if options.beside:
        _give_way()
    stored_code = kept_code()
    began = time.monotonic()
    try:
        is_new = stored_code.read() is None and _compile(stored_code)
    except (OSError, RuntimeError) as error:
        tell(f"the lane's code cannot be kept: {error}")
        return FAILED
    how = f"compiled in {time.monotonic() - began:.0f} s" if is_new else "was compiled before"
    tell(f"{stored_code.path}: {how}; dealers of this user take it up by themselves")
    return 0


def _compile(stored_code: KeptObject) -> bool:
    """Compile and keep the code, unless another process has just done so; return whether."""
    with stored_code.locked():
        if stored_code.read() is not None:
            return False
        tell("compiling the lane's code: a quarter of a minute on a core of its own")
        with _kernels_of_its_own():
            stored_code.write(_compiled())
    return True


def _compiled() -> bytes:
    from dealer.lane.entry import play_hands_at
    from engine.compiled.object_code import object_code

    return object_code(play_hands_at, ENTRY_POINT)


@contextmanager
def _kernels_of_its_own() -> Iterator[None]:
    """Have kernels that are imported within kept apart from those of all other programs.

    Numba compiles a kernel with the options of the one that calls it first.  Those that ordinary
    kernels have called first count references, which needs numba when the code is run.
    """
    variable = "ARENA_CACHE_DIR"
    old_folder = os.environ.get(variable)
    os.environ[variable] = str(cache_folder() / "objects")
    try:
        yield
    finally:
        if old_folder is None:
            del os.environ[variable]
        else:
            os.environ[variable] = old_folder


def _end_with(dealer: int) -> None:
    """End when the dealer does, and hear signals, which are blocked in its lane's thread."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != dealer:  # which has ended just before
        sys.exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _give_way() -> None:
    """Take no time that anybody else wants, and be the first to go without memory."""
    os.nice(19)
    with suppress(OSError):  # where there is no such file, or it may not be written
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


COMMAND: Final = Command(
    "python -m dealer.lane.compiling",
    _compile_once,
    "Compile the code with which dealers play the ordinary turns of a match, once on a machine "
    "(docs/lane.md).  Dealers do so themselves beside a match that is long.",
    (
        Option("--dealer PROCESS", "as dealers start it: end when PROCESS does", int),
        Option("--beside", "take only time that nobody wants"),
    ),
)
main = COMMAND.main

if __name__ == "__main__":
    sys.exit(main())
