"""Strategies that are told, against what their bots do, hand after hand."""

from collections import Counter

import numpy as np

from engine.betting.policy import check_strategy
from engine.hands.cards import combo_of
from engine.rules.view import PlayerView, replay_betting


def check_told(policy, bot, bettings, hands) -> None:
    """Fail unless a bot acts as often as is told, of a hand dealt at each betting.

    What is certain it does always, what is told to be impossible never.
    """
    rng, game = np.random.default_rng(7), policy.game
    for betting in bettings:
        state = replay_betting(game, betting)
        dealt = rng.permutation(52).tolist()
        board = tuple(dealt[: game.board_seen(state.street)])
        strategy = policy.strategy(state, board)
        check_strategy(strategy, state, board)
        hole = tuple(sorted(dealt[6:8], reverse=True))
        shown = tuple(hole if seat == state.actor else () for seat in range(2))
        row = strategy.probabilities[combo_of(*hole)]
        views = (PlayerView(state, hand, state.actor, shown, board) for hand in range(hands))
        done = Counter(map(bot.act, views))
        assert set(done) <= {a for a, p in zip(strategy.actions, row, strict=True) if p}
        for action, chance in zip(strategy.actions, row, strict=True):
            slack = 5 * np.sqrt(chance * (1 - chance) / hands)
            assert abs(done[action] / hands - chance) <= slack + 1e-6
