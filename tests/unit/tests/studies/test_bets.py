"""Sizes of bets against winning, by type of player."""

from dataclasses import replace

import pytest

from agents.statistical.counting.play_summary import PlaySummary
from agents.statistical.counting.situations import RAISE, actions_of
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.predicting.player_types import TYPES
from engine.equity.strength import StrengthReader
from engine.hands.cards import combo_of
from tests.helpers.studied import random_hands, studied_hands, taken
from tests.studies.bets import POT_SHARES, BetStudy

STREETS = ("before the flop", "flop", "turn", "river")
WINDOW = 20


@pytest.fixture(scope="module", params=["hunl", "hulhe"])
def found(request):
    """Hands, the reader of strengths, and the counts of the hands by types of short windows."""
    logged = random_hands(request.param, 45)
    strengths = StrengthReader()
    types = replace(load_shipped("types"), window=WINDOW)
    return logged, strengths, types, taken(BetStudy(), logged, strengths).counted(types)


def parts_by_hand(logged, strengths):
    """What each player did in each hand: name, actions, strengths, shown, share of the pot."""
    for hand in studied_hands(logged):
        state, cards = hand.hand.state, hand.hand.cards
        every = actions_of(state, cards.board)
        for place in (0, 1):
            own = [one for one in every if one.actor == place]
            held = [
                float(strengths.read(one.situation.board)[combo_of(*cards.holes[place])])
                for one in own
            ]
            if own:
                yield hand.hand.record.names[place], own, held, state.showdown, hand.shares[place]


def typed_parts(logged, strengths, types):
    """The same with the type of the player's window."""
    for name in sorted({name for hand in logged.hands for name in hand.names}):
        parts = [part for part in parts_by_hand(logged, strengths) if part[0] == name]
        for first in range(0, len(parts), WINDOW):
            window = parts[first : first + WINDOW]
            summary = PlaySummary(logged.game.no_limit)
            for _, own, held, shown, _ in window:
                for one, strength in zip(own, held, strict=True):
                    summary.add(one.kind, one.raised, one.stack, one.cell)
                    if shown:
                        summary.add_shown(one.kind, strength, one.cell)
                summary.add_hand()
            kind = types.assign(summary).name
            yield from ((kind, *part) for part in window)


def sizes_of(own, no_limit):
    """The sizes under which a hand counts."""
    raised = [one.raised for one in own if one.kind == RAISE]
    if not no_limit:
        return {min(len(raised), 7)}
    return {1 + sum(one > bound for bound in POT_SHARES) for one in raised} or {0}


def test_hands_and_wins_are_those_of_a_slow_recount(found):
    """Each hand once for each size."""
    logged, strengths, types, counts = found
    parts = list(typed_parts(logged, strengths, types))
    plain = counts.plain()
    assert list(plain["types"]) == [name for name in TYPES if any(one[0] == name for one in parts)]
    for kind, told in plain["types"].items():
        for street in ("whole hand", "river"):
            for size, row in enumerate(told[street]):
                shares = [
                    share
                    for name, _, own, _, _, share in parts
                    if name == kind
                    and (here := [o for o in own if street in ("whole hand", place_of(o))])
                    and size in sizes_of(here, logged.game.no_limit)
                ]
                assert (row is None) == (not shares)
                if row is not None:
                    assert row["hands"] == len(shares)
                    assert row["won"] == pytest.approx(sum(shares) / len(shares), abs=1e-4)


def place_of(action):
    """The street of an action in words."""
    return STREETS[action.situation.state.street]


def test_mean_bets_are_those_of_a_slow_recount(found):
    """By tenths of the strength; no raise counts as more than two pots."""
    logged, strengths, types, counts = found
    parts = list(typed_parts(logged, strengths, types))
    for kind, told in counts.plain()["types"].items():
        for tenth in range(10):
            bets = [
                min(one.raised, 2.0) if one.kind == RAISE else 0.0
                for name, _, own, held, _, _ in parts
                if name == kind
                for one, strength in zip(own, held, strict=True)
                if place_of(one) == "flop" and min(int(10 * strength), 9) == tenth
            ]
            wanted = pytest.approx(sum(bets) / len(bets), abs=1e-4) if bets else None
            assert told["mean_bet"][1][tenth] == wanted


def test_windows_and_pieces(found):
    """Left-over hands are a shorter window; pieces change nothing."""
    logged, strengths, types, counts = found
    players = {name for hand in logged.hands for name in hand.names}
    whole = BetStudy()
    for part in (slice(20), slice(20, None)):
        whole.add(taken(BetStudy(), logged._replace(hands=logged.hands[part]), strengths))
    assert whole.deals == 45
    assert whole.counted(types).plain() == counts.plain()
    assert len(players) * 2 <= counts.windows.sum() <= len(players) * 3
