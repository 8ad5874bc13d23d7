"""What is done by a player who is ready to put in so many chips, at the borders."""

import math

import pytest

from agents.compiled.bid_kernels import bid
from engine.rules.fast_state import CALL, FOLD, RAISE
from tests.helpers.views import FIRST

ALL = 20000


def spot_of(spent=100, to_call=200, low=500, pot=400):
    """Return a spot before the flop, blinds of 50 and 100, stacks of 20000; a raise to 300."""
    high = ALL if low else 0
    return FIRST._replace(
        pot=pot, to_match=spent + to_call, spent=spent, to_call=to_call, low=low, high=high
    )


def below(number):
    """Return the float before a number."""
    return math.nextafter(number, -math.inf)


@pytest.mark.parametrize(
    ("ready", "action"),
    [
        (0.0, (FOLD, 0)),
        (below(200.0), (FOLD, 0)),
        (200.0, (CALL, 0)),
        (below(400.0), (CALL, 0)),
        (400.0, (RAISE, 500)),
        (449.0, (RAISE, 500)),
        (451.0, (RAISE, 600)),
        (19849.0, (RAISE, 19900)),
        (19851.0, (RAISE, ALL)),
        (19900.0, (RAISE, ALL)),
    ],
)
def test_a_raise_is_met_by_what_it_is_worth(ready, action):
    """Just below and at the call of 200 chips, the smallest raise by 400, and all of 19900."""
    assert bid(spot_of(), ready) == action


ALL_IN = spot_of(to_call=ALL - 100, low=0, pot=ALL + 100)
CHECKED = spot_of(to_call=0, low=200, pot=200)


@pytest.mark.parametrize(
    ("spot", "ready", "action"),
    [
        (CHECKED, 0.0, (CALL, 0)),
        (CHECKED, below(100.0), (CALL, 0)),
        (CHECKED, 100.0, (RAISE, 200)),
        (CHECKED, 151.0, (RAISE, 300)),
        (ALL_IN, below(19900.0), (FOLD, 0)),
        (ALL_IN, 19900.0, (CALL, 0)),
        (ALL_IN, ALL, (CALL, 0)),
        (spot_of(to_call=230, low=560, pot=430), 460.0, (RAISE, 600)),
        (spot_of(to_call=230, low=530, pot=430), 430.0, (RAISE, 500)),
    ],
)
def test_a_check_is_free_and_all_in_is_called_with_all_or_not(spot, ready, action):
    """The smallest bet is a big blind.

    Where the smallest raise is no whole number of big blinds, what is asked may be less: a short
    raise is left to the engine.
    """
    assert bid(spot, ready) == action


@pytest.mark.parametrize(
    ("ready", "action"),
    [(below(50.0), FOLD), (50.0, CALL), (below(150.0), CALL), (150.0, RAISE), (19950.0, RAISE)],
)
def test_the_small_blind_need_not_be_whole_big_blinds(ready, action):
    """A raise to 250 is the nearest to one to 200; all-in the engine cuts what is too much."""
    kind, raise_to = bid(spot_of(spent=50, to_call=50, low=200, pot=150), ready)
    assert kind == action
    if kind == RAISE:
        assert raise_to >= 200
        assert (raise_to - 50) % 100 == 0
        assert abs(raise_to - 50 - ready) <= 50
