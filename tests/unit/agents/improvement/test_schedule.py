"""When the rounds of a service begin."""

import argparse
from datetime import datetime, time

import pytest

from agents.improvement.schedule import Daily, Every, time_of_day_word


def at(text):
    """Return a local time as seconds since 1970."""
    return datetime.fromisoformat(text).timestamp()


def test_daily_rounds_begin_at_their_time():
    """The first at the next such time, a missed one at once, never two a day."""
    daily = Daily(time(3, 30))
    assert daily.next_round(0, at("2026-05-01 02:00")) == at("2026-05-01 03:30")
    assert daily.next_round(0, at("2026-05-01 04:00")) == at("2026-05-02 03:30")
    began = at("2026-05-01 03:30") + 0.2
    assert daily.next_round(began, at("2026-05-01 09:00")) == at("2026-05-02 03:30")
    assert daily.next_round(began, at("2026-05-04 09:00")) == at("2026-05-04 09:00")
    late = at("2026-05-01 23:59")
    assert daily.next_round(late, at("2026-05-02 01:00")) == at("2026-05-02 03:30")


def test_rounds_come_so_long_after_one_another():
    """Counted from their beginnings; the first at once, and so is one that is late."""
    every = Every(2.0)
    assert every.next_round(0, 50.0) == 50
    assert every.next_round(100.0, 200.0) == 7300
    assert every.next_round(100.0, 9000.0) == 9000


def test_a_time_of_day_is_read():
    """And nothing else is."""
    assert time_of_day_word("03:30") == time(3, 30)
    for word in ("3", "25:00", "3:60", "03:30:10", "noon", ""):
        with pytest.raises(argparse.ArgumentTypeError, match="want HH:MM"):
            time_of_day_word(word)
