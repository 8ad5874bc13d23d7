"""Best responses on the river, after a script."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from engine.betting.bet_menu import menu_of
from engine.betting.policy import Strategy
from engine.equity.equity import matchups
from engine.errors import InvalidGame
from engine.evaluation import river_response
from engine.evaluation.board_matches import sample_board
from engine.evaluation.river_response import RiverResponse
from engine.evaluation.simple_policies import CallPolicy, Uniform
from engine.evaluation.trunk_policies import parse_trunk_policy, ways_to_the_river
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.rules.state import HandState
from engine.showdown.board_ranks import board_ranks
from protocol.actions import CALL, FOLD, raise_to
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
BOARD = sample_board(5, 0).tolist()


class ByStrength:
    """Bets and calls with the better half of hands, checks and folds with the other."""

    def strategy(self, state, board):
        ranks = board_ranks(board) if len(board) == 5 else np.arange(COMBOS)
        good = (ranks >= np.median(ranks[ranks > 0])).astype(np.float32)
        legal = state.raise_range()
        strong = CALL if state.can_fold or legal is None else raise_to(min(2 * legal[0], legal[1]))
        weak = FOLD if state.can_fold else CALL
        if strong == weak:
            return Strategy((CALL,), np.ones((COMBOS, 1), np.float32))
        return Strategy((strong, weak), np.stack((good, 1 - good), axis=1))


def slow_value(game, before, policy, board, sizes):
    """Chips per hand by playing each own combo against each other one, both seats."""
    ranks, menu = board_ranks(board), menu_of(sizes)
    live = [h for h in range(COMBOS) if ranks[h] > 0]

    def pays(state, own, others):
        called = state.apply(CALL)
        paid, pot = called.spent[state.actor] - state.spent[state.actor], 2 * min(called.spent)
        counts = matchups(COMBO_CARDS[own].tolist(), board[: game.board_seen(state.street)])
        shares = (counts.win + counts.tie / 2) / counts.boards
        won = sum(weight * pot * shares[h] for h, weight in others.items())
        return won >= paid * sum(others.values())

    def possible(others, street):
        seen = set(board[: game.board_seen(street)])
        return {h: w for h, w in others.items() if not seen & set(COMBO_CARDS[h].tolist())}

    def best(state, seat, own, others):
        others = possible(others, 3 if state.over else state.street)
        if state.over:
            stake = min(state.spent)
            if not state.showdown:
                won = -stake if state.folded[seat] else stake
                return won * sum(others.values())
            return stake * sum(
                weight * np.sign(int(ranks[own]) - int(ranks[other]))
                for other, weight in others.items()
            )
        if state.actor == seat:
            if state.street < 3:
                action = before.script.action(state)
                if before.by_equity and state.can_fold:
                    action = CALL if pays(state, own, others) else FOLD
                return best(state.apply(action), seat, own, others)
            actions = [CALL, *map(raise_to, menu.raise_tos(state))]
            actions += [FOLD] if state.can_fold else []
            return max(best(state.apply(one), seat, own, others) for one in actions)
        told = policy.strategy(state, board[: game.board_seen(state.street)])
        total = 0.0
        for column, action in enumerate(told.actions):
            left = {h: w * float(told.probabilities[h, column]) for h, w in others.items()}
            left = {h: w for h, w in left.items() if w > 0}
            total += best(state.apply(action), seat, own, left) if left else 0.0
        return total

    found = []
    for own in live[::97]:
        cards = set(COMBO_CARDS[own].tolist())
        others = {h: 1.0 for h in range(COMBOS) if not cards & set(COMBO_CARDS[h].tolist())}
        start = HandState.start(game)
        found.append(sum(best(start, seat, own, dict(others)) for seat in range(2)))
    return np.array(found)


@pytest.mark.parametrize(
    ("before", "stacks"),
    [("C", (1000, 1000)), ("C,m", (1000, 1000)), ("FC", (1000, 1000)), ("FC", (900, 3000))],
)
def test_each_combo_plays_the_best_that_can_be_played(before, stacks):
    """Against each opposing combo, with one size; nobody knows cards before they come."""
    game = replace(HUNL, stacks=stacks)
    way, sizes = parse_trunk_policy(before), (1.0,)
    response = RiverResponse(game, way, ByStrength(), sizes)
    ranks = board_ranks(BOARD)
    live = np.flatnonzero(ranks > 0)[::97]
    found = sum(response.worth(BOARD, seat) for seat in range(2))[live]
    assert found == pytest.approx(slow_value(game, way, ByStrength(), BOARD, sizes), rel=1e-5)


class WithTheRiver:
    """Raises before the flop with the hands that hold one card, folds the others, then calls."""

    def __init__(self, card):
        self.holds = (card == COMBO_CARDS).any(axis=1).astype(np.float32)

    def strategy(self, state, board):
        if state.street > 0 or not state.can_fold or state.raises > 1:
            return Strategy((CALL,), np.ones((COMBOS, 1), np.float32))
        raised = raise_to(state.raise_range()[0])
        return Strategy((raised, FOLD), np.stack((self.holds, 1 - self.holds), axis=1))


@pytest.mark.parametrize("way", ["FC", "C"])
def test_hands_that_a_card_to_come_rules_out_end_with_it(way):
    """Then everything was folded, and the blind is won; with another board more is played for."""
    game = replace(HUNL, stacks=(1000, 1000))
    ruled_out, possible = (
        RiverResponse(game, parse_trunk_policy(way), WithTheRiver(card))
        for card in (BOARD[4], next(card for card in range(52) if card not in BOARD))
    )
    folded = ruled_out.worth(BOARD, 0)
    assert set(np.unique(np.round(folded / 990, 3))) <= {0.0, 50.0}
    assert len(np.unique(possible.worth(BOARD, 0))) > 2


def alike(board):
    """Boards that differ in the names of suits and the order of the flop alone."""
    for suits in permutations(range(4)):
        for flop in permutations(board[:3]):
            yield [card // 4 * 4 + suits[card % 4] for card in (*flop, *board[3:])]


def test_one_line_has_the_same_mean(monkeypatch):
    """Each of these boards draws lines of its own, and all have the same value."""
    monkeypatch.setattr(river_response, "LEAST_RAISING_SHARE", 0.0)
    game, way = replace(HUNL, stacks=(800, 800)), parse_trunk_policy("C")
    policy = Uniform(menu_of((1.0,)))
    response = RiverResponse(game, way, policy, (1.0,), one_line=True)
    found = np.array([response.value(board) for board in alike(BOARD)])
    whole = RiverResponse(game, way, policy, (1.0,)).value(BOARD)
    assert len(np.unique(found)) > 3
    assert abs(found.mean() - whole) < 3 * found.std() / np.sqrt(len(found))


def test_a_single_line_is_followed_exactly():
    """Who never raises has one line, and keeps all hands."""
    whole, line = (
        RiverResponse(HUNL, parse_trunk_policy("C,50"), CallPolicy(), one_line=one).value(BOARD)
        for one in (False, True)
    )
    assert line == pytest.approx(whole)


def test_fewer_raises_win_no_more(monkeypatch):
    """On the same line; who keeps a tenth of its hands is not raised further."""
    game, policy = replace(HUNL, stacks=(3000, 3000)), Uniform(menu_of((0.5, 1.0)))
    response = RiverResponse(game, parse_trunk_policy("C"), policy, one_line=True)
    usual = response.value(BOARD)
    monkeypatch.setattr(river_response, "LEAST_RAISING_SHARE", 0.0)
    assert response.value(BOARD) > usual


def test_ways_have_names_of_their_own():
    """In every game; there are fewer where there is one size."""
    ways = [
        [way.name for way in ways_to_the_river(load_builtin(name))] for name in ("hunl", "hulhe")
    ]
    assert all(len(set(names)) == len(names) for names in ways)
    assert len(ways[0]) > len(ways[1])
    with pytest.raises(ValueError, match="want C, F or a size"):
        parse_trunk_policy("C,FC")


def test_limit_games_have_one_size():
    """Whatever sizes are named."""
    game = load_builtin("hulhe")
    one, other = (
        RiverResponse(game, parse_trunk_policy("C"), CallPolicy(), sizes).value(BOARD)
        for sizes in ((1.0,), (0.5, 2.0))
    )
    assert one == pytest.approx(other)


def test_what_cannot_be_played_is_refused():
    """Other games, other boards."""
    with pytest.raises(InvalidGame, match="hold'em for two"):
        RiverResponse(load_builtin("leduc"), parse_trunk_policy("C"), CallPolicy())
    with pytest.raises(ValueError, match=r"\b5\b.*\b4\b"):
        RiverResponse(HUNL, parse_trunk_policy("C"), CallPolicy()).value(BOARD[:4])
