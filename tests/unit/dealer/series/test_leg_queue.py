"""Which leg is next: those of several owners in turn."""

import pytest

from dealer.series.leg_queue import LegQueue
from dealer.series.leg_settings import LegSettings
from dealer.series.series import Series


class Owner:
    """Has some legs."""

    def __init__(self, *legs):
        self.legs = [*legs]

    def take(self):
        return (None, self.legs.pop(0)) if self.legs else None


def test_owners_take_turns():
    """One that has none just then is passed over, and asked again."""
    late = Owner()
    queue = LegQueue(Owner("a1", "a2", "a3"), late, Owner("c1"))
    assert [queue.take().leg for _ in range(2)] == ["a1", "c1"]
    late.legs.append("b1")
    assert [task.leg for task in iter(queue.take, None)] == ["a2", "b1", "a3"]


@pytest.fixture
def series(make_manifest, tmp_path):
    """A match of two runs, four legs."""
    manifest = make_manifest(runs=2)
    return Series(manifest, tmp_path, -1, lambda *_: LegSettings(manifest, tmp_path, print))


def test_legs_are_counted_before_any_is_taken(series):
    """Counting takes none away; legs that are over are not among them."""
    (series.folder / "A.B.0.0.log").write_text("STATE:\n" * 4 + "SCORE:1|-1:A|B\n")
    assert series.count_left() == 3
    assert series.take()[1].name == "A.B.0.1"
