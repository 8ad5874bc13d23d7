"""The text of PokerStars: what is read, what is written, what is refused with which words."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from pokerkit.notation import HandHistory as Notation

from engine.errors import UnusableHistory
from engine.histories.hand import LeftOut
from engine.histories.pokerstars_write import PokerStarsWriter
from protocol.gamedef import UNLIMITED_STACK
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, only_hand, why_left_out, written
from tests.helpers.random_logs import random_log

CASH = """\
\ufeffPokerStars Zoom Hand #208989898989:  Hold'em No Limit ($0.50/$1.00 USD) - \
2020/02/03 7:05:09 CET [2020/02/03 1:05:09 ET]
Table 'Aludra' 6-max Seat #5 is the button
Seat 1: Ann: a ($100 in chips)
Seat 3: bob ($98.50 in chips)\x20
Seat 5: Cleo (x) ($40 in chips)
Seat 6: dan ($12 in chips) is sitting out
Ann: a: posts small blind $0.50
bob: posts big blind $1
*** HOLE CARDS ***
Dealt to bob [Qd Qs]
eve joins the table at seat #2
Cleo (x): raises $2 to $3
Ann: a said, "bob: folds"
Ann: a: raises $9 to $12
bob: calls $11
Cleo (x): raises $28 to $40 and is all-in
Ann: a: raises $60 to $100 and is all-in
bob: calls $86.50 and is all-in
Uncalled bet ($1.50) returned to Ann: a
*** FLOP *** [Qh 7c 2d]
*** TURN *** [Qh 7c 2d] [Kc]
*** RIVER *** [Qh 7c 2d Kc] [4s]
*** SHOW DOWN ***
Ann: a: shows [Kd Ks] (three of a kind, Kings)
bob: shows [Qd Qs] (three of a kind, Queens)
Ann: a collected $117 from side pot
Cleo (x): mucks hand
Ann: a collected $120 from main pot
dan has timed out
*** SUMMARY ***
Total pot $237 Main pot $120. Side pot $117. | Rake $0
Board [Qh 7c 2d Kc 4s]
Seat 1: Ann: a (small blind) showed [Kd Ks] and won ($237) with three of a kind, Kings
Seat 3: bob (big blind) showed [Qd Qs] and lost with three of a kind, Queens
Seat 5: Cleo (x) (button) mucked [9h 9s]
"""
HEADS_UP = """\
PokerStars Hand #7:  Hold'em No Limit (50/100) - 2016/11/07 12:17:03 UTC
Table 'Lyra' 2-max (Play Money) Seat #2 is the button
Seat 1: Ann (20000 in chips)
Seat 2: Bob (20000 in chips)
Bob: posts small blind 50
Ann: posts big blind 100
*** HOLE CARDS ***
Dealt to Ann [7d 2c]
Bob: raises 100 to 200
Ann: calls 100
*** FLOP *** [Kc 4c 3s]
Ann: checks
Bob: bets 200
Ann: folds
Uncalled bet (200) returned to Bob
Bob collected 400 from pot
Bob: doesn't show hand
*** SUMMARY ***
Total pot 400 | Rake 0
Board [Kc 4c 3s]
Seat 1: Ann (big blind) folded on the Flop
Seat 2: Bob (button) (small blind) collected (400)
"""


def changed(text, *pairs):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def read(text):
    return only_hand(text, "pokerstars")


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


def test_a_hand_of_a_site_comes_back_from_a_log():
    """With its number, table, seats, date and money; through PHH and Open Hand History too."""
    hand = read(CASH)
    text = written([hand], "pokerstars")
    for between in ("log", "phhs", "ohh"):
        (again,) = hands_in(written([hand], between), between, hand.game)
        assert written([again], "pokerstars") == text
    kept = {line.rstrip() for line in CASH.splitlines()} - set(text.splitlines())
    assert {line.partition(" ")[0] for line in kept} <= {
        *("\ufeffPokerStars", "Seat", "eve", "dan", "Ann:", "Cleo"),
    }
    assert "2020/02/03 7:05:09 CET [2020/02/03 1:05:09 ET]" in text


def test_a_heads_up_hand_has_its_time_and_chips():
    """The button has the small blind; play money is chips."""
    hand = read(HEADS_UP)
    assert format_hand(hand.record) == (
        "STATE:7:r200c/cr400f:7d2c|/Kc4c3s:-200|200:Ann|Bob # 1478521023"
    )
    assert (hand.scale, hand.game) == (1, load_builtin("hunl"))
    assert hand.fields["currency_symbol"] == ""


def test_a_written_hand_is_this_text():
    """Word for word, without comments where nothing is left to say."""
    log = "STATE:7:r200c/cr400f:7d2c|9d5d/Kc4c3s:-200|200:Ann|Bob # 1478521023\n"
    text = written(hands_in(log, "log", load_builtin("hunl")), "pokerstars")
    like = changed(
        HEADS_UP,
        ("Dealt to Ann [7d 2c]\n", "Dealt to Ann [7d 2c]\nDealt to Bob [9d 5d]\n"),
        ("Lyra", "Arena"),
        (" (Play Money)", ""),
    )
    for chips in (20000, 400, 200, 100, 50, 0):
        like = like.replace(f" {chips}", f" ${chips}").replace(f"({chips}", f"(${chips}")
    assert text.replace("/$100", "/100") == f"{like}\n\n"


def test_chips_become_dollars_and_cents():
    """With a code of the currency, which keeps the scale."""
    log = "STATE:7:r250f:7d2c|9d5d:-100|100:Ann|Bob\n"
    (hand,) = hands_in(log, "log", load_builtin("hunl"))
    text = PokerStarsWriter(100).add(hand)
    assert "Hold'em No Limit ($0.50/$1.00 USD) - 1970/01/01 0:00:00 UTC" in text
    assert "Bob: raises $1.50 to $2.50" in text
    again = read(text)
    assert (again.scale, again.record, again.game) == (100, hand.record, hand.game)


def test_shares_below_a_cent_go_behind_the_button_and_are_noted():
    """Thirds of a pot: the payoffs are those of the log again."""
    cards = "5c5d|2c3d|2d3c|4h4c|6h6c|7h7c/AsKsQs/Js/Ts"
    values = "-50|16.666667|16.666667|16.666667|0|0"
    log = f"STATE:1:ccfffc/ccc/ccc/ccc:{cards}:{values}:a|b|c|d|e|f\n"
    text = written(hands_in(log, "log", load_builtin("nolimit6")), "pokerstars")
    assert [line for line in text.splitlines() if "collected" in line] == [
        "b collected $116.67 from pot",
        "c collected $116.67 from pot",
        "d collected $116.66 from pot",
    ]
    assert '# phh: _values = ["-50", "16.666667", ' in text
    assert written(hands_in(text, "pokerstars"), "log") == log


def test_each_pot_has_coins_left_over_and_they_are_told_apart():
    """Though together they are a cent off the payoffs."""
    game = replace(load_builtin("nolimit6"), stacks=(9000, 9000, 9000, 9000, 100, 9000))
    cards = "2c2d|Ac3c|Ad3d|Ah3h|KcQc|7h7c/5s5h5d/5c/2s"
    values = "-50|150|150|150|-100|-300"
    log = f"STATE:1:r300cccfc/r400ccf/ccc/ccc:{cards}:{values}:a|b|c|d|e|f\n"
    text = written(hands_in(log, "log", game), "pokerstars")
    assert "Total pot $1650 Main pot $550. Side pot $1100. | Rake $0" in text
    assert [line for line in text.splitlines() if " collected " in line] == [
        *("b collected $366.67 from side pot", "c collected $366.67 from side pot"),
        *("d collected $366.66 from side pot", "b collected $183.34 from main pot"),
        *("c collected $183.33 from main pot", "d collected $183.33 from main pot"),
    ]
    assert written(hands_in(text, "pokerstars"), "log") == log


def test_an_uncalled_bet_goes_back_before_the_board_is_run_out():
    """As at the table."""
    text = written([read(CASH)], "pokerstars")
    assert text.index("Uncalled bet ($1.50) returned to Ann: a") < text.index("*** FLOP ***")


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


def test_cards_that_the_summary_alone_shows_are_read():
    """As where a line of the showdown is lost."""
    line = "bob: shows [Qd Qs] (three of a kind, Queens)\n"
    text = changed(CASH, (line, ""), ("Dealt to bob [Qd Qs]\n", ""))
    assert read(text).record == read(CASH).record


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


def test_one_card_that_is_shown_is_passed_over():
    """The other one is not known, and a log has both or none."""
    text = changed(HEADS_UP, ("Bob: doesn't show hand", "Bob: shows [9d] (a pair)"))
    assert read(text).record == read(HEADS_UP).record


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


def test_limit_hands_have_the_sizes_of_bets_in_their_head():
    """Stacks without an end are the largest number."""
    game = load_builtin("hulhe")
    log = "STATE:3:rrc/rf:AcAd|7h6h/Jc3d5c:20|-20:Ann|Bob\n".replace("rrc", "rc")
    (hand,) = hands_in(log, "log", game)
    text = written([hand], "pokerstars")
    assert "Hold'em Limit ($10/$20)" in text
    assert f"Seat 1: Ann (${UNLIMITED_STACK} in chips)" in text
    assert "Ann: bets $10" in text
    again = read(text)
    assert (again.game, again.record) == (game, hand.record)
    other = text.replace("Ann collected", "Bob collected").replace(" collected (", " got (")
    assert read(other).record.values == ("-20", "20")


def test_other_games_are_refused():
    """Kuhn has no words there."""
    (hand,) = hands_in("STATE:0:cc:Qs|Ks:-1|1:a|b\n", "log", load_builtin("kuhn"))
    with pytest.raises(UnusableHistory, match="no words for this game, which is not hold'em"):
        written([hand], "pokerstars")


def test_players_keep_their_seats_and_names_differ():
    """Two of one name are told apart, and come back as they were."""
    game = load_builtin("hunl")
    log = "STATE:0:f:AcAd|7h6h:50|-50:Bot|Bot\nSTATE:1:f:AcAd|7h6h:50|-50:Bot|Bot\n"
    text = written(hands_in(log, "log", game), "pokerstars")
    assert text.count("Seat 2: Bot (2) ($20000 in chips)") == 2
    assert written(hands_in(text, "pokerstars"), "log") == log
    log = "STATE:0:f:AcAd|7h6h:50|-50:Ann|Bob\nSTATE:1:f:AcAd|7h6h:50|-50:Bob|Ann\n"
    text = written(hands_in(log, "log", game), "pokerstars")
    assert text.count("Seat 1: Ann ($20000 in chips)") == 2
    assert "Seat #1 is the button" in text.split("Hand #1:")[1]


def test_names_may_look_like_lines():
    """Each is read as it was written."""
    names = ("Seat 2", "Dealt to x", "*** FLOP ***", "a: folds", "a", "x collected 5 from pot")
    others = ("u: posts v", "Hand #1", "(5 in chips)", "b (button) showed [Ac Ad] and won (7)")
    game = load_builtin("nolimit6")
    for seed in range(12):
        names = (*others, *names)[:6] if seed % 2 else names
        lines = random_log(game, seed, 6, np.random.default_rng(seed), names=names)
        log = "".join(f"{line}\n" for line in lines)
        text = written(hands_in(log, "log", game), "pokerstars")
        assert written(hands_in(text, "pokerstars"), "log") == log


@pytest.mark.parametrize("name", ["hunl", "nolimit3", "nolimit6"])
def test_pokerkit_reads_the_text(name):
    """The same stacks, cards, betting and payoffs, as far as it plays by ACPC's rules."""
    game = load_builtin(name)
    lines = random_log(game, 7, 40, np.random.default_rng(5))
    hands = hands_in("".join(f"{line}\n" for line in lines), "log", game)
    text = written(hands, "pokerstars")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        others = list(Notation.from_pokerstars(text, error_status=True))
    assert len(others) == len(hands)
    for hand, other in zip(hands, others, strict=True):
        *_, state = other
        right = [float(value) for value in hand.record.values]
        assert [float(one) for one in state.payoffs] == pytest.approx(right, abs=2)
        assert other.players == list(hand.record.names)
        assert other.starting_stacks == list(hand.game.stacks)
        # It finds no winnings, and shows unknown cards before it shows known ones
        other.winnings = None
        other.actions = [action for action in other.actions if "sm ????" not in action]
        again = only_hand(other.dumps())
        assert again.record.betting == hand.record.betting
        assert again.record.cards == hand.record.cards
