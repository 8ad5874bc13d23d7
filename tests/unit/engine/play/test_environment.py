"""Environments for learners against `HandState` and a slow vector."""

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.play.environment import Environment, EnvironmentRows
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.showdown.hand_values import hand_values
from protocol import actions
from protocol.gamedefs import load_builtin

GAMES = ["hunl", "hulhe", "kuhn3", "leduc", "nolimit3", "nolimit6"]


def scaled(chips, game):
    """Chips as a vector has them."""
    return min(math.log(1 + chips / game.big_blind) / math.log(401), 1)


def slow_vector(state, deal, viewer):
    """What a position sees, written down as the page of the numbers tells it."""
    game = state.game
    board = deal.board[: game.board_seen(state.street)]
    cards = np.zeros(104)
    cards[list(deal.holes[viewer])] = 1
    cards[[52 + card for card in board]] = 1
    raises, put = np.zeros(4), np.zeros((4, game.players))
    put[0] = game.blinds
    for before, action, after in state.steps():
        raises[before.street] += action.kind == "r"
        put[before.street, before.actor] += after.spent[before.actor] - before.spent[before.actor]
    low, high = state.raise_range() or (0, 0)
    chips = [scaled(one, game) for one in (state.pot, state.to_call, low, high)]
    players = []
    for step in range(game.players):
        p = (viewer + step) % game.players
        left = game.stacks[p] - state.spent[p]
        players += [scaled(left, game), *(scaled(one, game) for one in put[:, p])]
        players += [state.folded[p], left == 0, p == game.players - 1]
    return [*cards, *np.eye(4)[state.street], *np.minimum(raises / 4, 1), *chips, *players]


def expected_actions(state, pots):
    """What each number does, None where it is not legal."""
    found = [actions.FOLD if state.can_fold else None, actions.CALL]
    legal = state.raise_range()
    if not state.game.no_limit:
        return [*found, actions.RAISE if legal else None]
    if legal is None:
        return found + [None] * (2 + len(pots))
    low, high = legal
    sizes = [state.to_match + math.floor(x * (state.pot + state.to_call) + 0.5) for x in pots]
    inside = [actions.raise_to(size) if low < size < high else None for size in sizes]
    return [*found, actions.raise_to(low), *inside, actions.raise_to(high)]


@pytest.mark.parametrize("name", GAMES)
def test_hands_are_those_of_the_rules(name):
    """Actions, masks, vectors, views and values, in random hands with stacks of all sizes."""
    rng = np.random.default_rng(7)
    pots = (0.5, 1.0, 2.0)
    for number in range(15):
        game = load_builtin(name)
        if game.no_limit:
            stacks = tuple(int(stack) for stack in rng.integers(150, 4000, game.players))
            game = replace(game, stacks=stacks)
        table, deal = Environment(game, pots), next(DealStream(game, number))
        table.reset(deal)
        state = HandState.start(game)
        while not state.over:
            assert table.actor == state.actor
            wanted = expected_actions(state, pots)
            assert table.legal().tolist() == [one is not None for one in wanted]
            assert [table.action(i) for i in range(len(wanted))] == [
                one or actions.CALL for one in wanted
            ]
            for viewer in range(game.players):
                seen = table.observation(viewer)
                np.testing.assert_allclose(seen, slow_vector(state, deal, viewer), atol=1e-6)
                view = table.view(viewer)
                assert view == PlayerView.of(state, deal, viewer, 0)
                followed = Environment(game, pots)
                followed.follow(view)
                assert followed.observation(viewer).tolist() == seen.tolist()
                assert followed.legal().tolist() == table.legal().tolist()
            action = int(rng.integers(table.actions))
            state = state.apply(table.action(action))
            table.step(action)
        assert table.actor == -1
        assert not table.legal().any()
        assert table.values() == hand_values(state, deal.holes, deal.board)


def test_what_is_no_action_is_refused():
    """Numbers, sizes, and whatever comes after the end."""
    table = Environment(load_builtin("hunl"))
    table.reset(next(DealStream(table.game, 0)))
    with pytest.raises(ValueError, match=r"action 6: want 0 to 5"):
        table.step(6)
    with pytest.raises(ValueError, match="r150: not legal"):
        table.take(actions.raise_to(150))
    table.step(0)
    with pytest.raises(ValueError, match="the hand is over"):
        table.step(1)
    with pytest.raises(ValueError, match="want positive numbers"):
        Environment(table.game, (0.0,))


@pytest.mark.parametrize("name", ["hunl", "leduc", "nolimit6"])
def test_many_hands_are_those_of_one_after_the_other(name):
    """Who acts, what is legal, seen and won; a hand that is over waits for the next deal."""
    game, rng, deals = (
        load_builtin(name),
        np.random.default_rng(3),
        DealStream(load_builtin(name), 5),
    )
    rows = EnvironmentRows(game, 8)
    singles = [Environment(game) for _ in range(8)]
    assert not rows.legal().any()
    for _ in range(60):
        for row, single in enumerate(singles):
            if single.actor < 0 and rng.random() < 0.7:
                deal = next(deals)
                rows.reset(row, deal)
                single.reset(deal)
        assert rows.actors.tolist() == [single.actor for single in singles]
        assert (rows.legal() == [single.legal() != 0 for single in singles]).all()
        for seen, single in zip(rows.observations(), singles, strict=True):
            wanted = single.observation(single.actor) if single.actor >= 0 else np.zeros(rows.width)
            assert seen.tolist() == wanted.tolist()
        chosen = rng.integers(0, rows.actions, 8)
        rows.step(chosen)
        for row, single in enumerate(singles):
            if single.actor >= 0:
                single.step(int(chosen[row]))
                if single.actor < 0:
                    assert rows.values(row) == single.values()


def test_rows_that_are_none_are_refused():
    """No row, other actions than one of each hand, hands that are not over."""
    game = load_builtin("leduc")
    with pytest.raises(ValueError, match="0 rows"):
        EnvironmentRows(game, 0)
    rows = EnvironmentRows(game, 2)
    rows.reset(0, next(DealStream(game, 0)))
    for chosen in (np.zeros(3, np.int64), np.zeros(2), np.array([0, 3]), np.array([-1, 0])):
        with pytest.raises(ValueError, match="want"):
            rows.step(chosen)
    with pytest.raises(ValueError, match="still to act"):
        rows.values(0)
