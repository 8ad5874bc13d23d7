"""Who meets whom."""

from itertools import combinations

import pytest

from dealer.series.schedule import Pairing, TournamentStyle, pairing_count, pairings
from tests.helpers.said import refused

MATCH, ROUND_ROBIN, GAUNTLET, KNOCKOUT = TournamentStyle


def nobody(_pairing):
    return None


def better_seed(pairing):
    return pairing.bots[0]


@pytest.mark.parametrize("bots", [2, 3, 7])
def test_in_a_round_robin_everybody_meets_everybody(bots):
    """Once."""
    found = pairings(ROUND_ROBIN, bots, nobody)
    assert found == [Pairing(pair) for pair in combinations(range(bots), 2)]
    assert pairing_count(ROUND_ROBIN, bots) == len(found)


def test_in_a_gauntlet_challengers_meet_the_others():
    """Not each other, and the others do not meet."""
    found = pairings(GAUNTLET, 5, nobody, challengers=2)
    assert found == [Pairing((one, other)) for one in (0, 1) for other in (2, 3, 4)]
    assert pairing_count(GAUNTLET, 5, challengers=2) == 6
    for challengers in (0, 5):
        with pytest.raises(ValueError, match="challengers among 5 bots"):
            pairings(GAUNTLET, 5, nobody, challengers)


@pytest.mark.parametrize("bots", [2, 3, 4, 5, 6, 8, 13, 16])
def test_a_knockout_is_played_to_its_end(bots):
    """Every pairing throws one out; the first two meet in the last one if all goes by seed."""
    over = {}
    while True:
        known = pairings(KNOCKOUT, bots, over.get)
        new = [one for one in known if one not in over]
        if not new:
            break
        over |= {one: one.bots[0] for one in new}
    assert len(over) == bots - 1 == pairing_count(KNOCKOUT, bots)
    losers = [one.bots[1] for one in over]
    assert sorted(losers) == list(range(1, bots))
    last = max(over, key=lambda one: one.stage)
    assert last.bots == (0, 1)


def test_a_knockout_goes_on_with_who_won():
    """Four bots, upsets included: 0 meets 3, 1 meets 2, then those who won."""
    assert pairings(KNOCKOUT, 4, nobody) == [Pairing((0, 3)), Pairing((1, 2))]
    won = {Pairing((0, 3)): 3, Pairing((1, 2)): 2}
    assert pairings(KNOCKOUT, 4, won.get)[2:] == [Pairing((2, 3), 1)]
    del won[Pairing((1, 2))]
    assert pairings(KNOCKOUT, 4, won.get) == [Pairing((0, 3)), Pairing((1, 2))]


def test_of_bots_that_are_no_power_of_two_the_first_wait():
    """Of five only the last two play first."""
    assert pairings(KNOCKOUT, 5, nobody) == [Pairing((3, 4)), Pairing((1, 2), 1)]
    assert pairings(KNOCKOUT, 5, {Pairing((3, 4)): 4}.get)[1] == Pairing((0, 4), 1)


def test_one_bot_is_no_tournament():
    """Nor none."""
    for bots in (0, 1):
        with refused(ValueError, bots, "2 or more"):
            pairings(ROUND_ROBIN, bots, better_seed)


@pytest.mark.parametrize("players", [3, 4])
def test_larger_tables_are_all_that_can_be_seated(players):
    """In a gauntlet with one challenger at each."""
    found = pairings(ROUND_ROBIN, 6, nobody, players=players)
    assert found == [Pairing(table) for table in combinations(range(6), players)]
    assert pairing_count(ROUND_ROBIN, 6, players=players) == len(found)
    found = pairings(GAUNTLET, 6, nobody, challengers=2, players=players)
    assert len(set(found)) == len(found) == pairing_count(GAUNTLET, 6, 2, players)
    assert {one.bots[0] for one in found} == {0, 1}
    assert all(min(one.bots[1:]) > 1 for one in found)
    with pytest.raises(ValueError, match=f"want {players} or more"):
        pairings(ROUND_ROBIN, players - 1, nobody, players=players)
    with pytest.raises(ValueError, match="challengers among 6 bots"):
        pairings(GAUNTLET, 6, nobody, 8 - players, players)
