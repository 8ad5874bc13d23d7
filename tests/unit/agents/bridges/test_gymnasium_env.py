"""The environment for Gymnasium: its own checker, and matches against bots of ours."""

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="Gymnasium is not installed")

from gymnasium.utils.env_checker import check_env

from agents.baselines.always_call import AlwaysCall
from agents.bot import Bot
from agents.bridges.gymnasium_env import PokerEnv
from agents.errors import UnknownAgent
from agents.roster.bots import find_agent
from engine.play.learners import play_learning_match
from protocol.gamedefs import load_builtin


class Witness(Bot):
    """Calls, and writes down what it is shown; it asks for the time, too."""

    def __init__(self):
        self.seen = []

    def start_match(self, game, seed):
        self.seen.append(("start", seed))

    def act(self, view, budget=None):
        self.seen.append(("act", view.position, view.state.betting))
        return view.call()

    def observe(self, view):
        self.seen.append(("observe", view.position, view.state.betting))

    def end_hand(self, view):
        self.seen.append(("end", view.position, view.state.betting))


@pytest.mark.filterwarnings("ignore:.*render:UserWarning")
@pytest.mark.parametrize(("name", "bot"), [("hunl", "rule"), ("kuhn", "uniform-random")])
def test_the_checker_is_content(name, bot):
    """That of Gymnasium, which does not look at masks."""
    check_env(PokerEnv(load_builtin(name), [bot]), skip_render_check=True)


def test_a_seed_begins_the_same_match_again():
    """Bots draw the same then, from the middle of a hand too."""
    env = PokerEnv(load_builtin("leduc"), ["biased-random"])
    matches = []
    for hands in (20, 7, 20):
        shown, _ = env.reset(seed=5)
        seen = []
        for _ in range(hands):
            over = False
            while not over:
                seen.append(shown["observation"].tobytes())
                shown, reward, over, _, _ = env.step(1)
            seen.append(reward)
            shown, _ = env.reset()
        env.step(1)
        matches.append(seen)
    assert matches[0] == matches[2]
    assert matches[1] == matches[0][: len(matches[1])]


@pytest.mark.parametrize("name", ["hunl", "leduc"])
def test_hands_are_those_of_a_match(name):
    """What a learner that calls wins from a bot is what a calling bot wins in our own matches."""
    game = load_builtin(name)
    won = play_learning_match(game, 9, 40, [AlwaysCall(), find_agent("biased-random").build()])[
        :, 0
    ]
    env = PokerEnv(game, ["biased-random"], rewards="chips")
    found = {}
    env.reset(seed=9)
    while env.episodes.table.hand_id < 40:
        over = False
        while not over:
            shown, reward, over, _, info = env.step(1)
            assert info["action_mask"].tolist() == shown["action_mask"].tolist()
        found[env.episodes.table.hand_id] = reward
        env.reset()
    played = sorted(found)
    assert len(played) > 20
    assert [found[hand] for hand in played] == pytest.approx(won[played])


def test_bots_are_told_what_they_are_told_in_a_match():
    """Every state in which another one acts, once, and the ends of hands."""
    game = load_builtin("kuhn3")
    expected = [Witness(), Witness()]
    play_learning_match(game, 4, 3, [AlwaysCall(), *expected])
    bots = [Witness(), Witness()]
    env = PokerEnv(game, bots)
    for hand in range(3):
        _, _ = env.reset(seed=4 if hand == 0 else None)
        over = False
        while not over:
            _, _, over, _, _ = env.step(1)
    assert [bot.seen for bot in bots] == [bot.seen for bot in expected]


def test_the_table_must_be_full():
    """With bots that there are; masks are there under the name that MaskablePPO looks for."""
    with pytest.raises(ValueError, match="2 bots: want 1"):
        PokerEnv(load_builtin("hunl"), ["rule", "rule"])
    with pytest.raises(UnknownAgent):
        PokerEnv(load_builtin("hunl"), ["nobody"])
    env = PokerEnv(load_builtin("hunl"), [AlwaysCall()])
    shown, _ = env.reset(seed=1)
    np.testing.assert_array_equal(env.action_masks(), shown["action_mask"])
