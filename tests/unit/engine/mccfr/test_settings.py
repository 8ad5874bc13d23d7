import math

import pytest

from engine.cfr.variants import VARIANTS
from engine.mccfr.settings import WHOLE_FLOOR, MccfrSettings, Pruning


def test_linear_periods_weigh_by_their_number():
    """Factors between periods multiply up to weights 1, 2, 3, ... of the last one."""
    settings = MccfrSettings(period=10)
    weights = []
    for period in range(1, 6):
        weights = [weight * settings.step_of(10 * (period - 1)).positive for weight in weights]
        weights.append(1.0)
    assert weights == pytest.approx([1 / 5, 2 / 5, 3 / 5, 4 / 5, 1])


def test_tables_are_scaled_after_whole_periods_only():
    """Not at the start, not within, and not after the last period."""
    settings = MccfrSettings(period=10, periods=3)
    assert [n for n in range(100) if settings.discounts_at(n)] == [10, 20]
    assert settings.step_of(25) == settings.step_of(1000)


@pytest.mark.parametrize(
    ("settings", "iterations", "left"),
    [
        (MccfrSettings(period=10), 0, 10),
        (MccfrSettings(period=10), 13, 7),
        (MccfrSettings(period=10, merge_every=4, workers=2), 13, 3),
        (MccfrSettings(period=10, pruning=Pruning(-1.0, 1.0, after=15)), 13, 2),
        (MccfrSettings(period=10, pruning=Pruning(-1.0, 1.0, after=15)), 15, 5),
    ],
)
def test_a_stretch_ends_where_something_changes(settings, iterations, left):
    """Periods, merges and the start of pruning."""
    assert settings.until_change(iterations) == left


def test_floors_are_told_in_units_of_the_table():
    """A floored variant has zero, int32 tables a floor of their own."""
    assert MccfrSettings().lowest == -math.inf
    assert MccfrSettings(floor=-50.0, unit=0.5).lowest == -100
    assert MccfrSettings(VARIANTS["cfr+"]).lowest == 0
    assert MccfrSettings(whole_regrets=True).lowest == WHOLE_FLOOR
    assert MccfrSettings(whole_regrets=True, floor=-1000.0).lowest == -1000


def test_tables_are_counted():
    """One to learn in, one for each worker that has its own."""
    assert MccfrSettings(workers=2).tables == 1
    assert MccfrSettings(workers=2, merge_every=1000).tables == 3


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"variant": VARIANTS["hedge"]}, "plain regret matching"),
        ({"variant": VARIANTS["pcfr+"]}, "plain regret matching"),
        ({"variant": VARIANTS["beta-rm(2)"]}, "plain regret matching"),
        ({"period": 0}, "at least 1"),
        ({"period": 1.5}, "period 1.5: want a whole number"),
        ({"period": math.nan}, "period nan: want a whole number"),
        ({"workers": 0}, "at least 1"),
        ({"merge_every": -1}, "not negative"),
        ({"periods": 0}, "0 periods"),
        ({"unit": 0.0}, "unit of 0.0"),
        ({"unit": math.inf}, "unit of inf"),
        ({"floor": 1.0}, "floor of 1.0"),
        ({"floor": math.nan}, "floor of nan"),
        ({"exploration": -0.1}, "exploration -0.1"),
        ({"exploration": 1.0}, "exploration 1.0"),
        ({"exploration": math.nan}, "exploration nan"),
        ({"exploration": 0.1, "mistakes": 0.2}, "mistakes 0.2"),
        ({"mistakes": -1.0}, "mistakes -1.0"),
        ({"whole_regrets": True, "merge_every": 5}, "float regrets"),
        ({"merge_every": 5}, "several workers"),
    ],
)
def test_settings_that_make_no_sense_are_refused(changes, message):
    """With a line that says which."""
    with pytest.raises(ValueError, match=message):
        MccfrSettings(**changes)


@pytest.mark.parametrize(
    ("pruning", "changes", "message"),
    [
        ({"threshold": 0.0}, {}, "pruning"),
        ({"softness": 0.0}, {}, "pruning"),
        ({"least": 0.0}, {}, "pruning"),
        ({"least": 1.5}, {}, "pruning"),
        ({"after": -1}, {}, "pruning"),
        ({"threshold": math.nan}, {}, "pruning"),
        ({"softness": math.inf}, {}, "pruning"),
        ({}, {"floor": -10.0}, "nothing would be pruned"),
        ({}, {"floor": -100.0}, "nothing would be pruned"),
        ({"threshold": -5e6}, {"whole_regrets": True, "unit": 0.01}, "nothing would be pruned"),
        ({}, {"variant": VARIANTS["cfr+"]}, "nothing would be pruned"),
        ({"threshold": -math.inf}, {}, "nothing would be pruned"),
    ],
)
def test_pruning_that_makes_no_sense_is_refused(pruning, changes, message):
    """Of good actions, of hopeless ones for good, or below the lowest regret."""
    with pytest.raises(ValueError, match=message):
        MccfrSettings(
            pruning=Pruning(**{"threshold": -100.0, "softness": 5.0} | pruning), **changes
        )


def test_pruning_just_above_the_lowest_regret_is_fine():
    """A floor a little below the threshold, in whatever unit."""
    pruning = Pruning(-99.0, 5.0)
    assert MccfrSettings(pruning=pruning, floor=-100.0, unit=0.5).lowest == -200
    assert MccfrSettings(pruning=Pruning(-3e6, 5.0), whole_regrets=True, unit=0.01).unit == 0.01
