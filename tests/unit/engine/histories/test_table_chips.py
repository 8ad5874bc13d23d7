"""Pots, shares and bets that come back, as a table hands them out."""

from decimal import Decimal

import pytest

from engine.errors import UnusableHistory
from engine.histories.table_chips import TablePot, table_chips
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in

CENT = Decimal("0.01")


def chips_of(line, name="nolimit6", coin=CENT):
    (hand,) = hands_in(f"{line}\n", "log", load_builtin(name))
    return table_chips(hand, coin)


def with_stacks(stacks, betting, values):
    cards = "AcAd|KcKd|QcQd/2h3h7s/8s/9d"
    return f"STATE:0:{stacks}:50|100|0:{betting}:{cards}:{values}:a|b|c"


def test_a_bet_that_nobody_called_comes_back():
    """The whole of it, and a raise above a call for less."""
    chips = chips_of("STATE:0:r300f:AcAd|7h6h:-100|100:a|b", "hunl")
    assert chips.returned == (1, 200)
    assert chips.pots == (TablePot(200, {1: Decimal(200)}),)
    assert chips.exact


def test_each_side_pot_has_its_own_winner():
    """The shortest stack wins the main pot, the next the side pot, the rest comes back."""
    chips = chips_of(with_stacks("300|1000|2000", "r2000cc///", "600|400|-1000"), "nolimit3")
    assert chips.returned == (2, 1000)
    assert chips.pots == (
        TablePot(900, {0: Decimal(900)}),
        TablePot(1400, {1: Decimal(1400)}),
    )


def test_payoffs_of_the_file_hold_against_its_cards():
    """In one pot, where nobody knows whose share is of which."""
    chips = chips_of(with_stacks("300|1000|2000", "r2000cc///", "600|-1000|400"), "nolimit3")
    assert chips.pots == (TablePot(2300, {0: Decimal(900), 2: Decimal(1400)}),)
    assert chips.exact


def test_odd_coins_go_to_the_first_behind_the_button():
    """One each; the payoffs of the log are then not told to the last digit."""
    cards = "5c5d|2c3d|2d3c|4h4c|6h6c|7h7c/AsKsQs/Js/Ts"
    values = "-50|16.666667|16.666667|16.666667|0|0"
    line = f"STATE:1:ccfffc/ccc/ccc/ccc:{cards}:{values}:a|b|c|d|e|f"
    (pot,) = chips_of(line).pots
    assert list(map(str, pot.shares.values())) == ["116.67", "116.67", "116.66"]
    assert not chips_of(line).exact
    (pot,) = chips_of(line, coin=Decimal(1)).pots
    assert list(map(str, pot.shares.values())) == ["117", "117", "116"]


def test_payoffs_that_do_not_divide_the_pot_are_refused():
    """Nothing can be said of them at a table."""
    with pytest.raises(UnusableHistory, match="the payoffs do not divide the pot"):
        chips_of("STATE:0:r300f:AcAd|7h6h:-100|90:a|b", "hunl")
