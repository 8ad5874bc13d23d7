"""The bots that play what was learned."""

from collections import Counter

import numpy as np
import pytest

from agents.errors import AgentError, GameNotPlayed
from agents.learners.bot import LearnedBot
from agents.learners.encoder import ACTIONS
from agents.learners.model import REGRETS, SOFTMAX, LearnedModel, LearnedNetworks
from agents.learners.small_game import SmallLearnedGame
from engine.rules.state import HandState
from engine.rules.view import PlayerView
from protocol.actions import CALL, RAISE
from protocol.gamedefs import load_builtin
from tests.helpers.said import refused
from tests.unit.agents.learners.test_model import KUHN, network

HANDS = 600


def saved(folder, head=SOFTMAX, policies=1):
    """The file of a model of random networks, and the model."""
    nets = tuple((network(2 * at), network(2 * at + 1)) for at in range(policies))
    model = LearnedModel(KUHN, LearnedNetworks(head, nets, (1.0,) * policies), {})
    model.save(folder / "it")
    return str(folder / "it"), model


def view_of(hand, actions, position, card):
    """What a player sees in a hand."""
    state = HandState.start(KUHN)
    for action in actions:
        state = state.apply(action)
    holes = [(), ()]
    holes[position] = (card,)
    return PlayerView(state, hand, position, tuple(holes), ())


@pytest.mark.parametrize(("head", "policies"), [(SOFTMAX, 1), (REGRETS, 3)])
def test_a_bot_plays_by_its_networks(head, policies, tmp_path):
    """As often as the profile of the model says, at a first and a second decision of a hand."""
    path, model = saved(tmp_path, head, policies)
    bot = LearnedBot("nfsp", path)
    bot.start_match(KUHN, 3)
    game = SmallLearnedGame(KUHN)
    profile = game.average(model.networks)
    for card in KUHN.deck:
        acted = [bot.act(view_of(hand, [CALL], 1, card)).kind for hand in range(HANDS)]
        info_set = game.tree.info_set_of(f"c:{'QKA'[card // 4 - 10]}")
        at = game.tree.actions_of(info_set)
        for kind, share in zip(game.tree.action_names[info_set], profile[at], strict=True):
            spread = max(share * (1 - share) / HANDS, 1e-9) ** 0.5
            assert Counter(acted)[kind] / HANDS == pytest.approx(share, abs=5 * spread)


def test_a_hand_is_played_by_one_policy(tmp_path):
    """Of two policies that agree on nothing, both decisions of a hand come from the same."""
    path, model = saved(tmp_path, REGRETS, 2)
    bot = LearnedBot("nfsp", path)
    bot.start_match(KUHN, 5)
    drawn = {bot._policy(model, view_of(hand, [], 0, KUHN.deck[0])) for hand in range(20)}
    assert drawn == {0, 1}
    for hand in range(20):
        views = [view_of(hand, [], 0, KUHN.deck[0]), view_of(hand, [CALL, RAISE], 0, KUHN.deck[0])]
        assert len({bot._policy(model, view) for view in views}) == 1


def test_a_bot_sees_what_the_tree_shows():
    """Its row is that of the information set, for every decision of Leduc poker."""
    game = SmallLearnedGame(load_builtin("leduc"))
    rows = {tuple(row) for row in game.features.tolist()}
    deck, state = game.game.deck, HandState.start(game.game).apply(CALL).apply(CALL)
    for hole in deck:
        for board in deck:
            row = game.encoder.encode(state, [hole], [board])
            assert tuple(row.tolist()) in rows
    assert len(ACTIONS) == game.legal.shape[1]


def test_models_that_cannot_be_played_are_refused(tmp_path):
    """Of another game, missing, or none that comes along."""
    path, _ = saved(tmp_path)
    with refused(GameNotPlayed, path):
        LearnedBot("nfsp", path).start_match(load_builtin("leduc"), 1)
    with refused(AgentError, "No such file"):
        LearnedBot("nfsp", str(tmp_path / "none")).start_match(KUHN, 1)
    with refused(GameNotPlayed, "arena train mmd"):
        LearnedBot("nfsp").start_match(load_builtin("kuhn3"), 1)
    with pytest.raises(RuntimeError):
        LearnedBot("nfsp", path).act(view_of(0, [], 0, int(np.int64(KUHN.deck[0]))))
