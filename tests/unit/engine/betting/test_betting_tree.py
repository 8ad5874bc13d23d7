"""The betting of a hand or subgame as flat arrays."""

import dataclasses
import itertools

import numpy as np
import pytest

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import (
    CALL,
    DEAL,
    DEALT,
    FOLD,
    FOLDED,
    LEFT,
    RAISE,
    SHOWDOWN,
    build_betting_tree,
    subgame_root,
)
from engine.errors import InvalidGame
from engine.rules.state import HandState
from engine.rules.view import replay_betting
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
HULHE = load_builtin("hulhe")
LEDUC = load_builtin("leduc")
RIVER_MENU = menu_of((0.5, 1.0, ALL_IN), (1.0, ALL_IN))


def per_street(tree):
    """Decisions on each street of hold'em."""
    return np.bincount(tree.street[tree.decisions], minlength=4).tolist()


@pytest.mark.parametrize(
    ("street", "pot", "decisions"),
    [
        (3, 500, [0, 0, 0, 32]),
        (3, 3750, [0, 0, 0, 20]),
        (2, 500, [0, 0, 32, 256]),
        (2, 4780, [0, 0, 16, 64]),
    ],
)
def test_subgames_have_the_published_sizes(street, pot, decisions):
    """The trees of the four Libratus subgames as other solvers of them count their nodes."""
    left = 20000 - pot // 2
    tree = build_betting_tree(subgame_root(HUNL, street, pot, (left, left)), RIVER_MENU)
    assert per_street(tree) == decisions


@pytest.mark.parametrize(
    ("menu", "decisions"),
    [
        (menu_of((1.0, ALL_IN)), [20, 100, 340, 900]),
        (menu_of((0.5, 1.0), max_raises=2), [14, 182, 2230, 17694]),
    ],
)
def test_whole_games_have_the_known_sizes(menu, decisions):
    """Pot and all-in without end; half pot and pot, two bets a street: 20 120 decisions."""
    assert per_street(build_betting_tree(HandState.start(HUNL), menu)) == decisions


def test_a_river_in_all_its_parts():
    """Pot 200, 100 left: check or all-in, and what follows from it."""
    tree = build_betting_tree(subgame_root(HUNL, 3, 200, (100, 100)), menu_of((ALL_IN,)))
    rows = [
        (tree.betting(n), int(tree.kind[n]), int(tree.action[n]), int(tree.raise_to[n]))
        for n in range(tree.nodes)
    ]
    assert rows == [
        ("", 0, DEALT, 0),
        ("c", 1, CALL, 0),
        ("r200", 1, RAISE, 200),
        ("cc", SHOWDOWN, CALL, 0),
        ("cr200", 0, RAISE, 200),
        ("r200f", FOLDED, FOLD, 0),
        ("r200c", SHOWDOWN, CALL, 0),
        ("cr200f", FOLDED, FOLD, 0),
        ("cr200c", SHOWDOWN, CALL, 0),
    ]
    assert tree.parent.tolist() == [-1, 0, 0, 1, 1, 2, 2, 4, 4]
    assert tree.child_count.tolist() == [2, 2, 2, 0, 2, 0, 0, 0, 0]
    assert tree.first_child[tree.child_count > 0].tolist() == [1, 3, 5, 7]
    assert tree.spent[[0, 2, 5, 6]].tolist() == [[100, 100], [200, 100], [200, 100], [200, 200]]
    assert set(tree.street.tolist()) == {3}
    assert tree.decisions.tolist() == [0, 1, 2, 4]


def test_the_root_of_a_subgame_is_the_start_of_its_street():
    """As if both had put in half of the pot before, and nobody has acted yet."""
    root = subgame_root(HUNL, 2, 500, (300, 200))
    assert root.street == 2
    assert root.actor == 0
    assert root.game.stacks == (550, 450)
    assert root.spent == (250, 250)
    assert (root.pot, root.to_call, root.can_fold) == (500, 0, False)
    assert root.raise_range() == (350, 550)
    real = replay_betting(HUNL, "r250c/cc/")
    assert subgame_root(HUNL, 2, 500, (19750, 19750)) == real._replace(betting="")


@pytest.mark.parametrize(
    ("game", "street", "pot", "stacks", "message"),
    [
        (load_builtin("nolimit3"), 1, 100, (1, 1), "two players, not 3"),
        (HUNL, 0, 100, (1, 1), "street 0: want 1..3"),
        (HUNL, 4, 100, (1, 1), "street 4"),
        (HUNL, 1, 101, (1, 1), "a pot of 101"),
        (HUNL, 1, 0, (1, 1), "a pot of 0"),
        (HUNL, 1, 100, (1, 0), "stacks 1 and 0"),
        (HUNL, 1, 100, (1,), "for two players"),
        (HUNL, 1, 100, (1, 2, 3), "for two players"),
        (HUNL, 1, 100, (1.5, 1), "whole chips"),
        (HUNL, 1, 100.0, (1, 1), "whole chips"),
    ],
)
def test_impossible_subgames_are_refused(game, street, pot, stacks, message):
    """With one line that says what is wrong."""
    with pytest.raises(InvalidGame, match=message):
        subgame_root(game, street, pot, stacks)


