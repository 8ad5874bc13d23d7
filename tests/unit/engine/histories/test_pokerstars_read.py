"""The text of PokerStars of all years, whole, from the mail, damaged: nothing wrong is read."""

import quopri
import textwrap

import pytest

from engine.histories.formats import format_of
from engine.histories.hand import EndingCounts, LeftOut
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, why_left_out, written
from tests.helpers.pokerstars_pages import CASH, HEADS_UP, changed, read


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Hold'em No Limit (50/100)", "Omaha Pot Limit (50/100)", "'Omaha Pot Limit' is not read"),
        (
            "Hold'em No Limit (50/100)",
            "6+ Hold'em No Limit (50/100)",
            "6+ Hold'em No Limit\" is not",
        ),
        ("(50/100)", "(CHF50/CHF100 CHF)", "stakes or date not understood"),
        ("Hold'em No Limit (50/100)", "Hold'em Pot Limit (50/100)", 'Pot Limit" is not read'),
        ("Ann: posts big", "Ann: posts the ante 5\nAnn: posts big", "line 6: antes, which no"),
        ("Ann: posts big blind 100", "Ann: posts small & big blinds 150", "line 6: a dead blind"),
        ("Ann: posts big", "Bob: posts big blind 100\nAnn: posts big", "a dead blind"),
        (
            "Ann: posts big",
            "Ann: posts small blind 50\nAnn: posts big",
            "line 6: a dead small blind",
        ),
        ("Ann: posts big", "Ann: posts dead small blind 50\nAnn: posts big", "a dead small blind"),
        (
            "Hold'em No Limit (50/100)",
            "Tournament #3, $5 6+ Hold'em No Limit - Level I (50/100)",
            "6+",
        ),
        ("| Rake 0", "| Rake 20", "line 19: rake: 20, which no log can say"),
        ("Total pot 400", "Total pot 380", "a pot of 380, but the players put in 400"),
        ("collected 400 from", "collected 380 from", "line 22: Bob won 400, but collected 380"),
        ("collected (400)", "collected (380)", "line 22: Bob won 380, but collected 400"),
        ("Board [Kc 4c 3s]", "Board [Kc 4c 3d]", "line 20: another board than was dealt"),
        ("(big blind) folded", "(big blind) showed [Ad Ac] and lost", "line 21: Ann shows other"),
        ("Bob: bets 200", "Bob: bets $200", "line 13: $200 is not in the money of the stakes"),
        ("Seat #2 is", "Seat #1 is", "the blinds behind the button are not 50 and 100"),
        ("Bob: posts small blind 50\n", "", "the blinds behind the button are not 50 and 100"),
        ("blind 50", "blind 60", "the blinds behind the button are not 50 and 100"),
        ("Table 'Lyra' 2-max (Play Money) Seat #2 is the button\n", "", "nobody is said to have"),
        (
            "collected 400 from pot",
            "collected 380 from pot\nBob collected 40 from pot",
            "Bob won 400",
        ),
        (
            "Bob collected 400 from pot",
            "Bob cashed out the hand for 390",
            "Bob won 400, but collected 0",
        ),
        ("Ann: calls 100", "Ann: calls 90", "Bob gets 200 back, of which nobody called 210"),
        ("Ann: checks", "Ann: cheks", "line 12: not understood: 'Ann: cheks'"),
        ("Ann: checks\n", "", "p2 acts where it is the turn of p1"),
        ("Ann: checks", "lightning strikes", "line 12: not understood: 'lightning strikes'"),
        ("bets 200", "bets 150 to 200", "not understood: 'Bob: bets 150 to 200'"),
        (
            "to 200\nAnn: calls 100",
            "to 150\nAnn: calls 50",
            "a pot of 400, but the players put in 300",
        ),
        ("Dealt to Ann", "Dealt to Eve", "line 8: nobody at the table is called 'Eve'"),
        ("[7d 2c]", "[7d Kc]", "card Kc appears 2 times"),
        ("Ann: folds", "Ann: shows [Ad Ac]\nAnn: folds", "Ann shows other cards than were dealt"),
        ("*** FLOP ***", "*** FIRST FLOP ***", "run twice, which no log can say"),
        (
            "(200) returned",
            "(100) returned",
            "line 15: Bob gets 100 back, of which nobody called 200",
        ),
        ("returned to Bob", "returned to Ann", "Ann gets 200 back, of which nobody called -200"),
        ("Bob collected", "Eve collected", "nobody at the table is called 'Eve'"),
        (
            "*** SUMMARY ***\nTotal pot 400 | Rake 0\n",
            "",
            "line 18: not understood: 'Board [Kc 4c 3s]'",
        ),
        (HEADS_UP[HEADS_UP.index("Bob: doesn't") :], "", "breaks off before its summary"),
        ("2-max (Play Money) Seat #2", "2-max", "line 2: not understood"),
        ("(20000 in chips)", "(0 in chips)", "no stack of 0"),
        (
            HEADS_UP[HEADS_UP.index("Bob: posts") :],
            "Total pot 0 | Rake 0\n",
            "fewer than two players",
        ),
    ],
)
def test_what_is_not_understood_is_refused_by_name(old, new, words):
    """One clear line; nothing is guessed."""
    assert words in why_left_out(changed(HEADS_UP, (old, new)), "pokerstars")


