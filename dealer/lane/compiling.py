"""Compiles the lane's code for this machine and keeps it: `python -m dealer.lane.compiling`.

A program of its own: it takes the compiler a quarter of a minute and 300 MB, which no dealer has.
With `--beside PROCESS` it is one that a dealer starts: nobody waits for it, and it ends with the
dealer, whose process that is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from dealer.lane.loading import ENTRY, kept_code
from engine.storage.cache import cache_folder

_END_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG of prctl(2)."""


def main(argv: list[str] | None = None) -> int:
    """Compile what has not been compiled; return 0 where it is there now."""
    match sys.argv[1:] if argv is None else argv:
        case ["--beside", dealer]:
            _give_way(int(dealer))
    kept = kept_code()
    try:
        with kept.locked():
            if kept.read() is None:
                with _kernels_of_its_own():
                    kept.write(_compiled())
    except (OSError, RuntimeError) as error:
        sys.stderr.write(f"the lane's code cannot be kept: {error}\n")
        return 1
    return 0


def _compiled() -> bytes:
    from dealer.lane.entry import play_hands_at
    from engine.compiled.object_code import object_code

    return object_code(play_hands_at, ENTRY)


@contextmanager
def _kernels_of_its_own() -> Iterator[None]:
    """Have kernels that are imported within kept apart from those of all other programs.

    Numba compiles a kernel with the options of the one that calls it first.  Those that ordinary
    kernels have called first count references, which needs numba when the code is run.
    """
    variable = "ARENA_CACHE_DIR"
    before = os.environ.get(variable)
    os.environ[variable] = str(cache_folder() / "objects")
    try:
        yield
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before


def _give_way(dealer: int) -> None:
    """Take no time that anybody else wants, be the first to go without memory, and end in time."""
    os.nice(19)
    with suppress(OSError):  # where there is no such file, or it may not be written
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != dealer:  # which has ended just before
        sys.exit(1)


if __name__ == "__main__":
    sys.exit(main())
