"""When the lane's code is loaded and compiled; neither happens here."""

import resource
import threading

import pytest

from dealer.lane import loading
from dealer.lane.loading import LaneLoader


@pytest.fixture(params=[False, True], ids=["nothing compiled", "compiled"])
def compiled(request, monkeypatch) -> bool:
    monkeypatch.setattr(loading, "_was_compiled", lambda: request.param)
    return request.param


class Compiler:
    """A process that compiles, and is at its end when it is told to be."""

    def __init__(self) -> None:
        self.code: int | None = None

    def poll(self) -> int | None:
        return self.code


class Pace:
    """A match whose time is set by hand, and its loader."""

    def __init__(self, monkeypatch, wanted: int, first: int = 0) -> None:
        self.now = 100.0
        self.wanted = wanted
        self.compilers: list[Compiler] = []
        monkeypatch.setattr(loading, "_start_compiler", self._start)
        self.loader = LaneLoader(lambda: self.now)
        assert not self.loader.pays(first, wanted)

    def _start(self) -> Compiler:
        self.compilers.append(Compiler())
        return self.compilers[-1]

    def pays_after(self, seconds: float, played: int) -> bool:
        self.now += seconds
        return self.loader.pays(played, self.wanted)


def test_a_match_that_is_soon_over_loads_nothing(monkeypatch, compiled):
    """9999 hands are left, played in some seconds in either way."""
    pace = Pace(monkeypatch, 11_999)
    assert not pace.pays_after(2.0, 2000)
    assert pace.compilers == []


def test_a_longer_one_loads_what_is_compiled(monkeypatch, compiled):
    """Compiling would take longer than it could save."""
    pace = Pace(monkeypatch, 12_000)
    assert pace.pays_after(2.0, 2000) == compiled
    assert pace.compilers == []


def test_a_long_one_compiles_too_and_plays_on_meanwhile(monkeypatch, compiled):
    """There are minutes to be saved."""
    pace = Pace(monkeypatch, 300_000)
    assert pace.pays_after(2.0, 2000) == compiled
    if not compiled:
        assert not pace.pays_after(1.0, 3000)
        pace.compilers[0].code = 0
        assert pace.pays_after(1.0, 4000)
        assert len(pace.compilers) == 1


def test_a_compiler_that_fails_is_not_started_again(monkeypatch):
    """The match is played without the lane."""
    monkeypatch.setattr(loading, "_was_compiled", lambda: False)
    pace = Pace(monkeypatch, 300_000)
    assert not pace.pays_after(2.0, 2000)
    pace.compilers[0].code = 1
    assert not pace.pays_after(1.0, 3000)
    assert len(pace.compilers) == 1


def test_code_of_another_state_is_compiled_anew(monkeypatch):
    """What is there cannot be loaded, which shows when it is tried; once more is enough."""
    monkeypatch.setattr(loading, "_was_compiled", lambda: True)
    monkeypatch.setattr(loading, "_is_compiled", lambda: False)
    pace = Pace(monkeypatch, 300_000)
    assert pace.pays_after(2.0, 2000)
    assert pace.loader.load(compiling=False) is None
    assert not pace.pays_after(1.0, 3000)
    pace.compilers[0].code = 0
    assert pace.pays_after(1.0, 4000)
    assert pace.loader.load(compiling=False) is None
    assert not pace.pays_after(1.0, 5000)
    assert len(pace.compilers) == 1


def test_a_match_of_slow_bots_loads_nothing(monkeypatch, compiled):
    """However long it is: at 49 hands a second the dealer is not what it waits for."""
    pace = Pace(monkeypatch, 10**9)
    assert not pace.pays_after(2.0, 98)
    assert pace.compilers == []


def test_the_pace_is_that_since_the_first_look(monkeypatch, compiled):
    """A match that is resumed has played hands before."""
    assert not Pace(monkeypatch, 10**9, first=50_000).pays_after(2.0, 50_098)


def test_nothing_is_known_of_the_first_second(monkeypatch, compiled):
    """However quick and long the match may be."""
    assert not Pace(monkeypatch, 10**9).pays_after(0.9, 1000)


def test_the_compiler_ends_with_the_match(monkeypatch):
    """Whoever waits for it goes on without the code."""
    monkeypatch.setattr(loading, "_COMPILE", "import time; time.sleep(60)")
    monkeypatch.setattr(loading, "_is_compiled", lambda: False)
    loader = LaneLoader(lambda: 0.0)
    made = []
    thread = threading.Thread(target=lambda: made.append(loader.load(compiling=True)))
    thread.start()
    loader.close()
    thread.join(30)
    assert made == [None]


@pytest.mark.parametrize("error", [ImportError, MemoryError, OSError, RuntimeError])
def test_code_that_cannot_be_loaded_is_done_without(monkeypatch, error):
    """A machine with too little memory, or without the compiler: the match is played as ever."""

    def fail() -> None:
        raise error("no")

    monkeypatch.setattr(loading, "_was_compiled", lambda: True)
    monkeypatch.setattr(loading, "_is_compiled", lambda: True)
    monkeypatch.setattr(loading, "load_lane", fail)
    pace = Pace(monkeypatch, 300_000)
    assert pace.pays_after(2.0, 2000)
    assert pace.loader.load(compiling=False) is None
    assert not pace.pays_after(1.0, 3000)


def test_a_process_that_cannot_be_started_compiles_nothing(monkeypatch):
    """It is tried twice; the match goes on."""
    tried = []

    def fail(*_words, **_options) -> None:
        tried.append(1)
        raise OSError("no more processes")

    monkeypatch.setattr(loading, "_was_compiled", lambda: False)
    monkeypatch.setattr(loading.subprocess, "Popen", fail)
    loader = LaneLoader(iter(range(100)).__next__)
    assert not any(loader.pays(1000 * hands, 10**6) for hands in range(20))
    assert len(tried) == 2


def test_who_limits_the_memory_gets_no_lane_unasked(monkeypatch):
    """The limit was measured out for a dealer that loads no compiler."""
    monkeypatch.setattr(loading, "_was_compiled", lambda: True)
    limits = [(10**9, 10**9)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    pace = Pace(monkeypatch, 300_000)
    assert not pace.pays_after(2.0, 2000)
    assert not LaneLoader.pays_at_once(300_000)
    limits.append((resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert pace.pays_after(1.0, 3000)
    assert LaneLoader.pays_at_once(300_000)
