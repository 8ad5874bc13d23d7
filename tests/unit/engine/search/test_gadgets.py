"""Gadgets without poker: the paper's coin toss; and what they refuse."""

import numpy as np
import pytest

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.search.gadgets import MarginGadget, ResolveGadget, normal_alternatives

HEADS = np.array([[1.0, -1.0], [-1.0, 1.0]])
"""What player 0 wins with heads and tails against a guess of heads and of tails, less its sign."""
WINS = -HEADS
OF_THE_BLUEPRINT = np.array([0.0, 0.5])
"""Of playing heads and tails where heads is guessed in half of all cases, tails in a quarter."""
WEIGHTS = np.array([0.5, 0.5])


def guessed(gadget, iterations=4000):
    """How often heads is guessed on average, by a solve of the guess behind a gadget."""
    regret, sums = np.zeros(2), np.zeros(2)
    variant = VARIANTS["cfr+"]
    for t in range(1, iterations + 1):
        step = variant.step(t)
        guess = np.maximum(regret, 0)
        guess = guess / guess.sum() if guess.any() else np.full(2, 0.5)
        gadget.observe(1, np.zeros(2), step)
        gadget.observe(0, WINS @ guess, step)
        coins = WEIGHTS * gadget.reach(StrategyKind.CURRENT)[0]
        values = -(coins @ WINS)
        regret = np.maximum(regret + values - values @ guess, 0)
        sums = sums * step.keep + step.weight * guess
    return sums[0] / sums.sum()


def values_of(heads):
    """What the coins win by playing."""
    return WINS @ np.array([heads, 1 - heads])


def test_max_margin_guesses_as_the_paper_says():
    """Five eighths: both margins are a quarter of a chip."""
    heads = guessed(MarginGadget(0, OF_THE_BLUEPRINT, WEIGHTS))
    assert heads == pytest.approx(5 / 8, abs=2e-3)
    np.testing.assert_allclose(OF_THE_BLUEPRINT - values_of(heads), 0.25, atol=5e-3)


def test_gifts_raise_the_margin():
    """Heads could have been sold for half a chip: heads is guessed in half of all cases."""
    raised = OF_THE_BLUEPRINT + np.array([0.5, 0.0])
    assert guessed(MarginGadget(0, raised, WEIGHTS)) == pytest.approx(1 / 2, abs=2e-3)


def test_re_solving_grants_no_coin_more_than_it_had():
    """Any guess between a half and three quarters does that."""
    heads = guessed(ResolveGadget(0, OF_THE_BLUEPRINT))
    assert (values_of(heads) <= OF_THE_BLUEPRINT + 5e-3).all()


def test_true_values_lead_to_the_optimum():
    """A quarter, if the alternatives are what the coins are sold for."""
    assert guessed(ResolveGadget(0, [0.5, -0.5])) == pytest.approx(1 / 4, abs=5e-3)
    assert guessed(MarginGadget(0, [0.5, -0.5], WEIGHTS)) == pytest.approx(1 / 4, abs=2e-3)


def test_normal_alternatives_are_the_middles_of_quantiles():
    """Their mean is the mean, their spread a little less than that of the distribution."""
    found = normal_alternatives([1.0, -2.0], [0.0, 3.0], points=200)
    np.testing.assert_allclose(found.mean(axis=0), [1.0, -2.0], atol=1e-9)
    assert found[:, 0].std() == 0
    assert 2.9 < found[:, 1].std() < 3


def test_one_point_without_spread_is_plain_re_solving():
    """Bit for bit, whatever the number of equal points."""
    plain = ResolveGadget(0, OF_THE_BLUEPRINT)
    points = ResolveGadget(0, normal_alternatives(OF_THE_BLUEPRINT, 0.0, 4))
    assert guessed(plain, 50) == guessed(points, 50)


def test_some_enter_whatever_they_could_have():
    """Of a gadget that nobody wants to enter; and both sides' best responses count them."""
    gadget = ResolveGadget(0, [5.0, 5.0], enters=0.25)
    assert guessed(gadget, 50) == pytest.approx(0.5, abs=0.1)
    for which in StrategyKind:
        assert gadget.reach(which)[0] == pytest.approx([0.25, 0.25], abs=0.02)
        assert (gadget.reach(which)[1] == 1).all()
    weights, values = np.array([[0.5, 0.5], [0.5, 0.5]]), np.array([1.0, 3.0])
    current = StrategyKind.CURRENT
    assert gadget.best_response(0, values, weights, current) == pytest.approx(
        0.25 * 2.0 + 0.75 * 5.0
    )
    assert gadget.best_response(1, values, weights, current) == pytest.approx(2.0 - 0.75 * 5.0)


