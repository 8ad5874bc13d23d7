"""The blueprint bot."""

from dataclasses import replace

import numpy as np
import pytest

from agents.blueprint.bot import Blueprint
from agents.errors import AgentError, GameNotPlayed
from engine.play.simulate import play_hands
from engine.rules.dealing import DealStream
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import random_action, random_model, tiny_config


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A model's file of each game."""
    folder = tmp_path_factory.mktemp("models")
    found = {name: str(folder / f"{name}.blueprint") for name in ("hunl", "leduc")}
    for name, path in found.items():
        random_model(tiny_config(name), seed=9).save(folder / path)
    return found


def seated(path, game, seed, **options):
    """Return a bot that is ready to play."""
    bot = Blueprint(path, **options)
    bot.start_match(game, seed)
    return bot


def anything(seed):
    """Return somebody who acts anyhow."""
    rng = np.random.default_rng(seed)
    return lambda view: random_action(view.state, rng, raising=0.4)


@pytest.mark.parametrize("name", ["hunl", "leduc"])
def test_the_same_seed_gives_the_same_actions(files, name):
    """Another one gives others, but where the bot is purified."""
    game = load_builtin(name)

    def won(seed, **options):
        bot = seated(files[name], game, seed, **options)
        return play_hands(game, 4, 60, [bot.act, anything(1)]).tolist()

    assert won(5) == won(5) != won(6)
    assert name == "hunl" or won(5, purify=1.0) == won(6, purify=1.0)


@pytest.mark.parametrize("name", ["hunl", "leduc"])
def test_actions_are_drawn_from_the_distribution(files, name):
    """Within five standard errors, at one state."""
    game = load_builtin(name)
    bot = seated(files[name], game, 3)
    deal = next(iter(DealStream(game, 1)))
    start = HandState.start(game)
    view = PlayerView.of(start, deal, start.actor)
    told, times = bot.distribution(view), 2000
    counts = dict.fromkeys(told.actions, 0)
    for hand in range(times):
        counts[bot.act(replace(view, hand_id=hand))] += 1
    for action, share in zip(told.actions, told.probabilities, strict=True):
        assert abs(counts[action] - times * share) <= 5 * np.sqrt(times * share * (1 - share)) + 1
        assert share > 0 or not counts[action]


def test_hands_with_the_same_hole_cards_are_not_mixed_up(files):
    """Buckets are kept by board, and only while the hand lasts."""
    game, rng = load_builtin("hunl"), np.random.default_rng(0)
    bot, states = seated(files["hunl"], game, 1), []
    for deal, _ in zip(DealStream(game, 3), range(6), strict=False):
        state = HandState.start(game)
        while not state.over and len(states) < 9:
            states.append(PlayerView.of(state, deal, state.actor))
            state = state.apply(random_action(state, rng, raising=0.3))
    wanted = [seated(files["hunl"], game, 1).distribution(view) for view in states]
    for at in [*range(9), *reversed(range(9))]:
        found = bot.distribution(states[at])
        assert found.actions == wanted[at].actions
        assert (found.probabilities == wanted[at].probabilities).all()


def test_a_missing_or_damaged_model_is_told(files, tmp_path):
    """And how to get a good one; one of another game, too, and what is no threshold."""
    leduc = load_builtin("leduc")
    with pytest.raises(ValueError, match=r"model .*none: there is no such file"):
        Blueprint(str(tmp_path / "none"))
    with pytest.raises(ValueError, match="is a folder, want its file"):
        Blueprint(str(tmp_path))
    with pytest.raises(ValueError, match="want a probability"):
        Blueprint(threshold=1.5)
    (tmp_path / "bad").write_bytes(b"?" * 100)
    with pytest.raises(AgentError, match=r"not an artifact file.*git checkout"):
        seated(str(tmp_path / "bad"), leduc, 1)
    with pytest.raises(GameNotPlayed, match=r"leduc\.blueprint .*, not no-limit"):
        seated(files["leduc"], load_builtin("hunl"), 1)
    with pytest.raises(RuntimeError, match="start_match comes first"):
        Blueprint().act(None)


def test_a_model_plays_other_stacks_and_chips(files):
    """A match at 50 big blinds of 2 chips goes through, with its own file and without."""
    game = replace(load_builtin("hunl"), stacks=(100, 140), blinds=(2, 1))
    won = play_hands(game, 4, 60, [seated(files["hunl"], game, 5).act, anything(1)])
    assert abs(won).max() == 100
    with pytest.raises(GameNotPlayed, match=r"\b20 to 250\b.*\b12$"):
        seated(files["hunl"], replace(game, stacks=(24, 140)), 5)
