"""Local best response with all hands: what it does with each, and what it wins on the mean."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_match import ALL_HOLES, measure, pair_blocks
from engine.evaluation.lbr_range import LbrPlayer
from engine.evaluation.lbr_result import result_of
from engine.evaluation.lbr_rollouts import chances
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.evaluation.range_play import range_start
from engine.evaluation.simple_policies import CallPolicy, Uniform
from engine.hands.cards import COMBO_CARDS, COMBOS, card_bits, live_combos
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.random_policy import RandomPolicy

HUNL = load_builtin("hunl")


@pytest.mark.parametrize(
    ("betting", "board"),
    [("", ""), ("r600", ""), ("cc/cr200", "2c7d9h"), ("cc/cc/c", "2c7d9hJs")],
)
def test_each_hand_does_what_it_does_alone(betting, board):
    """With the same belief: the other range less what the hand's cards take."""
    lbr = LocalBestResponse(RandomPolicy(3), HUNL, parse_lbr_settings("4"))
    state, cards = replay_betting(HUNL, betting), parse_cards(board)
    reach = np.random.default_rng(2).random((2, COMBOS))
    strategy = LbrPlayer(lbr).answer(range_start(state, cards, reach))
    live = live_combos(card_bits(cards))
    done = set()
    for combo in np.flatnonzero(live)[::37].tolist():
        hole = COMBO_CARDS[combo]
        belief = reach[1 - state.actor] * live_combos(card_bits((*hole, *cards)))
        choice = lbr.choose(state, cards, belief / belief.sum(), chances(hole, cards))
        assert strategy.actions == choice.considered
        assert strategy.probabilities[combo, strategy.actions.index(choice.action)] == 1
        done.add(choice.action)
    assert len(done) > 1
    assert (strategy.probabilities.sum(axis=1) == 1).all()


def test_nothing_is_won_from_always_call_by_checking():
    """Once luck is out, exactly."""
    lbr = LocalBestResponse(CallPolicy(), HUNL, parse_lbr_settings("C"))
    rate = result_of(measure(lbr, 3, seed=5, holes=ALL_HOLES)).rate
    assert rate.mbb_per_hand == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("policy", "game"),
    [
        (Uniform(menu_of((1.0, ALL_IN))), HUNL),
        (Uniform(menu_of((0.5, 2.0))), replace(HUNL, stacks=(1000, 1000))),
    ],
)
def test_the_mean_is_that_of_hands_dealt(policy, game):
    """Both intervals together hold the difference."""
    lbr = LocalBestResponse(policy, game, parse_lbr_settings("FC,FC,FCPA,4"))
    dealt = result_of(measure(lbr, 100, seed=5)).rate
    whole = result_of(measure(lbr, 10, seed=6, holes=ALL_HOLES)).rate
    assert abs(whole.mbb_per_hand - dealt.mbb_per_hand) < hypot(whole.ci95, dealt.ci95)


def test_the_same_seed_gives_the_same_samples_however_they_are_cut():
    """Each pair and position draws with its generator; a pair is a block."""
    lbr = LocalBestResponse(RandomPolicy(3), HUNL, parse_lbr_settings("FCPA"))
    two = measure(lbr, 2, seed=5, holes=ALL_HOLES)
    second = measure(lbr, 1, seed=5, first_pair=1, holes=ALL_HOLES)
    assert np.array_equal(two.won[1:], second.won)
    assert np.array_equal(two.luck[1:], second.luck)
    assert len(pair_blocks(range(5), ALL_HOLES)) == 5
