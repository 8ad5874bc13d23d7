"""What --executor names, without a cluster."""

import importlib
import sys

import pytest

from engine.errors import WorkersFailed
from engine.parallel.executors import pool_called

NO_MODULE = ModuleNotFoundError("No module named 'x'")
NO_LIBRARY = RuntimeError("cannot load MPI library\nlibmpi.so")


@pytest.mark.parametrize(
    ("word", "module", "error", "wanted"),
    [
        ("dask:x", "distributed", NO_MODULE, r"'x'\): pip install 'acpc-arena\[cluster\]'$"),
        ("mpi", "mpi4py.MPI", NO_LIBRARY, r"load MPI library\)$"),
        ("mpi", "mpi4py.MPI", NO_MODULE, "needs mpi4py"),
    ],
)
def test_what_is_not_installed_is_said_in_a_line(monkeypatch, word, module, error, wanted):
    """Nothing of it is imported before it is asked for."""

    def no_module(name):
        assert name == module
        raise error

    monkeypatch.setattr(importlib, "import_module", no_module)
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "mpi4py.futures"])
    with pytest.raises(WorkersFailed, match=wanted), pool_called(word, 1):
        pass


@pytest.mark.parametrize(("ranks", "module"), [(1, "mpi4py.futures"), (3, "dealer.arena")])
def test_mpi_wants_ranks_that_wait_for_work(monkeypatch, ranks, module):
    """Rank 0 hands out what the others do; all would run the command by itself."""

    class Ranks:
        class COMM_WORLD:
            Get_size = staticmethod(lambda: ranks)

    monkeypatch.setattr(importlib, "import_module", lambda name: Ranks)
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", module])
    with pytest.raises(WorkersFailed, match=r"mpiexec -n N .* N above 1"), pool_called("mpi", 1):
        pass
