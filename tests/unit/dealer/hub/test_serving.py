"""How a server is stopped: what it says at once, and what a second Ctrl-C does."""

import asyncio
import os
import sys

import pytest

from dealer.hub import serving
from dealer.hub.errors import StoreFault


class Running:
    """A store that knows of some running matches, or cannot be read."""

    def __init__(self, count):
        self._count = count

    def matches(self, state):
        """As many as were wished for."""
        assert state == "running"
        if self._count is None:
            raise StoreFault("the disk is gone")
        return [object()] * self._count


def test_a_stop_is_told_at_once_and_the_second_ends_the_process(capsys, monkeypatch):
    """In one line, with the number of paused matches, whatever the database does."""
    monkeypatch.setattr(os, "_exit", sys.exit)
    for count, words in (
        (0, "Stopping;"),
        (1, ": 1 match is "),
        (2, ": 2 matches are "),
        (None, "Stopping;"),
    ):
        stop = asyncio.Event()
        serving._stop(stop, Running(count))
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1
        assert words in captured.err
        assert stop.is_set()
    with pytest.raises(SystemExit) as end:
        serving._stop(stop, Running(0))
    assert end.value.code == 130
