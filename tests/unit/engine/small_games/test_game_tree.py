"""Games written out as arrays."""

import numpy as np
import pytest

from engine.errors import InvalidGame
from engine.small_games.game_tree import CHANCE, TERMINAL, Chance, Decision, Terminal, build_tree


def coin_game(history):
    """Chance tosses; player 0 bets on it or not, without seeing it; player 1 sees everything."""
    if not history:
        return Chance(("heads", "tails"), (0.25, 0.75))
    if len(history) == 1:
        return Decision(0, "blind", ("bet", "pass"))
    if history[1] == "pass":
        return Terminal(0)
    if len(history) == 2:
        return Decision(1, history, ("fold", "call", "double"))
    stake = {"fold": 0.5, "call": 1, "double": 2}[history[2]]
    return Terminal(stake if history[0] == "heads" or history[2] == "fold" else -stake)


def test_nodes_come_breadth_first_with_children_side_by_side():
    """Every array, written out."""
    tree = build_tree(coin_game)
    assert tree.nodes == 13
    assert tree.player.tolist() == [CHANCE, 0, 0, 1, TERMINAL, 1, *[TERMINAL] * 7]
    assert tree.parent.tolist() == [-1, 0, 0, 1, 1, 2, 2, 3, 3, 3, 5, 5, 5]
    assert tree.first_child[[0, 1, 2, 3, 5]].tolist() == [1, 3, 5, 7, 10]
    assert tree.child_count.tolist() == [2, 2, 2, 3, 0, 3, 0, 0, 0, 0, 0, 0, 0]
    assert tree.info_set.tolist() == [-1, 0, 0, 1, -1, 2, *[-1] * 7]
    assert tree.chance[1:3].tolist() == [0.25, 0.75]
    assert (tree.chance[3:] == 1).all()
    assert tree.payoff.tolist() == [0, 0, 0, 0, 0, 0, 0, 0.5, 1, 2, 0.5, -1, -2]
    assert tree.histories[9] == ("heads", "bet", "double")
    dtypes = [array.dtype for array in (tree.player, tree.parent, tree.info_set, tree.payoff)]
    assert dtypes == [np.int8, np.int32, np.int32, np.float64]


def test_information_sets_have_owners_and_places_in_profiles():
    """Flat profiles list all actions of all sets."""
    tree = build_tree(coin_game)
    assert tree.info_sets == 3
    assert tree.owner.tolist() == [0, 1, 1]
    assert tree.action_count.tolist() == [2, 3, 3]
    assert tree.first_action.tolist() == [0, 2, 5]
    assert tree.flat_actions == 8
    assert tree.action_names[1] == ("fold", "call", "double")
    assert tree.info_set_of(("tails", "bet")) == 2
    assert tree.actions_of(2) == slice(5, 8)
    assert tree.uniform().tolist() == [1 / 2] * 2 + [1 / 3] * 6
    assert tree.edge_actions.tolist() == [-1, -1, -1, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7]
    with pytest.raises(KeyError):
        tree.info_set_of("unknown")


def after_toss(node_of):
    """A game that goes on as `node_of` says after a toss."""
    return lambda history: node_of(history) if history else Chance((0, 1), (0.5, 0.5))


def ends_after(length, node):
    """The same node until so many steps were taken."""
    return lambda history: Terminal(0) if len(history) >= length else node(history)


@pytest.mark.parametrize(
    ("describe", "message"),
    [
        (lambda _: Terminal(float("nan")), "no number of chips"),
        (lambda _: Terminal(float("inf")), "no number of chips"),
        (lambda _: Decision(2, "x", "ab"), "none of 0 to 1"),
        (lambda _: Decision(0, "x", ""), "without actions"),
        (lambda _: Chance("", ()), "0 outcomes"),
        (lambda _: Chance("ab", (0.5,)), "2 outcomes, 1 probabilities"),
        (lambda _: Chance("ab", (0.5, 0.6)), "do not add to 1"),
        (lambda _: Chance("ab", (1.5, -0.5)), "do not add to 1"),
        (
            after_toss(ends_after(2, lambda history: Decision(history[0], "x", "ab"))),
            "player 0 .* and player 1",
        ),
        (
            after_toss(ends_after(2, lambda history: Decision(0, "x", ("ab", "abc")[history[0]]))),
            "'x': player 0",
        ),
        (ends_after(2, lambda history: Decision(0, len(history), "ab")), "forgets"),
        (ends_after(2, lambda history: Decision(0, "x", "ab")), "forgets"),
        (ends_after(1, lambda history: Decision(0, "x", "aa")), "twice"),
        (ends_after(1, lambda history: Chance("aa", (0.5, 0.5))), "twice"),
    ],
)
def test_games_that_are_none_are_refused(describe, message):
    """With what is wrong; players must remember their own actions."""
    with pytest.raises(InvalidGame, match=message):
        build_tree(describe)
