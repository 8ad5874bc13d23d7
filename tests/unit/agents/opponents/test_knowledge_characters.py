"""What the five characters are, measured: habits apart, and nobody an easy prey of another."""

from itertools import combinations

import numpy as np
import pytest

from agents.opponents.knowledge_characters import CHARACTERS, COLUMN_NAMES, character_row
from agents.roster.bots import MANNER_OF_CHARACTER, find_agent
from protocol.gamedefs import load_builtin
from tests.studies.pool import Crosstable, play_pairs

HUNL = load_builtin("hunl")
LIMIT = load_builtin("hulhe")
DEALS = 4000
"""A pair, in both seatings: a bot's raise share is known to within 0.01."""
MOST_LOST = 150.0
"""mbb/h that none may lose to another."""


def table_of(game, deals, seed=3) -> Crosstable:
    """Play all pairs of the five."""
    bots = [find_agent(name) for name in MANNER_OF_CHARACTER]
    return Crosstable(bots, tuple(play_pairs(bots, game, deals, seed)))


@pytest.fixture(scope="module", params=[HUNL, LIMIT], ids=["hunl", "hulhe"])
def habits(request):
    """Return what each did against the other four, by name."""
    table = table_of(request.param, DEALS)
    return {bot.name: table.habits(number) for number, bot in enumerate(table.bots)}


def test_what_is_not_a_characters_own_is_common():
    """The trapper folds, sizes and remembers as the solid one does; limit is played otherwise."""
    solid, trapper = (character_row(name, no_limit=True) for name in ("solid", "trapper"))
    for column in ("folds", "small", "large", "prior", "memory_kept"):
        assert solid[COLUMN_NAMES.index(column)] == trapper[COLUMN_NAMES.index(column)]
    for name in CHARACTERS:
        limit, no_limit = (character_row(name, no_limit=kind) for kind in (False, True))
        assert not np.array_equal(limit, no_limit)


def test_habits_are_those_of_the_characters(habits):
    """Measured over 32 000 hands each; the margins are several standard errors.

    Pressure is the most aggressive, by raise share and by aggression factor; trapper and controller
    raise least; all play many hands, but not all.
    """
    others = [one for name, one in habits.items() if name != "pressure"]
    assert all(habits["pressure"].raise_share > one.raise_share + 0.02 for one in others)
    assert all(habits["pressure"].aggression_factor > one.aggression_factor for one in others)
    quiet = max(habits[name].raise_share for name in ("trapper", "controller"))
    rest = ("solid", "pressure", "exploiter")
    assert all(habits[name].raise_share > quiet + 0.02 for name in rest)
    assert all(0.65 < one.vpip < 0.9 for one in habits.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "deals"), [(HUNL, 1_000_000), (LIMIT, 50_000)], ids=["hunl", "hulhe"]
)
def test_each_loses_little_to_every_other(game, deals):
    """The whole 95 % interval of the loss lies below 150 mbb/h, for all ten pairs."""
    table = table_of(game, deals, seed=1)
    for one, other in combinations(range(len(table.bots)), 2):
        won, ci95 = table.rate(one, other)
        assert abs(won) + ci95 < MOST_LOST, (table.bots[one].name, table.bots[other].name)
