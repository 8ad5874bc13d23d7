"""What is chosen in compiled matches, against plain Python and PyTorch."""

from collections import defaultdict

import numpy as np
import pytest

from agents.lookahead.policy import LOOKAHEAD
from agents.lookahead.sizes import FOLD_INPUTS, OUTPUTS, WIN_INPUTS
from agents.recurrent.shape import NetShape, Stack, random_genome
from agents.roster.bots import find_agent
from engine.equity.equity_tables import equity
from engine.play.compiled_match import play_matches
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, RAISE, raise_to
from protocol.gamedefs import load_builtin
from tests.helpers.torch_threads import one_torch_thread
from tests.oracles.pattern_trees import Counts, count_hand, move_of

HUNL = load_builtin("hunl")
HANDS, SEED = 24, 5
SHAPES = [
    NetShape(Stack(1, 1, 10), Stack(1, 1, 9), (14,), WIN_INPUTS, FOLD_INPUTS, OUTPUTS, "tanh"),
    NetShape(Stack(2, 2, 2), Stack(1, 3, 2), (5,), WIN_INPUTS, FOLD_INPUTS, OUTPUTS, "tanh"),
]


def match_of(shape, genome, other, hands=HANDS):
    """Return a recorded duplicate match of a player with somebody else."""
    pair = (LOOKAHEAD.policy(shape, genome, 0, 3), find_agent(other).compiled_policy(HUNL, 8))
    return play_matches(HUNL, [pair], hands, SEED, duplicate=True, record=True)[0]


def decisions(match):
    """Yield each decision of the first player: nodes before the hand, and all that it sees."""
    for seating in range(2):
        nodes, record = defaultdict(Counts), match.records[seating]
        for number, deal in zip(range(HANDS), DealStream(HUNL, SEED), strict=False):
            first = (number + seating) % 2
            state, streets = HandState.start(HUNL), [()]
            actions = record.actions_of(number)
            for kind, chips in actions:
                action = {"f": FOLD, "c": CALL}.get(chr(kind)) or raise_to(chips)
                while len(streets) <= state.street:
                    streets.append(())
                if (state.actor + first) % 2 == 0:
                    button = int(HUNL.blinds[1 - state.actor] < HUNL.blinds[state.actor])
                    yield nodes, button, list(streets), state, deal, action
                streets[-1] += (move_of(state, action),)
                state = state.apply(action)
            shown = None
            if chr(actions[-1][0]) != "f":
                shown = equity(deal.holes[1 - first], deal.board)
            count_hand(nodes, HUNL, (first, actions, shown), watched=1)


@pytest.mark.parametrize(
    "shape",
    [SHAPES[0], pytest.param(SHAPES[1], marks=pytest.mark.slow)],
    ids=["as shipped", "deep"],
)
def test_after_the_flop_the_best_value_is_played(shape):
    """By the estimators and formulas as written down, over whole matches with four opponents."""
    with one_torch_thread():
        from tests.oracles.lookahead import SlowLookahead

        kinds = []
        for seed, other in ((1, "O3"), (2, "plane-60-50"), (3, "O2"), (4, "plane-90-30")):
            genome = random_genome(shape, np.random.default_rng(seed))
            slow = SlowLookahead(shape, genome)
            for nodes, button, streets, state, deal, action in decisions(
                match_of(shape, genome, other)
            ):
                if state.street:
                    hole = deal.holes[state.actor]
                    values = slow.values(nodes, button, streets, state, hole, deal.board)
                    assert action in values
                    assert values[action] >= max(values.values()) - 0.01
                    kinds.append(action.kind)
        assert min(map(kinds.count, (FOLD.kind, CALL.kind, RAISE.kind))) > 5


def test_before_the_flop_rules_play():
    """Weak hands are folded to raises, the strongest are raised by the pot."""
    genome = random_genome(SHAPES[0], np.random.default_rng(1))
    met = {"folded": 0, "raised": 0, "pot": 0, "checked": 0}
    for other in ("O3", "O2"):
        for _, _, streets, state, deal, action in decisions(match_of(SHAPES[0], genome, other)):
            if state.street:
                continue
            p = equity(deal.holes[state.actor], ())
            raised = any(move > 1 for move in streets[0])
            on_button = HUNL.blinds[state.actor] < HUNL.blinds[1 - state.actor]
            legal = state.raise_range()
            if raised and p < 0.4:
                assert action == FOLD
                met["folded"] += 1
            if raised and p > 0.81 and legal and sum(move > 1 for move in streets[0]) < 4:
                assert action.kind == RAISE.kind
                met["raised"] += 1
            if not raised and p > 0.66:
                assert action == raise_to(state.to_match + state.pot + state.to_call)
                met["pot"] += 1
            if not raised and not on_button and p < 0.5:
                assert action == CALL
                met["checked"] += 1
    assert min(met["folded"], met["pot"], met["checked"]) > 5


def test_memory_of_trees_is_all_that_is_kept():
    """The state of the stacks begins anew: a decision depends on the trees and the hand alone."""
    genome = random_genome(SHAPES[0], np.random.default_rng(1))
    one, other = (match_of(SHAPES[0], genome, "O6", 40) for _ in range(2))
    np.testing.assert_array_equal(one.won, other.won)
    pairs = [(LOOKAHEAD.policy(SHAPES[0], genome, resets, 3),
              find_agent("O6").compiled_policy(HUNL, 8)) for resets in range(4)]  # fmt: skip
    results = play_matches(HUNL, pairs, 40, SEED, duplicate=True)
    for result in results:
        np.testing.assert_array_equal(result.won, one.won)
