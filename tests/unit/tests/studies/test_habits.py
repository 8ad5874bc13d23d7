"""Habits counted over hands."""

from dataclasses import astuple

import numpy as np
import pytest

from agents.roster.bots import find_agent
from engine.handlogs.counting.hand_stats import player_stats
from engine.handlogs.counting.tally import Tally
from engine.play.compiled_match import HandRecords
from engine.play.simulate import play_hand
from engine.rules.dealing import DealStream
from protocol.betting import parse_betting
from protocol.gamedefs import load_builtin
from tests.studies.habits import count_actions, habits_of

HUNL = load_builtin("hunl")


def test_habits_of_three_hands_counted_by_hand():
    """The first player is the button (position 1) in the first and last of them.

    1: it limps, the other raises, it calls; then all check. 2: the other limps, it checks, bets the
    flop, and the other folds. 3: it raises, the other calls and bets, it raises, the other folds.
    """
    hands = ["cr300c/cc/cc/cc", "cc/r200f", "r300c/r600r1200f"]
    counts = count_actions(HUNL, records(hands), seating=1)
    one, two = map(habits_of, counts)
    assert one.hands == two.hands == 3
    assert one.vpip == pytest.approx(2 / 3)
    assert two.vpip == 1
    assert one.played is None
    assert two.played == 1
    # Limp, call, three checks; check, bet; raise, raise.
    assert one.raise_share == pytest.approx(3 / 9)
    assert two.raise_share == pytest.approx(2 / 7)
    assert one.aggression_factor is None
    assert one.showdown_rate == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", ["hunl", "hulhe"])
def test_habits_agree_with_those_of_arena_stats(name):
    """VPIP, aggression factor and showdowns of 400 random hands, counted by both."""
    game = load_builtin(name)
    bots = [find_agent("uniform-random").build(), find_agent("biased-random").build()]
    for seed, bot in enumerate(bots):
        bot.start_match(game, seed)
    tally = Tally(game, expectation=False)
    bettings = []
    for number, deal in zip(range(400), DealStream(game, 3), strict=False):
        first = number % 2
        players = bots if first == 0 else bots[::-1]
        state, values = play_hand(game, deal, [bot.act for bot in players], number)
        bettings.append(state.betting)
        names = "A|B" if first == 0 else "B|A"
        line = state_line(number, state, deal, values, names)
        assert tally.scan(np.frombuffer(line, np.uint8), 0) == (len(line), 1)
    counted = count_actions(game, records(bettings))
    expected = {one.player: one for one in player_stats([tally], expectation=False)}
    for player, counts in zip("AB", counted, strict=True):
        own, stats = habits_of(counts), expected[player]
        assert (own.hands, own.vpip, own.aggression_factor, own.showdown_rate) == pytest.approx(
            (stats.hands, stats.vpip_per_decision, stats.aggression_factor, stats.went_to_showdown)
        )


def state_line(number, state, deal, values, names) -> bytes:
    """Return the hand as a line of an ACPC log."""
    from protocol.cards import format_cards

    board = ""
    for street in range(1, state.street + 1):
        cards = deal.board[state.game.board_seen(street - 1) : state.game.board_seen(street)]
        board += "/" + format_cards(cards)
    holes = "|".join(map(format_cards, deal.holes))
    won = "|".join(f"{value:g}" for value in values)
    return f"STATE:{number}:{state.betting}:{holes}{board}:{won}:{names}\n".encode()


def records(bettings) -> HandRecords:
    """Return whole hands, given as wire text, in the form that bulk matches keep them in."""
    actions, ends = [], []
    for text in bettings:
        for street in parse_betting(text):
            actions += [(one.raise_to or 0) << 8 | ord(one.kind) for one in street]
        ends.append(len(actions))
    return HandRecords(np.array(actions, np.int64), np.array(ends, np.int64))


def test_what_is_no_whole_hand_is_refused():
    """Unfinished, illegal, or going on after the end; nothing is divided by nothing."""
    empty = count_actions(HUNL, records([]))
    assert astuple(habits_of(empty[0])) == (0, None, None, None, None, None)
    for betting in ("cr200", "c", "cc/f", "cr150c/cc/cc/cc", "cr300fc"):
        with pytest.raises(ValueError, match=r"\bhand 1\b"):
            count_actions(HUNL, records(["cc/cc/cc/cc", betting]))
    with pytest.raises(ValueError, match="two players"):
        count_actions(load_builtin("nolimit3"), records([]))
