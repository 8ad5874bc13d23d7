"""Hands written by hand for each definition of docs/tracker.md: one where it is, one where not.

Positions three-handed: 0 small blind, 1 big blind, 2 button.  Heads-up: 0 big blind, 1 button,
who acts first before the flop and last after it.  Blinds are 50 and 100, stacks mostly 20 000.
"""

from dataclasses import replace

import numpy as np
import pytest

from engine.handlogs.counting.detail import Detail
from engine.handlogs.counting.tally import Tally
from protocol.gamedefs import load_builtin
from tests.helpers.tracked import COLUMNS

HUNL = load_builtin("hunl")
THREE = load_builtin("nolimit3")
SHORT = replace(THREE, stacks=(20_000, 20_000, 1000))
"""The button has 1000 chips."""
CARDS = {
    HUNL: ("5d5c|9hQd", "8dAs8s", "4h", "6d"),
    THREE: ("5d5c|9hQd|Th2c", "8dAs8s", "4h", "6d"),
    SHORT: ("5d5c|9hQd|Th2c", "8dAs8s", "4h", "6d"),
}
"""Heads-up the first position wins with eights and fives, three-handed too."""


def counted(game, betting):
    """Return {(what, street): [count of each position]} of one hand; no "of": the occasions."""
    holes, *board = CARDS[game]
    cards = "/".join([holes, *board[: betting.count("/")]])
    values = "|".join("0" * game.players)
    names = "|".join("abc"[: game.players])
    line = f"STATE:0:{betting}:{cards}:{values}:{names}\n"
    tally = Tally(game, expectation=False, detail=Detail.TRACKER)
    data = np.frombuffer(line.encode(), np.uint8)
    assert tally.scan(data, 0)[0] == len(data), betting
    counts = [one.counts for one in sorted(tally.lines(), key=lambda one: one.position)]
    return {key: [int(own[column]) for own in counts] for key, column in COLUMNS.items()}


