"""Matches between bots that learn."""

import numpy as np
import pytest

from agents.baselines.biased_random import BiasedRandom, UniformRandom
from agents.bot import Bot
from engine.errors import InvalidGame
from engine.play.learners import play_learning_match, play_tables, rotations
from engine.play.simulate import play_hands
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")


class Witness(Bot):
    """Calls, and notes what it is told."""

    def __init__(self):
        self.started, self.observed, self.ended = [], [], []

    def start_match(self, game, seed):
        self.started.append(seed)

    def act(self, view):
        return view.call()

    def observe(self, view):
        self.observed.append(view)

    def end_hand(self, view):
        self.ended.append(view)


@pytest.mark.parametrize("shift", [0, 1])
def test_hands_are_those_of_the_simulator(shift):
    """Deals, seats and results."""
    found = play_learning_match(HUNL, 4, 30, [BiasedRandom(), UniformRandom()], shift=shift)
    bots = [BiasedRandom(), UniformRandom()]
    for seat, bot in enumerate(bots):
        bot.start_match(HUNL, 4 + seat)
    expected = play_hands(HUNL, 4, 30, [bot.act for bot in bots], shift=shift)
    np.testing.assert_array_equal(found, expected)


def test_bots_are_told_of_the_end_of_every_hand():
    """From their own position, with what was shown."""
    bots = [Witness(), Witness()]
    play_learning_match(HUNL, 4, 6, bots)
    for seat, bot in enumerate(bots):
        assert bot.started == [4 + seat]
        assert [view.hand_id for view in bot.ended] == list(range(6))
        assert all(view.state.over and all(view.shown) for view in bot.ended)
        assert [view.position for view in bot.ended] == [seat, 1 - seat] * 3


def test_bots_observe_the_decisions_of_others():
    """Every state of a called-down hand is one bot's to decide and the other's to observe."""
    bots = [Witness(), Witness()]
    play_learning_match(HUNL, 4, 2, bots)
    decisions = ["", "c", "cc/", "cc/c", "cc/cc/", "cc/cc/c", "cc/cc/cc/", "cc/cc/cc/c"]
    for bot in bots:
        assert not any(view.my_turn or view.state.over for view in bot.observed)
    for hand in range(2):
        seen = [[v.state.betting for v in bot.observed if v.hand_id == hand] for bot in bots]
        assert sorted(seen[0] + seen[1]) == sorted(decisions)


def test_every_rotation_has_new_bots():
    """Or they would know the cards from the rotation before."""
    built = []

    def build():
        built.append(Witness())
        return built[-1]

    won = play_tables(HUNL, 4, 5, rotations([build, BiasedRandom]))
    assert won.shape == (5, 2, 2)
    assert len(built) == 2
    assert [view.hole for view in built[0].ended] != [view.hole for view in built[1].ended]


def test_a_bot_too_many_is_refused():
    """There is no seat for it."""
    with pytest.raises(InvalidGame, match="players"):
        play_learning_match(HUNL, 4, 5, [Witness(), Witness(), Witness()])
