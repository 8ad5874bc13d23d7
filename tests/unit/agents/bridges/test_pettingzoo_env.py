"""The environment for PettingZoo: its own conformance tests, and what the numbers are."""

import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed")

from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from agents.bridges.libraries import library
from agents.bridges.observations import planes_of
from agents.bridges.pettingzoo_env import PokerAEC
from engine.equity.equity_tables import equity
from engine.play.simulate import play_hands
from engine.rules.dealing import DealStream
from engine.rules.view import PlayerView, replay_betting
from protocol.actions import CALL
from protocol.gamedefs import load_builtin
from tests.oracles.cnn_planes import slow_planes

zoo = library("pettingzoo.test")  # quiet about the age of games that it imports
GAMES = ["hunl", "hulhe", "kuhn3", "leduc", "nolimit6"]
WITH_MASKS = ("Observation space for each agent probably", "Observation is not a NumPy array")
"""Warnings about observations with masks, which PettingZoo spares its own games by their names."""


@pytest.fixture(autouse=True)
def masks_allowed():
    """All other warnings are errors."""
    with warnings.catch_warnings():
        for text in WITH_MASKS:
            warnings.filterwarnings("ignore", text)
        yield


def made(name, **options):
    """An environment of a built-in game."""
    return PokerAEC(load_builtin(name), **options)


@pytest.mark.parametrize("name", GAMES)
def test_the_conformance_tests_pass(name, capsys):
    """PettingZoo's own: of the calls, and of seeds."""
    zoo.api_test(made(name), num_cycles=200)
    zoo.seed_test(lambda: made(name), num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out


def test_planes_conform_as_well(capsys):
    """For hold'em for two, and for no other game."""
    zoo.api_test(made("hunl", observation="planes"), num_cycles=50)
    assert "Passed API test" in capsys.readouterr().out
    with pytest.raises(ValueError, match="hold'em for two"):
        made("leduc", observation="planes")


def test_agents_can_be_asked_at_once(capsys):
    """By PettingZoo's own wrapper for turns, which takes the action of whoever is to act."""
    zoo.parallel_api_test(turn_based_aec_to_parallel(made("hunl")), 200)
    zoo.parallel_seed_test(lambda: turn_based_aec_to_parallel(made("hunl")), 50)
    assert "Passed Parallel API test" in capsys.readouterr().out


@pytest.mark.parametrize(("rewards", "unit"), [("bb", 100), ("chips", 1)])
def test_hands_are_those_of_a_match(rewards, unit):
    """Deals, button and results are those of the same seed everywhere else."""
    game = load_builtin("nolimit3")
    won = play_hands(game, 5, 7, [lambda view: CALL] * 3)
    env = made("nolimit3", rewards=rewards)
    for hand in range(7):
        env.reset(seed=5 if hand == 0 else None)
        total = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            _, reward, over, _, _ = env.last()
            total[agent] += reward
            env.step(None if over else 1)
        assert [total[f"player_{seat}"] * unit for seat in range(3)] == pytest.approx(won[hand])


def test_illegal_actions_are_calls():
    """A fold that nothing asks for, too; nobody out of turn has anything to choose."""
    env = made("kuhn")
    env.reset(seed=1)
    first, second = env.agent_selection, env.possible_agents[env.agent_selection == "player_0"]
    assert env.observe(first)["action_mask"].tolist() == [0, 1, 1]
    assert env.observe(second)["action_mask"].tolist() == [0, 0, 0]
    env.step(0)
    env.step(0)
    assert env.render().startswith("cc:")
    assert sorted(env.rewards.values()) == [-1, 1]


@pytest.mark.parametrize("betting", ["", "cr300c/", "r300c/cr600c/r1400", "cc/cc/cc/"])
def test_planes_are_those_of_the_network(betting):
    """As the slow ones have them."""
    game = load_builtin("hunl")
    deal, state = next(DealStream(game, 3)), replay_betting(game, betting)
    view = PlayerView.of(state, deal, state.actor)
    p = equity(view.hole, view.board)
    expected = slow_planes(state, view.hole, view.board, p)
    expected[7] = expected[:7].sum(0)
    np.testing.assert_allclose(planes_of(view), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "words"),
    [({"rewards": "euros"}, "rewards in euros: want bb or chips"), ({"observation": "x"}, "x")],
)
def test_wrong_options_are_refused(options, words):
    """With what is wanted."""
    with pytest.raises(ValueError, match=words):
        made("hunl", **options)
