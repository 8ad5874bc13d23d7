"""Players that take a time budget, and players that do not."""

from functools import partial, wraps
from math import inf

import pytest

from engine.play.budget import UNLIMITED, TimeBudget, with_budget, without_budget


def plain(view):
    return view, None


def timed(view, budget):
    return view, budget


def timed_by_default(view, budget=UNLIMITED):
    return view, budget


def with_an_affair_of_its_own(view, rng=None):
    return view, rng


class Both:
    """Methods of either form."""

    def plain(self, view):
        return plain(view)

    def timed(self, view, budget):
        return timed(view, budget)

    def timed_by_name(self, view, *, budget):
        return timed(view, budget)

    def timed_by_name_or_not(self, view, *, budget=UNLIMITED):
        return timed(view, budget)

    def keyword_only(self, view, *, loud=False):
        return plain(view)


def wrapped(act):
    """Return `act` as a decorator may that says nothing of its arguments."""

    def wrapper(*args, **kwargs):
        return act(*args, **kwargs)

    return wrapper


@pytest.mark.parametrize(
    "act",
    [
        timed, timed_by_default, Both().timed, Both().timed_by_name, Both().timed_by_name_or_not,
        partial(timed), lambda view, loud=False, budget=UNLIMITED: (view, budget),
        lambda view, time_left: (view, time_left), wraps(timed)(wrapped(timed)),
    ],
)  # fmt: skip
def test_an_act_that_wants_the_budget_is_told(act):
    """As its second argument, or by name; functions, methods, defaults and wrappers."""
    assert with_budget(act)("view", TimeBudget(3.0)) == ("view", TimeBudget(3.0))
    assert without_budget(act)("view") == ("view", UNLIMITED)


@pytest.mark.parametrize(
    "act",
    [
        plain, Both().plain, Both().keyword_only, partial(timed, budget=None),
        with_an_affair_of_its_own, wrapped(plain), lambda *told: (told[0], None),
        lambda budget: (budget, None),
    ],
)  # fmt: skip
def test_an_act_of_one_argument_is_not_told(act):
    """It is called with the view alone."""
    assert with_budget(act)("view", TimeBudget(3.0)) == ("view", None)
    assert without_budget(act) is act


def test_a_callable_that_does_not_tell_its_arguments_is_called_with_one():
    """Those of C, for instance."""
    assert with_budget(max)("view", UNLIMITED) == "w"


def test_nothing_said_is_no_limit():
    """A budget without numbers is infinite."""
    assert (inf, inf, inf) == UNLIMITED
