"""Other sites: what PokerKit reads of them becomes hands, all else is told in a line."""

import builtins

import pytest

from engine.histories.formats import format_of
from engine.histories.sites import POKERKIT_MISSING
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, only_hand, why_left_out
from tests.helpers.pokerstars_pages import HEADS_UP

SEATS = "Seat 1: anna ({0}50{1})\nSeat 2: bert ({0}48.50{1})\nSeat 3: cleo ({0}55{1})\n"
FULL_TILT = f"""\
Full Tilt Poker Game #7: Table Alpha (6 max) - $0.25/$0.50 - No Limit Hold'em - \
12:00:00 ET - 2009/07/01
{SEATS.format("$", "")}\
anna posts the small blind of $0.25
bert posts the big blind of $0.50
The button is in seat #3
*** HOLE CARDS ***
cleo raises to $1.50
anna folds
bert calls $1
*** FLOP *** [2c 7d Jh]
bert checks
cleo bets $2
bert folds
Uncalled bet of $2 returned to cleo
cleo mucks
cleo wins the pot ($3.25)
*** SUMMARY ***
Total pot $3.25 | Rake $0
Board: [2c 7d Jh]
"""
PARTY = f"""\
Game #7 starts.

#Game No : 7
***** Hand History for Game 7 *****
$50 USD NL Texas Hold'em - Wednesday, July 01, 12:00:00 ET 2009
Table Alpha (Real Money)
Seat 3 is the button
Total number of players : 3/6
{SEATS.format(" $", " USD ")}\
anna posts small blind [$0.25 USD].
bert posts big blind [$0.50 USD].
** Dealing down cards **
cleo raises [$1.50 USD]
anna folds
bert calls [$1 USD]
** Dealing Flop ** [ 2c, 7d, Jh ]
bert checks
cleo bets [$2 USD]
bert folds
cleo does not show cards.
cleo wins $5.25 USD
"""
ABSOLUTE = """\
Stage #7: Holdem  No Limit $0.50 - 2009-07-01 12:00:00 (ET)
Table: ALPHA (Real Money) Seat #3 is the dealer
Seat 1 - anna ($50 in chips)
Seat 2 - bert ($48.50 in chips)
Seat 3 - cleo ($55 in chips)
anna - Posts small blind $0.25
bert - Posts big blind $0.50
*** POCKET CARDS ***
cleo - Raises $1.50 to $1.50
anna - Folds
bert - Calls $1
*** FLOP *** [2c 7d Jh]
bert - Checks
cleo - Bets $2
bert - Folds
cleo - returned ($2) : not called
cleo Collects $3.25 from main pot
*** SUMMARY ***
Total Pot($3.25)
"""
ONGAME = f"""\
***** History for hand R5-7-1 *****
Start hand: Wed Jul 01 12:00:00 GMT+0200 2009
Table: Alpha [244] (NO_LIMIT TEXAS_HOLDEM $0.25/$0.50, Real money)
Button: seat 3
{SEATS.format("$", "").replace(")", ") ")}\
anna posts small blind ($0.25)
bert posts big blind ($0.50)
---
Dealing pocket cards
cleo raises $1.50 to $1.50
anna folds
bert calls $1
--- Dealing flop [2c, 7d, Jh]
bert checks
cleo bets $2
bert folds
---
Summary:
Main pot: $3.25 won by cleo ($3.25)
"""
IPOKER = """\
<?xml version="1.0" encoding="utf-8"?>
<session sessioncode="1">
 <game gamecode="7">
  <general>
   <startdate>2009-07-01 12:00:00</startdate>
   <players>
    <player seat="1" name="anna" chips="$50" dealer="0" win="$0" bet="$0.25" />
    <player seat="2" name="bert" chips="$48.50" dealer="0" win="$0" bet="$1.50" />
    <player seat="3" name="cleo" chips="$55" dealer="1" win="$5.25" bet="$3.50" />
   </players>
  </general>
  <round no="0">
   <action no="1" player="anna" type="1" sum="$0.25" />
   <action no="2" player="bert" type="2" sum="$0.50" />
  </round>
  <round no="1">
   <action no="3" player="cleo" type="23" sum="$1.50" />
   <action no="4" player="anna" type="0" sum="$0" />
   <action no="5" player="bert" type="3" sum="$1" />
  </round>
  <round no="2">
   <cards type="Flop" player="">c2 d7 hJ</cards>
   <action no="6" player="bert" type="4" sum="$0" />
   <action no="7" player="cleo" type="5" sum="$2" />
   <action no="8" player="bert" type="0" sum="$0" />
  </round>
 </game>
</session>
"""
FILES = {
    "full_tilt_poker": FULL_TILT,
    "partypoker": PARTY,
    "absolute_poker": ABSOLUTE,
    "ongame_network": ONGAME,
    "ipoker_network": IPOKER,
}


@pytest.mark.parametrize("name", FILES)
def test_a_hand_of_each_site_is_read(name):
    """The same hand in the words of five sites; a returned bet is in the winnings or not."""
    hand = only_hand(FILES[name], name)
    record = hand.record
    assert record.betting == "r150fc/cr350f"
    assert record.cards == "||/2c7dJh"
    assert record.values == ("-25", "-150", "175")
    assert record.names == ("anna", "bert", "cleo")
    assert hand.game.stacks == (5000, 4850, 5500)
    assert (hand.game.blinds, hand.scale) == ((25, 50, 0), 100)


def test_what_the_file_says_that_players_got_counts():
    """Not what PokerKit works out; with rake the hand is left out."""
    raked = FULL_TILT.replace("wins the pot ($3.25)", "wins the pot ($3.10)")
    reason = why_left_out(raked, "full_tilt_poker")
    assert reason == "Full Tilt Poker: the players put in 5.25 and got 3.10: rake, or misread"


def test_hands_of_another_site_are_told():
    """PokerKit would pass over them, or stumble."""
    left, hand = hands_in(f"{ABSOLUTE}\n{PARTY}", "absolute_poker")
    assert left.reason == "a hand in another format, partypoker"
    assert left.line == ABSOLUTE.count("\n") + 2
    assert hand.record.betting == "r150fc/cr350f"


def test_what_pokerkit_cannot_read_is_one_line(capsys):
    """Whatever it prints and raises; the hands around it go over."""
    broken = FULL_TILT[: FULL_TILT.index("bert checks")]
    first, second, third = hands_in(FULL_TILT + broken + FULL_TILT, "full_tilt_poker")
    assert format_hand(first.record) == format_hand(third.record)
    assert second.reason == "Full Tilt Poker: it ends where it is the turn of p2"
    assert second.line == FULL_TILT.count("\n") + 1
    omaha = FULL_TILT.replace("No Limit Hold'em", "Pot Limit Omaha Hi")
    assert "PokerKit cannot read it" in why_left_out(omaha, "full_tilt_poker")
    assert capsys.readouterr() == ("", "")


def test_without_pokerkit_a_line_says_what_to_install(monkeypatch):
    """For files of those sites only."""
    there = builtins.__import__

    def missing(name, *rest):
        if name.startswith("pokerkit"):
            raise ImportError(name)
        return there(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    assert why_left_out(PARTY, "partypoker") == f"PartyPoker: {POKERKIT_MISSING}"
    assert "pip install '.[formats]'" in POKERKIT_MISSING


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
