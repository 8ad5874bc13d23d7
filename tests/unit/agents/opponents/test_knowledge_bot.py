"""The knowledge bots at the table: memory over the match, legality, games refused."""

import pytest

from agents.baselines.always_call import AlwaysCall
from agents.baselines.biased_random import UniformRandom
from agents.opponents.knowledge_bot import KnowledgeBot
from agents.opponents.knowledge_characters import CHARACTERS
from agents.opponents.knowledge_opponent import FOLDS, RAISES
from engine.play.simulate import play_duplicate, play_hands
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")
EVERYONE = tuple(CHARACTERS)
SHORT = parse_gamedef(
    "GAMEDEF\nnolimit\nnumPlayers = 2\nnumRounds = 4\nstack = 300 170\nblind = 100 50\n"
    "firstPlayer = 2 1 1 1\nnumSuits = 4\nnumRanks = 13\nnumHoleCards = 2\n"
    "numBoardCards = 0 3 1 1\nEND GAMEDEF\n"
)


@pytest.mark.parametrize("name", EVERYONE)
def test_the_bot_learns_at_the_table(name):
    """Against a player who never folds the later hands know it."""
    bot = KnowledgeBot(name)
    bot.start_match(HUNL, 1)
    play_hands(HUNL, 4, 80, [bot.act, AlwaysCall().act])
    folds = bot._memory[FOLDS:RAISES].reshape(-1, 2)
    assert folds[:8, 0].sum() > 5
    assert folds[:8, 1].sum() == 0


@pytest.mark.parametrize("game", [HUNL, LIMIT, SHORT], ids=["hunl", "hulhe", "short"])
@pytest.mark.parametrize("name", EVERYONE)
def test_every_action_is_legal_whatever_the_other_does(game, name):
    """Against random play `play_duplicate` would refuse an illegal action; chips sum to zero."""
    bot, other = KnowledgeBot(name), UniformRandom()
    bot.start_match(game, 1)
    other.start_match(game, 2)
    won = play_duplicate(game, 9, 15, [bot.act, other.act])
    assert abs(won.sum(axis=2)).max() < 1e-6


def test_games_for_more_are_refused():
    """The characters know one opponent; and there are five of them."""
    with pytest.raises(ValueError, match="solid, trapper"):
        KnowledgeBot("nobody")
    with pytest.raises(ValueError, match="against one other"):
        KnowledgeBot().start_match(load_builtin("nolimit6"), 1)