def test_trees_need_two_players_and_a_decision():
    """Others have no such form."""
    with pytest.raises(InvalidGame, match=r"players.*\b3\b"):
        build_betting_tree(HandState.start(load_builtin("nolimit3")), RIVER_MENU)
    with pytest.raises(InvalidGame, match="over at the root"):
        build_betting_tree(replay_betting(HUNL, "f"), RIVER_MENU)


@pytest.mark.parametrize(("stack", "bet"), [(300, 300), (150, 200)])
def test_a_short_stack_sets_the_other_all_in(stack, bet):
    """What it has left is bet, or the least that may be bet if that is more; then a showdown."""
    short = dataclasses.replace(HUNL, stacks=(20000, stack))
    root = replay_betting(short, "cc/cc/cc/")
    tree = build_betting_tree(root, menu_of((5.0, ALL_IN)))
    assert [tree.action_text(child) for child in tree.children(0)] == ["c", f"r{bet}"]
    called = tree.path(f"r{bet}c")[-1]
    assert tree.kind[called] == SHOWDOWN
    assert tree.spent[called].tolist() == [bet, stack]


def test_a_path_leads_along_the_betting():
    """From the root to each node; where a street ends, on to the next one's first decision."""
    tree = build_betting_tree(subgame_root(HUNL, 2, 500, (900, 900)), RIVER_MENU)
    for node in range(tree.nodes):
        path = tree.path(tree.betting(node))
        assert path[0] == 0
        assert all(tree.parent[below] == above for above, below in itertools.pairwise(path))
        assert path[-1] == (tree.first_child[node] if tree.kind[node] == DEAL else node)


def test_a_raise_that_begins_like_another_one_is_told_apart():
    """r500 and r5000 are two paths."""
    tree = build_betting_tree(subgame_root(HUNL, 3, 500, (9750, 9750)), menu_of((0.5, 9.5)))
    for total in (500, 5000):
        assert tree.raise_to[tree.path(f"r{total}")[-1]] == total


@pytest.mark.parametrize(
    ("betting", "message"),
    [
        ("x", "after '' there is c, r500, r750, r1150"),
        ("cf", "after 'c' there is c, r500, r750, r1150"),
        ("ccc", "a street ends before 'c', want a / there"),
        ("r1150cc", "after 'r1150c' there is nothing"),
    ],
)
def test_betting_that_the_tree_does_not_have_is_refused(betting, message):
    """With what there is instead."""
    tree = build_betting_tree(subgame_root(HUNL, 2, 500, (900, 900)), RIVER_MENU)
    with pytest.raises(ValueError, match=message):
        tree.path(betting)


def test_nodes_tell_the_action_that_led_to_them():
    """As on the wire, where limit games name no size; cards are no action."""
    tree = build_betting_tree(subgame_root(HUNL, 2, 500, (900, 900)), RIVER_MENU)
    texts = [tree.action_text(child) for child in tree.children(tree.path("r500")[-1])]
    assert texts == ["f", "c", "r1150"]
    assert [tree.taken(child).text for child in tree.children(0)] == ["c", "r500", "r750", "r1150"]
    limit = build_betting_tree(HandState.start(HULHE), menu_of((1.0,)))
    assert [limit.taken(child).text for child in limit.children(0)] == ["f", "c", "r"]
    with pytest.raises(ValueError, match=r"\bnode 0\b"):
        limit.taken(0)


def test_a_tree_behind_a_choice():
    """Whoever does not act at its root first leaves or comes; all else is as before."""
    tree = build_betting_tree(HandState.start(LEDUC), menu_of((1.0,)))
    below = tree.below(tree.path("r")[-1])
    found = below.behind_choice()
    assert found.kind[:3].tolist() == [1 - below.kind[0], LEFT, below.kind[0]]
    assert found.children(0) == range(1, 3)
    assert found.action[:3].tolist() == [DEALT, FOLD, RAISE]
    assert found.spent[0].tolist() == found.spent[2].tolist() == below.spent[0].tolist()
    assert found.below(2).same_betting(below)
    assert (found.kind[2:] == below.kind).all()
    for node in range(3, found.nodes):
        assert node in found.children(int(found.parent[node]))


def test_a_tree_without_some_bets_is_the_one_of_a_smaller_menu():
    """In all its arrays, from the root; and from a later decision."""
    root = subgame_root(HUNL, 2, 500, (20000, 20000))
    whole = build_betting_tree(root, menu_of((0.5, 0.75, 1.0), max_raises=2))
    smaller = build_betting_tree(root, menu_of((0.5, 1.0), max_raises=2))
    left_out = {
        raises[1]
        for node in range(whole.nodes)
        if (raises := [child for child in whole.children(node) if whole.action[child] == RAISE])
    }
    for found, expected in (
        (whole.below(0, left_out), smaller),
        (whole.below(whole.path("r500")[-1], left_out), smaller.below(smaller.path("r500")[-1])),
    ):
        for field in dataclasses.fields(found):
            assert np.array_equal(getattr(found, field.name), getattr(expected, field.name))