def test_a_big_blind_that_was_not_paid_in_full_is_refused():
    """Others call the whole of it there; by the rules of a log they call what was paid."""
    text = changed(
        HEADS_UP,
        ("Seat 1: Ann (20000", "Seat 1: Ann (60"),
        ("posts big blind 100", "posts big blind 60 and is all-in"),
        ("Bob: raises 100 to 200\nAnn: calls 100\n", "Bob: calls 50\n"),
        ("Ann: checks\nBob: bets 200\nAnn: folds\n", "*** TURN *** [Kc 4c 3s] [2d]\n"),
        ("(200) returned", "(40) returned"),
        ("Bob collected 400", "*** RIVER *** [Kc 4c 3s 2d] [2h]\nBob collected 120"),
        ("Total pot 400", "Total pot 120"),
        ("Board [Kc 4c 3s]", "Board [Kc 4c 3s 2d 2h]"),
        ("collected (400)", "collected (120)"),
    )
    assert "Bob puts in 50, by the rules of a log it is 10" in why_left_out(text, "pokerstars")


def test_the_file_counts_where_its_payoffs_contradict_its_cards():
    """And a note says so."""
    text = changed(
        CASH,
        ("Ann: a collected $120 from main", "bob collected $120 from main"),
        ("won ($237)", "won ($117)"),
        ("[Qd Qs] and lost", "[Qd Qs] and won ($120)"),
    )
    hand = read(text)
    assert hand.record.values == ("1850", "2150", "-4000")
    assert "the payoffs of the file count" in hand.notes[0]
    assert read(written([hand], "pokerstars")).record == hand.record


def test_a_player_whose_fold_is_lost_is_missed():
    """The summary has it; without the fold it would seem not to be dealt in."""
    log = "STATE:7:fffr200ff:|||||:-50|-100|0|0|0|150:a|b|c|d|e|f\n"
    text = written(hands_in(log, "log", load_builtin("nolimit6")), "pokerstars")
    assert read(text).record.names == tuple("abcdef")
    assert "d has a summary, but does nothing" in why_left_out(
        changed(text, ("d: folds\n", "")), "pokerstars"
    )


def test_a_dead_small_blind_is_read():
    """Nobody pays it, and who sits behind the button has the big blind."""
    text = changed(
        HEADS_UP,
        ("Seat #2 is", "Seat #3 is"),
        (
            "Seat 2: Bob (20000 in chips)\n",
            "Seat 2: Bob (20000 in chips)\nSeat 3: Cid (90 in chips)\n",
        ),
        ("Bob: posts small blind 50\n", ""),
        ("Ann: calls 100", "Cid: folds\nAnn: calls 100"),
    )
    hand = read(text)
    assert (hand.record.names, hand.game.blinds) == (("Ann", "Bob", "Cid"), (100, 0, 0))
    for change in (("#3 is", "#1 is"), ("Bob: raises", "Bob: posts small blind 50\nBob: raises")):
        why = why_left_out(changed(text, change), "pokerstars")
        assert why == "the blinds behind the button are not 50 and 100"


