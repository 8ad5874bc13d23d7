"""Matches of ranges: what is drawn has the mean of what could be drawn."""

import numpy as np
import pytest

from engine.evaluation.lbr_hand import ACTIONS_LUCK, CALLS, OPPONENT_FOLDS, RAISES, WON
from engine.evaluation.range_play import PolicyPlayer, RangeSpot, play_ranges, range_start
from engine.evaluation.simple_policies import CallPolicy, FoldPolicy
from engine.hands.cards import COMBOS
from engine.range_solver.terminal import fold_values, showdown_values
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol.cards import parse_cards
from protocol.gamedefs import load_builtin
from tests.helpers.random_policy import RandomPolicy

HUNL = load_builtin("hunl")
BOARD = parse_cards("2c7d9hJsKs")
RIVER = replay_betting(HUNL, "cr400c/r800c/cc/")
FIRST, SECOND = RandomPolicy(3, (0.5, 2.0)), RandomPolicy(4, (0.5, 2.0))


class Ahead(PolicyPlayer):
    """Knows the answers to its raises."""

    asks_ahead = True


def ranges(seed=1):
    """Random ranges of both."""
    return np.random.default_rng(seed).random((2, COMBOS))


def all_draws(play):
    """Yield the chance of each way to draw, and what `play` returns with it."""
    paths = [()]
    while paths:
        path = paths.pop()
        taken, chances = [], []

        def draw(shares, path=path, taken=taken, chances=chances):
            number = len(taken)
            if number >= len(path):
                paths.extend((*taken, later) for later in range(1, len(shares)))
            taken.append(path[number] if number < len(path) else 0)
            chances.append(shares[taken[-1]])
            return taken[-1]

        value = play(draw)
        yield np.prod(chances), value


def exact(state, reach, policies):
    """What position 0 wins over all pairs of combos, by following every action."""
    if state.over:
        if state.showdown:
            return min(state.spent) * float(reach[0] @ showdown_values(reach[1], BOARD))
        won = -min(state.spent) if state.folded[0] else min(state.spent)
        return won * float(reach[0] @ fold_values(reach[1], BOARD))
    strategy = policies[state.actor].strategy(state, BOARD)
    total = 0.0
    for action, shares in zip(strategy.actions, strategy.probabilities.T, strict=True):
        after = reach.copy()
        after[state.actor] *= shares
        total += exact(state.apply(action), after, policies)
    return total


@pytest.mark.parametrize("player", [PolicyPlayer, Ahead])
def test_the_mean_over_all_draws_is_exact_and_that_of_luck_nothing(player):
    """On a river each way to draw lines is tried; the chances of all add up to 1."""
    start = range_start(RIVER, BOARD, ranges())
    players = player(FIRST), PolicyPlayer(SECOND)
    drawn = list(all_draws(lambda draw: play_ranges(players, 0, BOARD, draw, start, draws=1)))
    assert len(drawn) > 3
    assert sum(chance for chance, _ in drawn) == pytest.approx(1)
    won = sum(chance * value.won for chance, value in drawn)
    assert won == pytest.approx(exact(RIVER, start.reach, (FIRST, SECOND)) / start.joint(), 1e-5)
    luck = sum(chance * value.luck for chance, value in drawn)
    assert np.abs(luck).max() < 1e-6 * abs(won)
    assert max(abs(value.luck[ACTIONS_LUCK]) for _, value in drawn) > abs(won) / 100


def test_what_checkers_win_is_all_luck():
    """But for what one range is worth more than the other where play begins."""
    start = range_start(HandState.start(HUNL), (), ranges())
    both = (PolicyPlayer(CallPolicy()),) * 2
    value = play_ranges(both, 1, BOARD, lambda shares: 0, start)
    cleaned = value.won - value.luck.sum()
    assert abs(value.won - cleaned) > 0.1
    assert cleaned == pytest.approx(start.guess(1) / start.joint(), abs=1e-6)


def test_the_tally_counts_hands():
    """A caller before a raiser who folds all to it: shares of the hands that come there."""
    start = range_start(RIVER, BOARD, ranges())
    value = play_ranges(
        (Ahead(RandomPolicy(3, (0.5,))), PolicyPlayer(FoldPolicy())),
        0,
        BOARD,
        lambda shares: 0,
        start,
    )
    row = value.tally[3]
    assert row[CALLS] + row[RAISES] == pytest.approx(1)
    assert row[OPPONENT_FOLDS] == pytest.approx(row[RAISES])
    assert row[WON] == value.won
    assert not value.tally[:3].any()


def test_hands_that_cannot_meet_are_refused():
    """A range of one hand on both sides has no pair."""
    reach = np.zeros((2, COMBOS))
    reach[:, 5] = 1
    with pytest.raises(ValueError, match="no two hands"):
        play_ranges(
            (PolicyPlayer(CallPolicy()),) * 2,
            0,
            BOARD,
            lambda shares: 0,
            range_start(RIVER, BOARD, reach),
        )


def test_an_action_leaves_its_part_of_each_combo():
    """Only the actor's."""
    start = range_start(RIVER, BOARD, ranges())
    strategy = FIRST.strategy(RIVER, BOARD)
    after = start.after(strategy.actions[0], strategy.probabilities[:, 0])
    assert isinstance(after, RangeSpot)
    assert np.array_equal(after.reach[1 - RIVER.actor], start.reach[1 - RIVER.actor])
    np.testing.assert_allclose(
        after.reach[RIVER.actor], start.reach[RIVER.actor] * strategy.probabilities[:, 0]
    )
