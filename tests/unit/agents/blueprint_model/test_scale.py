"""Following hands of other blinds and stacks than the abstract game has."""

from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint_model.interpretation import Interpreter
from engine.betting.betting_tree import DEAL
from engine.betting.translation import lower_probability
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol import actions as wire
from protocol.actions import raise_to
from protocol.gamedef import UNLIMITED_RAISES
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import (
    always,
    interpretations_of,
    random_model,
    some_buckets,
    tiny_config,
)

HANDS = always(1, 0, 2, 1)
HUNL, HULHE = load_builtin("hunl"), load_builtin("hulhe")


@pytest.fixture(scope="module")
def model():
    """Random strategies on a few bets, 200 big blinds deep."""
    return random_model(tiny_config(), some_buckets(3, 3, 3, 3), seed=5, alpha=1.0)


def holdem(stack, other=None, small=50):
    """Return no-limit hold'em with other stacks, chips, and blinds."""
    return replace(HUNL, stacks=(stack, other or stack), blinds=(2 * small, small))


def nodes_of(interpreter, betting, player):
    """Return {node: chance} of the interpretations at some betting."""
    state = replay_betting(interpreter.game, betting)
    return {one.node: one.chance for one in interpretations_of(interpreter, state, player, HANDS)}


def true_state(game, tree, node, small, turned=False):
    """Return the state of a true hand that is the abstract one of a node in chips of its own."""
    state = HandState.start(game)
    for above in tree.path(tree.betting(node))[1:]:
        if tree.kind[tree.parent[above]] != DEAL:
            action = tree.taken(above)
            if action.kind == "r":
                action = raise_to(action.raise_to * small // 50)
            state = state.apply(action)
    assert state.actor == (1 - tree.kind[node] if turned else tree.kind[node])
    return state


@pytest.mark.parametrize(("small", "turned"), [(1, False), (5, False), (500, False), (3, True)])
def test_other_chips_are_the_same_game(model, small, turned):
    """With as many big blinds, and the button in either seat: the same node, answer and sizes."""
    game, tree = holdem(400 * small, small=small), model.tree
    if turned:
        game = replace(game, blinds=(small, 2 * small), first_positions=(0, 1, 1, 1))
    interpreter, built_in = Interpreter(model, game), Interpreter(model)
    for node in np.random.default_rng(1).choice(tree.decisions, 100, replace=False).tolist():
        state = true_state(game, tree, node, small, turned)
        (one,) = found = interpretations_of(interpreter, state, state.actor, HANDS)
        assert one.node == node
        other = true_state(HUNL, tree, node, 50)
        own = interpretations_of(built_in, other, other.actor, HANDS)
        answer = interpreter.answer(found, state, HANDS)
        want = built_in.answer(own, other, HANDS)
        assert [action.raise_to for action in answer.actions] == [
            action.raise_to * small // 50 for action in want.actions
        ]
        assert (answer.probabilities == want.probabilities).all()


@pytest.mark.parametrize("depth", [50, 100, 250])
def test_the_same_fractions_are_the_same_node_at_any_depth(model, depth):
    """Where nobody is all-in; the all-in offered is the true one where little more is left."""
    interpreter, tree = Interpreter(model, holdem(depth * 100)), model.tree
    for betting in ("", "r300", "cr200", "r300c/", "r300c/r600", "r300c/cr900c/"):
        node = tree.path(betting)[-1]
        state = replay_betting(interpreter.game, betting)
        assert nodes_of(interpreter, betting, state.actor) == {node: 1.0}
        offers = interpreter.reader.offers(node, state)
        plain = [tree.taken(child) for child in tree.children(node)]
        assert offers[:-1] == tuple(plain[:-1])
        if plain[-1] == raise_to(20000):
            assert offers[-1] == raise_to(depth * 100)


def test_sizes_beyond_a_short_stack_are_all_in(model):
    """And once the pot is large, so is the pot-sized bet."""
    interpreter = Interpreter(model, holdem(2000))
    betting = "r300c/r900c/"
    (node,) = nodes_of(interpreter, betting, 0)
    state = replay_betting(interpreter.game, betting)
    assert interpreter.reader.offers(node, state) == (wire.CALL, raise_to(2000))
    facing = replay_betting(interpreter.game, betting + "r1900")
    node = max(nodes_of(interpreter, betting + "r1900", 1))
    assert set(interpreter.reader.offers(node, facing)) == {wire.FOLD, wire.CALL, raise_to(2000)}


def test_an_all_in_of_another_depth_is_taken_for_a_size_beside_the_pot(model):
    """9.5 pots lie between one pot and the abstract all-in of 99.5."""
    interpreter, tree = Interpreter(model, holdem(2000)), model.tree
    share = lower_probability(1.0, 99.5, 9.5)
    pot, everything = tree.path("cc/r300")[-1], tree.path("cc/r20000")[-1]
    found = nodes_of(interpreter, "cc/r2000", 1)
    assert found == pytest.approx({pot: share, everything: 1 - share})


def test_a_stack_much_deeper_is_not_put_in_at_once(model):
    """An abstract all-in is a bet of as many pots, unless less than half the pot would be left."""
    node = model.tree.path("r300c/")[-1]
    for stack, want in ((25_000, 25_000), (60_000, 20_000)):
        interpreter = Interpreter(model, holdem(stack))
        state = replay_betting(interpreter.game, "r300c/")
        assert interpreter.reader.offers(node, state)[-1] == raise_to(want), stack


def test_chips_that_nobody_can_win_count_for_nothing(model):
    """The smaller of two stacks is the game's, for either player."""
    short = Interpreter(model, holdem(10_000))
    for game in (holdem(10_000, 30_000), holdem(30_000, 10_000)):
        interpreter = Interpreter(model, game)
        for betting in ("", "r300", "r300c/r600"):
            (node,) = nodes_of(short, betting, 0)
            state = replay_betting(game, betting)
            assert nodes_of(interpreter, betting, 0) == {node: 1.0}
            assert interpreter.reader.offers(node, state) == short.reader.offers(
                node, replay_betting(short.game, betting)
            )
    deep = Interpreter(model, holdem(10_000, 30_000))  # the button covers
    for player in (0, 1):
        want = nodes_of(short, "r10000", player)
        assert nodes_of(deep, "r10000", player) == want
        assert nodes_of(deep, "r30000", player) == want


def test_more_raises_than_the_abstract_game_has_are_calls():
    """A limit game without a cap is followed through a war of raises; one with less calls."""
    model = random_model(tiny_config("hulhe"), some_buckets(3, 3, 3, 3), seed=1)
    endless = Interpreter(model, replace(HULHE, max_raises=(UNLIMITED_RAISES,) * 4))
    state = HandState.start(endless.game)
    while state.street == 0:
        found = interpretations_of(endless, state, state.actor, HANDS)
        answer = endless.answer(found, state, HANDS)
        assert all(map(state.is_legal, answer.actions))
        state = state.apply(wire.RAISE if state.can_raise else wire.CALL)
    once = Interpreter(model, replace(HULHE, max_raises=(1, 1, 1, 1)))
    state = replay_betting(once.game, "r")
    (found,) = interpretations_of(once, state, 0, HANDS)
    assert once.reader.offers(found.node, state) == (wire.FOLD, wire.CALL, wire.CALL)


def test_limit_raises_of_a_short_stack_are_raises():
    """All-in for less than a full one, it is followed as a raise."""
    model = random_model(tiny_config("hulhe"), some_buckets(3, 3, 3, 3), seed=1)
    game = replace(HULHE, stacks=(35, 35))
    interpreter = Interpreter(model, game)
    want = model.tree.path("rrr")[-1]
    assert nodes_of(interpreter, "rrr", 1) == {want: 1.0}
    state = replay_betting(game, "rrr")
    assert set(interpreter.reader.offers(want, state)) == {wire.FOLD, wire.CALL}
