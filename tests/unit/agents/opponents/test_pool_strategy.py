"""The strategies of bots of the pool: what the bots themselves do, hand after hand."""

from collections import Counter
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
from engine.betting.policy import check_strategy
from engine.equity.equity_tables import equity
from engine.hands.cards import COMBO_CARDS, combo_of
from engine.rules.view import PlayerView, replay_betting
from protocol.gamedefs import load_builtin

HUNL, HULHE = load_builtin("hunl"), load_builtin("hulhe")
TOLD = ("O1", "O2", "O3", "O4", "O5", "O7")
HANDS = 50
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
    """Of some hands at decisions of all streets; what is certain always."""
    policy, bot = character_strategy(game, name), PoolBot(name)
    bot.start_match(game, 5)
    rng = np.random.default_rng(7)
    for betting in BETTINGS[game]:
        state = replay_betting(game, betting)
        dealt = rng.permutation(52).tolist()
        board = tuple(dealt[: game.board_seen(state.street)])
        strategy = policy.strategy(state, board)
        check_strategy(strategy, state, board)
        hole = tuple(sorted(dealt[6:8], reverse=True))
        shown = tuple(hole if seat == state.actor else () for seat in range(2))
        row = strategy.probabilities[combo_of(*hole)]
        views = (PlayerView(state, hand, state.actor, shown, board) for hand in range(HANDS))
        done = Counter(map(bot.act, views))
        assert set(done) <= {a for a, p in zip(strategy.actions, row, strict=True) if p}
        for action, chance in zip(strategy.actions, row, strict=True):
            slack = 5 * np.sqrt(chance * (1 - chance) / HANDS)
            assert abs(done[action] / HANDS - chance) <= slack + 1e-6


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
