"""Who takes part."""

import pytest

from agents.errors import UnknownAgent
from agents.roster.characters import PERIOD_HANDS, POOL
from agents.roster.contestants import all_contestants, find_contestants
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")


def of_group(group):
    """Return the contestants of a group."""
    return [one for one in all_contestants() if one.group == group]


def test_each_bot_of_the_pool_takes_part_once():
    """The four with two names are named in one row."""
    found = of_group("pool")
    names = [name for one in found for name in (one.name, one.also) if name]
    assert sorted(names) == sorted(one.name for one in POOL)
    assert {one.name: one.also for one in found}["O1"] == "scared-limper"


def test_policies_are_those_of_the_name():
    """The row of numbers differs between any two."""
    rows = [one.compiled_policy(HUNL, 5).params.tolist() for one in of_group("pool")]
    assert len({tuple(row) for row in rows}) == len(rows)


def test_hands_of_a_wanderer_hang_together():
    """For as long as it stays at one point.  Seeds follow from names: all are different."""
    periods = {one.name: one.period for one in all_contestants()}
    assert periods.pop("O_random") == PERIOD_HANDS
    assert set(periods.values()) == {1}
    names = [name for one in all_contestants() for name in (one.name, one.also) if name]
    assert len(names) == len(set(names))
    assert len(of_group("knowledge")) == 5


def test_names_choose_in_the_order_of_the_table():
    """Either name will do; none means all."""
    assert [one.name for one in find_contestants(["O6", "hothead-maniac"])] == ["O3", "O6"]
    assert [one.name for one in find_contestants([])] == [one.name for one in all_contestants()]


def test_unknown_names_are_refused():
    """With a list of those there are; so are bots that are not compiled."""
    for name, why in (("O9", r"'O9'.*: O1, O2"), ("always-call", "'always-call'")):
        with pytest.raises(UnknownAgent, match=why):
            find_contestants(["O1", name])


def test_points_of_the_plane_take_part_by_name():
    """After the others, each once."""
    names = ["plane-80-60-40", "plane-20-10", "O6", "plane-80-60-40"]
    found = find_contestants(names)
    assert [one.name for one in found] == ["O6", "plane-80-60-40", "plane-20-10"]
    row = found[1].compiled_policy(HUNL, 1).params
    assert row[1:4].tolist() == [0.8, 0.6, 0.4]
    assert [one.name for one in find_contestants(["plane-20-10"])] == ["plane-20-10"]
