"""A decision tree tells what hands actions are taken with."""

import numpy as np
import pytest

from agents.statistical.counting.counters import OpponentCounters
from agents.statistical.counting.habits import habits_of_cell
from agents.statistical.counting.situations import CALL, FOLD, RAISE, situation_of
from agents.statistical.predicting.contexts import context_of
from agents.statistical.predicting.model_files import load_shipped
from agents.statistical.ranges.thresholds import LEAST_WEIGHT_FACTOR
from agents.statistical.ranges.tree_interpretation import TreeInterpretation
from engine.hands.cards import COMBOS
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.decisions import acted

HUNL = load_builtin("hunl")
TREE = load_shipped("tree")
FLOP = parse_cards("3h4cJh")


def interpretation():
    """That of somebody who has called a few times, and the counters."""
    counters = OpponentCounters()
    for _ in range(9):
        counters.add(acted(True, 4, CALL))
    return TreeInterpretation(tree=TREE).of(counters), counters


def by_hand(kind, shares, situation, counters, strength):
    """The chance of an action at a strength: Bayes' rule, one action after the other."""
    context = context_of(situation, habits_of_cell(counters.counts.sum(axis=0), situation.cell))
    bin_ = min(int(20 * strength), 19)
    joint = [
        shares[action] * float(TREE.strength_shares(context[None], np.array([action]))[0, bin_])
        for action in (FOLD, CALL, RAISE)
    ]
    return joint[kind] / sum(joint)


@pytest.mark.parametrize("kind", [CALL, RAISE])
def test_likelihoods_are_those_of_the_leaf(kind):
    """In the ratios of Bayes' rule, the likeliest at 1; unknown hands stay unknown."""
    way, counters = interpretation()
    situation = situation_of(replay_betting(HUNL, "cc/cr300"), FLOP)
    shares = (0.3, 0.5, 0.2)
    strengths = np.random.default_rng(2).random(COMBOS)
    strengths[:3] = 0.0, 1.0, np.nan
    likely = way.likelihoods(kind, shares, situation, strengths, strengths)
    some = [*range(2), *range(3, 60)]
    expected = [by_hand(kind, shares, situation, counters, float(strengths[one])) for one in some]
    ratios = likely[some] / np.array(expected)
    assert ratios == pytest.approx(np.full(len(some), ratios[0]))
    assert np.nanmax(likely) <= 1
    assert np.isnan(likely[2])


def test_what_is_against_the_rules_is_likely_with_no_hand():
    """A raise of an all-in."""
    situation = situation_of(replay_betting(HUNL, "cc/r20000"), FLOP)
    likely = interpretation()[0].likelihoods(
        RAISE, (0.5, 0.5, 0.0), situation, np.ones(COMBOS), np.ones(COMBOS)
    )
    assert (likely == LEAST_WEIGHT_FACTOR).all()
