"""The strategy of the network: what its bot does, hand after hand."""

from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest

from agents.poker_cnn.bot import cnn_bot
from agents.poker_cnn.cnn_strategy import cnn_strategy
from agents.roster.strategies import read_strategy, seat
from engine.rules.view import replay_betting
from protocol.gamedefs import load_builtin
from tests.helpers.told import check_told

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
    """Of hands at decisions of all streets."""
    bot = cnn_bot(**options)
    bot.start_match(game, 5)
    bettings = BETTINGS[game][:: 2 if options else 1]
    check_told(cnn_strategy(game, **options), bot, bettings, hands)


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
