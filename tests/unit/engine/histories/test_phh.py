"""PHH: what of the standard is read, what it becomes, and what is refused with which words.

PokerKit is a second opinion: it reads what is written here, and what it writes is read.  It plays
by casino rules where a game definition does not: an all-in below the smallest raise does not
reopen the betting.  A hand in which somebody raises all the same is none to it.
"""

import warnings
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem
from pokerkit.notation import HandHistory

from engine.histories.hand import LeftOut
from engine.histories.phh import read_phh
from protocol.gamedef import UNLIMITED_STACK
from protocol.gamedefs import load_builtin
from protocol.handlog import format_hand
from tests.helpers.histories import hands_in, only_hand, why_left_out, written
from tests.helpers.random_logs import random_log

HEADS_UP = """\
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 300]
actions = ['d dh p1 AcAd', 'd dh p2 7h6h', 'p2 cbr 6', 'p1 cc', 'd db Jc3d5c', \
'p1 cc', 'p2 cbr 8', 'p1 f']
"""
SIDE_POTS = """\
variant = 'NT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [5, 10, 0, 0]
min_bet = 10
starting_stacks = [300, 1000, 120, 1000]
actions = ['d dh p1 QsQh', 'd dh p2 KcKd', 'd dh p3 AcAd', 'd dh p4 2h2s', 'p3 cbr 120', \
'p4 f', 'p1 cbr 300', 'p2 cc', 'd db QcKh9d', 'd db Th', 'd db 4s']
"""


def line_of(text):
    return format_hand(only_hand(text).record)


def changed(text, *pairs):
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


def test_two_players_have_their_blinds_the_other_way_round():
    """p1 has the big blind and acts first after the flop; amounts count over the whole hand."""
    assert line_of(HEADS_UP) == "STATE:0:r6c/cr14f:AcAd|7h6h/Jc3d5c:-6|6:p1|p2"
    game = only_hand(HEADS_UP).game
    assert (game.blinds, game.stacks, game.first_positions) == ((2, 1), (200, 300), (1, 0, 0, 0))


def test_payoffs_come_from_cards_where_the_file_has_none():
    """Side pots and all: the kings win from the queens what the aces, shorter, cannot."""
    assert line_of(SIDE_POTS) == (
        "STATE:0:r120fr300c///:QsQh|KcKd|AcAd|2h2s/QcKh9d/Th/4s:-300|420|-120|0:p1|p2|p3|p4"
    )


def test_games_are_those_that_are_built_in_where_they_are_the_same():
    """So that a log of them needs no game file."""
    deep = changed(HEADS_UP, ("[1, 2]", "[50, 100]"), ("[200, 300]", "[20000, 20000]"))
    deep = deep.replace("= 2\n", "= 100\n").replace("cbr 6", "cbr 300").replace("cbr 8", "cbr 800")
    assert only_hand(deep).game == load_builtin("hunl")