BEFORE = [
    # 3-bet: the second raise.  Whoever faces one raise and may raise has the chance.
    ("three_bet", HUNL, "r300r900f", [1, 0], [1, 0]),
    ("three_bet", HUNL, "r300c/cc/cc/cc", [0, 0], [1, 0]),
    ("three_bet", HUNL, "cr300f", [0, 0], [0, 1]),  # a raise behind a limp is the first one
    ("three_bet", HUNL, "r20000f", [0, 0], [0, 0]),  # nobody may raise an all-in
    ("three_bet", THREE, "r300fr900f", [0, 1, 0], [1, 1, 0]),
    # fold to it: only who made the first raise; a caller who folds did not.
    ("fold_to_three_bet", HUNL, "r300r900f", [0, 1], [0, 1]),
    ("fold_to_three_bet", HUNL, "r300r900c/cc/cc/cc", [0, 0], [0, 1]),
    ("fold_to_three_bet", THREE, "r300cr900cf/cc/cc/cc", [0, 0, 0], [0, 0, 1]),
    ("fold_to_three_bet", THREE, "r300r900r2000ff", [0, 0, 0], [0, 0, 0]),  # a 4-bet came first
    # 4-bet: the third raise, by the first raiser or anybody else.
    ("four_bet", HUNL, "r300r900r2000f", [0, 1], [0, 1]),
    ("four_bet", HUNL, "r300r900f", [0, 0], [0, 1]),
    ("four_bet", THREE, "r300r900r2000ff", [0, 1, 0], [0, 1, 0]),  # cold
    ("fold_to_four_bet", HUNL, "r300r900r2000f", [1, 0], [1, 0]),
    ("fold_to_four_bet", THREE, "r300r900r2000ff", [1, 0, 0], [1, 0, 0]),
    ("fold_to_four_bet", HUNL, "r300r900r2000c/cc/cc/cc", [0, 0], [1, 0]),
    # squeeze: a 3-bet behind somebody who called the raise.
    ("squeeze", THREE, "r300cr900ff", [0, 1, 0], [0, 1, 0]),
    ("squeeze", THREE, "r300cf/cc/cc/cc", [0, 0, 0], [0, 1, 0]),
    ("squeeze", THREE, "r300fr900f", [0, 0, 0], [0, 0, 0]),  # nobody called
    ("squeeze", THREE, "ccr300r900ff", [0, 0, 0], [0, 0, 0]),  # the calls were limps
]
AFTER = [
    # c-bet: the last raiser of the street before bets first; of later streets after a c-bet.
    ("cbet", 1, HUNL, "r300c/cr600f", [0, 1], [0, 1]),
    ("cbet", 1, HUNL, "r300c/cc/cc/cc", [0, 0], [0, 1]),
    ("cbet", 1, HUNL, "r300c/r600f", [0, 0], [0, 0]),  # bet into: no chance
    ("cbet", 1, HUNL, "cc/r200f", [0, 0], [0, 0]),  # nobody had raised
    ("cbet", 1, HUNL, "r300r900c/r1800f", [1, 0], [1, 0]),
    ("cbet", 2, HUNL, "r300c/cr600c/cr1200f", [0, 1], [0, 1]),
    ("cbet", 2, HUNL, "r300c/cr600c/cc/cc", [0, 0], [0, 1]),
    ("cbet", 2, HUNL, "r300c/cc/cr600f", [0, 0], [0, 0]),  # a delayed one is none
    ("cbet", 2, HUNL, "r300c/cr600r1800c/cr3600f", [0, 0], [0, 0]),  # the raiser leads now
    ("cbet", 3, HUNL, "r300c/cr600c/cr1200c/cr2400f", [0, 1], [0, 1]),
    ("cbet", 3, HUNL, "r300c/cr600c/cc/cr1200f", [0, 0], [0, 0]),
    # fold to it: whoever faces the c-bet itself, not a raise of it.
    ("fold_to_cbet", 1, HUNL, "r300c/cr600f", [1, 0], [1, 0]),
    ("fold_to_cbet", 1, HUNL, "r300c/cr600c/cc/cc", [0, 0], [1, 0]),
    ("fold_to_cbet", 1, HUNL, "r300c/r600f", [0, 0], [0, 0]),  # a donk bet
    ("fold_to_cbet", 1, THREE, "r300cc/ccr600r1800ff", [0, 0, 0], [1, 0, 0]),
    ("fold_to_cbet", 2, HUNL, "r300c/cr600c/cr1200f", [1, 0], [1, 0]),
    # donk bet: before the last raiser of the street before has acted.
    ("donk_bet", 1, HUNL, "r300c/r600f", [1, 0], [1, 0]),
    ("donk_bet", 1, HUNL, "r300c/cr600f", [0, 0], [1, 0]),
    ("donk_bet", 1, HUNL, "cc/r200f", [0, 0], [0, 0]),
    ("donk_bet", 1, HUNL, "r300r900c/cr1800f", [0, 0], [0, 0]),  # behind the raiser
    ("donk_bet", 2, HUNL, "r300c/cr600c/r1200f", [1, 0], [1, 0]),
    ("donk_bet", 2, HUNL, "r300c/cc/r600f", [0, 0], [0, 0]),  # nobody bet the flop
    ("donk_bet", 1, SHORT, "r900cc/cr2000ff", [0, 1, 0], [1, 1, 0]),
    ("donk_bet", 1, SHORT, "r1000cc/r2000f//", [0, 0, 0], [0, 0, 0]),  # the raiser is all-in
    # check-raise: of those who checked and face a bet.
    ("check_raise", 1, HUNL, "cc/cr200r400f", [1, 0], [1, 0]),
    ("check_raise", 1, HUNL, "cc/cr200c/cc/cc", [0, 0], [1, 0]),
    ("check_raise", 1, HUNL, "cc/r200r400f", [0, 0], [0, 0]),
    ("check_raise", 1, HUNL, "cc/cr20000f", [0, 0], [0, 0]),
    ("check_raise", 3, HUNL, "cc/cc/cc/cr200r400f", [1, 0], [1, 0]),
    # float: calls a c-bet, is checked to on the next street, bets.
    ("float", 2, HUNL, "r300r900c/r1800c/cr3600f", [0, 1], [0, 1]),
    ("float", 2, HUNL, "r300r900c/r1800c/cc/cc", [0, 0], [0, 1]),
    ("float", 2, HUNL, "r300r900c/r1800c/r3600f", [0, 0], [0, 0]),  # bet again
    ("float", 2, HUNL, "r300c/cr600c/r1200f", [0, 0], [0, 0]),  # out of position: a donk bet
    ("float", 2, HUNL, "cc/r200c/cr400f", [0, 0], [0, 0]),  # the call was of no c-bet
    ("float", 3, HUNL, "r300r900c/r1800c/r3600c/cr7200f", [0, 1], [0, 1]),
]
ENDS = [
    # WTSD without run-outs: hands that saw the flop and were not run out.
    ("showdown_played", HUNL, "cc/cc/cc/cc", [1, 1], [1, 1]),
    ("showdown_played", HUNL, "cc/cc/cc/r200f", [0, 0], [1, 1]),
    ("showdown_played", HUNL, "r20000c///", [0, 0], [0, 0]),
    ("showdown_played", HUNL, "cc/cc/r20000c/", [0, 0], [0, 0]),
    ("showdown_played", HUNL, "cc/cc/cc/r20000c", [1, 1], [1, 1]),  # no card was to come
    ("showdown_played", HUNL, "f", [0, 0], [0, 0]),
    # WWSF: took part of a pot, of hands that saw the flop.
    ("second_street_won", HUNL, "cc/cc/cc/cc", [1, 0], [1, 1]),
    ("second_street_won", HUNL, "cc/cr200f", [0, 1], [1, 1]),
    ("second_street_won", HUNL, "r300f", [0, 0], [0, 0]),
    ("second_street_won", THREE, "r300fc/r600f", [0, 1, 0], [0, 1, 1]),
]
ACTIONS = [
    # aggression: bets and raises, calls, folds; checks are none of these.
    ("raise", 0, HUNL, "r300r900c/cc/cc/cc", [1, 1]),
    ("call", 0, HUNL, "r300r900c/cc/cc/cc", [0, 1]),
    ("check", 0, HUNL, "cc/cc/cc/cc", [1, 0]),
    ("check", 1, HUNL, "r300c/cr600f", [1, 0]),
    ("fold", 1, HUNL, "r300c/cr600f", [1, 0]),
    ("fold", 2, HUNL, "r300c/cr600f", [0, 0]),
    # sizes in pots after calling: 100 into 200 is a half, a raise to 300 more of 600 as well.
    ("40-60", 1, HUNL, "cc/r200f", [1, 0]),
    ("25-40", 1, HUNL, "r500c/r750f", [1, 0]),
    ("25-40", 1, HUNL, "r500c/r749f", [0, 0]),
    ("40-60", 1, HUNL, "r500c/r1099f", [1, 0]),
    ("60-85", 1, HUNL, "r500c/r1100f", [1, 0]),  # an edge belongs to the size it begins
    ("85-115", 0, HUNL, "r300f", [0, 1]),
    ("85-115", 0, HUNL, "r300r900f", [1, 1]),
    ("175+", 1, HUNL, "cc/r20000f", [1, 0]),
]


@pytest.mark.parametrize(("what", "game", "betting", "count", "of"), [*BEFORE, *ENDS])
def test_of_a_hand(what, game, betting, count, of):
    """How often, and of how many occasions, by position."""
    found = counted(game, betting)
    assert (found[what, None], found[f"{what} of", None]) == (count, of)


@pytest.mark.parametrize(("what", "street", "game", "betting", "count", "of"), AFTER)
def test_of_a_street(what, street, game, betting, count, of):
    """The same for what is counted by street."""
    found = counted(game, betting)
    assert (found[what, street], found[f"{what} of", street]) == (count, of)


@pytest.mark.parametrize(("what", "street", "game", "betting", "count"), ACTIONS)
def test_actions_of_a_street(what, street, game, betting, count):
    """Actions and sizes."""
    assert counted(game, betting)[what, street] == count
