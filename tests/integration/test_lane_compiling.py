"""A dealer whose machine has not compiled the lane yet: the match goes on, with it or without."""

import contextlib
import fcntl
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from dealer.lane import compiling, loading
from dealer.lane.loading import LaneLoader, kept_code
from dealer.plan.match_plan import LaneMode
from dealer.server.time_limits import MatchSettings
from engine.compiled.jit import RUNS_AS_PYTHON
from engine.parallel.own_programs import environment
from protocol.gamedefs import load_builtin
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.streamed_match import play_streams
from tests.integration.test_fast_lane import FREE, HANDS, ordinary

__all__ = ["ordinary"]

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or RUNS_AS_PYTHON, reason="there is no lane to be compiled"
)
LOADING_SECONDS = 2.0


@pytest.fixture(scope="module")
def code() -> bytes:
    """The lane's code, as this machine has it for all tests."""
    subprocess.run([INTERPRETER, "-m", "dealer.lane.compiling"], env=environment(), check=True)
    found = kept_code().read()
    assert found is not None
    return found


@pytest.fixture
def cache(tmp_path, code, monkeypatch) -> Path:
    """An empty cache folder."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("ARENA_CACHE_DIR", str(folder))
    return folder


@contextmanager
def another_compiles(cache: Path) -> Iterator[None]:
    """Have everybody else wait before they compile, as long as the context lasts."""
    (cache / "objects").mkdir(parents=True)
    with (cache / "objects" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def compiler_of(dealer: DealerProcess) -> int:
    """Wait for the process in which a dealer has its lane compiled; return its id."""
    number = dealer.process.pid
    while True:
        for thread in Path(f"/proc/{number}/task").iterdir():
            with suppress(OSError):
                for child in (thread / "children").read_text().split():
                    if b"dealer.lane.compiling" in Path(f"/proc/{child}/cmdline").read_bytes():
                        return int(child)
        assert dealer.process.poll() is None
        time.sleep(0.01)


def is_gone(number: int) -> bool:
    """Return whether there is no such process any more, dead ones aside."""
    try:
        return ") Z" in Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return True


def has_opened(number: int, path: Path) -> bool:
    """Return whether a process has a file open."""
    folder = Path(f"/proc/{number}/fd")
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):  # closed since it was listed
            if os.readlink(folder / name) == str(path):
                return True
    return False


def play_hands(clients, count: int) -> None:
    """Have seat 1 call and seat 2 fold, hand after hand, from a fresh hand on."""
    for _ in range(count):
        clients[1].answer(b"f")
        clients[1].line()
        clients[0].line()
        clients[0].line()


@contextmanager
def long_match(folder: Path, *more: str) -> Iterator[tuple[DealerProcess, list]]:
    """A match for which compiling is worth while, and its seats."""
    options = ("5000", "-q", "-f", "-T", "--t_per_hand", "-1", *more)
    with DealerProcess(folder, *options) as dealer:
        yield dealer, dealer.connect_all()


def test_the_lane_is_taken_up_in_mid_match(tmp_path, cache, code):
    """Once the code is there, whoever has compiled it; what was played is one match."""
    with long_match(tmp_path) as (dealer, clients):
        with another_compiles(cache):
            play_hands(clients, 20)
            compiler_of(dealer)
            assert not dealer.has_lane()
            kept_code().write(code)
        while not dealer.has_lane():
            play_hands(clients, 1)
        play_hands(clients, 20)
        hands = [line for line in dealer.log if line.startswith("STATE")]
    assert [int(line.split(":")[1]) for line in hands] == list(range(len(hands)))
    assert len(hands) > 40


def test_a_compiler_that_is_killed_takes_nothing_along(tmp_path, cache):
    """The match is played without the lane."""
    with another_compiles(cache), long_match(tmp_path) as (dealer, clients):
        play_hands(clients, 1)
        os.kill(compiler_of(dealer), 9)
        play_hands(clients, 50)
        assert not dealer.has_lane()
        assert dealer.process.poll() is None


@pytest.mark.parametrize("how", ["interrupt", "kill"])
@pytest.mark.parametrize("mode", ["auto", "on"])
def test_the_compiler_ends_with_its_dealer(tmp_path, cache, how, mode):
    """In whatever way that ends, and whether the match waits for it or not."""
    with another_compiles(cache), long_match(tmp_path, "--lane", mode) as (dealer, clients):
        if mode == "auto":
            play_hands(clients, 1)
        compiler = compiler_of(dealer)
        dealer.process.kill() if how == "kill" else dealer.interrupt()
        dealer.process.wait(20)
        while not is_gone(compiler):
            time.sleep(0.01)


def test_a_compiler_that_is_waited_for_hears_signals(tmp_path, cache):
    """Though the thread that waits for it hears none; the match is played without the lane."""
    options = ("3", "-q", "-f", "--lane", "on")
    with another_compiles(cache), DealerProcess(tmp_path, *options) as dealer:
        clients = dealer.connect_all()
        compiler = compiler_of(dealer)
        while not has_opened(compiler, cache / "objects" / "lock"):
            time.sleep(0.01)
        os.kill(compiler, 15)
        play_hands(clients, 3)
        assert dealer.finish()[0] == 0


@pytest.mark.parametrize("damaged", [False, True])
def test_two_at_once_compile_once(tmp_path, cache, code, monkeypatch, damaged):
    """The second one waits, and finds what the first one left; damaged code does not count."""
    made = tmp_path / "made"

    def compile_slowly(*_arguments) -> bytes:
        with made.open("ab") as file:
            file.write(b"once ")
        time.sleep(0.2)
        return code

    if damaged:
        with kept_code().locked():
            kept_code().write(b"?")
        kept_code().path.write_bytes(b"damaged")
    monkeypatch.setattr("engine.compiled.object_code.object_code", compile_slowly)
    context = multiprocessing.get_context("fork")
    both = [context.Process(target=lambda: sys.exit(compiling.main([]))) for _ in range(2)]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    assert made.read_bytes() == b"once "
    assert kept_code().read() == code


def test_the_compiler_says_where_the_code_is(code, capfd):
    """And takes no words that it does not know."""
    assert compiling.main([]) == 0
    assert str(kept_code().path) in capfd.readouterr().err
    with pytest.raises(SystemExit) as end:
        compiling.main(["now"])
    assert end.value.code == 2
    assert "now" in capfd.readouterr().err


def test_code_in_a_cache_that_cannot_be_written_to_is_there(cache, code, capfd):
    """Dealers take it up, so the compiler says so, though it could not keep any."""
    (cache / "objects" / "lock").mkdir(parents=True)
    assert compiling.main([]) == 1
    kept_code().write(code)
    assert compiling.main([]) == 0
    assert str(kept_code().path) in capfd.readouterr().err


def test_a_cache_that_cannot_be_written_to_is_no_error(tmp_path, code, monkeypatch):
    """Nothing is compiled, nothing is said; a match that asks for the lane is played as ever."""
    monkeypatch.setenv("ARENA_CACHE_DIR", "/dev/null")
    program = [sys.executable, "-m", "dealer.lane.compiling"]
    compiler = subprocess.run(program, capture_output=True, text=True, check=False)
    assert compiler.returncode == 1
    assert compiler.stderr.startswith("the lane's code cannot be kept: ")
    for mode in ("auto", "on"):
        with DealerProcess(tmp_path, "3", "-q", "-f", "--lane", mode) as dealer:
            play_hands(dealer.connect_all(), 3)
            exit_code, _, err = dealer.finish()
        assert exit_code == 0
        assert all(line.startswith(("#", "SCORE")) for line in err.splitlines())


def test_nobody_is_charged_for_the_loading(tmp_path, code, monkeypatch, ordinary):
    """However long it takes: it is done between two hands, when nobody is asked."""
    asked = []

    def ready(_loader, left):
        asked.append(left)
        return left <= HANDS // 2

    def load(slow):
        time.sleep(LOADING_SECONDS)
        return loading_as_ever(slow)

    loading_as_ever = loading.load_lane
    monkeypatch.setattr(LaneLoader, "ready", ready)
    monkeypatch.setattr(loading, "load_lane", load)
    how = MatchSettings(HANDS, (FREE,) * 2)
    seen = play_streams(tmp_path, LaneMode.AUTO, load_builtin("hunl"), how, ordinary)
    assert seen.ending == "finished"
    assert asked[0] == HANDS
    assert seen.lane_turns > 0
    assert sum(seen.seconds) < LOADING_SECONDS