def test_limit_raises_have_their_sizes():
    """A log has a bare r; another amount than the limit is refused."""
    text = """\
variant = "FT"
antes = [0, 0]
blinds_or_straddles = [5, 10]
small_bet = 10
big_bet = 20
starting_stacks = [inf, inf]
actions = ["d dh p1 AcAd", "d dh p2 7h6h", "p2 cbr 20", "p1 cc", "d db Jc3d5c", "p1 cbr 10", "p2 f"]
winnings = [40, 0]
"""
    hand = only_hand(text)
    assert format_hand(hand.record) == "STATE:0:rc/rf:AcAd|7h6h/Jc3d5c:20|-20:p1|p2"
    assert hand.game == load_builtin("hulhe")
    assert hand.game.stacks[0] == UNLIMITED_STACK
    assert why_left_out(changed(text, ("p1 cbr 10", "p1 cbr 15"))) == (
        "p1 raises to 35 chips, the limit is 30"
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("'NT'", "'F2L3D'", "fixed-limit triple draw (F2L3D); hold'em is read"),
        ("'NT'", "'PO'", "pot-limit Omaha (PO); hold'em is read"),
        ("'NT'", "'F7S/8'", "fixed-limit seven card stud high-low (F7S/8); hold'em is read"),
        ("'NT'", "'XX'", "no game of hold'em: variant 'XX'"),
        ("antes = [0, 0]", "antes = [0, 3]", "antes, which no game definition has"),
        ("antes = [0, 0]\n", "", "no list antes"),
        ("[200, 300]", "[200, 300, 4]", "stacks, blinds and antes of different numbers of players"),
        ("[200, 300]", "[1, 300]", "no stack of 1 plays with a blind of 2"),
        ("[200, 300]", "['x', 300]", "no number of chips: 'x'"),
        ("[1, 2]", "[0, 0]", "nobody posts a blind"),
        ("'p2 cbr 6', ", "", "p1 acts where it is the turn of p2"),
        (", 'p1 f'", "", "it ends where it is the turn of p1"),
        ("cbr 8", "cbr 1", "p2: r7: a raise must be to 8..300 chips"),
        ("cbr 8", "cbr x", "no number of chips: x"),
        ("cbr 8", "sd", "action 7: 'p2 sd' is none of hold'em"),
        ("p1 f", "p3 f", "action 8: no player is called 'p3'"),
        ("7h6h", "7h7h", "card 7h appears 2 times"),
        ("7h6h", "7hXx", "not a list of cards: '7hXx'"),
        ("Jc3d5c", "Jc3d", "p1 acts behind 2 board cards"),
        ("7h6h", "7h6h5h", "not 2 hole cards each: 'AcAd|7h6h5h"),
        ("actions = [", "actions = [3, ", "actions is not its list"),
        ("min_bet = 2", "finishing_stacks = [195, 304]", "rake: 1, which no log can say"),
        ("min_bet = 2", "finishing_stacks = [195, 306]", "chips from nowhere: 1"),
        ("min_bet = 2", "finishing_stacks = [194]", "finishing_stacks are not 2 numbers"),
        ("min_bet = 2", "players = ['a']", "1 players, 2 stacks"),
        ("'p1 f']", "'p1 f']\nx = ", "no TOML"),
    ],
)
def test_what_a_log_cannot_say_is_refused_by_name(old, new, words):
    """One clear line, and nothing is guessed."""
    assert words in why_left_out(changed(HEADS_UP, (old, new)))


def test_the_file_counts_where_its_payoffs_contradict_its_cards():
    """With a note that says so."""
    text = SIDE_POTS + "finishing_stacks = [720, 700, 0, 1000]\n"
    hand = only_hand(text)
    assert hand.record.values == ("420", "-300", "-120", "0")
    assert hand.notes == (
        "the payoffs of the file count: value of position 0 is 420, recomputed -300; "
        "value of position 1 is -300, recomputed 420",
    )
    odd = changed(HEADS_UP, ("min_bet = 2", "finishing_stacks = [194, 306]"))
    assert only_hand(odd).notes == ()


def test_odd_chips_stay_where_they_are():
    """Half a chip of a split pot is a decimal in PHH."""
    line = "STATE:1:cc/cc/cc/cc:AcKd|AdKs|2c7h/TsTh5d/5s/9c:5|5|-10:a|b|c\n"
    game = load_builtin("nolimit3")
    text = "STATE:1:ccc/ccc/ccc/ccc:AcKd|AdKs|2c7h/TsTh5d/5s/9c:50|50|-100:a|b|c\n"
    hand = only_hand(text, "log", game)
    assert hand.notes == ()
    assert isinstance(hands_in(line, "log", game)[0], LeftOut)
    five = "STATE:1:fr225c/cc/cc/cc:2c7h|AdKs|AcKd/TsTh5d/5s/9c:-50|25|25:a|b|c\n"
    five = five.replace("fr225c", "r225fc")
    split = only_hand(five, "log", game)
    assert "finishing_stacks = [19950, 20025, 20025]" in written([split], "phh")
    halved = five.replace(":-50|25|25:", ":-50|24.5|25.5:")
    again = only_hand(written([only_hand(halved, "log", game)], "phh"))
    assert format_hand(again.record) + "\n" == halved


def test_unknown_cards_are_no_cards_of_a_log():
    """They come back as they were, also where one of two is known."""
    hidden = changed(HEADS_UP, ("7h6h", "????"))
    assert line_of(hidden) == "STATE:0:r6c/cr14f:AcAd|/Jc3d5c:-6|6:p1|p2"
    half = changed(HEADS_UP, ("7h6h", "??6h"))
    assert line_of(half) == line_of(hidden)
    assert "d dh p2 ??6h" in written([only_hand(half)], "phh")
    shown = changed(HEADS_UP, ("7h6h", "????"), ("'p1 f'", "'p1 f', 'p2 sm 7h6h'"))
    assert line_of(shown) == line_of(HEADS_UP)
    other = changed(HEADS_UP, ("'p1 f'", "'p1 f', 'p2 sm 7h5h'"))
    assert why_left_out(other) == "p2 shows other cards than were dealt"


