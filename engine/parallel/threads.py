"""Long work cut into blocks: on several threads, with progress.

Kernels release the GIL, so plain threads use all cores.  Results must not depend on the order in
which blocks are done.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from threading import Event

Progress = Callable[[float], None]
"""Told the fraction of a piece of work that is done, 0 to 1, now and then."""


def run_blocks(
    work: Callable[[int, int], None],
    count: int,
    block: int,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Call work(first, end) for blocks that cover 0..count-1.

    Args:
        work: called from several threads at once; what it raises ends everything, as does what
            `progress` raises: no further block is begun.
        block: items in each block, the last one apart.
        threads: how many; None for one per core that this process may use.
        progress: called from the calling thread.
    """
    firsts = range(0, count, block)
    failed = Event()

    def guarded(first: int) -> None:
        if failed.is_set():
            return
        try:
            work(first, min(first + block, count))
        except BaseException:
            failed.set()
            raise

    done = 0
    with ThreadPoolExecutor(threads or available_cores()) as pool:
        waiting = [pool.submit(guarded, first) for first in firsts]
        try:
            for future in as_completed(waiting):
                future.result()
                done += 1
                if progress is not None:
                    progress(done / len(firsts))
        finally:
            failed.set()


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
