"""Cores that a process may keep busy."""

import os

import pytest

from engine.parallel import cores
from engine.parallel.cores import core_count, usable_cores


@pytest.mark.skipif(not cores.CAN_PIN, reason="needs processor affinity")
def test_cores_are_those_that_the_system_allows():
    """A process that was kept on one core has one."""
    before = os.sched_getaffinity(0)
    assert usable_cores() == sorted(before)
    os.sched_setaffinity(0, {max(before)})
    try:
        assert usable_cores() == [max(before)]
        assert core_count() == 1
    finally:
        os.sched_setaffinity(0, before)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (None, 8), ("max 100000\n", 8), ("200000 100000\n", 2), ("250000 100000\n", 2),
        ("50000 100000\n", 1), ("10000000 100000\n", 8), ("100000 0\n", 8), ("rubbish", 8),
    ],
)  # fmt: skip
def test_a_share_of_the_processors_counts(monkeypatch, tmp_path, text, count):
    """As containers have one; a machine of many cores does not help them."""
    monkeypatch.setattr(cores, "usable_cores", lambda: list(range(8)))
    if text is not None:
        (tmp_path / "cpu.max").write_text(text)
    assert core_count(tmp_path / "cpu.max") == count
