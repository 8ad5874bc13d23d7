"""What learned bots tell is what they play."""

import numpy as np
import pytest

from agents.errors import GameNotPlayed
from agents.learners.bot import LearnedBot
from agents.learners.encoder import ACTIONS
from agents.learners.model import REGRETS, LearnedModel, LearnedNetworks, load_learned
from agents.learners.policy import policy_for
from agents.learners.shipped import LEARNED_BY, LEARNED_GAMES, learned_file
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from engine.small_games.poker_tree import place_of, poker_tree
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused
from tests.unit.agents.learners.test_model import network

HANDS = 2000
GAMES = {name: load_builtin(name) for name in LEARNED_GAMES}


def places(game):
    """The state, hole cards and board of every information set."""
    tree = poker_tree(game)
    nodes = np.flatnonzero(tree.player >= 0)
    _, first = np.unique(tree.info_set[nodes], return_index=True)
    return [place_of(game, tree.histories[node]) for node in nodes[first].tolist()]


@pytest.mark.parametrize("game", LEARNED_GAMES)
@pytest.mark.parametrize("algorithm", LEARNED_BY)
def test_what_is_told_is_what_the_network_says(algorithm, game):
    """At every information set, with the card that is held."""
    policy, model = policy_for(GAMES[game], algorithm), load_learned(learned_file(algorithm, game))
    deck = sorted(GAMES[game].deck)
    for state, hole, board in places(GAMES[game]):
        told = policy.strategy(state, board)
        kinds = [action.kind for action in told.actions]
        legal = np.array([kind in kinds for kind in ACTIONS])
        row = model.encoder.encode(state, hole, board)
        drawn = model.networks.probabilities(0, state.actor, row, legal)
        want = [drawn[ACTIONS.index(kind)] for kind in kinds]
        assert told.probabilities[deck.index(hole[0])] == pytest.approx(want, abs=1e-6)


def test_many_policies_are_told_as_they_are_seen(tmp_path):
    """Of three networks for three players: as often as the bot acts so, at first and later."""
    game = load_builtin("kuhn3")
    nets = tuple(tuple(network(3 * at + seat, game) for seat in range(3)) for at in range(3))
    LearnedModel(game, LearnedNetworks(REGRETS, nets, (1.0, 2.0, 3.0)), {}).save(tmp_path / "it")
    policy = policy_for(None, "nfsp", str(tmp_path / "it"))
    assert policy.game == game
    bot = LearnedBot("nfsp", str(tmp_path / "it"))
    bot.start_match(game, 5)
    state, card = HandState.start(game), sorted(game.deck)[1]
    told = policy.strategy(state, ())
    views = [PlayerView(state, hand, 0, ((card,), (), ()), ()) for hand in range(HANDS)]
    acted = [bot.act(view) for view in views]
    for action, share in zip(told.actions, told.probabilities[1].tolist(), strict=True):
        spread = max(share * (1 - share) / HANDS, 1e-9) ** 0.5
        assert acted.count(action) / HANDS == pytest.approx(share, abs=5 * spread)


def test_models_of_other_games_and_none_are_refused(tmp_path):
    """As the bot refuses them; a model or a game there must be."""
    assert policy_for(None, "mmd", str(learned_file("mmd", "leduc"))).game == GAMES["leduc"]
    with refused(GameNotPlayed, "mmd-leduc", "2 suits"):
        policy_for(GAMES["kuhn"], "mmd", str(learned_file("mmd", "leduc")))
    with refused(GameNotPlayed, "arena train mmd"):
        policy_for(load_builtin("kuhn3"), "mmd")
    with pytest.raises(ValueError, match="a model or a game"):
        policy_for(None, "mmd")
