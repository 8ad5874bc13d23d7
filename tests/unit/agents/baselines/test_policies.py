"""Bots that look at no card tell what they do."""

import pytest

from agents.baselines.always_call import AlwaysCall
from agents.baselines.always_fold import AlwaysFold
from agents.errors import GameNotPlayed
from agents.roster.bots import find_agent
from engine.betting.policy import check_strategy
from engine.rules.view import PlayerView, replay_betting
from protocol.actions import CALL, FOLD
from protocol.gamedefs import load_builtin


@pytest.mark.parametrize(
    ("name", "bot"), [("always-call", AlwaysCall), ("always-fold", AlwaysFold)]
)
@pytest.mark.parametrize("game", ["hunl", "hulhe"])
@pytest.mark.parametrize("betting", ["", "c", "r", "cr", "cc/"])
def test_the_strategy_is_what_the_bot_plays(name, bot, game, betting):
    """With every hand, wherever it is asked."""
    game = load_builtin(game)
    state = replay_betting(game, betting.replace("r", "r300") if game.no_limit else betting)
    policy = find_agent(name).strategy(game, {})
    assert policy.game == game
    board = (0, 5, 10)[: game.board_seen(state.street)]
    strategy = policy.strategy(state, board)
    check_strategy(strategy, state, board)
    holes = tuple((51, 46) if seat == state.actor else () for seat in range(2))
    assert strategy.actions == (bot().act(PlayerView(state, 0, state.actor, holes, board)),)


def test_small_games_are_told_card_by_card():
    """Of Kuhn poker for three, too: a row for each card."""
    for name, action in (("always-call", CALL), ("always-fold", FOLD)):
        game = load_builtin("kuhn3")
        state = replay_betting(game, "cr")
        strategy = find_agent(name).strategy(game, {}).strategy(state, ())
        assert strategy.actions == (action,)
        assert strategy.probabilities.tolist() == 4 * [[1.0]]


def test_other_games_are_refused():
    """Hold'em for three, and a game there must be."""
    with pytest.raises(GameNotPlayed, match="hold'em for two"):
        find_agent("always-call").strategy(load_builtin("limit3"), {})
    with pytest.raises(ValueError, match="want a game"):
        find_agent("always-fold").strategy(None, {})
