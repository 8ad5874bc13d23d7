"""The modeller's speed: strengths of all combos on a board, changes of weights, decisions.

`ms_per_...` are milliseconds.  A flop has to be done within 20 ms, a decision within 50.
"""

import numpy as np
import pytest

from agents.statistical.predicting.action_chances import GenericChances
from agents.statistical.ranges.interpretation import ActionInterpretation
from agents.statistical.ranges.opponent_range import OpponentRange
from agents.statistical.variants import ModellerVariant, VariantSettings
from engine.equity.strength import StrengthReader, combo_strengths
from engine.rules.view import PlayerView, replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.benchmarks.timing import note
from tests.helpers.decisions import follow

HUNL = load_builtin("hunl")
BOARD = parse_cards("3h4cJs")
SEEN = StrengthReader()


def spot(hand=0):
    """A flop on which the opponent has bet."""
    state = replay_betting(HUNL, "r250c/r400")
    shown = [(), ()]
    shown[state.actor] = parse_cards("AdQd")
    return PlayerView(state, hand, state.actor, tuple(shown), BOARD)


@pytest.mark.parametrize(
    "board", ["3h4cJs", "3h4cJh", "3h4hJh", "3h4cJsKd", "3h4cJsKd9c"], ids=lambda text: text
)
def bench_strengths_of_all_combos(benchmark, board):
    """Rainbow, two-tone and one-suited flop, turn, river; nothing kept."""
    cards = parse_cards(board)
    combo_strengths(cards)
    benchmark(combo_strengths, cards)
    note(benchmark, ms_per_board=lambda median: 1000 * median)


def bench_following_a_hand(benchmark):
    """Three actions of the opponent, all weights changed after each; strengths are known."""
    SEEN.read(BOARD)
    view, chances = spot(), GenericChances()

    def follow_hand():
        follow(OpponentRange(view.hole, SEEN, ActionInterpretation()), view, chances)

    benchmark(follow_hand)
    note(benchmark, ms_per_hand=lambda median: 1000 * median)


def bench_a_decision_on_a_new_flop(benchmark):
    """Phase 2, everything from the first action on, with a flop that was never seen before."""
    bot = ModellerVariant(VariantSettings(bin_samples=0, confidence=0))
    bot.warm_up()
    hands = iter(range(10**9))
    rng = np.random.default_rng(1)

    def setup():
        bot.start_match(HUNL, 1)
        cards = rng.permutation(52)[:5].tolist()
        view = spot(next(hands))
        shown = [(), ()]
        shown[view.position] = tuple(cards[:2])
        board = tuple(cards[2:])
        return (PlayerView(view.state, view.hand_id, view.position, tuple(shown), board),), {}

    benchmark.pedantic(bot.act, setup=setup, rounds=60)
    note(benchmark, ms_per_decision=lambda median: 1000 * median)
