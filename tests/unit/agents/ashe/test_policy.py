"""What ASHE decides in compiled matches, against plain Python and PyTorch."""

import numpy as np
import pytest

from agents.ashe.policy import ASHE, family_of
from agents.ashe.policy_kernels import INPUTS, NET
from agents.recurrent.shape import GAME_ANEW, OPPONENT_ANEW, NetShape, Stack, random_genome
from agents.roster.bots import find_agent
from engine.play.compiled_match import play_matches
from engine.rules.dealing import DealStream
from engine.rules.fast_state import CALL, FOLD, RAISE
from engine.rules.state import HandState
from protocol.actions import Action
from protocol.gamedefs import load_builtin
from tests.helpers.torch_threads import one_torch_thread
from tests.helpers.views import FIRST

HUNL = load_builtin("hunl")
HANDS, SEED = 20, 5
KINDS = {FOLD: "f", CALL: "c", RAISE: "r"}
SHAPES = [
    NetShape(Stack(1, 1, 3), Stack(1, 3, 2), (5,), INPUTS, INPUTS, 1, "tanh"),
    NetShape(Stack(2, 2, 2), Stack(1, 1, 5), (4, 3), INPUTS, INPUTS, 1, "tanh"),
]
RESETS = {0: "nothing", GAME_ANEW: "game", OPPONENT_ANEW: "opponent", 3: "both"}


def genome_of(shape, seed):
    """Return a genome of a player who folds, calls and raises."""
    genome = random_genome(shape, np.random.default_rng(seed))
    genome[-1] -= 1.0
    return genome


def match_of(shape, genome, resets, other="O3"):
    """Return a recorded duplicate match of a player with somebody else."""
    met = find_agent(other).compiled_policy(HUNL, 8)
    pair = (ASHE.policy(shape, genome, resets), met)
    return play_matches(HUNL, [pair], HANDS, SEED, duplicate=True, record=True)[0]


@pytest.fixture
def torch():
    """PyTorch, if there is one."""
    with one_torch_thread() as found:
        yield found


@pytest.mark.parametrize("resets", RESETS, ids=RESETS.values())
@pytest.mark.parametrize("shape", SHAPES, ids=["wide", "deep"])
def test_decisions_are_those_of_plain_python(shape, resets, torch):
    """Every one in both seatings, and what is kept at the end of them."""
    from tests.oracles.ashe import SlowAshe, answer_to

    taken, certain = [], 0
    for seed, other in ((1, "O3"), (2, "plane-60-50")):
        genome = genome_of(shape, seed)
        match = match_of(shape, genome, resets, other)
        for seating in range(2):
            slow = SlowAshe(shape, genome, resets & GAME_ANEW, resets & OPPONENT_ANEW)
            for hand, deal in zip(range(HANDS), DealStream(HUNL, SEED), strict=False):
                state, begun = HandState.start(HUNL), False
                for kind, raise_to in match.records[seating].actions_of(hand):
                    action = Action(KINDS[kind], raise_to)
                    if (state.actor + hand + seating) % 2 == 0:
                        if not begun:
                            slow.begin_hand()
                        begun = True
                        ready = slow.ready(state, deal.holes[state.actor], deal.board)
                        answers = {answer_to(state, ready + off) for off in (-0.1, 0.1)}
                        assert action in answers
                        certain += len(answers) == 1
                        taken.append(action.kind)
                    state = state.apply(action)
                assert state.over
            memory = match.memories[seating][0][NET:].view(np.float32)
            assert memory[:INPUTS].tolist() == pytest.approx(slow.seen, abs=1e-5)
            kept = memory[INPUTS : INPUTS + shape.state]
            assert kept.tolist() == pytest.approx(slow.state[0].tolist(), abs=1e-4)
    assert certain > 0.95 * len(taken)
    assert min(taken.count(kind) for kind in "fcr") > 3


def test_what_is_kept_matters():
    """The same player decides otherwise if a stack begins each hand anew, or does not."""
    played = []
    for resets in RESETS:
        match = match_of(SHAPES[0], genome_of(SHAPES[0], 2), resets, "plane-60-50")
        played.append([record.actions.tolist() for record in match.records])
    for at, one in enumerate(played):
        assert one not in played[:at]


def spot_of(hand):
    """Return the first decision of a hand."""
    return FIRST._replace(hand=hand, p=0.6, percentile=0.8)


def test_the_game_stack_forgets_and_the_opponent_stack_does_not():
    """The second hand is as the first one if the opponent stack, too, is set back by hand."""
    decide = family_of(SHAPES[0]).decide
    policy = ASHE.policy(SHAPES[0], genome_of(SHAPES[0], 1), GAME_ANEW)
    memory = np.zeros(policy.family.memory)
    floats = memory[NET:].view(np.float32)[INPUTS : INPUTS + SHAPES[0].state]
    kept = SHAPES[0].opponent.state

    def after(hand):
        decide(spot_of(hand), policy.params, memory, np.zeros(4))
        return floats.copy()

    first, second = after(0), after(1)
    np.testing.assert_array_equal(first[kept:], second[kept:])
    assert (first[:kept] != second[:kept]).all()
    floats[:kept] = 0
    np.testing.assert_array_equal(after(2), first)
    assert (after(2) != first).any()
