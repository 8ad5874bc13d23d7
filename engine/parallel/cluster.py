"""Workers somewhere: who they are, what they may do, and whether what they send is true.

A worker is asked first which program it runs and how fast it is.  One of another version is
refused: named workers get no task, others stop the run.  A worker has as many tasks as it does at
once, so none waits for a slow one.  Those of a worker that is gone are handed out again.

What a worker sends first, and one task in fifty of the rest, are to be done again at home:
`Cluster.chosen` says which, by a seed that no worker is told.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, InvalidStateError
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from platform import node
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.errors import WorkersFailed
from engine.parallel.executors import pool_called
from engine.parallel.own_programs import program_digest

if TYPE_CHECKING:
    from engine.parallel.executors import Pool

_LOOK_SECONDS: Final = 0.5
_PATIENCE_SECONDS: Final = 5.0
_ONE_IN: Final = 50


class Worker(NamedTuple):
    """A worker as it presents itself."""

    name: str
    """Of its machine, and the number of its process."""
    program: str
    """Which it runs: the digest of its files."""
    evaluations_per_second: float


class Done(NamedTuple):
    """What a worker sends of a task."""

    worker: str
    """Its name."""
    value: Any
    error: str = ""
    """What went wrong, in a line: an exception with its traceback may not travel well."""


class OtherProgram(Exception):
    """A task came to a worker of another version; the arguments are its name and version."""


def worker_name() -> str:
    """Return the name of this process as a worker."""
    return f"{node()}:{os.getpid()}"


def present(speed: Callable[[], float]) -> Worker:
    """Say who this worker is; the work of the first task that it gets."""
    return Worker(worker_name(), program_digest(), speed())


def done_here(program: str, work: Callable[..., Any], *arguments: Any) -> Done:
    """Do a task, as a worker.

    Raises:
        OtherProgram: this worker is of another version.
    """
    if program != program_digest():
        raise OtherProgram(worker_name(), program_digest())
    try:
        return Done(worker_name(), work(*arguments))
    except Exception as error:
        return Done(worker_name(), None, _in_words(error))


@dataclass(slots=True, eq=False)
class _Task:
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    result: Future[Done]
    attempt: Future[Done] | None = None
    """What the worker sends that is at it now."""


@dataclass(slots=True, eq=False)
class _Member:
    address: str
    worker: Worker
    jobs: int
    tasks: set[_Task] = field(default_factory=set)
    """That it is at, or is said to be."""


@dataclass(slots=True)
class WorkersRecord:
    """What is told of the workers at the end."""

    workers: dict[str, Worker] = field(default_factory=dict)
    """By name."""
    tasks: Counter[str] = field(default_factory=Counter)
    """Results taken, by name."""
    replayed: list[str] = field(default_factory=list)
    """Names of the tasks that were done again at home."""


class Cluster:
    """Workers that do tasks, as the one who hands them out sees them."""

    def __init__(
        self,
        pool: Pool,
        speed: Callable[[], float],
        say: Callable[[str], None],
        replay_seed: int | None = None,
    ) -> None:
        """Ask all workers who they are; see `ready`.

        Args:
            speed: a function of a module that a worker calls to say how fast it is.
            say: told in a line who comes, goes or is refused.
            replay_seed: of the choice of tasks that are done again; None: one that nobody knows.
        """
        self.tally = WorkersRecord()
        self.replay_seed = secrets.randbits(63) if replay_seed is None else replay_seed
        self.joined: Callable[[int], object] | None = None
        """Told, by a thread, of a worker that comes, how many tasks it does at once."""
        self._pool = pool
        self._speed = speed
        self._say = say
        self._changed = threading.Condition()
        """Held for no call of the pool: an executor calls back with its locks held."""
        self._members: dict[str, _Member] = {}
        """By address."""
        self._asked: set[str] = set()
        self._refused: dict[str, str] = {}
        self._failure: WorkersFailed | None = None
        self._waiting: deque[_Task] = deque()
        self._ended = threading.Event()
        self._watch = threading.Thread(target=self._look_around, daemon=True)

    @property
    def jobs(self) -> int:
        """How many tasks are done at once, by all workers that take part."""
        with self._changed:
            return sum(member.jobs for member in self._members.values())

    def ready(self) -> None:
        """Wait until a worker takes part.

        Raises:
            WorkersFailed: all that there are were refused.
        """
        self._meet()
        if self._pool.named:
            self._watch.start()
        if not self._take_part(_PATIENCE_SECONDS):
            self._say("no worker takes part yet; it begins with the first that does")
            while not self._take_part(_PATIENCE_SECONDS):
                pass

    def _take_part(self, seconds: float) -> bool:
        """Return whether a worker takes part before the time is over.  Raises WorkersFailed."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._members or self._failure or self._all_refused, seconds
            )
            if self._failure is not None:
                raise self._failure
            if not self._members and self._all_refused:
                raise WorkersFailed("no worker takes part: all that are there were refused")
            return bool(self._members)

    @property
    def _all_refused(self) -> bool:
        return bool(self._asked) and self._asked <= self._refused.keys()

    def close(self) -> None:
        """Leave the workers alone; what they still do is of no use."""
        self._ended.set()
        with self._changed:
            members = [*self._members.values()]
            self._members.clear()
            tasks = [*self._waiting, *(task for member in members for task in member.tasks)]
        for task in tasks:
            task.result.cancel()
        if self._watch.is_alive():
            self._watch.join()

    def submit(self, work: Callable[..., Any], *arguments: Any) -> Future[Done]:
        """Return the coming result of a task, or WorkersFailed, also where its work fails.

        It may be cancelled, although a worker that is at it goes on to the end.
        """
        task = _Task(work, arguments, Future())
        task.result.add_done_callback(lambda result: _cancel(task) if result.cancelled() else None)
        with self._changed:
            failure = self._failure
            self._waiting.append(task)
        if failure is not None:
            task.result.set_exception(failure)
        self._hand_out()
        return task.result

    def chosen(self, name: str, worker: str) -> bool:
        """Return whether a result is to be compared with the same task done at home.

        Args:
            name: of the task.
            worker: who sends it; it counts as having sent this from now on.
        """
        with self._changed:
            self.tally.tasks[worker] += 1
            first = self.tally.tasks[worker] == 1
        digest = hashlib.sha256(f"{self.replay_seed}/{name}".encode()).digest()
        return first or int.from_bytes(digest[:8], "little") % _ONE_IN == 0

    def lie(self, name: str, worker: str, where: str = "") -> WorkersFailed:
        """Return the error of a result that is another one than that at home.

        Args:
            where: the first difference, for the message.
        """
        before = self.tally.tasks[worker] - 1
        return WorkersFailed(
            f"worker {worker} sent another {name} than is computed here{where}: it lies, or its "
            f"processor or libraries compute otherwise; results taken from it before: {before}"
        )

    def lines(self) -> list[str]:
        """Return what is told of the workers in the end: their speeds, and what was checked."""
        named = sorted(self.tally.workers.values())
        lines = [
            f"worker {worker.name}: {worker.evaluations_per_second / 1e6:,.0f} M evaluations/s, "
            f"results {self.tally.tasks[worker.name]:,}"
            for worker in named
        ]
        unmeasured = sorted(self.tally.tasks.keys() - self.tally.workers.keys())
        lines += [f"worker {name}: results {self.tally.tasks[name]:,}" for name in unmeasured]
        return [*lines, f"done again at home, the same: {len(self.tally.replayed):,}"]

    def document(self) -> dict[str, Any]:
        """Return the same as plain values."""
        names = sorted({*self.tally.workers, *self.tally.tasks})
        speeds = {
            name: round(worker.evaluations_per_second)
            for name, worker in self.tally.workers.items()
        }
        return {
            "workers": [
                {
                    "name": name,
                    "evaluations_per_second": speeds.get(name),
                    "results": self.tally.tasks[name],
                }
                for name in names
            ],
            "replay_seed": self.replay_seed,
            "replayed": [*self.tally.replayed],
        }

    def _look_around(self) -> None:
        """Meet those who come, notice who is gone, hand out again what waits for them alone."""
        while not self._ended.wait(_LOOK_SECONDS):
            with suppress(OSError):  # the scheduler is gone, as the tasks will hear
                self._meet()

    def _meet(self) -> None:
        there = self._pool.present()
        with self._changed:
            new = there.keys() - self._asked
            gone = [self._members.pop(address) for address in self._members.keys() - there.keys()]
            self._asked = {*there}
            lost = [task for member in gone for task in member.tasks]
            attempts = [task.attempt for task in lost]
            for task in lost:
                task.attempt = None
            for member in gone:
                member.tasks.clear()
            self._waiting.extendleft(lost)
        for member in gone:
            self._say(f"worker {member.worker.name} is gone; others do what it was at")
        for attempt in attempts:
            if attempt is not None:
                attempt.cancel()
        self._hand_out()
        for address in sorted(new):
            for _ in range(1 if self._pool.named else there[address]):
                answer = self._pool.submit(address, present, self._speed)
                answer.add_done_callback(partial(self._welcome, address, there[address]))

    def _welcome(self, address: str, jobs: int, answer: Future[Worker]) -> None:
        """Let a worker take part that has presented itself, or refuse it."""
        if answer.cancelled() or self._ended.is_set():
            return
        error = answer.exception()
        if error is not None:
            name = address or "of the executor"
            self._refuse(address, f"worker {name} is refused: {_in_words(error)}")
            return
        worker = answer.result()
        if worker.program != program_digest():
            self._refuse(address, _other_version(worker.name, worker.program))
            return
        if self._pool.named:
            self._say(f"worker {worker.name} takes part: {_speed_of(worker)}")
        with self._changed:
            new = address not in self._members
            self.tally.workers[worker.name] = worker
            self._members.setdefault(address, _Member(address, worker, jobs))
            self._changed.notify_all()
        self._hand_out()
        if new and self.joined is not None:
            self.joined(jobs)

    def _refuse(self, address: str, why: str) -> None:
        if self._pool.named:
            self._say(why)
        with self._changed:
            self._refused[address] = why
            if not self._pool.named:
                self._failure = WorkersFailed(why)
            self._changed.notify_all()

    def _hand_out(self) -> None:
        """Give each worker that has nothing to do a task, as long as there are any."""
        while True:
            with self._changed:
                free = [m for m in self._members.values() if len(m.tasks) < m.jobs]
                if not free or not self._waiting:
                    return
                task = self._waiting.popleft()
                if task.result.done():  # cancelled
                    continue
                member = max(free, key=lambda member: member.jobs - len(member.tasks))
                member.tasks.add(task)
            try:
                attempt = self._pool.submit(
                    member.address, done_here, program_digest(), task.work, *task.arguments
                )
            except RuntimeError as error:  # a process of it is gone
                self._fail(WorkersFailed(f"no task can be done: {_in_words(error)}"))
                return
            with self._changed:
                lost = task not in member.tasks
                if not lost:
                    task.attempt = attempt
            if lost:
                attempt.cancel()
            else:
                attempt.add_done_callback(partial(self._end, member, task))

    def _end(self, member: _Member, task: _Task, attempt: Future[Done]) -> None:
        """Take what a worker sends, and give it another task."""
        with self._changed:
            member.tasks.discard(task)
            lost = attempt is not task.attempt
        if not lost and not task.result.done():
            failure = _settle(task.result, attempt)
            if failure is not None:
                self._fail(failure)
                return
        self._hand_out()

    def _fail(self, failure: WorkersFailed) -> None:
        """End all tasks by an error of the workers."""
        with self._changed:
            self._failure = failure
            tasks = [*self._waiting]
            self._waiting.clear()
            for member in self._members.values():
                tasks += member.tasks
            self._members.clear()
            self._changed.notify_all()
        for task in tasks:
            with suppress(InvalidStateError):  # it is over
                task.result.set_exception(failure)


