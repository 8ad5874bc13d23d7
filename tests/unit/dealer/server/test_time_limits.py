"""Time limits, accounts, and a deadline that moves."""

import math

import pytest

from dealer.plan.match_plan import MatchLimits
from dealer.server.time_limits import Deadline, TimeAccounts, TimeLimits
from tests.helpers.fake_clock import FakeClock

LIMITS = TimeLimits(response=1.0, hand=2.0, match=3.0)


def test_exactly_the_limit_is_allowed():
    """The original compares with "greater than"."""
    accounts = TimeAccounts([LIMITS] * 2)
    assert accounts.allows(0, 1.0)
    assert not accounts.allows(0, 1.0000001)


def test_a_hand_and_the_match_add_up_per_seat():
    """Each seat has its own accounts; a new hand clears only the hand's."""
    accounts = TimeAccounts([LIMITS] * 2)
    accounts.charge(0, 1.0)
    accounts.charge(0, 1.0)
    assert not accounts.allows(0, 0.1)
    assert accounts.allows(1, 1.0)
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


def test_a_clock_that_steps_back_costs_nothing():
    """Negative times are not paid back either."""
    accounts = TimeAccounts([LIMITS])
    accounts.charge(0, -5.0)
    assert accounts.match == [0.0]


def test_limits_from_the_command_line():
    """The match's budget is the average times the hands; a negative limit is none."""
    limits = TimeLimits.of(MatchLimits(-1, 500, 7000), 10)
    assert limits == TimeLimits(math.inf, 0.5, 70.0)


@pytest.fixture
def clock():
    return FakeClock()


def rings(clock: FakeClock, *moves: float) -> list[float]:
    """Set a deadline to each of `moves` seconds from now; return when it rings."""
    start = clock.now
    rung: list[float] = []
    deadline = Deadline(clock, lambda: rung.append(clock.now - start))
    for move in moves:
        deadline.set(start + move)
    clock.advance(1000.0)
    return rung


def test_it_rings_once_when_the_last_deadline_has_passed(clock):
    """Moving it on puts it off; the timer of the first deadline does not ring."""
    assert rings(clock, 2.0, 5.0, 8.0) == [8.0]


def test_it_can_be_moved_forward(clock):
    """A sooner deadline rings sooner."""
    assert rings(clock, 50.0, 3.0) == [3.0]


def test_without_a_deadline_it_never_rings(clock):
    """Neither when there is none, nor when it was taken away."""
    assert rings(clock, math.inf) == []
    assert rings(clock, 2.0, math.inf) == []


def test_a_cancelled_one_never_rings(clock):
    """Its timer is taken back."""
    deadline = Deadline(clock, pytest.fail)
    deadline.set(clock.now + 1)
    deadline.cancel()
    assert clock.pending == []


def test_moving_it_on_sets_no_timer(clock):
    """One timer serves many messages."""
    deadline = Deadline(clock, lambda: None)
    for seconds in range(1, 100):
        deadline.set(clock.now + seconds)
    assert clock.pending == [clock.now + 1]


def test_it_can_be_set_again_after_it_rang(clock):
    """Each deadline rings once."""
    rung = []
    deadline = Deadline(clock, lambda: rung.append(clock.now))
    for _ in range(2):
        deadline.set(clock.now + 1)
        clock.advance(1)
    assert rung == [1001.0, 1002.0]
