"""The text of PokerStars since 2005, as it was written and as it comes out of the mail."""

import quopri
import textwrap

import pytest

from engine.histories.formats import format_of
from engine.histories.hand import LeftOut
from engine.histories.hand_endings import EndingCounts
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, why_left_out, written
from tests.helpers.pokerstars_pages import HEADS_UP, changed, read

RETURNED = "Uncalled bet (200) returned to Bob\n"
EARLY = changed(HEADS_UP, (RETURNED, ""), ("2016/11/07 12:17:03 UTC", "2006/11/03 - 9:33:53 (ET)"))
SHOWN = changed(
    EARLY,
    ("Hand #7", "Game #8"),
    ("Hold'em", "Tournament #35055742, $10.00+$1.00 USD Hold'em"),
    (" (50/100)", " - Match Round I, Level XXIV (50/100)"),
    ("Ann: folds\n", "Ann: calls 200\n*** TURN *** [Kc 4c 3s] [2d]\nAnn: checks\nBob: checks\n"),
    (
        "Bob collected 400 from pot\nBob: doesn't show hand\n",
        "*** RIVER *** [Kc 4c 3s 2d] [2h]\nAnn: checks\nBob: checks\n*** SHOW DOWN ***\n"
        "Ann: shows [7d 2c] (three of a kind, Deuces - King and Seven kickers)\n"
        "Bob: mucks hand\nAnn collected 800 from pot\n",
    ),
    ("pot 400", "pot 800"),
    ("[Kc 4c 3s]\nSeat", "[Kc 4c 3s 2d 2h]\nSeat"),
    (
        "(big blind) folded on the Flop",
        "(big blind) showed [7d 2c] and won (800) with three of a kind, Deuces",
    ),
    ("collected (400)", "mucked [Qd 5s]"),
)
RECORDS = [
    "STATE:7:r200c/cr400f:7d2c|/Kc4c3s:-200|200:Ann|Bob",
    "STATE:8:r200c/cr400c/cc/cc:7d2c|Qd5s/Kc4c3s/2d/2h:400|-400:Ann|Bob",
]


def lines_of(text, before="", behind=""):
    return "".join(f"{before}{line}{behind}\n" for line in text.splitlines())


def folded(text, width):
    return "".join(f"{line}\n" for one in text.splitlines() for line in textwrap.wrap(one, width))


def coded(text):
    spaced = lines_of(text, behind=" ")
    return quopri.encodestring(spaced.encode()).decode()


BOTH = f"{EARLY}\n\n{SHOWN}"


@pytest.mark.parametrize(
    "text",
    [
        BOTH,
        BOTH.replace("\n", "\r\n"),
        f"\ufeff{EARLY}\n\n\ufeff{SHOWN}",
        "Subject: PokerStars Hand History Request\n\nPokerStars Hand History Transcript\n\n"
        f"*********** # 1 **************\n{EARLY}\n\n*********** # 2 **************\n{SHOWN}",
        lines_of(BOTH, "> "),
        lines_of(BOTH, ">> > ", " "),
        lines_of(BOTH, "  ", " "),
        folded(BOTH, 64),
        folded(BOTH, 76),
        lines_of(folded(BOTH, 66), "> "),
        folded(lines_of(BOTH, "> "), 72),
        coded(BOTH),
        coded(BOTH).replace("\n", "\r\n"),
        coded(lines_of(BOTH, "> ")),
        BOTH.replace("PokerStars Hand", "POKERSTARS GAME").replace("Hold'em No", "HOLD'EM NO"),
        BOTH.replace(" 2-max", ""),
        BOTH.replace("Tournament #", "Zoom Tournament #"),
    ],
)
def test_texts_of_all_years_are_read_however_they_were_sent(text):
    """Without a line for the uncalled bet, which the pot leaves out; quoted, folded, encoded."""
    assert format_of(text.encode(), "x.txt").name == "pokerstars"
    hands = hands_in(text, "pokerstars")
    assert [format_hand(hand.record) for hand in hands] == RECORDS
    assert (hands[0].fields["year"], hands[0].fields["time_zone"]) == (2006, "ET")
    again = hands_in(written(hands, "pokerstars"), "pokerstars")
    assert [dict(hand.fields) for hand in again] == [dict(hand.fields) for hand in hands]


@pytest.mark.parametrize(
    "remark",
    [
        "Betting is capped",
        "Bob wins the $5 bounty for eliminating Ann",
        "Bob wins $0.50 for eliminating Ann and their own bounty increases by $0.50 to $1.50",
        "Ann finished the tournament in 2nd place and received $3.20.",
        "Bob wins the tournament and receives $16.00 - congratulations!",
        "Ann re-buys and receives 3000 chips for $10.00",
        "Ann has timed out while being disconnected",
        "Ann: sits out",
        'Ann said, "Bob: folds"',
        'eve [observer] said, "a collected 5 from pot"',
        "Ann: is thinking of 50 things at once",
        "something that no program has ever said",
    ],
)
@pytest.mark.parametrize("before", ["Ann: folds\n", "*** SUMMARY ***\n"])
def test_remarks_move_no_chips(remark, before):
    """So none makes a hand unreadable, known or not."""
    text = changed(HEADS_UP, (before, f"{remark}\n{before}"))
    assert read(text).record == read(HEADS_UP).record


def test_a_line_that_was_no_remark_is_told():
    """The hand does not fit together without it; what does not fit stands before it."""
    why = why_left_out(changed(HEADS_UP, ("Ann: calls 100", "Ann: kalls 100")), "pokerstars")
    assert why == (
        "line 15: Bob gets 200 back, of which nobody called 300; "
        "line 10: not understood: 'Ann: kalls 100'"
    )
    lost = changed(HEADS_UP, ("Bob collected 400 from pot\n", ""), (" collected (400)", ""))
    assert why_left_out(lost, "pokerstars") == "a pot of 400, of which 0 are collected"


def test_mixed_games_and_cards_of_folds_are_kept():
    """A hand of hold'em within HORSE; cards that a player shows as it folds."""
    text = changed(
        HEADS_UP,
        ("Hold'em No Limit (50/100)", "HORSE (Hold'em No Limit, 50/100)"),
        ("Ann: folds", "Ann: folds [7d 2c]"),
        ("Dealt to Ann [7d 2c]\n", ""),
    )
    hand = read(text)
    assert (hand.fields["_mixed_game"], hand.record.cards) == ("HORSE", "7d2c|/Kc4c3s")


def test_who_cashes_out_plays_for_the_pot():
    """The house pays; a note says that it is not counted."""
    hand = read(
        changed(HEADS_UP, ("Bob: doesn't", "Bob cashed out the hand for 390\nBob: doesn't"))
    )
    assert hand.record == read(HEADS_UP).record
    assert hand.notes == ("Bob cashed out the hand for 390: the payoffs are those of the pot",)


def test_hands_left_out_that_end_alike_are_told():
    """What is counted of the others is biased; nothing is said where both end alike."""
    raked = EARLY.replace("Rake 0", "Rake 5")
    endings = EndingCounts()
    hands = list(endings.counting(hands_in(f"{raked}\n{raked}\n{SHOWN}\n{SHOWN}", "pokerstars")))
    assert [isinstance(hand, LeftOut) for hand in hands] == [True, True, False, False]
    assert endings.bias() == (
        "all 2 hands left out were won by a last bet, 0 of the 2 others: "
        "what is counted of these is biased"
    )
    endings = EndingCounts()
    list(endings.counting(hands_in(f"{raked}\n{raked}\n{EARLY}\n{SHOWN}", "pokerstars")[:3]))
    assert endings.bias() == ""
