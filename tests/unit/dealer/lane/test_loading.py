"""When the lane's code is loaded and compiled; neither happens here."""

import pytest

from dealer.lane import loading
from dealer.lane.loading import LaneLoader


class Loader(LaneLoader):
    """Notes what it would do, at a time that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.begun: list[bool] = []
        super().__init__(lambda: self.now)

    def begin(self, *, compiling: bool) -> None:
        self.begun.append(compiling)


@pytest.fixture(params=[False, True], ids=["nothing compiled", "compiled"])
def compiled(request, monkeypatch) -> bool:
    monkeypatch.setattr(loading, "_was_compiled", lambda: request.param)
    return request.param


def looks_after(seconds: float, *, played: int, wanted: int, first: int = 0) -> list[bool]:
    """Let a match look when it begins and once more; return what was begun."""
    loader = Loader()
    loader.consider(first, wanted)
    loader.now += seconds
    loader.consider(played, wanted)
    return loader.begun


def test_a_match_that_is_soon_over_loads_nothing(compiled):
    """Nine seconds are left: 2000 hands in two seconds, 9000 to go."""
    assert looks_after(2.0, played=2000, wanted=11_000) == []


def test_a_longer_one_loads_what_is_compiled(compiled):
    """Twenty seconds are left; compiling would take longer than that."""
    assert looks_after(2.0, played=2000, wanted=22_000) == ([False] if compiled else [])


def test_a_long_one_compiles_too(compiled):
    """Half an hour is left."""
    assert looks_after(2.0, played=2000, wanted=2_000_000) == [True]


def test_the_pace_is_that_since_the_first_look(compiled):
    """A match that is resumed has played hands before."""
    assert looks_after(2.0, played=50_002, wanted=50_004, first=50_000) == []


def test_nothing_is_known_of_the_first_second(compiled):
    """However long the match may be."""
    assert looks_after(0.9, played=1000, wanted=10**9) == []


def test_the_compiler_ends_with_the_match(monkeypatch, tmp_path):
    """What it was about to do is of no use any more."""
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(loading, "_COMPILE", "import time; time.sleep(60)")
    monkeypatch.setattr(loading, "_is_compiled", lambda: False)
    loader = LaneLoader(lambda: 0.0)
    loader.begin(compiling=True)
    loader.close()
    loader._thread.join(30)
    assert loader.over
    assert loader.made is None
