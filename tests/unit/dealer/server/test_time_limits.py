"""Time limits and accounts."""

import math

from dealer.plan.match_plan import MatchLimits
from dealer.server.time_limits import TimeAccounts, TimeLimits

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
    assert accounts.left(0) == 1.0
    accounts.charge(0, 0.9)
    assert not accounts.allows(0, 0.2)


def test_each_seat_has_its_own_limits():
    """Who may take longer does not lend it to the other; the scarcer one is named for each."""
    accounts = TimeAccounts([LIMITS, TimeLimits(10.0, 30.0, 20.0)])
    assert not accounts.charge(0, 1.5)
    assert accounts.charge(1, 9.0)
    assert accounts.charge(1, 9.0)
    assert (accounts.left(0), accounts.left(1)) == (2.0, 2.0)
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
