"""What the duels of the evolved players are."""

from agents.roster.bots import COUNTERED_OPPONENTS, find_agent
from tests.studies.astar_duels import (
    SECTIONS,
    drawn_mixtures,
    drawn_points,
    drawn_sizes,
    sections,
)


def test_names_are_those_of_the_sections():
    """The help tells all of them."""
    assert tuple(section.name for section in sections()) == SECTIONS


def test_all_sections_play_agents_that_there_are():
    """By names of the roster, nobody against itself; a counter meets its opponent alone."""
    for section in sections():
        duels = section.duels(10, 1)
        assert len(set(duels)) == len(duels) >= 4
        for duel in duels:
            assert duel.one != duel.other
            find_agent(duel.one.split()[0])
            find_agent(duel.other.split()[0])
            if duel.one.startswith("counter-"):
                assert duel.other == duel.one.removeprefix("counter-")
    ablation = sections()[0].duels(10, 1)
    assert sum(duel.one.startswith("counter-") for duel in ablation) == len(COUNTERED_OPPONENTS)


def test_strangers_are_drawn_by_their_seed():
    """Twenty points of the plane, others for another seed, none of them known."""
    drawn = drawn_points(1)
    assert drawn == drawn_points(1)
    assert set(drawn).isdisjoint(drawn_points(2))
    assert len(set(drawn)) == 20
    assert all(find_agent(name).quadrant for name in drawn)


def test_points_of_all_sizes_are_drawn_by_their_seed():
    """Ten others, from min-bets to many pots; each is somebody."""
    drawn = drawn_sizes(1)
    assert drawn == drawn_sizes(1)
    assert set(drawn).isdisjoint(drawn_sizes(2))
    assert len(set(drawn)) == 10
    sizes = [int(name.split("-")[6]) for name in drawn_sizes(1, 200)]
    assert min(sizes) < 15
    assert max(sizes) > 1000
    assert all(find_agent(name).quadrant for name in drawn)


def test_mixtures_are_drawn_by_their_seed():
    """Of two or three parts, none of them played in training as a mixture."""
    drawn = drawn_mixtures(1)
    assert drawn == drawn_mixtures(1) != drawn_mixtures(2)
    assert {name.count("+") for name in drawn_mixtures(1, 40)} == {1, 2}
    assert all(find_agent(name).period >= 20 for name in drawn)
