"""Hands played in one process."""

import numpy as np
import pytest

from engine.errors import IllegalAction, InvalidGame
from engine.play.budget import UNLIMITED
from engine.play.simulate import play_duplicate, play_hand, play_hands
from engine.rules.dealing import DealStream
from protocol.actions import CALL, FOLD
from protocol.gamedefs import builtin_names, load_builtin

HUNL = load_builtin("hunl")
THREE = load_builtin("nolimit3")


def call(view):
    return CALL


def fold(view):
    return view.fold()


def shove(view):
    return view.raise_to(view.max_raise_to)


def test_a_hand_is_played_to_its_end():
    """The final state has the wire betting; the blinds go to whoever stays."""
    state, values = play_hand(HUNL, next(DealStream(HUNL, 42)), [call, fold])
    assert state.betting == "f"
    assert values == (50.0, -50.0)


def test_players_that_take_a_budget_have_all_the_time():
    """`act(view)` and `act(view, budget)` sit at one table."""
    budgets = set()

    def timed(view, budget):
        budgets.add(budget)
        return CALL

    for play in (play_hands, play_duplicate):
        won = play(HUNL, 42, 2, [timed, fold])
        np.testing.assert_array_equal(won, play(HUNL, 42, 2, [call, fold]))
    assert budgets == {UNLIMITED}


@pytest.mark.parametrize("name", builtin_names())
def test_every_hand_is_zero_sum(name):
    """In all built-in games, with players who disagree."""
    game = load_builtin(name)
    players = [(call, shove, fold)[seat % 3] for seat in range(game.players)]
    won = play_hands(game, 7, 30, players)
    assert won.shape == (30, game.players)
    assert np.abs(won.sum(axis=1)).max() < 1e-6


def test_seats_rotate_as_in_a_match():
    """In hand h, position p is held by seat (p + h) mod n."""
    seen = []

    def watch(seat):
        def act(view):
            seen.append((view.hand_id, seat, view.position))
            return CALL

        return act

    play_hands(THREE, 1, 4, [watch(seat) for seat in range(3)])
    assert all(seat == (position + hand) % 3 for hand, seat, position in seen)


@pytest.mark.parametrize("game", [HUNL, THREE], ids=["two", "three"])
def test_equal_players_break_even_in_duplicate(game):
    """Each seat holds each hand once, so luck cancels to the last chip."""
    won = play_duplicate(game, 3, 25, [call] * game.players)
    assert won.shape == (25, game.players, game.players)
    assert np.allclose(won.mean(axis=1), 0.0)


def test_the_first_rotation_is_the_ordinary_match():
    """Duplicate play only adds to what a match deals."""
    players = [shove, call, fold]
    first = play_duplicate(THREE, 5, 12, players)[:, 0]
    assert np.array_equal(first, play_hands(THREE, 5, 12, players))


def test_illegal_actions_are_not_repaired():
    """A simulation is no dealer: a wrong player is a bug."""
    with pytest.raises(IllegalAction):
        play_hands(HUNL, 1, 1, [lambda view: FOLD, call])


def test_the_table_must_be_full():
    """One player per position."""
    with pytest.raises(InvalidGame, match=r"\b1\b.*\b2\b"):
        play_hand(HUNL, next(DealStream(HUNL, 1)), [call])
