"""Local best response against its obvious versions, with toy ranges and senseless opponents."""

import dataclasses
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.evaluation.lbr import LocalBestResponse
from engine.evaluation.lbr_hand import LbrSeat, LbrStart, play_lbr_hand
from engine.evaluation.lbr_rollouts import chances
from engine.evaluation.lbr_settings import parse_lbr_settings
from engine.hands.cards import COMBOS, combo_of
from engine.rules.view import replay_betting
from protocol.actions import CALL, raise_to
from protocol.gamedefs import load_builtin
from tests.helpers.draws import all_draws
from tests.helpers.examples import one_in
from tests.helpers.random_policy import RandomPolicy
from tests.oracles import lbr as oracle

TOY = dataclasses.replace(load_builtin("hunl"), stacks=(23, 30), blinds=(2, 1))
WAYS = ("cc/cc/", "r6c/cc/", "cc/r5c/", "r4r8c/cr10c/")


@st.composite
def spots(draw, *, street):
    """A state of the toy game where somebody acts, five board cards, a hand and a toy range."""
    state = replay_betting(TOY, draw(st.sampled_from(WAYS)))
    if street == 3:
        state = state.apply(CALL).apply(CALL)
    for where in draw(st.lists(st.sampled_from((0.0, 0.4, None)), max_size=3)):
        legal = state.raise_range()
        ahead = CALL
        if legal is not None and where is not None:
            ahead = raise_to(legal[0] + round(where * (legal[1] - legal[0])))
        after = state.apply(ahead)
        if after.over or after.street > street:
            break
        state = after
    cards = draw(st.permutations(range(52)))
    hole, board, deck = tuple(cards[:2]), tuple(cards[2:7]), cards[7:17]
    weights = {
        combo_of(deck[2 * i], deck[2 * i + 1]): draw(st.sampled_from((1.0, 0.25, 3.0)))
        for i in range(draw(st.integers(1, 4)))
    }
    weights[combo_of(deck[0], deck[3])] = 0.5  # shares cards with others of the range
    total = sum(weights.values())
    return state, hole, board, {combo: weight / total for combo, weight in weights.items()}


def belief_of(weights):
    """Turn {combo: weight} into an array."""
    belief = np.zeros(COMBOS)
    belief[list(weights)] = list(weights.values())
    return belief


def mean_of_plays(play):
    """Return the exact mean of won and luck over all draws."""
    found = list(all_draws(play))
    assert sum(probability for probability, _ in found) == pytest.approx(1)
    won = sum(probability * hand.won for probability, hand in found)
    return won, sum(probability * hand.luck for probability, hand in found)


def oracle_value(lbr, state, seat, board, weights):
    """Return what LBR's decisions are worth, by going through everything that may happen."""

    def act(at, board, weights, value):
        total = sum(weights.values())
        belief = belief_of({combo: weight / total for combo, weight in weights.items()})
        return value(lbr.choose(at, board, belief, chances(seat.hole, board)).action)

    opponent = lbr.policy.of_combo
    return oracle.expected(state, seat.position, board, seat.hole, weights, opponent, act)


def assert_values_are_means(spot, seed, seen):
    """U is the mean over combos and boards of folding out or checking down."""
    state, hole, board, weights = spot
    policy = RandomPolicy(seed)
    lbr = LocalBestResponse(policy, TOY, parse_lbr_settings("FCPA"))
    known = board[:seen]
    choice = lbr.choose(state, known, belief_of(weights), chances(hole, known))
    want = [
        oracle.value_of(state, action, known, hole, weights, policy.of_combo)
        for action in choice.considered
    ]
    assert choice.values == pytest.approx(want, abs=1e-9)
    assert choice.values[choice.considered.index(choice.action)] == pytest.approx(max(want))


@given(spots(street=3), st.integers(0, 9))
def test_values_on_the_river_equal_the_obvious_mean(spot, seed):
    """Of folding out or checking down."""
    assert_values_are_means(spot, seed, 5)


@one_in(5)
@given(spots(street=2), st.integers(0, 9))
def test_values_on_the_turn_equal_the_obvious_mean(spot, seed):
    """Over all rivers too."""
    assert_values_are_means(spot, seed, 4)


@given(spots(street=3), st.integers(0, 9), st.integers(0, 1), st.sampled_from(("FCPA", "C", "FC")))
def test_a_river_is_worth_its_exact_mean(spot, seed, position, options):
    """Over all draws the estimate is what LBR wins, and luck is nothing."""
    state, hole, board, weights = spot
    lbr = LocalBestResponse(RandomPolicy(seed), TOY, parse_lbr_settings(options))
    seat = LbrSeat(position, hole, board)
    start = LbrStart(state, belief_of(weights))
    won, luck = mean_of_plays(lambda draw: play_lbr_hand(lbr, seat, draw, start))
    assert won == pytest.approx(oracle_value(lbr, state, seat, board, weights), abs=1e-9)
    assert luck == pytest.approx(0, abs=1e-9)


@one_in(5)
@given(spots(street=2), st.integers(0, 9), st.integers(0, 1), st.sampled_from(("FCA", "C,C,C,FCA")))
def test_a_turn_is_worth_its_exact_mean(spot, seed, position, options):
    """The same with the river card: dealt evenly, weighed by what the opponent may hold."""
    state, hole, board, weights = spot
    lbr = LocalBestResponse(RandomPolicy(seed, (1.0,)), TOY, parse_lbr_settings(options))
    start = LbrStart(state, belief_of(weights))
    rivers = sorted(set(range(52)) - {*hole, *board[:4]})
    total_won, total_luck = 0.0, 0.0
    for river in rivers:
        seat = LbrSeat(position, hole, (*board[:4], river))
        won, luck = mean_of_plays(partial(_play, lbr, seat, start))
        total_won += won
        total_luck += luck
    want = oracle_value(lbr, state, seat, board[:4], weights)
    assert total_won / len(rivers) == pytest.approx(want, abs=1e-9)
    assert total_luck / len(rivers) == pytest.approx(0, abs=1e-9)


@given(spots(street=3), st.integers(0, 9), st.integers(0, 1))
def test_never_more_than_a_best_response(spot, seed, position):
    """LBR plays among actions that a best response to the same opponent may also choose."""
    state, hole, board, weights = spot
    lbr = LocalBestResponse(RandomPolicy(seed), TOY, parse_lbr_settings("FCPA"))
    seat = LbrSeat(position, hole, board)

    def act(at, board, weights, value):
        return max(map(value, lbr.settings.actions(at)))

    opponent = lbr.policy.of_combo
    most = oracle.expected(state, position, board, hole, weights, opponent, act)
    assert oracle_value(lbr, state, seat, board, weights) <= most + 1e-9


def _play(lbr, seat, start, draw):
    return play_lbr_hand(lbr, seat, draw, start)
