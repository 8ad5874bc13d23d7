"""Who meets whom, in which seats and with which cards."""

from collections import Counter
from itertools import combinations

import pytest

from dealer.series.schedule import (
    Pairing,
    TournamentStyle,
    bot_seed,
    file_stem,
    pairing_count,
    pairings,
    schedule,
)
from tests.helpers.said import refused

MATCH, ROUND_ROBIN, GAUNTLET, KNOCKOUT = TournamentStyle


def nobody(_pairing):
    return None


@pytest.mark.parametrize("bots", [2, 3, 7])
def test_in_a_round_robin_everybody_meets_everybody(bots):
    """Once; one bot, or none, is no tournament."""
    for few in (0, 1):
        with refused(ValueError, few, "2 or more"):
            pairings(ROUND_ROBIN, few, nobody)
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
    """Of four 0 meets 3, 1 meets 2, then those who won; of five only the last two play first."""
    assert pairings(KNOCKOUT, 4, nobody) == [Pairing((0, 3)), Pairing((1, 2))]
    won = {Pairing((0, 3)): 3, Pairing((1, 2)): 2}
    assert pairings(KNOCKOUT, 4, won.get)[2:] == [Pairing((2, 3), 1)]
    del won[Pairing((1, 2))]
    assert pairings(KNOCKOUT, 4, won.get) == [Pairing((0, 3)), Pairing((1, 2))]
    assert pairings(KNOCKOUT, 5, nobody) == [Pairing((3, 4)), Pairing((1, 2), 1)]
    assert pairings(KNOCKOUT, 5, {Pairing((3, 4)): 4}.get)[1] == Pairing((0, 4), 1)


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


def test_heads_up_duplicate_swaps_the_seats():
    """Two legs with the same seed, named as in the competitions."""
    legs = schedule(["rule", "call"], seed=9)
    assert [(leg.seats, leg.seed, leg.name) for leg in legs] == [
        ((0, 1), 9, "rule.call.0.0"),
        ((1, 0), 9, "rule.call.0.1"),
    ]


@pytest.mark.parametrize("players", [2, 3, 6, 10])
def test_every_bot_holds_every_seat_once_per_run(players):
    """The rotations of a run give each bot each position of every deal."""
    legs = schedule([f"b{i}" for i in range(players)], seed=1, runs=2)
    assert len(legs) == 2 * players
    for run in range(2):
        held = Counter(
            (seat, bot) for leg in legs if leg.run == run for seat, bot in enumerate(leg.seats)
        )
        assert set(held.values()) == {1}
        assert len(held) == players**2


def test_without_duplicate_each_run_is_one_leg():
    """Runs differ in their cards only."""
    legs = schedule(["a", "b"], seed=2**32 - 1, runs=3, duplicate=False)
    assert [leg.seats for leg in legs] == [(0, 1)] * 3
    assert [leg.seed for leg in legs] == [2**32 - 1, 0, 1]


def test_bot_seeds_differ_between_legs_and_bots_and_come_again():
    """Random bots never act in step, yet a match can be repeated."""
    legs = schedule(["a", "b"], seed=3, runs=4)
    seeds = [bot_seed(leg, bot) for leg in legs for bot in leg.seats]
    assert len(set(seeds)) == len(seeds)
    assert seeds == [
        bot_seed(leg, bot) for leg in schedule(["x", "y"], seed=3, runs=4) for bot in leg.seats
    ]
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_many_long_names_still_make_a_file_name():
    """File systems end at 255 characters."""
    labels = [f"a-rather-long-name-for-a-bot-number-{i}" for i in range(10)]
    assert file_stem(labels) == "a-rather-long-name-for-a-bot-number-0.and-9-more"
    assert file_stem(["a", "b", "c"]) == "a.b.c"
