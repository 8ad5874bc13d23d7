"""The strategy of the network: what its bot does, hand after hand."""

from collections import Counter
from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest

from agents.poker_cnn.bot import cnn_bot
from agents.poker_cnn.cnn_strategy import cnn_strategy
from agents.roster.strategies import read_strategy, seat
from engine.betting.policy import check_strategy
from engine.hands.cards import combo_of
from engine.rules.view import PlayerView, replay_betting
from protocol.gamedefs import load_builtin

HUNL, HULHE = load_builtin("hunl"), load_builtin("hulhe")
BETTINGS = {
    HUNL: ("", "r300", "r300c/cr600", "r200c/cc/r400", "cc/cc/cc/cr20000"),
    HULHE: ("rr", "rc/crr", "rc/cc/cc/r"),
}


@pytest.mark.parametrize("game", [HUNL, HULHE], ids=["hunl", "hulhe"])
@pytest.mark.parametrize(
    ("options", "hands"), [({}, 100), ({"greedy": 1}, 2), ({"sized": 0, "sharpness": 2.0}, 50)]
)
def test_it_is_how_often_the_bot_does_it(game, options, hands):
    """Of hands at decisions of all streets; what is certain always."""
    policy, bot = cnn_strategy(game, **options), cnn_bot(**options)
    bot.start_match(game, 5)
    rng = np.random.default_rng(7)
    for betting in BETTINGS[game][:: 2 if options else 1]:
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


def test_it_travels_and_sits_at_a_table():
    """By its options; each network has its own."""
    one = cnn_strategy(None, greedy=1)
    again = ForkingPickler.loads(ForkingPickler.dumps(one))
    state = replay_betting(HUNL, "r300")
    assert again.game == HUNL
    assert np.array_equal(*(it.strategy(state, ()).probabilities for it in (one, again)))
    _, players = seat((read_strategy("cnn"), read_strategy("cnn-blueprint")), HUNL)
    tables = [player.policy.strategy(state, ()).probabilities for player in players]
    assert not np.array_equal(*tables)