def test_a_showdown_of_unknown_cards_needs_payoffs():
    """With them it is a hand like another; who mucks wins nothing."""
    text = changed(SIDE_POTS, ("KcKd", "????"))
    assert why_left_out(text) == "a showdown of unknown cards, and no finishing_stacks"
    paid = text + "finishing_stacks = [0, 1420, 0, 1000]\n"
    assert only_hand(paid).record.values == ("-300", "420", "-120", "0")
    for nothing in ("", " ????"):
        mucked = changed(text, ("'d db 4s'", f"'d db 4s', 'p2 sm{nothing}'"))
        assert only_hand(mucked).record.values == ("420", "-300", "-120", "0")


def test_comments_and_other_fields_go_with_the_hand():
    """Through a log, too: there they are comments before the hand."""
    text = changed(HEADS_UP, ("'p2 cbr 6'", "'p2 cbr 6 # slowly'"), ("min_bet = 2", "min_bet = 1"))
    text += """\
hand = "the last"
event = "WSOP"
seats = [4, 1]
players = ["Ann|a", ""]
_mine = {x = [1.5]}
time_zone = "EST"
"""
    (hand,) = hands_in(text, "phh")
    log = written([hand], "log")
    assert '# phh: event = "WSOP"\n' in log
    assert log.splitlines()[-1] == "STATE:0:r6c/cr14f:AcAd|7h6h/Jc3d5c:-6|6:Ann_a|p2"
    again = written(hands_in(log, "log", hand.game), "phh")
    assert only_hand(again).fields == hand.fields
    for line in (
        'event = "WSOP"',
        "min_bet = 1",
        '"p2 cbr 6 # slowly"',
        "seats = [4, 1]",
        'players = ["Ann|a", ""]',
        "_mine = {x = [1.5]}",
        'hand = "the last"',
    ):
        assert line in again


def test_money_with_decimals_is_counted_in_chips():
    """As many as make every amount whole, at least a hundred; and is money again afterwards."""
    text = changed(
        HEADS_UP, ("[1, 2]", "[0.5, 1]"), ("[200, 300]", "[100.25, 150.0]"), ("cbr 6", "cbr 3.10")
    )
    hand = only_hand(changed(text, ("cbr 8", "cbr 4")))
    assert hand.scale == 100
    assert format_hand(hand.record) == "STATE:0:r310c/cr710f:AcAd|7h6h/Jc3d5c:-310|310:p1|p2"
    back = written([hand], "phh")
    assert "blinds_or_straddles = [0.50, 1.00]" in back
    assert '"p2 cbr 4.00"' in back
    assert only_hand(written([only_hand(written([hand], "log"), "log", hand.game)], "phh")) == (
        only_hand(back)
    )


def test_straddles_are_blinds():
    """The player behind the last one begins, and to raise is to double it."""
    text = """\
variant = "NT"
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 4, 0]
min_bet = 2
starting_stacks = [200, 200, 200, 200]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "d dh p4 AsAd", "p4 cbr 12", \
"p1 f", "p2 f", "p3 f"]
"""
    hand = only_hand(text)
    assert (hand.game.blinds, hand.game.first_positions[0]) == ((1, 2, 4, 0), 3)
    assert hand.record.values == ("-1", "-2", "-4", "7")
    assert "min_bet = 2" in written([hand], "phh")


def test_games_that_phh_has_no_name_for_are_refused():
    """Kuhn and Leduc have no code in the standard, and some orders of play no words."""
    leduc = only_hand("STATE:0:cc/cc:Ks|Qs/Ah:1|-1:a|b\n", "log", load_builtin("leduc"))
    with pytest.raises(ValueError, match="no name for this game"):
        written([leduc], "phh")


def test_hands_have_the_number_of_their_brackets_where_they_have_none():
    """A log needs one; a longer one than a log can have stays a field."""
    text = f"[3]\n{HEADS_UP}\n[x]\n{HEADS_UP}hand = 12345678901\n"
    first, second = hands_in(text, "phhs")
    assert (first.record.hand_id, first.line) == (3, 2)
    assert (second.record.hand_id, second.fields["hand"]) == (1, 12345678901)
    assert Decimal(second.fields["hand"]) == 12345678901


