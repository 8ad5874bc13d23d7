"""The schedule of a match."""

from collections import Counter

import pytest

from dealer.series.schedule import bot_seed, file_stem, run_seed, schedule


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


def test_runs_count_the_seed_up():
    """The seed of each run can be told from the match's seed."""
    assert [run_seed(5, run) for run in range(3)] == [5, 6, 7]


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
