"""The strategies of bots of the pool: what the bots themselves do, hand after hand."""

from multiprocessing.reduction import ForkingPickler

import numpy as np
import pytest

from agents.compiled.told_policy import equities_of_combos
from agents.errors import UnknownAgent
from agents.opponents.bot import PoolBot
from agents.opponents.pool_strategy import CharacterStrategy, character_strategy
from agents.roster.bots import ROSTER
from agents.roster.characters import POOL
from agents.roster.strategies import read_strategy, seat
from engine.equity.equity_tables import equity
from engine.hands.cards import COMBO_CARDS
from engine.rules.view import replay_betting
from protocol.gamedefs import load_builtin
from tests.helpers.told import check_told

HUNL, HULHE = load_builtin("hunl"), load_builtin("hulhe")
TOLD = ("O1", "O2", "O3", "O4", "O5", "O7")
BETTINGS = {
    HUNL: ("", "r300", "r300r1200", "cc/", "r300c/cr600r2400", "r200c/cc/r400", "cc/cc/cc/cr20000"),
    HULHE: ("", "rr", "rc/crr", "rc/cc/cc/r"),
}


def test_those_of_one_size_are_told():
    """No others, and all by the roster."""
    told = {one.name for one in POOL if one.one_size}
    alike = {one.name for one in POOL if one.same_as in TOLD}
    assert told == {*TOLD, *alike, "candid-statistician"}
    pool = [spec for spec in ROSTER if spec.group == "pool"]
    assert {spec.name for spec in pool if spec.policy is not None} == told
    with pytest.raises(UnknownAgent, match="'O6' tells no strategy"):
        read_strategy("O6")
    with pytest.raises(ValueError, match="O_random has no strategy"):
        CharacterStrategy("O_random", HUNL)


@pytest.mark.parametrize("name", [*TOLD, "candid-statistician"])
@pytest.mark.parametrize("game", [HUNL, HULHE], ids=["hunl", "hulhe"])
def test_it_is_how_often_the_bot_does_it(name, game):
    """Of some hands at decisions of all streets."""
    bot = PoolBot(name)
    bot.start_match(game, 5)
    check_told(character_strategy(game, name), bot, BETTINGS[game], 50)


@pytest.mark.parametrize("cards", [0, 3, 4, 5])
def test_equities_are_those_of_single_hands(cards):
    """To the last bit."""
    board = tuple(np.random.default_rng(3).permutation(52)[:cards].tolist())
    equities = equities_of_combos(board)
    for combo in range(0, len(COMBO_CARDS), 40):
        hole = COMBO_CARDS[combo].tolist()
        if not set(hole) & set(board):
            assert equities[combo] == equity(hole, board)


def test_it_travels_and_sits_at_a_table():
    """By its name; of no-limit hold'em where nobody says which game."""
    one = character_strategy(None, "O5")
    again = ForkingPickler.loads(ForkingPickler.dumps(one))
    state = replay_betting(HUNL, "r300")
    assert again.game == HUNL
    assert np.array_equal(*(it.strategy(state, ()).probabilities for it in (one, again)))
    game, [player] = seat((read_strategy("O1"),), HULHE)
    assert (player.agent, player.policy.game) == ("O1", game)