def test_what_is_learnt_comes_back():
    """By its state, into a gadget of the same shape only."""
    gadget, again = (ResolveGadget(0, OF_THE_BLUEPRINT) for _ in range(2))
    guessed(gadget, 5)
    again.resume(gadget.state())
    for which in StrategyKind:
        np.testing.assert_array_equal(gadget.reach(which), again.reach(which))
    with pytest.raises(ValueError, match="is due"):
        ResolveGadget(0, np.zeros((3, 2))).resume(gadget.state())
    with pytest.raises(KeyError):
        again.resume({})


def plain_choices(values, variant):
    """Chances that regret matching plays after each of some (T, A, ...) values, and the average."""
    regret, sums, current = (
        np.zeros_like(values[0]),
        0.0,
        np.full_like(values[0], 1 / len(values[0])),
    )
    for t, found in enumerate(values, 1):
        step = variant.step(t)
        instant = found - (current * found).sum(axis=0)
        sums = sums * step.keep + step.weight * current
        regret = regret * np.where(regret > 0, step.positive, step.negative) + instant
        regret = np.maximum(regret, 0) if step.floor else regret
        wanted = regret * step.carry + instant * step.prediction if step.prediction else regret
        wanted = np.maximum(wanted, 0)
        total = wanted.sum(axis=0)
        current = np.where(total > 0, wanted / np.where(total > 0, total, 1), 1 / len(wanted))
        yield current, sums / sums.sum(axis=0)


@pytest.mark.parametrize("name", ["cfr", "cfr+", "lcfr", "dcfr", "dcfr+", "pcfr+"])
@pytest.mark.parametrize("margin", [False, True])
def test_choices_learn_by_regret_matching(name, margin):
    """Of whatever kind, as written down plainly, for 37 combos with three alternatives or one."""
    rng, combos, variant = np.random.default_rng(5), 37, VARIANTS[name]
    won = rng.normal(size=(30, combos))
    offered = rng.normal(size=(1 if margin else 3, combos))
    if margin:
        weights = np.where(rng.random(combos) < 0.2, 0.0, rng.random(combos))
        gadget, held = MarginGadget(1, offered[0], weights), weights > 0
        values = (won - offered)[:, held]
    else:
        gadget = ResolveGadget(1, offered, enters=0.1)
        entering = np.broadcast_to(won[:, None], (30, *offered.shape))
        values = np.stack((entering, np.broadcast_to(offered, entering.shape)), axis=1)
    for t, chances in enumerate(plain_choices(values, variant)):
        gadget.observe(0, -won[t], variant.step(t + 1))  # not the one who chooses
        gadget.observe(1, won[t], variant.step(t + 1))
        for which, chance in zip(
            (StrategyKind.CURRENT, StrategyKind.AVERAGE), chances, strict=True
        ):
            wanted = np.zeros(combos)
            if margin:
                wanted[held] = chance / weights[held]
            else:
                wanted = 0.1 + 0.9 * chance[0].mean(axis=0)
            np.testing.assert_allclose(gadget.reach(which)[1], wanted, rtol=1e-5, atol=1e-7)
            assert (gadget.reach(which)[0] == 1).all()


@pytest.mark.parametrize("values", [np.zeros(1), np.zeros(3), np.zeros((1, 2)), np.zeros(100_000)])
def test_values_of_other_combos_are_refused(values):
    """More of them than there are alternatives, or less."""
    step = VARIANTS["cfr"].step(1)
    for gadget in (ResolveGadget(0, [0.0, 1.0]), MarginGadget(0, [0.0, 1.0], WEIGHTS)):
        gadget.observe(1, values, step)  # not the one who chooses
        with pytest.raises(ValueError, match="values: want"):
            gadget.observe(0, values, step)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ResolveGadget(2, [0.0]),
        lambda: ResolveGadget(0, [np.nan]),
        lambda: ResolveGadget(0, np.zeros((1, 1, 1))),
        lambda: ResolveGadget(0, [0.0], enters=1.0),
        lambda: ResolveGadget(0, [0.0], enters=np.nan),
        lambda: MarginGadget(0, [0.0, 1.0], [1.0]),
        lambda: MarginGadget(0, [0.0], [0.0]),
        lambda: MarginGadget(1, [np.inf], [1.0]),
        lambda: normal_alternatives([0.0], [-1.0]),
        lambda: normal_alternatives([0.0], [1.0], points=0),
    ],
)
def test_what_cannot_be_is_refused(make):
    """Players, shapes and numbers that are none."""
    with pytest.raises(ValueError, match=r"player|not all finite|want|negative"):
        make()
