"""How far spectators are behind, by a clock of the test."""

import os
import threading

import pytest

from dealer.web import delay as delay_module
from dealer.web.delay import Delay


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands at 1000 s until it is set."""
    now = [1000.0]
    monkeypatch.setattr(delay_module.time, "time", lambda: now[0])
    return now


def grow(log, size, when):
    log.write_bytes(b"x" * size)
    os.utime(log, (when, when))


def test_what_is_old_enough_is_told_and_nothing_younger(tmp_path, clock):
    """From what was seen whenever somebody asked."""
    log, delay = tmp_path / "x.log", Delay(30.0)
    grow(log, 10, 960.0)
    assert delay.end(log) == 10
    grow(log, 20, 1000.0)
    assert delay.end(log) == 10
    clock[0] = 1020.0
    grow(log, 30, 1020.0)
    assert delay.end(log) == 10
    clock[0] = 1030.0
    assert delay.end(log) == 20
    clock[0] = 1049.9
    assert delay.end(log) == 20
    clock[0] = 1050.0
    assert delay.end(log) == 30


def test_a_log_that_is_another_one_begins_anew(tmp_path, clock):
    """A shorter file or a new one is none of which anything is known; one that is gone an error."""
    log, delay = tmp_path / "x.log", Delay(30.0)
    grow(log, 10, 900.0)
    assert delay.end(log) == 10
    grow(log, 5, 1000.0)
    assert delay.end(log) == 0
    clock[0] = 1031.0
    assert delay.end(log) == 5
    grow(tmp_path / "y.log", 20, 1031.0)
    os.replace(tmp_path / "y.log", log)
    assert delay.end(log) == 0
    log.unlink()
    with pytest.raises(OSError, match=r"x\.log"):
        delay.end(log)


def test_many_who_ask_while_a_log_grows_are_told_the_same(tmp_path, clock, monkeypatch):
    """Who has looked before it grew, and is slow, has not found another log."""
    delay = Delay(30.0)
    others = []

    fstat = os.fstat

    def slow(file):
        found = fstat(file)
        if found.st_size == 15 and not others:
            others.append(threading.Thread(target=delay.end, args=(log,)))
            grow(log, 20, 1000.0)
            others[0].start()
            others[0].join(0.1)
        return found

    monkeypatch.setattr(delay_module.os, "fstat", slow)
    log = tmp_path / "x.log"
    grow(log, 10, 960.0)
    assert delay.end(log) == 10
    grow(log, 15, 990.0)
    assert delay.end(log) == 10
    others[0].join()
    assert delay.end(log) == 10


def test_another_match_in_the_same_file_begins_anew(tmp_path, clock):
    """Also where it is longer than the one before by the next look, and says an old time."""
    log, delay = tmp_path / "x.log", Delay(30.0)
    grow(log, 5000, 900.0)
    assert delay.end(log) == 5000
    log.write_bytes(b"y" * 9000)
    os.utime(log, (900.0, 900.0))
    assert delay.end(log) == 0
    clock[0] = 1029.9
    assert delay.end(log) == 0
    clock[0] = 1030.0
    assert delay.end(log) == 9000


def test_what_a_resumed_match_takes_back_hides_no_more(tmp_path, clock):
    """Hands before the end that was taken back have been seen."""
    log, delay = tmp_path / "x.log", Delay(30.0)
    grow(log, 5000, 900.0)
    assert delay.end(log) == 5000
    log.write_bytes(b"x" * 5000 + b"SCORE")
    assert delay.end(log) == 5000
    log.write_bytes(b"x" * 5000 + b"STATE:1")
    assert delay.end(log) == 5000
    clock[0] = 1e10
    assert delay.end(log) == 5007
