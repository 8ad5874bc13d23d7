"""Leduc hold'em."""

import numpy as np
import pytest

from engine.errors import InvalidGame
from engine.rules.state import HandState
from engine.small_games.game_tree import CHANCE, TERMINAL
from engine.small_games.leduc import leduc
from protocol.actions import CALL, FOLD, RAISE
from protocol.gamedefs import load_builtin


@pytest.fixture(scope="module")
def tree():
    """The usual game."""
    return leduc()


def test_sizes(tree):
    """The counts known for the game, with suits and without."""
    assert (tree.nodes, tree.info_sets) == (9457, 936)
    assert (tree.player == TERMINAL).sum() == 5520
    ranks = leduc(isomorphic=True)
    assert (ranks.nodes, ranks.info_sets) == (1939, 288)


@pytest.mark.parametrize("ranks", [2, 5])
def test_other_decks(ranks):
    """6 information sets for each card before the board, 30 for each pair of cards after it."""
    cards = 2 * ranks
    assert leduc(ranks).info_sets == cards * 6 + cards * (cards - 1) * 30
    assert leduc(ranks, isomorphic=True).info_sets == ranks * 6 + ranks * ranks * 30


def test_chance_is_a_deck_dealt_without_replacement(tree):
    """Every three cards are equally likely; with ranks alone, as likely as their suits together."""
    for game, cards in ((tree, 6), (leduc(5, isomorphic=True), 10)):
        for node in np.flatnonzero(game.player == CHANCE):
            first = game.first_child[node]
            dealt = [step for step in game.histories[node] if isinstance(step, int)]
            shares = game.chance[first : first + game.child_count[node]]
            assert shares.sum() == pytest.approx(1)
            for child, share in enumerate(shares, start=int(first)):
                card = game.histories[child][-1]
                copies = 1 if game is tree else 2
                left = copies - dealt.count(card)
                assert share == pytest.approx(left / (cards - len(dealt)))


def test_endings_and_actions_are_those_of_the_dealers_rules(tree):
    """Every node, played out with the built-in game and shown down by its cards."""
    actions = {"f": FOLD, "c": CALL, "r": RAISE}
    start = HandState.start(load_builtin("leduc"))
    for node in range(0, tree.nodes, 5):
        history = tree.histories[node]
        state = start
        for step in history:
            state = state.apply(actions[step]) if step in actions else state
        if tree.player[node] >= 0:
            assert state.actor == tree.player[node]
            offered = tree.action_names[tree.info_set[node]]
            assert offered == tuple(step for step in "fcr" if allows(state, step))
        elif tree.player[node] == TERMINAL:
            assert state.over
            assert tree.payoff[node] == payoff(state, history)


def allows(state, step):
    """Whether the rules offer the action."""
    return {"f": state.can_fold, "c": True, "r": state.can_raise}[step]


def payoff(state, history):
    """What player 0 wins, from the chips and the cards."""
    if not state.showdown:
        return state.spent[1] if state.folded[1] else -state.spent[0]
    first, second, board = (step // 2 for step in history if isinstance(step, int))
    strengths = [(rank == board, rank) for rank in (first, second)]
    winner = (strengths[0] > strengths[1]) - (strengths[0] < strengths[1])
    return winner * state.spent[0]


def test_too_small_a_deck_is_refused():
    """One rank is no game."""
    with pytest.raises(InvalidGame, match="1 ranks"):
        leduc(1)
