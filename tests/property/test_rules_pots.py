from hypothesis import given
from hypothesis import strategies as st

from engine.rules.pots import payoffs
from tests.oracles import pots as oracle


@st.composite
def showdowns(draw):
    """Contributions, folds and strengths as a legal hand can leave them."""
    players = draw(st.integers(2, 10))
    spent = [draw(st.integers(0, 40)) for _ in range(players)]
    folded = [draw(st.booleans()) for _ in range(players)]
    folded[spent.index(max(spent))] = False  # whoever holds the highest bet cannot fold
    return spent, folded, [draw(st.integers(0, 4)) for _ in range(players)]


@given(showdowns())
def test_agrees_with_dividing_chip_by_chip(hand):
    """Levels are only a short cut for one pot per chip."""
    spent, folded, strengths = hand
    want = oracle.payoffs(spent, folded, strengths)
    for got, exact in zip(payoffs(spent, folded, strengths), want, strict=True):
        assert abs(got - float(exact)) < 1e-9


@given(showdowns())
def test_chips_are_neither_made_nor_lost(hand):
    """What some win the others lose, and nobody loses more than was put in."""
    spent, folded, strengths = hand
    values = payoffs(spent, folded, strengths)
    assert abs(sum(values)) < 1e-9
    for value, chips, out in zip(values, spent, folded, strict=True):
        assert value >= -chips - 1e-9
        assert not out or value == -chips


@given(showdowns(), st.integers(1, 1000))
def test_only_the_order_of_strengths_counts(hand, factor):
    """Strengths are compared, never added up."""
    spent, folded, strengths = hand
    scaled = [strength * factor - 7 for strength in strengths]
    assert payoffs(spent, folded, scaled) == payoffs(spent, folded, strengths)
