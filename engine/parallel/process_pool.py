"""New interpreters that work on tasks, and end with the process that started them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import Pipe, get_context
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


@contextmanager
def process_pool(
    workers: int,
    start: Callable[..., Callable[[Any], Any]] | None = None,
    arguments: tuple[Any, ...] = (),
) -> Iterator[DeafPool]:
    """Yield new interpreters, deaf to Ctrl-C; an error of the block ends them in their work.

    Args:
        start: called with `arguments` in each; gives what `work_started` does.
    """
    listening, alive = Pipe(duplex=False)  # closed at this end, it ends the processes
    with (
        listening,
        alive,
        DeafPool(
            alive,
            workers,
            mp_context=get_context("spawn"),
            initializer=_start,
            initargs=(listening, start, arguments),
        ) as pool,
    ):
        try:
            yield pool
        except BaseException:
            pool.end_now()
            raise


class DeafPool(ProcessPoolExecutor):
    """A pool whose processes, which are started as tasks come, never hear of Ctrl-C."""

    def __init__(self, alive: Connection, *arguments: Any, **keywords: Any) -> None:
        """Start nothing yet; the processes end when `alive` is closed."""
        super().__init__(*arguments, **keywords)
        self._alive = alive

    def end_now(self) -> None:
        """End the processes in the middle of their work."""
        self._alive.close()

    def submit(self, *task: Any, **keywords: Any) -> Future[Any]:
        """Submit a task."""
        with deaf_children():
            return super().submit(*task, **keywords)


@contextmanager
def deaf_children() -> Iterator[None]:
    """Let processes that are started meanwhile never hear of Ctrl-C; this one hears it later."""
    old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)


_started: list[Callable[[Any], Any]] = []
"""In a worker process: what works on its tasks."""


def _start(
    parent: Connection,
    start: Callable[..., Callable[[Any], Any]] | None,
    arguments: tuple[Any, ...],
) -> None:
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _started[:] = [] if start is None else [start(*arguments)]


def _end_with(parent: Connection) -> None:
    """End this process as soon as the other end of a pipe is closed."""
    with suppress(EOFError, OSError):
        parent.recv()
    os._exit(1)


def work_started(task: Any) -> Any:
    """Do a task in a process that has been started, as it was told then."""
    [work] = _started
    return work(task)
