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
