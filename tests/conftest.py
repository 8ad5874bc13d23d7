"""Fixtures used by more than one folder of tests."""

import asyncio
import gc
import inspect
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from engine.parallel.own_programs import share_cores
from tests.helpers import interpreter
from tests.helpers.browser import browser_program
from tests.helpers.warm_start.starting import WarmParent

share_cores()  # before NumPy is loaded, here and in all programs that tests start

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"
PROGRAM = "TESTS_WARM_START"
"""Name, in the environment of workers, of what they start programs of ours by."""
LONG_FILES = (
    "tests/golden/test_reference_dealer.py",
    "tests/golden/test_recorded_matches.py",
    "tests/integration/test_agents_matches.py",
    "tests/integration/test_distributed_training.py",
    "tests/integration/test_torture.py",
)
"""Files of many processes, whose tests share nothing: any worker may take the next one."""

WHOLE_ROOMS = ("tests/architecture/", "tests/unit/engine/")
"""Folders of which one worker takes all tests: they share kernels, or the sources as trees."""

NEED_TORCH = re.compile(r'importorskip\("torch"\)|one_torch_thread\(')
"""In files with tests that are skipped without PyTorch."""

NEED_BROWSER = re.compile(r"with open_browser\(|^ +open_browser\(", re.MULTILINE)
"""In files with tests that are skipped without a browser."""

UNCHECKED = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)
"""Any example may be slow under load; what a fixture has written is written anew."""
for name, examples in {"gate": 25, "many": 500}.items():  # `make slow` has the many
    settings.register_profile(
        name, max_examples=examples, deadline=None, suppress_health_check=UNCHECKED
    )
settings.load_profile("gate")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real logs and recordings; tests that need it skip where it is absent."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("the recordings (../shared/data) are not here")
    return folder


@pytest.fixture(scope="session")
def conformance_tools() -> Path:
    """Folder of the scripts that replay recordings against any dealer command."""
    folder = SHARED / "tools" / "conformance"
    if not folder.is_dir():
        pytest.skip("the conformance scripts (../shared/tools/conformance) are not here")
    return folder


@pytest.fixture(autouse=True)
def _handlers_of_signals() -> Iterator[None]:
    """Each test leaves the process, and the tests after it, hearing signals as it found them."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    after = [signal.getsignal(number) for number in numbers]
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)
    assert after == before, "the test left handlers of signals behind"


def pytest_configure(config: pytest.Config) -> None:
    """Hear Ctrl-C, and let tested programs hear it, in the background of a shell, too.

    With several workers, programs of ours are started by a warm parent.
    """
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, None)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler or signal.SIG_DFL)
    if config.getoption("numprocesses", None) and not config.option.collectonly:
        folder = tempfile.TemporaryDirectory(prefix="warm-start-")
        parent = WarmParent(Path(folder.name))
        os.environ.update({PROGRAM: str(parent.program), interpreter.VARIABLE: sys.executable})
        config.add_cleanup(folder.cleanup)
        config.add_cleanup(parent.end)
    elif hasattr(config, "workerinput"):
        sys.executable = os.environ.get(PROGRAM, sys.executable)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run an async test in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[Any]:
    """Collect without looking for garbage: nearly all that is made lasts as long as the tests.

    What it made is left out of later searches, too.
    """
    gc.disable()
    try:
        _import_share(session.config)
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def _import_share(config: pytest.Config) -> None:
    """Import the share of a worker of all files of tests, before it collects them.

    Pytest rewrites assertions of a file when it is imported, and keeps the result.  Workers that
    begin with different files rewrite each once, instead of all at the same time.
    """
    if not hasattr(config, "workerinput"):
        return
    number = int(config.workerinput["workerid"].removeprefix("gw"))
    arguments = (Path(one.partition("::")[0]) for one in config.args)
    folders = (folder.resolve() for folder in arguments if folder.is_dir())
    files = sorted({file for folder in folders for file in folder.rglob("test_*.py")})
    for file in files[number :: config.workerinput["workercount"]]:
        name = ".".join(file.relative_to(REPOSITORY).with_suffix("").parts)
        with suppress(Exception, pytest.skip.Exception):  # told where it is collected
            import_module(name)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests were left out where PyTorch or a browser is missing, and how to get it."""
    if find_spec("torch") is None:
        count = files_with(NEED_TORCH)
        terminalreporter.write_line(
            f"skipped: tests that need PyTorch, in {count} files; make test-train installs it"
        )
    if browser_program() is None:
        count = files_with(NEED_BROWSER)
        terminalreporter.write_line(
            f"skipped: tests that need a browser, in {count} files; make setup-browser installs one"
        )


def files_with(pattern: re.Pattern[str]) -> int:
    """Return the number of files of tests in which a pattern stands."""
    files = Path(__file__).parent.rglob("test_*.py")
    return sum(pattern.search(file.read_text("utf-8")) is not None for file in files)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give each worker whole files, and whole rooms of unit tests.

    What the tests of a room compile, build and parse is so made once, not by every worker.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByRoom(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            if file in LONG_FILES:
                return nodeid
            return str(Path(file).parent) if file.startswith(WHOLE_ROOMS) else file

    config.option.loadscopereorder = False
    return ByRoom(config, log)
