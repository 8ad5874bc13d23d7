"""Time limits, accounts, and a deadline that moves."""

import math

import pytest

from dealer.plan.match_plan import MatchLimits
from dealer.server.time_limits import Deadline, TimeAccounts, TimeLimits
from tests.helpers.fake_clock import FakeClock

LIMITS = TimeLimits(response=1.0, hand=2.0, match=3.0)


def test_a_hand_and_the_match_add_up_per_seat():
    """Each seat has its own accounts; a new hand clears only the hand's."""
    accounts = TimeAccounts([LIMITS] * 2)
    for seconds in (1.0, 1.0, -5.0):  # a clock that steps back pays nothing back
        accounts.charge(0, seconds)
    assert not accounts.allows(0, 0.1)
    assert (accounts.allows(1, 1.0), accounts.allows(1, 1.0000001)) == (True, False)
    accounts.new_hand()
    assert accounts.allows(0, 1.0)
    assert accounts.seconds_left(0) == 1.0
    accounts.charge(0, 0.9)
    assert not accounts.allows(0, 0.2)


def test_each_seat_has_its_own_limits():
    """Who may take longer does not lend it to the other; the scarcer one is named for each."""
    accounts = TimeAccounts([LIMITS, TimeLimits(10.0, 30.0, 20.0)])
    assert not accounts.charge(0, 1.5)
    assert accounts.charge(1, 9.0)
    assert accounts.charge(1, 9.0)
    assert (accounts.seconds_left(0), accounts.seconds_left(1)) == (2.0, 2.0)
    assert (accounts.scarcer(0), accounts.scarcer(1)) == ("--t_hand", "--t_per_hand")


def test_limits_from_the_command_line():
    """The match's budget is the average times the hands; a negative limit is none."""
    limits = TimeLimits.of(MatchLimits(-1, 500, 7000), 10)
    assert limits == TimeLimits(math.inf, 0.5, 70.0)


@pytest.mark.parametrize(
    ("moves", "rung"),
    [((2.0, 5.0, 8.0), [8.0]), ((50.0, 3.0), [3.0]), ((math.inf,), []), ((2.0, math.inf), [])],
)
def test_it_rings_once_when_the_last_deadline_has_passed(moves, rung):
    """Moved on, moved forward; none, or one that was taken away, never rings."""
    clock, heard = FakeClock(), []
    start = clock.now
    deadline = Deadline(clock, lambda: heard.append(clock.now - start))
    for move in moves:
        deadline.set(start + move)
    clock.advance(1000.0)
    assert heard == rung


def test_one_timer_serves_many_deadlines():
    """It is set once, taken back with the last of them, and set again after it rang."""
    clock, heard = FakeClock(), []
    deadline = Deadline(clock, lambda: heard.append(clock.now))
    for seconds in range(1, 100):
        deadline.set(clock.now + seconds)
    assert clock.pending == [clock.now + 1]
    deadline.cancel()
    assert clock.pending == []
    for _ in range(2):
        deadline.set(clock.now + 1)
        clock.advance(1)
    assert heard == [1001.0, 1002.0]
