"""The report: what it plays, and how it is shown."""

import json

import numpy as np
import pytest

from agents.roster.bots import COUNTERED, find_agent
from agents.studies.astar import report_command, report_sections
from agents.studies.astar.command import main
from agents.studies.astar.report_command import LEDGER
from agents.studies.astar.report_sections import (
    Section,
    drawn_mixtures,
    drawn_points,
    drawn_sizes,
    sections,
)
from agents.studies.astar.report_tables import Share, adaptation_svg, section_table, shares
from agents.studies.pool.duels import Duel, DuelResult
from engine.estimates.winrate import win_rate


def result(one, other, mbb=100.0, blocks=(1.0,) * 12):
    """A duel with some outcome."""
    samples = np.array([mbb / 10 - 1, mbb / 10 + 1])
    return DuelResult(Duel(one, other, 10, 1), win_rate(samples, 100), blocks, 1.0)


def test_all_sections_play_agents_that_there_are():
    """By names of the roster, nobody against itself; a counter meets its opponent alone."""
    for section in sections():
        duels = section.duels(10, 1)
        assert len(set(duels)) == len(duels) >= 4
        for duel in duels:
            assert duel.one != duel.other
            find_agent(duel.one)
            find_agent(duel.other)
            if duel.one.startswith("counter-"):
                assert duel.other == duel.one.removeprefix("counter-")
    ablation = sections()[0].duels(10, 1)
    assert sum(duel.one.startswith("counter-") for duel in ablation) == len(COUNTERED)


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


def test_a_table_has_a_row_for_each_opponent():
    """Counters in a column of their own, - for what is not played, means, what was published."""
    section = Section(
        "x",
        "X",
        ("counter-O1", "counter-O2", "astar", "O2"),
        ("O1", "O2"),
        only_own=True,
        means=(("both", ("O1", "O2")),),
    )
    pairs = [
        ("counter-O1", "O1", 900.0),
        ("counter-O2", "O2", 500.0),
        ("astar", "O1", 800.0),
        ("O2", "O1", -1.0),
    ]
    results = {(one, other): result(one, other, mbb) for one, other, mbb in pairs}
    lines = section_table(section, results)
    assert lines[0].split() == ["counter", "astar", "O2"]
    assert lines[1].startswith("O1           +900 ± ")
    assert lines[1].count("±") == 3
    assert lines[2].split() == ["published", "+1,000", "-", "-"]
    assert lines[3].startswith("O2           +500 ± ")
    assert lines[3].split()[-2:] == ["-", "-"]
    ci95 = results["astar", "O1"].rate.ci95
    assert lines[4].startswith(f"mean, both    +700 ± {ci95 / 2**0.5:,.0f}")
    assert lines[4].split()[-2:] == ["-", "-"]


def test_the_leader_is_compared_opponent_by_opponent():
    """More, and surely more or less where the paired difference is outside its interval."""
    opponents = ("O1", "O2", "O3", "O4")
    groups = (("two", opponents[:2]),)
    section = Section("x", "X", ("astar", "O5"), opponents, means=groups, leader="astar")
    gains = ((9.0, 11.0), (-30.0, 60.0), (-60.0, 30.0), (-11.0, -9.0))
    results = {}
    for opponent, (first, second) in zip(opponents, gains, strict=True):
        blocks = tuple(np.repeat([first, second], 6) + np.tile([0.1, -0.1], 6))
        results["astar", opponent] = result("astar", opponent, float(np.mean(blocks)), blocks)
        results["O5", opponent] = result("O5", opponent, 0.0, (0.0,) * 12)
    assert section_table(section, results)[-2:] == [
        "astar wins more than O5 from 2 of 2 (two); surely more from 1, surely less from 0",
        "astar wins more than O5 from 2 of 4 (all); surely more from 1, surely less from 1",
    ]
    del results["O5", "O1"]
    assert shares(section, results)[0] == Share("O5", "two", 1, 1, 0, 0)


def test_the_curve_is_a_moving_mean():
    """Ten blocks behind the first point, which stands at 5000 hands."""
    svg = adaptation_svg([result("astar", "O_random", blocks=tuple(range(30)))])
    assert "astar" in svg
    assert svg.count("path") > 3
    assert "astar" not in adaptation_svg([result("astar", "O1", blocks=tuple(range(30)))])


def test_a_report_is_played_written_and_resumed(tmp_path, monkeypatch, capsys):
    """With a section of two duels; the second time nothing is played."""
    small = Section("comparison", "Some", ("O2", "O6"), ("O6", "O_random"))
    monkeypatch.setattr(report_sections, "sections", lambda: (small,))
    command = ["report", "comparison", "--out", str(tmp_path), "--deals", "500", "--jobs", "1"]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "O_random" in shown
    before = (tmp_path / LEDGER).read_bytes()
    told = [json.loads(line) for line in before.splitlines()]
    assert [(one["one"], one["other"]) for one in told] == [
        ("O2", "O6"), ("O2", "O_random"), ("O6", "O_random"),
    ]  # fmt: skip
    monkeypatch.setattr("agents.studies.pool.duels.play_duel", None)
    assert main(command) == 0
    assert capsys.readouterr().out == shown
    assert (tmp_path / LEDGER).read_bytes() == before


def test_unknown_sections_are_told(tmp_path, capsys):
    """With those that there are."""
    assert main(["report", "nothing", "--out", str(tmp_path / "x")]) == 2
    assert report_command.NAMES[0] in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", report_command.NAMES)
def test_names_are_those_of_the_sections(name):
    """The help tells all of them."""
    assert name in [*(one.name for one in sections()), report_command.COSTS]
