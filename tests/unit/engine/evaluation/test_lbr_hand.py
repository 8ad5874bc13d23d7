"""One hand of local best response, worked out where that can be done by hand."""

import dataclasses

import numpy as np
import pytest

from engine.evaluation.lbr import LocalBestResponse, first_belief
from engine.evaluation.lbr_hand import (
    ACTIONS_LUCK,
    CALLS,
    FOLDS,
    LUCK_WIDTH,
    OPPONENT_FOLDS,
    RAISED,
    RAISES,
    TALLY_WIDTH,
    WON,
    LbrSeat,
    LbrStart,
    play_lbr_hand,
)
from engine.evaluation.lbr_rollouts import chances
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy, TablePolicy
from engine.hands.cards import COMBOS, parse_combo
from engine.rules.view import replay_betting
from protocol.actions import CALL, FOLD, raise_to
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.oracles.evaluator import strength

HUNL = load_builtin("hunl")
HOLE = parse_cards("QdQc")
BOARD = parse_cards("2c7d9hJsKs")


def never(probabilities):
    """A draw where nothing may be left to draw."""
    raise AssertionError(probabilities)


def certain(probabilities):
    """A draw among one."""
    assert np.flatnonzero(probabilities).tolist() == [int(np.argmax(probabilities))]
    return int(np.argmax(probabilities))


def hand(policy, options, position=0, draw=certain):
    """One hand with queens."""
    lbr = LocalBestResponse(policy, HUNL, parse_lbr_settings(options))
    return play_lbr_hand(lbr, LbrSeat(position, HOLE, BOARD), draw)


def edge(seen):
    """2 wp - 1 of the queens against any hand, counted with another evaluator."""
    known = BOARD[:seen]
    mine = chances(HOLE, known)
    count = np.count_nonzero(first_belief(HOLE)) if not seen else (50 - seen) * (49 - seen) // 2
    return 2 * mine.sum() / count - 1


def test_a_fold_ends_the_hand_without_a_draw():
    """The small blind is given up at once; all that was luck are LBR's own cards."""
    value = hand(FoldPolicy(), "FC", draw=never)
    assert value.won == 50
    assert value.luck.shape == (LUCK_WIDTH,)
    assert value.luck == pytest.approx((100 * edge(0), 0, 0, 0, 0))
    assert value.tally.shape == (4, TALLY_WIDTH)
    assert value.tally[0, [OPPONENT_FOLDS, WON]] == pytest.approx((1, 50))
    assert not value.tally[1:].any()


def test_checks_lead_to_the_showdown():
    """Against all 990 hands that queens may meet on this board, won and tied ones counted."""
    mine = strength((*HOLE, *BOARD))
    deck = [card for card in range(52) if card not in (*HOLE, *BOARD)]
    points = 0
    for i, first in enumerate(deck):
        for second in deck[:i]:
            theirs = strength((first, second, *BOARD))
            points += (mine > theirs) - (mine < theirs)
    value = hand(FoldPolicy(), "FC", position=1)
    assert value.won == pytest.approx(100 * points / 990)
    assert edge(5) == pytest.approx(points / 990)


def test_luck_follows_the_cards():
    """Street by street what the check-down value gains; together all that happened."""
    value = hand(CallPolicy(), "C", position=1)
    steps = np.diff([0, *(100 * edge(seen) for seen in (0, 3, 4, 5))])
    assert value.luck[:ACTIONS_LUCK] == pytest.approx(steps)
    assert value.luck.sum() == pytest.approx(value.won)


def test_a_call_of_all_chips_counts_every_river():
    """On the turn the queens are the better hand: LBR shoves, is called, and no river matters."""
    value = hand(CallPolicy(), "C,C,FCA", draw=certain)
    assert value.won == pytest.approx(20000 * edge(4))
    assert value.tally[2, [RAISES, RAISED, WON]] == pytest.approx((1, 19900, value.won))
    other = play_lbr_hand(
        LocalBestResponse(CallPolicy(), HUNL, parse_lbr_settings("C,C,FCA")),
        LbrSeat(0, HOLE, (*BOARD[:4], parse_cards("Qs")[0])),
        certain,
    )
    assert other.won == value.won


def test_folds_are_counted_and_the_rest_is_drawn():
    """Half of the raises are folded to: 100 chips times a half, and half of what comes after."""
    half = np.full(COMBOS, 0.5, np.float32)
    policy = TablePolicy({"cc/cc/cr300": {FOLD: half, CALL: half}})
    value = hand(policy, "C,C,FCP,C", position=1)
    assert value.tally[2, [RAISES, OPPONENT_FOLDS, WON]] == pytest.approx((1, 0.5, 50))
    assert value.tally[3, [CALLS, WON]] == pytest.approx((0.5, 0.5 * 300 * edge(5)))
    assert value.won == pytest.approx(50 + 150 * edge(5))


def test_what_lbr_folds_is_lost():
    """All hands that are left beat the queens and bet: 100 chips."""
    kings = parse_combo("KdKh")
    belief = np.zeros(COMBOS)
    belief[kings] = 1
    everything = {raise_to(300): np.ones(COMBOS, np.float32)}
    lbr = LocalBestResponse(
        TablePolicy({"cc/cc/cc/": everything}), HUNL, parse_lbr_settings("C,C,C,FC")
    )
    start = LbrStart(replay_betting(HUNL, "cc/cc/cc/"), belief)
    value = play_lbr_hand(lbr, LbrSeat(1, HOLE, BOARD), certain, start)
    assert value.won == -100
    assert value.tally[3, FOLDS] == 1


def test_actions_drawn_are_weighed():
    """Each way of the flop is taken with its probability; both ways average to the same luck."""
    kings = parse_combo("KdKh")
    raises = np.full(COMBOS, 0.25, np.float32)
    raises[kings] = 1
    policy = TablePolicy({"cc/": {CALL: 1 - raises, raise_to(300): raises}})
    seen = []

    def way(taken):
        def draw(probabilities):
            if np.count_nonzero(probabilities) == 1:
                return certain(probabilities)
            seen.append(probabilities)
            return taken

        return draw

    values = [hand(policy, "C", position=1, draw=way(taken)) for taken in (0, 1)]
    assert np.array_equal(seen[0], seen[1])
    assert seen[0][1] == pytest.approx(0.25 * 1080 / 1081 + 1 / 1081)
    luck = [value.luck[ACTIONS_LUCK] for value in values]
    assert luck[0] * seen[0][0] + luck[1] * seen[0][1] == pytest.approx(0)
    assert luck[1] != 0


def test_cards_that_the_opponent_holds_end_the_hand():
    """The river is a card of its only combo, which cannot be: nothing is won, nothing asked."""
    belief = np.zeros(COMBOS)
    belief[parse_combo("KsKh")] = 1
    lbr = LocalBestResponse(CallPolicy(), HUNL, parse_lbr_settings("FC"))
    start = LbrStart(replay_betting(HUNL, "cc/cc/"), belief)
    value = play_lbr_hand(lbr, LbrSeat(0, HOLE, BOARD), certain, start)
    assert value.won == 0
    assert not value.tally[3].any()


def test_hands_that_are_over_before_they_begin():
    """All-in by the blinds: every board counts."""
    game = dataclasses.replace(HUNL, stacks=(100, 50))
    lbr = LocalBestResponse(CallPolicy(), game, parse_lbr_settings("FC"))
    value = play_lbr_hand(lbr, LbrSeat(0, HOLE, BOARD), never)
    assert value.won == pytest.approx(50 * edge(0))
