"""The report: what it plays, and how it is shown."""

import json

import numpy as np
import pytest

from agents.astar.measuring import report_command, report_sections
from agents.astar.measuring.command import main
from agents.astar.measuring.report_command import LEDGER, REPORT, adaptation_svg, table
from agents.astar.measuring.report_sections import Section, drawn_points, sections
from agents.measuring.duels import Duel, DuelResult
from agents.roster import COUNTERED, find_agent
from engine.estimates.winrate import win_rate


def result(one, other, mbb=100.0, blocks=(1.0,) * 12):
    """A duel with some outcome."""
    samples = np.array([mbb / 10 - 1, mbb / 10 + 1])
    return DuelResult(Duel(one, other, 10, 1), win_rate(samples, 100), blocks, 1.0)


def test_all_sections_play_agents_that_there_are():
    """By names of the roster, nobody against itself; a counter meets its opponent alone."""
    for section in sections():
        duels = section.duels(10, 1)
        assert len(set(duels)) == len(duels) > 10
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


def test_a_table_has_a_row_for_each_opponent():
    """Counters in a column of their own, - for what is not played."""
    section = Section("x", "X", ("counter-O1", "astar", "O2"), ("O1", "O2"), only_own=True)
    pairs = [("counter-O1", "O1", 900.0), ("astar", "O1", 800.0), ("O2", "O1", -1.0)]
    results = {(one, other): result(one, other, mbb) for one, other, mbb in pairs}
    lines = table(section, results)
    assert lines[0].split() == ["counter", "astar", "O2"]
    assert lines[1].startswith("O1  +900 ± ")
    assert lines[1].count("±") == 3
    assert lines[2].split() == ["O2", "-", "-", "-"]


def test_the_curve_is_a_moving_mean():
    """Ten blocks behind the first point, which stands at 5000 hands."""
    svg = adaptation_svg([result("astar", "O_random", blocks=tuple(range(30)))])
    assert "astar" in svg
    assert svg.count("path") > 3


def test_a_report_is_played_written_and_resumed(tmp_path, monkeypatch, capsys):
    """With a section of two duels; the second time nothing is played."""
    small = Section("comparison", "Some", ("O2", "O6"), ("O6", "O_random"))
    monkeypatch.setattr(report_sections, "sections", lambda: (small,))
    command = ["report", "--out", str(tmp_path), "--deals", "500", "--jobs", "1"]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert "O_random" in shown
    told = json.loads((tmp_path / REPORT).read_text())
    assert [(one["one"], one["other"]) for one in told["comparison"]] == [
        ("O2", "O6"), ("O2", "O_random"), ("O6", "O_random"),
    ]  # fmt: skip
    before = (tmp_path / LEDGER).read_bytes()
    monkeypatch.setattr("agents.measuring.duels.play_duel", None)
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
    assert name in [one.name for one in sections()]
