"""The toy policy: how it learns, what it is worth exactly, and its file."""

import numpy as np
import pytest

from agents.bridges.libraries import MissingLibrary
from agents.bridges.ppo_bot import PpoBot, ToyPolicy
from agents.errors import ConfigError, GameNotPlayed
from engine.play.environment import Environment
from engine.rules.view import PlayerView, state_of_betting
from engine.small_games.best_response import best_response, expected_value
from engine.small_games.leduc import leduc
from engine.small_games.tabular import TabularSolver
from protocol.gamedefs import load_builtin
from tests.helpers.torch_threads import one_torch_thread

LEDUC = load_builtin("leduc")


def profile_of(tree, policy):
    """Return a policy as a strategy profile of Leduc, by what its bot sees of each set."""
    table, deck = Environment(LEDUC), sorted(LEDUC.deck)
    profile = np.zeros(tree.flat_actions)
    for number, (own, board, betting) in enumerate(tree.info_set_names):
        state = state_of_betting(LEDUC, betting)
        shown = [(), ()]
        shown[state.actor] = (deck[own],)
        seen = () if board < 0 else (deck[board],)
        table.follow(PlayerView(state, 0, state.actor, tuple(shown), seen))
        odds = policy.probabilities(table.observation(state.actor), table.legal())
        actions = tree.action_names[number]
        profile[tree.actions_of(number)] = [odds["fcr".index(action)] for action in actions]
    return profile


def test_the_shipped_policy_wins_nearly_all_there_is():
    """From a bot that always calls, a best response wins 22/15 chips a hand."""
    tree = leduc()
    form = TabularSolver(tree).form
    calls = np.concatenate([[action == "c" for action in ways] for ways in tree.action_names])
    calls = calls.astype(float)
    toy = profile_of(tree, PpoBot()._policy)
    for player, sign in ((0, 1), (1, -1)):
        best = best_response(form, calls, player).value
        assert best == pytest.approx(22 / 15)
        both = calls.copy()
        both[form.actions(player)] = toy[form.actions(player)]
        assert best * 0.97 < sign * expected_value(form, both) <= best


@pytest.fixture
def train_ppo():
    """The training, on one thread; not everywhere is there what it takes."""
    with one_torch_thread():
        try:
            from agents.bridges.train import ppo
            from agents.training.actor_critic import PpoSettings
        except MissingLibrary as error:
            pytest.skip(str(error))
        yield lambda *settings, **told: ppo.train_ppo(
            LEDUC, "always-call", PpoSettings(*settings, batch=1000, part=250), **told
        )


@pytest.mark.slow
def test_training_repeats(train_ppo):
    """The same seed, the same weights; another one, others."""
    first, again, other = (train_ppo(1000, seed).network for seed in (3, 3, 4))
    for layer, weights in enumerate(first.weights):
        assert weights.tobytes() == again.weights[layer].tobytes()
        assert weights.tobytes() != other.weights[layer].tobytes()


def test_training_improves(train_ppo):
    """It is told how much it wins, and that grows."""
    told = []
    policy = train_ppo(15_500, 1, on_batch=lambda *one: told.append(one))
    assert [steps for steps, _ in told] == [*range(1000, 15_001, 1000), 15_500]
    won = [big_blinds for _, big_blinds in told]
    assert np.mean(won[-4:]) > np.mean(won[:4]) + 0.1
    assert policy.provenance == {"against": "always-call", "steps": 15_500, "seed": 1}


def test_a_policy_comes_back_from_its_file(tmp_path):
    """With its game and how it was made; a class of one's own plays it."""
    path = tmp_path / "mine.network"
    PpoBot()._policy.save(path)
    back = ToyPolicy.load(path)
    assert back.game == LEDUC
    assert back.provenance["against"] == "always-call"

    class Mine(PpoBot):
        model = path

    assert (Mine()._policy.network.packed() == back.network.packed()).all()


def test_what_is_no_policy_is_refused(tmp_path):
    """Files that are missing or damaged; games that were not learned."""
    with pytest.raises(ConfigError, match="No such file"):
        ToyPolicy.load(tmp_path / "missing.network")
    odd = PpoBot()._policy
    ToyPolicy(load_builtin("kuhn3"), (), odd.network, {}).save(tmp_path / "odd.network")
    with pytest.raises(ConfigError, match="damaged"):
        ToyPolicy.load(tmp_path / "odd.network")
    with pytest.raises(GameNotPlayed, match="learned limit"):
        PpoBot().start_match(load_builtin("hunl"), 1)
