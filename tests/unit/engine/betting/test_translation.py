import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.translation import (
    Translated,
    lower_probability,
    pot_fraction,
    threshold,
    translate_raise,
    translate_size,
)
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol.gamedefs import load_builtin

HUNL = load_builtin("holdem.nolimit.2p.reverse_blinds")
LIMPED = replay_betting(HUNL, "cc/")
MENU = menu_of((0.5, 1, ALL_IN))


def test_worked_example():
    """Between half a pot and a pot: a bet of 0.75 is taken for half a pot with 3/7."""
    assert lower_probability(0.5, 1.0, 0.75) == pytest.approx(0.25 * 1.5 / (0.5 * 1.75))
    assert lower_probability(0.5, 1.0, 0.75) == pytest.approx(3 / 7)


def test_small_bets_are_calls_or_the_smallest_raise():
    """Below the menu the call stands in as size 0."""
    rng = np.random.default_rng(1)
    found = [translate_size(0.1, (0.5, 1.0), rng) for _ in range(4000)]
    chance = lower_probability(0.0, 0.5, 0.1)
    assert {one.choice for one in found} == {-1, 0}
    assert all(one.probability == (chance if one.choice < 0 else 1 - chance) for one in found)
    share = np.mean([one.choice < 0 for one in found])
    assert share == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / 4000))
    for size, sizes in ((0.01, (0.5,)), (0.5, (2.0,))):  # the second is the threshold itself
        assert translate_size(size, sizes, None) == Translated(-1, 1.0)


def test_a_menu_without_raises_leaves_the_call():
    """Where the menu's raises are used up, any raise can only be taken for the call."""
    assert translate_raise(LIMPED, 300, (), np.random.default_rng(3)) == Translated(-1, 1.0)


def test_sizes_are_fractions_of_the_true_pot():
    """A bet of 150 into 200 is 0.75 pots; the menu has 0.5, 1 and all-in at 99.5 pots."""
    assert pot_fraction(LIMPED, 250) == 0.75
    assert [pot_fraction(LIMPED, one) for one in MENU.raise_tos(LIMPED)] == [0.5, 1.0, 99.5]
    rng = np.random.default_rng(4)
    found = {translate_raise(LIMPED, 250, MENU.raise_tos(LIMPED), rng) for _ in range(100)}
    assert {one.choice for one in found} == {0, 1}
    assert sorted(one.probability for one in found) == pytest.approx([3 / 7, 4 / 7])


def test_raises_over_a_bet_count_from_the_call():
    """Facing 300 into 200, a raise to 1300 more than the call is 1300 / 800 pots."""
    state = replay_betting(HUNL, "cc/r400")
    assert pot_fraction(state, 400) == 0.0
    assert pot_fraction(state, 1700) == pytest.approx(1300 / 800)


@pytest.mark.parametrize(
    "call",
    [
        lambda: lower_probability(0.5, 0.5, 0.5),
        lambda: lower_probability(0.5, 1.0, 0.4),
        lambda: lower_probability(-0.5, 1.0, 0.4),
        lambda: lower_probability(0.5, float("inf"), 1.0),
        lambda: lower_probability(0.5, 1.0, float("nan")),
        lambda: threshold(1.0, 0.5),
        lambda: translate_size(0.0, (0.5,), None),
        lambda: translate_size(0.5, (1.0, 0.5), None),
        lambda: translate_size(0.5, (0.5, ALL_IN), None),
        lambda: translate_raise(HandState.start(HUNL), 100, (300,), None),
        lambda: pot_fraction(LIMPED, 99),
    ],
)
def test_refuses_what_is_no_bet(call):
    """Sizes must ascend and be finite, and a raise is above the call."""
    with pytest.raises(ValueError):
        call()
