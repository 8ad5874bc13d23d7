import dataclasses

import pytest

from engine.rules.pots import called, most_chips, payoffs
from protocol.gamedefs import load_builtin

# (spent, folded, strengths, values); strengths of folded positions are not looked at.
SHOWDOWNS = [
    ((100, 100), (0, 0), (7, 3), (100.0, -100.0)),
    ((100, 100), (0, 0), (5, 5), (0.0, 0.0)),
    ((100, 60), (0, 0), (3, 7), (-60.0, 60.0)),
    ((100, 100, 50), (0, 0, 1), (5, 5, 9), (25.0, 25.0, -50.0)),
    ((50, 200, 200), (0, 0, 0), (9, 5, 3), (100.0, 100.0, -200.0)),
    ((50, 200, 500), (0, 0, 0), (9, 5, 5), (100.0, -50.0, -50.0)),
    ((10, 10, 10, 5), (0, 0, 0, 1), (4, 4, 4, 0), (5 / 3, 5 / 3, 5 / 3, -5.0)),
    ((0, 10, 10), (0, 0, 0), (9, 1, 2), (0.0, -10.0, 10.0)),
]


@pytest.mark.parametrize(("spent", "folded", "strengths", "values"), SHOWDOWNS)
def test_showdown(spent, folded, strengths, values):
    """Side pots, splits, folded chips and unmatched chips."""
    assert payoffs(spent, folded, strengths) == values


@pytest.mark.parametrize(
    ("spent", "chips"),
    [((100, 50), 100), ((50, 700, 100), 250), ((300, 300, 20), 620), ((0, 0, 9), 0)],
)
def test_what_nobody_called_is_not_in_the_pot(spent, chips):
    """Of the largest bet counts what the next one matches."""
    assert called(spent) == chips


def test_sole_survivor_takes_what_the_others_put_in():
    """No strengths are needed when everybody else folded."""
    assert payoffs((50, 100, 700), (True, True, False), None) == (-50.0, -100.0, 150.0)


def test_a_hand_nobody_put_chips_into_is_worth_nothing():
    """Games without blinds can be checked down."""
    assert payoffs((0, 0), (False, False), (3, 2)) == (0.0, 0.0)
    assert str(payoffs((0, 0, 0), (True, False, False), (1, 3, 2))) == "(0.0, 0.0, 0.0)"


def test_a_share_is_divided_once():
    """The digits are those of one double division of whole chips, levels added upwards."""
    spent, strengths = (100, 300, 300, 300), (0, 4, 4, 4)
    assert payoffs(spent, (False,) * 4, strengths)[1] == 100 * (4 - 3) / 3 + 200 * (3 - 3) / 3


@pytest.mark.parametrize(
    ("spent", "folded", "strengths"),
    [
        ((1, 2), (False,), (1, 2)),
        ((1, 2), (True, True), (1, 2)),
        ((1, 2), (False, False), None),
        ((1, 2), (False, False), (1,)),
    ],
)
def test_refuses_what_cannot_be_settled(spent, folded, strengths):
    """Lengths must agree and somebody must be left, with a hand if there are several."""
    with pytest.raises(ValueError):
        payoffs(spent, folded, strengths)


def test_what_a_hand_can_cost():
    """The stack in no-limit; ten for the blind, 3 + 4 raises of 10 and 4 + 4 of 20 in limit."""
    limit = load_builtin("hulhe")
    assert most_chips(load_builtin("hunl")) == 20_000
    assert most_chips(limit) == 240
    assert most_chips(dataclasses.replace(limit, stacks=(100, 100))) == 100
