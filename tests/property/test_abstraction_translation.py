import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.betting.bet_menu import menu_of
from engine.betting.translation import lower_probability, threshold, translate_raise, translate_size
from engine.rules.view import replay_betting
from protocol.gamedefs import load_builtin

HUNL = load_builtin("holdem.nolimit.2p.reverse_blinds")
POTS = st.floats(0, 200)


@given(POTS, POTS, st.floats(0, 1), st.floats(0, 1))
def test_probability_falls_from_one_to_zero(first, second, one, other):
    """1 at the lower size, 0 at the upper one; the larger the bet, the smaller."""
    lower, upper = sorted((first, second))
    assume(upper - lower > 1e-6)
    low, high = (min(lower + part * (upper - lower), upper) for part in sorted((one, other)))
    assert lower_probability(lower, upper, lower) == pytest.approx(1)
    assert lower_probability(lower, upper, upper) == 0
    chances = [lower_probability(lower, upper, size) for size in (low, high)]
    assert all(0 <= chance <= 1 + 1e-12 for chance in chances)
    assert chances[0] >= chances[1] - 1e-12


@given(POTS, POTS)
def test_threshold_lies_between_and_is_fair(first, second):
    """At x* the two sizes are equally likely."""
    lower, upper = sorted((first, second))
    assume(upper - lower > 1e-6)
    middle = threshold(lower, upper)
    assert lower <= middle <= upper
    assert lower_probability(lower, upper, middle) == pytest.approx(0.5, abs=1e-6)


@given(
    st.lists(st.floats(0.01, 100), min_size=1, max_size=6, unique=True),
    st.floats(0.001, 200),
    st.integers(0, 1000),
)
def test_choice_is_a_neighbour_with_its_probability(sizes, size, seed):
    """Only the two sizes around a bet are ever chosen, the likelier one without randomness."""
    sizes = sorted(sizes)
    found = translate_size(size, sizes, np.random.default_rng(seed))
    fixed = translate_size(size, sizes, None)
    ends = [0.0, *sizes]
    place = sum(one <= size for one in ends) - 1
    neighbours = {place - 1} if place == len(sizes) else {place - 1, place}
    assert {found.choice, fixed.choice} <= neighbours
    assert 0 < found.probability <= 1
    if place < len(sizes):
        chance = lower_probability(ends[place], ends[place + 1], size)
        want = chance if found.choice == place - 1 else 1 - chance
        assert found.probability == pytest.approx(want)
        if abs(chance - 0.5) > 1e-9:
            assert fixed.choice == (place - 1 if chance > 0.5 else place)


@given(st.integers(2, 9), st.integers(1, 4), st.data())
def test_only_pot_fractions_count(factor, opening, data):
    """In a pot `factor` times as large, a bet as many times as large is taken for the same."""
    menu = menu_of((0.25, 0.6, 1.3, 2.5))
    small = replay_betting(HUNL, f"r{200 * opening}c/")
    large = replay_betting(HUNL, f"r{200 * opening * factor}c/")
    assume(large.pot * 3 < 20000)
    bet = data.draw(st.integers(100 * opening, 900 * opening))
    results = [
        translate_raise(
            state, state.to_match + chips, menu.raise_tos(state), np.random.default_rng(1)
        )
        for state, chips in ((small, bet), (large, bet * factor))
    ]
    assert results[0].choice == results[1].choice
    assert results[0].probability == pytest.approx(results[1].probability)