@contextmanager
def cluster_called(
    word: str, jobs: int, speed: Callable[[], float], say: Callable[[str], None]
) -> Iterator[Cluster]:
    """Yield the workers that --executor names, once one takes part.

    Args:
        jobs: processes of `processes`.
        speed: see `Cluster`.
        say: see `Cluster`.

    Raises:
        WorkersFailed: they cannot be reached, or all are refused.
    """
    with pool_called(word, jobs) as pool:
        cluster = Cluster(pool, speed, say)
        try:
            cluster.ready()
            yield cluster
        finally:
            cluster.close()


def _cancel(task: _Task) -> None:
    """Let nobody begin a task; what comes of it no longer counts."""
    attempt, task.attempt = task.attempt, None
    if attempt is not None:
        attempt.cancel()


def _settle(result: Future[Done], attempt: Future[Done]) -> WorkersFailed | None:
    """Let a task end as an attempt has; return what is wrong with the workers, None for nothing."""
    failure = None
    with suppress(InvalidStateError):  # it was cancelled just now
        try:
            done = attempt.result()
            if done.error:
                error = WorkersFailed(f"worker {done.worker} failed: {done.error}")
                result.set_exception(error)
            else:
                result.set_result(done)
        except CancelledError:
            failure = WorkersFailed("the scheduler is gone")
        except OtherProgram as other:
            failure = WorkersFailed(_other_version(*other.args))
        except BaseException as error:  # of the executor
            failure = WorkersFailed(f"the workers fail: {_in_words(error)}")
        if failure is not None:
            result.set_exception(failure)
    return failure


def _other_version(name: str, program: str) -> str:
    return f"worker {name} is refused: it runs {program}, this is {program_digest()}"


def _speed_of(worker: Worker) -> str:
    return f"{worker.evaluations_per_second / 1e6:,.0f} M evaluations/s"


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]