@pytest.mark.parametrize(
    "foreign",
    [
        HEADS_UP.partition("\n")[2],
        "Full Tilt Poker Game #7: Table Alpha - $0.25/$0.50\nSeat 1: Ann ($9)\n",
        "***** History for hand R5-7-1 *****\nStart hand: now\n",
        "Stage #7: Holdem No Limit $0.50\n",
        '{"ohh": {}}\n',
        "STATE:0:f:AcAd|7h6h:50|-50:Bot|Bot\n",
    ],
)
def test_what_is_no_hand_of_the_site_is_told_between_hands(foreign):
    """And in front of them: a first line that is lost, hands of other sites."""
    for text in (HEADS_UP + foreign + HEADS_UP, foreign + HEADS_UP + HEADS_UP):
        left = [one for one in hands_in(text, "pokerstars") if isinstance(one, LeftOut)]
        assert [one.reason for one in left] == ["a hand without its first line, or of another site"]
        assert text.splitlines()[left[0].line - 1] == foreign.partition("\n")[0]
    told = f"Transcript for your last 2 hands\n{HEADS_UP}\n\n*********** # 2 **************\n"
    assert len(hands_in(told + HEADS_UP, "pokerstars")) == 2


def test_blinds_of_limit_hands_are_missed():
    """The head does not say them."""
    log = "STATE:3:rrf:AcAd|7h6h:20|-20:Ann|Bob\n"
    text = written(hands_in(log, "log", load_builtin("hulhe")), "pokerstars")
    assert format_hand(read(text).record) == log.strip()
    lost = changed(text, ("Ann: posts big blind $10\n", ""))
    assert why_left_out(lost, "pokerstars") == "nobody posts the big blind"
    moved = changed(text, ("Seat #2 is", "Seat #1 is"))
    assert why_left_out(moved, "pokerstars") == "the blinds behind the button are not 5 and 10"


def test_a_cash_hand_with_side_pots_an_uncalled_bet_and_a_muck():
    """Names of any kind, remarks, a player who sits out, cards that are told last."""
    hand = read(CASH)
    assert format_hand(hand.record) == (
        "STATE:0:r300r1200cr4000r10000c///:KdKs|QdQs|9h9s/Qh7c2d/Kc/4s"
        ":13850|-9850|-4000:Ann: a|bob|Cleo (x)"
    )
    assert hand.scale == 100
    assert hand.game.stacks == (10000, 9850, 4000)
    assert hand.game.blinds == (50, 100, 0)
    assert hand.fields["hand"] == 208989898989
    assert hand.fields["seats"] == [1, 3, 5]
    assert (hand.fields["table"], hand.fields["currency"]) == ("Aludra", "USD")
    assert hand.notes == ()


def test_a_heads_up_hand_has_its_time_and_chips():
    """The button has the small blind; play money is chips."""
    hand = read(HEADS_UP)
    assert format_hand(hand.record) == (
        "STATE:7:r200c/cr400f:7d2c|/Kc4c3s:-200|200:Ann|Bob # 1478521023"
    )
    assert (hand.scale, hand.game) == (1, load_builtin("hunl"))
    assert hand.fields["currency_symbol"] == ""


def test_tournaments_are_read_where_they_have_no_antes():
    """Level and number stay with the hand."""
    text = changed(
        HEADS_UP,
        (
            "Hold'em No Limit (50/100)",
            "Tournament #34, $5.00+$0.50 USD Hold'em No Limit - Level I (50/100)",
        ),
        ("Ann (20000 in chips)", "Ann (20000 in chips, $5 bounty)"),
    )
    assert read(text).fields["_tournament"] == "34, $5.00+$0.50 USD Level I"


REMARKS = (
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
)
SHOWN_CARDS = "bob: shows [Qd Qs] (three of a kind, Queens)\n"


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        *(
            (HEADS_UP, [(before, f"{remark}\n{before}")])
            for remark in REMARKS
            for before in ("Ann: folds\n", "*** SUMMARY ***\n")
        ),
        (HEADS_UP, [("Bob: doesn't show hand", "Bob: shows [9d] (a pair)")]),
        (CASH, [(SHOWN_CARDS, ""), ("Dealt to bob [Qd Qs]\n", "")]),
    ],
)
def test_a_hand_is_the_same_with_other_lines(text, pairs):
    """Remarks move no chips, known or not; one card of two says nothing; a summary shows cards."""
    assert read(changed(text, *pairs)).record == read(text).record


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
