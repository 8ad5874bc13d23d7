"""The CFR family as data."""

import math

import pytest

from engine.cfr.variants import VARIANTS, Discount, Matching, Step, Variant, beta_rm, discounted


def test_plain_cfr_does_nothing_but_add():
    """At every iteration."""
    plain = Step(1.0, 1.0, False, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0)
    assert VARIANTS["cfr"].step(7) == plain


def test_names_are_those_of_the_variants():
    """So that a name on a command line finds its variant."""
    assert all(name == variant.name for name, variant in VARIANTS.items())
    assert beta_rm(2.0) == VARIANTS["beta-rm(2)"]
    assert discounted(1.5, 0, 2).name == "dcfr(1.5,0,2)"


@pytest.mark.parametrize("t", [1, 2, 10])
def test_discounts_are_those_after_the_iteration_before(t):
    """DCFR's factors of t - 1, just before the regrets of t are added."""
    step = VARIANTS["dcfr"].step(t)
    before = t - 1
    expected = before**1.5 / (before**1.5 + 1) if before else 1.0
    assert step.positive == pytest.approx(expected)
    assert step.negative == (0.5 if before else 1.0)
    assert VARIANTS["lcfr"].step(t).negative == pytest.approx(before / t if before else 1.0)


def test_dcfr_plus_and_pdcfr_plus_use_the_published_factors():
    """Offset 1.5 in one, exponent 2.3 and the next discount for the prediction in the other."""
    assert VARIANTS["dcfr+"].step(5).positive == pytest.approx(8 / (8 + 1.5))
    step = VARIANTS["pdcfr+"].step(5)
    assert step.positive == pytest.approx(4**2.3 / (4**2.3 + 1))
    assert step.carry == pytest.approx(5**2.3 / (5**2.3 + 1))
    assert step.prediction == 1
    assert VARIANTS["sapcfr+"].step(5).prediction == pytest.approx(1 / 3)


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0])
def test_average_weighs_iterations_by_a_power(power):
    """keep and weight together give iteration t the weight t**power, up to a common factor."""
    variant = VARIANTS["cfr"].averaging(power)
    weights = [0.0] * 6
    for t in range(1, 7):
        step = variant.step(t)
        weights = [weight * step.keep for weight in weights]
        weights[t - 1] += step.weight
    assert weights == pytest.approx([(t / 6) ** power for t in range(1, 7)])


def test_delay_leaves_the_first_iterations_out():
    """They add nothing, and weights count from there."""
    variant = VARIANTS["cfr+"].averaging(1, delay=3)
    steps = [variant.step(t) for t in range(1, 6)]
    assert [step.weight for step in steps] == [0, 0, 0, 1, 1]
    assert [step.keep for step in steps] == [1, 1, 1, 0, 0.5]


def test_hedges_rate_falls_with_the_spread_and_the_iteration():
    """sqrt(8 ln 2 / t) over the spread; constant with a power of 0."""
    assert VARIANTS["hedge"].step(4, 3).rate == pytest.approx(math.sqrt(2 * math.log(2)) / 3)
    fixed = Variant("fixed", matching=Matching.HEDGE, rate=0.5 / math.sqrt(100), rate_power=0)
    assert fixed.step(4, 3).rate == fixed.step(9, 3).rate
    assert fixed.step(4, 3).rate == pytest.approx(math.sqrt(2 * math.log(2) / 100) / 3)


def test_a_plain_rate_is_the_same_always():
    """Whatever iteration and spread; the kernels are told to leave it as it is."""
    steps = [VARIANTS["hedge(1)"].step(t, spread) for t, spread in ((1, 1.0), (900, 40.0))]
    assert [(step.rate, step.plain) for step in steps] == [(1.0, True)] * 2
    assert not VARIANTS["hedge"].step(4).plain
    assert not VARIANTS["cfr"].step(4).plain


def test_rate_by_variance_is_told_beside_the_plain_rate():
    """sqrt(ln 2 / t) / 3; other variants tell none."""
    step = VARIANTS["hedge-var"].step(4, 3)
    assert step.variance_rate == pytest.approx(math.sqrt(math.log(2)) / 6)
    assert step.rate == VARIANTS["hedge"].step(4, 3).rate
    assert VARIANTS["hedge"].step(4).variance_rate == VARIANTS["cfr"].step(4).variance_rate == 0


def test_steps_are_plain_floats_whatever_a_variant_was_given():
    """Kernels are compiled for one type of each factor."""
    step = Variant("ints", exponent=2, prediction=1, floor=True, average_power=1).step(3)
    assert [type(factor) for factor in step] == [float, float, bool, *[float] * 7, bool]


def test_discount_grows_to_one():
    """From nothing to scale at iteration 0."""
    discount = Discount(2.0, offset=3.0)
    assert [discount.at(t) for t in (0, 1, 3)] == [1.0, 0.25, 0.75]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"exponent": 0}, "must be positive"),
        ({"rate": -1}, "must be positive"),
        ({"rate_power": -0.5}, "must not grow"),
        ({"prediction": -1}, "not negative"),
        ({"average_power": -1}, "not negative"),
        ({"average_delay": -1}, "not negative"),
        ({"prediction": 1}, "floored"),
        ({"exponent": math.nan}, "must be positive"),
        ({"rate": math.nan}, "must be positive"),
        ({"rate_power": math.nan}, "must not grow"),
        ({"prediction": math.nan, "floor": True}, "not negative"),
        ({"average_power": math.nan}, "not negative"),
    ],
)
def test_variants_that_cannot_run_are_refused(changes, message):
    """With what is wrong."""
    with pytest.raises(ValueError, match=message):
        Variant("odd", **changes)


@pytest.mark.parametrize(("t", "spread"), [(0, 1), (-1, 1), (1, 0), (1, math.nan)])
def test_steps_outside_their_range_are_refused(t, spread):
    """Iterations count from 1."""
    with pytest.raises(ValueError, match="at least 1"):
        VARIANTS["cfr"].step(t, spread)
