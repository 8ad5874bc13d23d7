"""When the lane's code is loaded and compiled; neither happens here."""

import resource
import threading

import pytest

from dealer.lane import loading
from dealer.lane.loading import LaneLoader

LONG, SHORT = 1000, 999
"""Hands to come for which compiling is begun, or is not."""


class Kept:
    """Code that is kept on disk, or is not."""

    def __init__(self, code: bytes | None) -> None:
        self.code = code

    def exists(self) -> bool:
        return self.code is not None

    def read(self) -> bytes | None:
        return self.code or None


class Compiler:
    """A process that compiles, and is at its end when it is told to be."""

    def __init__(self) -> None:
        self.code: int | None = None

    def poll(self) -> int | None:
        return self.code

    def wait(self) -> None:
        pass

    def kill(self) -> None:
        self.code = -9


@pytest.fixture
def kept(monkeypatch) -> Kept:
    """Nothing is compiled yet; empty code is damaged, any other can be loaded."""
    kept = Kept(None)
    monkeypatch.setattr(loading, "kept_code", lambda: kept)
    monkeypatch.setattr(loading, "load_lane", lambda code: ("lane", code))
    return kept


@pytest.fixture
def compilers(monkeypatch) -> list[Compiler]:
    """The compilers that were started."""
    started: list[Compiler] = []

    def start(*_words: str) -> Compiler:
        started.append(Compiler())
        return started[-1]

    monkeypatch.setattr(loading, "_start_compiler", start)
    return started


def test_what_is_compiled_is_loaded_at_once(kept, compilers):
    """For the shortest match, too, and once for all matches."""
    kept.code = b"code"
    loader = LaneLoader()
    assert loader.ready(1)
    made = loader.load(compiling=False)
    assert made == ("lane", b"code")
    kept.code = None
    assert loader.ready(1)
    assert loader.load(compiling=False) is made
    assert compilers == []


def test_a_longer_one_plays_on_while_it_is_compiled(kept, compilers):
    """In one process, also where several matches want it; a short one would be over before."""
    loader = LaneLoader()
    assert not loader.ready(SHORT)
    assert compilers == []
    assert not loader.ready(LONG)
    assert not loader.ready(LONG)
    kept.code = b"code"
    compilers[0].code = 0
    assert loader.ready(SHORT)
    assert loader.load(compiling=False) == ("lane", b"code")
    assert len(compilers) == 1


@pytest.mark.parametrize("code", [1, -9])
def test_a_compiler_that_fails_is_not_started_again(kept, compilers, code):
    """Nor one that was killed: the match is played without the lane."""
    loader = LaneLoader()
    assert not loader.ready(LONG)
    compilers[0].code = code
    assert not loader.ready(LONG)
    assert len(compilers) == 1


def test_damaged_code_is_compiled_anew(kept, compilers):
    """What is there cannot be loaded, which shows when it is tried; once more is enough."""
    kept.code = b""
    loader = LaneLoader()
    assert loader.ready(LONG)
    assert loader.load(compiling=False) is None
    assert not loader.ready(LONG)
    compilers[0].code = 0
    assert loader.ready(LONG)
    assert loader.load(compiling=False) is None
    assert not loader.ready(LONG)
    assert len(compilers) == 1


def test_who_asks_for_the_lane_waits_for_the_compiler(kept, monkeypatch):
    """Which then has left the code."""

    class Quick(Compiler):
        def wait(self) -> None:
            kept.code = b"code"

    monkeypatch.setattr(loading, "_start_compiler", Quick)
    assert LaneLoader().load(compiling=True) == ("lane", b"code")


def test_a_dealer_that_ends_stops_its_compiler(kept, monkeypatch):
    """Whoever waits for it goes on without the code."""
    monkeypatch.setattr(loading, "own_program", lambda _: ("sleep", "60"))
    loader = LaneLoader()
    made = []
    thread = threading.Thread(target=lambda: made.append(loader.load(compiling=True)))
    thread.start()
    loader.close()
    thread.join(30)
    assert made == [None]


@pytest.mark.parametrize("error", [ImportError, MemoryError, OSError, RuntimeError])
def test_code_that_cannot_be_loaded_is_done_without(kept, compilers, monkeypatch, error):
    """A system that gives no memory for it: the match is played as ever."""

    def fail(_code: bytes) -> None:
        raise error("no")

    kept.code = b"code"
    monkeypatch.setattr(loading, "load_lane", fail)
    loader = LaneLoader()
    assert loader.ready(SHORT)
    assert loader.load(compiling=False) is None
    assert not loader.ready(SHORT)


def test_a_process_that_cannot_be_started_compiles_nothing(kept, monkeypatch):
    """It is tried twice; the match goes on."""
    tried = []

    def fail(*_words, **_options) -> None:
        tried.append(1)
        raise OSError("no more processes")

    monkeypatch.setattr(loading.subprocess, "Popen", fail)
    loader = LaneLoader()
    assert not any(loader.ready(LONG) for _ in range(20))
    assert len(tried) == 2


def test_who_limits_the_memory_compiles_nothing_unasked(kept, compilers, monkeypatch):
    """The limit was measured out for a dealer; what is compiled needs hardly any."""
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10**9, 10**9))
    assert not LaneLoader().ready(LONG)
    assert compilers == []
    kept.code = b"code"
    assert LaneLoader().ready(LONG)


@pytest.mark.parametrize(("cores", "matches"), [(1, 0), (2, 1), (8, 4)])
def test_matches_look_for_bytes_while_each_has_two_cores(cores, matches):
    """One more, and all of them sleep instead."""
    loader = LaneLoader(cores)
    loader.visits = matches
    assert loader.looks > 0
    loader.visits += 1
    assert loader.looks == 0
