"""Texts of sites that are not read are called by their site."""

import pytest

from engine.histories.formats import format_of
from tests.helpers.histories import hands_in
from tests.helpers.pokerstars_pages import HEADS_UP


@pytest.mark.parametrize(
    ("line", "site"),
    [
        ("Poker Hand #RC0000000001: Hold'em No Limit ($0.05/$0.1) - 2023/01/01", "GGPoker"),
        ("Winamax Poker - CashGame - HandId: #17-3-1 - Holdem no limit", "Winamax"),
        ("***** 888poker Hand History for Game 17 *****", "888poker"),
        ("Ignition Hand #17 TBL#3 HOLDEM No Limit", "Ignition"),
        ("Game Hand #17 - Tournament #3 - Holdem(No Limit)", "the Winning Poker Network"),
        ("Some New Room Hand #17: Hold'em No Limit", "Some New Room"),
        ("Full Tilt Hand #17:  Hold'em No Limit (5/10)", "Full Tilt, as PokerStars ran it"),
        ("Main PokerStars #171717171717 : Hold'em", "PokerStars in another language than English"),
    ],
)
def test_a_site_is_called_by_its_name(line, site):
    """In a file of its own, and between hands of PokerStars."""
    text = f"{line}\nTable 'a' 6-max Seat #1 is the button\n*** SUMMARY ***\n"
    form = format_of(text.encode(), "x.txt")
    (hand,) = hands_in(text, form.name)
    assert (hand.line, hand.reason) == (1, f"a hand of {site}, whose text is not read")
    if "Hand #" in line:
        _, hand = hands_in(f"{HEADS_UP}\n{text}", "pokerstars")
        assert hand.reason == f"a hand of {site}, whose text is not read"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Full Tilt Poker Game #7: Table Alpha", "full_tilt_poker"),
        ("Game #7 starts.", "partypoker"),
        ("Stage #7: Holdem  No Limit $0.50", "absolute_poker"),
        ("PokerStars Zoom Hand #7: ", "pokerstars"),
        ("STATE:0:f:AcAd|7h6h:50|-50:Hand #7|Bot Game #3", "log"),
    ],
)
def test_sites_that_are_read_are_not_among_them(line, name):
    """Their first lines are much alike."""
    assert format_of(f"{line}\n".encode(), "x.txt").name == name
