"""What the duels of the evolved players are."""

from argparse import Namespace

import pytest

from agents.roster.bots import COUNTERED_OPPONENTS, find_agent
from tests.studies.astar_duels import (
    SECTIONS,
    USUAL_SECTIONS,
    drawn_mixtures,
    drawn_points,
    drawn_sizes,
    result_name,
    sections,
)


def test_all_sections_play_agents_that_there_are():
    """By names of the roster, nobody against itself; a counter meets its opponent alone."""
    assert tuple(section.name for section in sections()) == SECTIONS
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


@pytest.mark.parametrize(
    ("draw", "count"), [(drawn_points, 20), (drawn_sizes, 10), (drawn_mixtures, 5)]
)
def test_strangers_are_drawn_by_their_seed(draw, count):
    """Others for another seed, none of them known; each is somebody."""
    drawn = draw(1)
    assert drawn == draw(1)
    assert set(drawn).isdisjoint(draw(2))
    assert len(set(drawn)) == count
    assert all(find_agent(name).quadrant or find_agent(name).period >= 20 for name in drawn)


def test_strangers_have_all_sizes_and_parts():
    """From min-bets to many pots; mixtures of two or three."""
    sizes = [int(name.split("-")[6]) for name in drawn_sizes(1, 200)]
    assert min(sizes) < 15
    assert max(sizes) > 1000
    assert {name.count("+") for name in drawn_mixtures(1, 40)} == {1, 2}


def test_what_learned_by_itself_has_a_file_of_its_own():
    """So the command of the page replaces no other duels."""
    options = Namespace(sections=["nfsp"], models=None)
    assert result_name(options) == "astar/nfsp.jsonl"
    assert result_name(Namespace(sections=USUAL_SECTIONS, models=None)) == "astar/duels.jsonl"
    assert "nfsp" not in USUAL_SECTIONS