def test_winnings_are_without_what_nobody_called():
    """As sites write them: the raise that all fold to goes back and is not won."""
    text = """\
variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [0.50, 1, 0]
min_bet = 1
starting_stacks = [200.30, 81.60, 197]
actions = ['d dh p1 ????', 'd dh p2 ????', 'd dh p3 ????', 'p3 f', 'p1 cbr 3.00', 'p2 f']
winnings = [2, 0, 0]
"""
    hand = only_hand(text)
    assert (hand.record.values, hand.notes) == (("100", "-100", "0"), ())
    raked = changed(text, ("winnings = [2, 0, 0]", "winnings = [1.90, 0, 0]"))
    assert why_left_out(raked) == "rake: 0.1, which no log can say"


def test_other_games_of_hold_em_bring_their_definition():
    """Where it is not the usual one, such as other most raises."""
    game = replace(load_builtin("hulhe"), max_raises=(1, 1, 1, 1))
    hand = only_hand("STATE:1:rf:AcKd|AdKs:-10|10:a|b\n", "log", game)
    again = only_hand(written([hand], "phh"))
    assert again.game == game
    assert not again.fields
    strange = replace(load_builtin("hunl"), first_positions=(0, 0, 0, 0))
    hand = only_hand("STATE:1:cc/cc/cc/r300f:AcKd|AdKs/2c3c4c/5d/7d:100|-100:a|b\n", "log", strange)
    with pytest.raises(ValueError, match="this order of play"):
        written([hand], "phh")


SHOWN_LATE = """\
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
min_bet = 10
starting_stacks = [180, 200, 239]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cbr 25", "p1 cbr 180", "p2 f", \
"p3 cc", {shows}, "d db 6c3cTc", "d db 9h", "d db Ks"{later}]
"""


@pytest.mark.parametrize(
    ("shows", "later", "values"),
    [
        ('"p1 sm 6sAd", "p3 sm ????"', ', "p3 sm QhKh"', ("-180", "-10", "190")),
        ('"p1 sm 6sAd", "p3 sm QhKh"', ', "p3 sm ????"', ("-180", "-10", "190")),
        ('"p1 sm 6sAd", "p3 sm ????"', "", ("190", "-10", "-180")),
        ('"p3 sm ????", "p1 sm ????"', ', "p1 sm QhKh", "p3 sm 6sAd"', ("190", "-10", "-180")),
    ],
)
def test_cards_that_are_shown_once_are_no_muck(shows, later, values):
    """As at an all-in, where a player first shows unknown cards, and known ones at the end."""
    assert only_hand(SHOWN_LATE.format(shows=shows, later=later)).record.values == values


@pytest.mark.parametrize(
    ("winnings", "why"),
    [
        ("[0, 0, 0]", "they are 0, the pot is 370"),
        ("[0, 0, 570]", "they are 570, the pot is 370"),
        ("[0, 0, 185]", "they are 185, the pot is 370"),
        ("[0, 370, 0]", "somebody collects who folded"),
        ("[-10, 0, 380]", "somebody collects less than nothing"),
    ],
)
def test_winnings_that_cannot_be_true_say_nothing(winnings, why):
    """They are no rake: cards and betting say who wins, and a note that they do."""
    text = SHOWN_LATE.format(shows='"p1 sm 6sAd", "p3 sm QhKh"', later="")
    hand = only_hand(f"{text}winnings = {winnings}\n")
    assert hand.record.values == ("-180", "-10", "190")
    assert hand.notes == (f"the winnings are not known: {why}; those of cards and betting count",)
    unknown = SHOWN_LATE.format(shows='"p1 sm 6sAd"', later="")
    assert why_left_out(f"{unknown}winnings = {winnings}\n") == (
        f"a showdown of unknown cards, and the winnings are not known: {why}"
    )


def test_a_hand_has_the_scale_of_its_amounts():
    """Not that of a hand before it, least of all of one that is left out."""
    cents = changed(HEADS_UP, ("[200, 300]", "[200.25, 300]"))
    lost = changed(cents, ("variant = ", "variant = 'PO' # "))
    hands = hands_in(f"[1]\n{lost}\n[2]\n{HEADS_UP}\n[3]\n{cents}\n[4]\n{HEADS_UP}", "phhs")
    assert [getattr(hand, "scale", None) for hand in hands] == [None, 1, 100, 1]


