"""Work that is handed out to processes and comes back in order."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any, Final, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

_AHEAD: Final = 3
"""Tasks per process that are handed out before the first one must be back."""


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
            started, which end when this one does; so a script must guard its main part, and `start`
            must be in a module.

    Raises:
        Exception: whatever `start` or its work raises.
    """
    if workers == 1:
        yield from map(start(*arguments), tasks)
        return
    with ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=_start,
        initargs=(start, arguments),
    ) as pool:
        waiting: list[Future[Result]] = []
        todo = iter(tasks)
        try:
            while True:
                room = _AHEAD * workers - len(waiting)
                waiting += [pool.submit(_work, task) for task in islice(todo, room)]
                if not waiting:
                    return
                yield waiting.pop(0).result()
        finally:
            pool.shutdown(cancel_futures=True)


_started: list[Callable[[Any], Any]] = []
"""In a worker process: what works on its tasks."""


def _start(start: Callable[..., Callable[[Any], Any]], arguments: tuple[Any, ...]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _started[:] = [start(*arguments)]


def _end_with_parent() -> None:
    """End this process as soon as the one that started it has gone, however it went."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(task: Any) -> Any:
    [work] = _started
    return work(task)
