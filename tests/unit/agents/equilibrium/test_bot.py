"""The equilibrium bot."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from agents.equilibrium.bot import Equilibrium
from agents.equilibrium.model import EquilibriumModel, load_model
from agents.equilibrium.solved_games import shipped_for, solved_file
from agents.errors import AgentError, GameNotPlayed
from agents.roster.bots import find_agent
from engine.rules.dealing import Deal
from engine.rules.state import HandState
from engine.rules.view import PlayerView, state_of_betting
from engine.small_games.poker_tree import place_of, poker_tree
from protocol.cards import parse_cards
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused

PAIRS = """
nolimit
numPlayers = 2
numRounds = 2
stack = 4 4
blind = 1 2
firstPlayer = 2 1
numSuits = 2
numRanks = 3
numHoleCards = 2
numBoardCards = 0 1
"""


def seated(game, model=None, seed=1):
    """The bot, a match begun."""
    bot = Equilibrium(model)
    bot.start_match(load_builtin(game) if isinstance(game, str) else game, seed)
    return bot


def asked(game, betting, holes, board=""):
    """What the player to act sees after some betting."""
    state = state_of_betting(game, betting)
    deal = Deal(tuple(map(parse_cards, holes)), parse_cards(board))
    return PlayerView.of(state, deal, state.actor)


def test_actions_are_drawn_as_often_as_the_model_says():
    """The second player bluffs with a jack a third of the time, in Kuhn poker."""
    game = load_builtin("kuhn")
    bot, view = seated("kuhn"), asked(game, "c", ("Ks", "Qs"))
    drawn = Counter(bot.act(replace(view, hand_id=hand)).text for hand in range(3000))
    assert drawn["r"] / 3000 == pytest.approx(1 / 3, abs=0.03)
    shares = load_model(solved_file("kuhn")).shares("c:Q")
    assert shares[1] == pytest.approx(1 / 3, abs=0.01)


def test_every_hand_of_a_game_is_known_from_every_seat(tmp_path):
    """Two hole cards, suits, no-limit bets: a model of the uniform profile has legal answers."""
    game = parse_gamedef(PAIRS)
    tree = poker_tree(game)
    path = tmp_path / "pairs.equilibrium"
    EquilibriumModel.of_profile(game, tree, tree.uniform(), {}).save(path)
    bot, rng = seated(game, str(path)), np.random.default_rng(1)
    for _ in range(100):
        cards = rng.permutation(game.deck).tolist()
        deal = Deal((tuple(cards[:2]), tuple(cards[2:4])), tuple(cards[4:5]))
        state = HandState.start(game)
        while not state.over:
            state = state.apply(bot.act(PlayerView.of(state, deal, state.actor)))


def test_shipped_models_are_found_by_the_game_itself():
    """A file of the same rules will do; other chips will not, and another game's is told."""
    for name in ("kuhn", "leduc3", "fixed-queen"):
        assert shipped_for(load_builtin(name)) == solved_file(name)
    richer = replace(load_builtin("kuhn"), blinds=(2, 2))
    for game in (richer, load_builtin("hunl")):
        assert not find_agent("equilibrium").plays(game, {})
        with pytest.raises(GameNotPlayed, match="--model"):
            seated(game)
    with refused(GameNotPlayed, "kuhn.equilibrium", "3 ranks in 1 suits, not limit for 3 players"):
        seated("leduc3", str(solved_file("kuhn")))
    with pytest.raises(RuntimeError, match="start_match"):
        Equilibrium().act(asked(load_builtin("kuhn"), "", ("Ks", "As")))


def test_damaged_models_keep_it_from_playing(tmp_path):
    """In a line of its own kind, at the start or where something is missing."""
    with pytest.raises(AgentError, match="No such file"):
        seated("kuhn", str(tmp_path / "none"))
    model = load_model(solved_file("kuhn"))
    for actions, message in (({"x": "cr"}, "has no strategy for :K"), ({":K": "fc"}, "has other")):
        path = tmp_path / "half.equilibrium"
        half = np.array([0.5, 0.5], np.float32)
        EquilibriumModel(model.game, actions, half, {}).save(path)
        bot = seated("kuhn", str(path))
        with pytest.raises(AgentError, match=message):
            bot.act(asked(model.game, "", ("Ks", "As")))


@pytest.mark.parametrize("name", ["kuhn", "leduc", "kuhn3"])
def test_what_is_told_is_what_is_drawn_from(name):
    """At every information set, with the card that is held."""
    game = load_builtin(name)
    policy, tree = find_agent("equilibrium").strategy(game, {}), poker_tree(game)
    model, deck = load_model(solved_file(name)), sorted(game.deck)
    for info_set, named in enumerate(tree.info_set_names):
        node = int(np.flatnonzero(tree.info_set == info_set)[0])
        state, hole, board = place_of(game, tree.histories[node])
        told = policy.strategy(state, board)
        assert tuple(action.text for action in told.actions) == model.actions(named)
        row = told.probabilities[deck.index(hole[0])]
        assert row == pytest.approx(model.shares(named), abs=1e-6)
    with refused(GameNotPlayed, "kuhn.equilibrium", "board 0+1"):
        find_agent("equilibrium").strategy(
            load_builtin("leduc"), {"model": str(solved_file("kuhn"))}
        )
