"""Speed of local best response, one core; unit: seconds, hands/s or decisions/s beside it."""

import dataclasses
import time

import numpy as np
import pytest

from engine.evaluation.lbr import LocalBestResponse, belief_after_cards, first_belief
from engine.evaluation.lbr_match import play_lbr_pairs
from engine.evaluation.lbr_rollouts import chances
from engine.evaluation.lbr_settings import PUBLISHED_SETTINGS, parse_lbr_settings
from engine.evaluation.simple_policies import CallPolicy
from engine.rules.view import replay_betting
from protocol.actions import CALL
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.benchmarks.timing import note
from tests.oracles import lbr as oracle

HUNL = load_builtin("hunl")
PAIRS = 50


@pytest.mark.parametrize("settings", PUBLISHED_SETTINGS, ids=lambda settings: settings.name)
def bench_lbr_against_always_call(benchmark, settings):
    """Whole hands; the opponent costs next to nothing, and every hand goes to the showdown."""
    lbr = LocalBestResponse(CallPolicy(), HUNL, settings)
    play_lbr_pairs(lbr, 1, 0, 2)
    benchmark.pedantic(play_lbr_pairs, (lbr, 1, 0, PAIRS), rounds=5, iterations=1)
    note(benchmark, hands_per_s=lambda median: 2 * PAIRS / median)


def bench_lbr_decision(benchmark):
    """One decision on the river with two raises, and the same hand by hand."""
    game = dataclasses.replace(HUNL, stacks=(40, 40), blinds=(2, 1))
    lbr = LocalBestResponse(CallPolicy(), game, parse_lbr_settings("FCPA"))
    state = replay_betting(game, "cc/cc/cc/r4")
    hole, board = parse_cards("QdQc"), parse_cards("2c7d9hJsKs")
    belief, _ = belief_after_cards(first_belief(hole), board)

    def decide():
        return lbr.choose(state, board, belief, chances(hole, board))

    choice = decide()
    weights = {int(combo): belief[combo] for combo in np.flatnonzero(belief)}
    start = time.perf_counter()
    values = [
        oracle.value_of(state, action, board, hole, weights, lambda *_: {CALL: 1.0})
        for action in choice.considered
    ]
    obvious = time.perf_counter() - start
    assert choice.values == pytest.approx(values)
    benchmark.pedantic(decide, rounds=20, iterations=20)
    if benchmark.stats is not None:
        median = benchmark.stats.stats.median
        benchmark.extra_info["decisions_per_s"] = 1 / median
        benchmark.extra_info["ratio_to_hand_by_hand"] = obvious / median
