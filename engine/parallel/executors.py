"""What `--executor` names: a `concurrent.futures.Executor` that hands tasks to processes.

    processes      new interpreters of this machine, as many as --jobs
    dask:ADDRESS   the workers of a Dask scheduler; they may come and go
    mpi            the ranks of `mpiexec -n N python -m mpi4py.futures -m dealer.arena ...`

Dask and mpi4py are imported when they are asked for.  A task is a function of a module with its
arguments; whoever does it imports the same module from an installation there.
"""

from __future__ import annotations

import importlib
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from typing import Any, Final, Protocol

from engine.errors import WorkersFailed
from engine.parallel.process_pool import process_pool

PROCESSES: Final = "processes"
MPI: Final = "mpi"
DASK_PREFIX: Final = "dask:"
_CONNECT_SECONDS: Final = 20
_LEAST_RANKS: Final = 2
_MPI_LAUNCHER: Final = "mpi4py.futures"
_INSTALL: Final = "pip install 'acpc-arena[cluster]'"


class Pool(Protocol):
    """Workers behind an executor."""

    @property
    def named(self) -> bool:
        """Whether each worker has an address at which it alone can be asked."""

    def present(self) -> Mapping[str, int]:
        """Return how many tasks each worker does at once, by address; unless `named`, of all."""

    def submit(self, worker: str, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Hand a task to a worker; which one does not count unless `named`."""


class PlainPool:
    """Workers of any executor, all alike: it decides who does what."""

    named: Final = False

    def __init__(self, executor: Executor, count: int) -> None:
        self._executor = executor
        self._count = count

    def present(self) -> Mapping[str, int]:
        """Return how many tasks are done at once."""
        return {"": self._count}

    def submit(self, _worker: str, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Hand a task to somebody."""
        return self._executor.submit(work, *arguments)


class DaskPool:
    """The workers of a Dask scheduler."""

    named: Final = True

    def __init__(self, client: Any) -> None:
        """Take a `distributed.Client`."""
        self._client = client

    def present(self) -> Mapping[str, int]:
        """Return how many threads each worker has, by address; what was heard last, if lately."""
        workers = self._client.scheduler_info(n_workers=-1)["workers"]
        return {address: worker["nthreads"] for address, worker in workers.items()}

    def submit(self, worker: str, work: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Hand a task to a worker."""
        executor = self._client.get_executor(workers=[worker], pure=False)
        future: Future[Any] = executor.submit(work, *arguments)
        return future


@contextmanager
def pool_called(word: str, jobs: int) -> Iterator[Pool]:
    """Yield the workers that --executor names; those of this machine end with the block.

    Args:
        jobs: processes of `processes`.

    Raises:
        WorkersFailed: they cannot be reached, or what is needed for it is not installed.
    """
    if word == PROCESSES:
        with process_pool(jobs) as executor:
            try:
                yield PlainPool(executor, jobs)
            finally:
                executor.end_now()
    elif word == MPI:
        with _mpi_ranks() as ranks:
            yield ranks
    else:
        with _dask_client(word.removeprefix(DASK_PREFIX)) as client:
            yield DaskPool(client)


@contextmanager
def _dask_client(address: str) -> Iterator[Any]:
    try:
        distributed: Any = importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise WorkersFailed(f"--executor dask:... needs Dask ({error}): {_INSTALL}") from error
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distrib")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # we say it in one line
    try:
        distributed.comm.resolve_address(address)  # a client that cannot would not end at once
        client = distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise WorkersFailed(f"no Dask scheduler answers at {address}: {reason}") from error
    try:
        yield client
    finally:
        client.close(timeout=_CONNECT_SECONDS)


@contextmanager
def _mpi_ranks() -> Iterator[Pool]:
    usage = WorkersFailed(
        f"--executor mpi is for mpiexec -n N python -m {_MPI_LAUNCHER} -m dealer.arena ..., "
        "with N above 1: rank 0 hands out the work"
    )
    if not any(_MPI_LAUNCHER in word for word in sys.orig_argv):  # it would wait for other ranks
        raise usage
    try:
        mpi: Any = importlib.import_module("mpi4py.MPI")
        futures: Any = importlib.import_module(_MPI_LAUNCHER)
    except (ImportError, RuntimeError) as error:  # mpi4py is there, and no MPI library
        reason = str(error).partition("\n")[0]
        raise WorkersFailed(f"--executor mpi needs mpi4py and an MPI ({reason})") from error
    if mpi.COMM_WORLD.Get_size() < _LEAST_RANKS:
        raise usage
    with futures.MPIPoolExecutor() as executor:
        yield PlainPool(executor, executor.num_workers)
