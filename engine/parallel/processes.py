"""Processes that work on tasks; the results come back in the order of the tasks."""

from __future__ import annotations

import operator
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from engine.parallel.process_pool import process_pool, work_started

if TYPE_CHECKING:
    from engine.parallel.cluster import Cluster, Done

Task = TypeVar("Task")
Result = TypeVar("Result")

_TASKS_AHEAD: Final = 3


def in_order(
    start: Callable[..., Callable[[Task], Result]],
    arguments: tuple[Any, ...],
    tasks: Iterable[Task],
    workers: int,
    *,
    cluster: Cluster | None = None,
    alike: Callable[[Result, Result], bool] = operator.eq,
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
        cluster: who works in place of processes; `start` and `arguments` then travel with each
            task, so they had better be small.
        alike: whether a result of a worker is the one computed here, for some that are compared.

    Raises:
        WorkersFailed: of the cluster, also where the work of a worker fails.
        Exception: whatever `start` or its work raises.
    """
    if cluster is not None:
        yield from _in_cluster(cluster, _Recipe(start, arguments), tasks, alike)
        return
    if workers == 1:
        yield from map(start(*arguments), tasks)
        return
    with process_pool(workers, start, arguments) as pool:
        waiting: list[Future[Result]] = []
        todo = iter(tasks)
        while True:
            room = _TASKS_AHEAD * workers - len(waiting)
            waiting += [pool.submit(work_started, task) for task in islice(todo, room)]
            if not waiting:
                return
            yield waiting.pop(0).result()


class _Recipe(NamedTuple):
    """What makes the work, on any machine."""

    start: Callable[..., Callable[[Any], Any]]
    arguments: tuple[Any, ...]


def _in_cluster(
    cluster: Cluster,
    recipe: _Recipe,
    tasks: Iterable[Task],
    alike: Callable[[Result, Result], bool],
) -> Iterator[Result]:
    """Yield the results that workers send; some are computed here too.  Raises WorkersFailed."""
    key = secrets.token_hex(8)
    waiting: list[tuple[int, Task, Future[Done]]] = []
    todo = enumerate(tasks)
    here: Callable[[Task], Result] | None = None
    try:
        while True:
            room = _TASKS_AHEAD * max(1, cluster.jobs) - len(waiting)
            waiting += [
                (number, task, cluster.submit(_work_by, key, recipe, task))
                for number, task in islice(todo, max(0, room))
            ]
            if not waiting:
                return
            number, task, future = waiting.pop(0)
            done = future.result()
            name = f"result {number + 1}"
            if cluster.chosen(name, done.worker):
                here = here or recipe.start(*recipe.arguments)
                if not alike(done.value, here(task)):
                    raise cluster.lie(name, done.worker)
                cluster.tally.replayed.append(name)
            yield done.value
    finally:
        for _, _, future in waiting:
            future.cancel()


_made = threading.local()
"""In a thread of a worker: the work of the recipe that it had last."""


def _work_by(key: str, recipe: _Recipe, task: Any) -> Any:
    """Do a task by a recipe, which is followed once in each thread."""
    if getattr(_made, "key", None) != key:
        _made.work = recipe.start(*recipe.arguments)
        _made.key = key
    return _made.work(task)