PLAYED = ("hunl", "hulhe", "limit3", "nolimit3", "nolimit6")
SPLIT = 10
"""More chips are never odd in a pot: PokerKit gives them to one of those who share it."""
AUTOMATIONS = tuple(
    one
    for one in Automation
    if one not in (Automation.HOLE_DEALING, Automation.BOARD_DEALING, Automation.CARD_BURNING)
)


def random_hands(name, hands=24):
    """Random hands of a built-in game."""
    game = load_builtin(name)
    lines = random_log(game, 7, hands, np.random.default_rng(5))[1:-1]  # it cannot write "\\n"
    return hands_in("".join(f"{line}\n" for line in lines), "log", game)


def payoffs_of(history):
    """What PokerKit says that the players won."""
    *_, state = history
    assert not state.status
    return [float(value) for value in state.payoffs]


@pytest.mark.parametrize("name", PLAYED)
def test_pokerkit_reads_what_is_written(name):
    """And reaches the same payoffs; what it then writes is the same hand here."""
    hands = random_hands(name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        others = list(HandHistory.loads_all(written(hands, "phhs")))
    assert len(others) == len(hands)
    for hand, other in zip(hands, others, strict=True):
        right = [float(value) for value in hand.record.values]
        assert payoffs_of(other) == pytest.approx(right, abs=SPLIT)
    again = hands_in(HandHistory.dumps_all(others), "phhs")
    assert [one.record for one in again] == [hand.record for hand in hands]
    assert [one.game for one in again] == [hand.game for hand in hands]


def played_there(game, stacks, random):
    """The state of a hand that PokerKit dealt and played at random."""
    state = game(stacks, len(stacks))
    deck = random.permutation(52)
    cards = iter([f"{'23456789TJQKA'[one // 4]}{'cdhs'[one % 4]}" for one in deck])
    while state.status:
        if state.can_deal_hole():
            state.deal_hole(next(cards) + next(cards))
        elif state.can_burn_card("??"):
            state.burn_card("??")
        elif state.can_deal_board():
            wanted = state.board_dealing_count
            state.deal_board("".join(next(cards) for _ in range(wanted)))
        elif random.random() < 0.25 and state.can_complete_bet_or_raise_to():
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            state.complete_bet_or_raise_to(int(low + (high - low) * random.random() ** 4))
        elif random.random() < 0.2 and state.checking_or_calling_amount and state.can_fold():
            state.fold()
        else:
            state.check_or_call()
    return state


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("limit", [False, True])
def test_what_pokerkit_plays_and_writes_is_read(players, limit):
    """With the payoffs that it paid."""
    random = np.random.default_rng(players)
    blinds = (1, 2)
    if limit:
        game = FixedLimitTexasHoldem(AUTOMATIONS, True, 0, blinds, 2, 4)
    else:
        game = NoLimitTexasHoldem(AUTOMATIONS, True, 0, blinds, 2)
    for number in range(25):
        stacks = [int(one) for one in random.integers(40, 300, players)]
        state = played_there(game, stacks, random)
        text = HandHistory.from_game_state(game, state, hand=number).dumps()
        hand = only_hand(text)
        assert [float(one) for one in hand.record.values] == pytest.approx(state.payoffs, abs=SPLIT)
        assert list(hand.game.stacks) == stacks
        assert hand.record.hand_id == number


def test_stacks_without_an_end_are_read_there():
    """As `inf`, with what was collected instead of what was left."""
    hands = random_hands("hulhe", 5)
    assert hands[0].game.stacks == (UNLIMITED_STACK, UNLIMITED_STACK)
    (text,) = {line for line in written(hands, "phhs").splitlines() if "starting" in line}
    assert text == "starting_stacks = [inf, inf]"


def test_pokerkit_reads_our_logs():
    """Its own parser of the protocol turns the hands of a log into PHH that is read here."""
    hands = random_hands("hunl", 20)
    lines = "".join(f"{format_hand(hand.record)}\n" for hand in hands)
    game = NoLimitTexasHoldem(AUTOMATIONS, True, 0, (50, 100), 100)
    others = HandHistory.from_acpc_protocol(game, 20000, lines, error_status=True)
    again = list(read_phh(HandHistory.dumps_all(list(others)).splitlines(True), None))
    assert [one.record.betting for one in again] == [hand.record.betting for hand in hands]
    assert [one.record.cards for one in again] == [hand.record.cards for hand in hands]
