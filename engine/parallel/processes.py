"""Processes that work on tasks; the results come back in the order of the tasks."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing import Pipe, get_context
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Result = TypeVar("Result")

_TASKS_AHEAD: Final = 3


def in_order(
    start: Callable[..., Callable[[Task], Result]],
    arguments: tuple[Any, ...],
    tasks: Iterable[Task],
    workers: int,
) -> Iterator[Result]:
    """Yield the results of tasks, in the order of the tasks.

    Args:
        start: called with `arguments` once in each process; gives what works on a task.
        arguments: they travel once to each process.
        tasks: taken as they are needed.
        workers: processes; with one, all is done in this process.  With more, new interpreters are
            started, so a script must guard its main part, and `start` must be in a module.  They
            are deaf to Ctrl-C, and end in the middle of their work when this process ends, fails
            or wants no more.

    Raises:
        Exception: whatever `start` or its work raises.
    """
    if workers == 1:
        yield from map(start(*arguments), tasks)
        return
    listening, alive = Pipe(duplex=False)  # closed at this end, it ends the processes
    with (
        listening,
        alive,
        ProcessPoolExecutor(
            workers,
            mp_context=get_context("spawn"),
            initializer=_start,
            initargs=(listening, start, arguments),
        ) as pool,
    ):
        waiting: list[Future[Result]] = []
        todo = iter(tasks)
        try:
            while True:
                room = _TASKS_AHEAD * workers - len(waiting)
                with deaf_children():
                    waiting += [pool.submit(_work, task) for task in islice(todo, room)]
                if not waiting:
                    return
                yield waiting.pop(0).result()
        except BaseException:
            alive.close()
            raise


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
    parent: Connection, start: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]
) -> None:
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _started[:] = [start(*arguments)]


def _end_with(parent: Connection) -> None:
    """End this process as soon as the other end of a pipe is closed."""
    with suppress(EOFError, OSError):
        parent.recv()
    os._exit(1)


def _work(task: Any) -> Any:
    [work] = _started
    return work(task)
