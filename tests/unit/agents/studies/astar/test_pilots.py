"""Pilots: what is compared, that they are trained and resumed, and how they are shown."""

import json
from dataclasses import replace

import pytest

from agents.evolution.evolution import Stage
from agents.evolution.selection import ReproductionConfig
from agents.recurrent.shape import GAME_ANEW, OPPONENT_ANEW
from agents.roster.bots import COUNTERED, find_agent
from agents.studies.astar.command import main
from agents.studies.astar.pilots import command, plans
from agents.studies.astar.pilots.command import NAMES, RESULTS
from agents.studies.astar.pilots.plans import Pilot, PilotVariant, curriculum, pilots

TINY = replace(
    plans.SMALL,
    shape=plans.network_shape((4, 4), (1, 1, 2), (1, 1, 2)),
    stages=(Stage(2, ("O2",), 2), Stage(1, ("O8",), 2)),
    population=4,
    founders=6,
    breeding=ReproductionConfig(survival=0.5),
)


def test_names_are_those_of_the_pilots():
    """The help tells all of them."""
    assert tuple(pilot.name for pilot in pilots()) == NAMES


def test_a_pilot_changes_one_thing():
    """Each has the small plan, or its twin, among its variants; names are unique."""
    small = PilotVariant("", plans.SMALL)
    for pilot in pilots():
        names = [variant.name for variant in pilot.variants]
        assert len(set(names)) == len(names) >= 4
        assert any(one[1:] == small[1:] for one in pilot.variants)
        settings = {repr(one[1:]) for one in pilot.variants}
        assert len(settings) == len(names)
        for variant in pilot.variants:
            for stage in variant.plan.stages:
                assert all(find_agent(name).compiled for name in stage.opponents)


def test_curricula_are_those_of_the_article():
    """In thirds of the generations."""
    simple, complex_ = COUNTERED[:4], COUNTERED[4:]
    told = {
        name: [(stage.generations, stage.opponents) for stage in curriculum(name, 100, 5)]
        for name in ("S1", "S2", "S3", "S4")
    }
    assert told == {
        "S1": [(300, COUNTERED)],
        "S2": [(100, simple), (200, complex_)],
        "S3": [(100, simple), (200, COUNTERED)],
        "S4": [(100, simple), (100, complex_), (100, COUNTERED)],
    }
    with pytest.raises(ValueError, match="want S1"):
        curriculum("S5")


def test_budgets_grow_fourfold():
    """In hands, but for founders."""
    (budgets,) = [pilot for pilot in pilots() if pilot.name == "budgets"]
    deals = [replace(variant.plan, founders=0).deals for variant in budgets.variants]
    assert [one / deals[0] for one in deals] == [1, 4, 16, 64]


@pytest.fixture
def tiny(monkeypatch):
    """One pilot of two variants that take a moment."""
    both = (PilotVariant("one", TINY), PilotVariant("the other", TINY, GAME_ANEW | OPPONENT_ANEW))
    monkeypatch.setattr(plans, "pilots", lambda: (Pilot("stacks", "Some stacks", both),))


def test_pilots_are_trained_shown_and_not_trained_again(tiny, tmp_path, monkeypatch, capsys):
    """Two variants from two seeds; another seed trains what is missing only."""
    line = ["pilots", "stacks", "--out", str(tmp_path), "--deals", "20", "--threads", "1"]
    assert main([*line, "--seeds", "1", "2"]) == 0
    shown = capsys.readouterr().out
    rows = shown.splitlines()
    assert rows[0] == "Some stacks"
    assert rows[2].split()[:3] == ["fitness", "O1", "O2"]
    assert rows[3].startswith("one")
    assert rows[4].startswith("the other")
    assert (tmp_path / "stacks.svg").read_text().count("line1") > 1
    told = json.loads((tmp_path / RESULTS).read_text())["pilots"]["stacks"]
    assert [(one["variant"], one["seed"]) for one in told] == [
        ("one", 1), ("one", 2), ("the other", 1), ("the other", 2),
    ]  # fmt: skip
    assert all(len(one["fitness"]) == 3 and len(one["won"]) == 8 for one in told)
    monkeypatch.setattr("agents.studies.astar.pilots.runs.EvolutionRun", None)
    assert main([*line, "--seeds", "1", "2"]) == 0
    assert capsys.readouterr().out == shown


def test_a_stopped_pilot_is_resumed(tiny, tmp_path, monkeypatch):
    """With the network that it would have had."""
    line = ["pilots", "--deals", "20", "--threads", "1", "--seeds", "3", "--out"]
    assert main([*line, str(tmp_path / "whole")]) == 0
    real = command.RateLimiter

    class Stopping(real):
        def __call__(self, text):
            raise KeyboardInterrupt

    monkeypatch.setattr(command, "RateLimiter", Stopping)
    assert main([*line, str(tmp_path / "cut")]) == 130
    monkeypatch.setattr(command, "RateLimiter", real)
    assert main([*line, str(tmp_path / "cut")]) == 0
    whole, cut = (
        json.loads((tmp_path / name / RESULTS).read_text())["pilots"]["stacks"]
        for name in ("whole", "cut")
    )
    for one, other in zip(whole, cut, strict=True):
        assert (one["fitness"], one["won"]) == (other["fitness"], other["won"])


def test_what_is_not_of_the_pilot_is_told(tiny, tmp_path, capsys):
    """A network of another plan, and metrics that are cut off: by the name of the file."""
    line = ["pilots", "--deals", "20", "--threads", "1", "--seeds", "3", "3", "--out"]
    assert main([*line, str(tmp_path)]) == 0
    told = json.loads((tmp_path / RESULTS).read_text())["pilots"]["stacks"]
    assert [one["seed"] for one in told] == [3, 3]  # two variants, each once
    one, other = (tmp_path / "stacks" / name for name in ("one-seed3", "the-other-seed3"))
    metrics = one / "metrics.jsonl"
    whole = metrics.read_text()
    for text in (whole.splitlines()[0] + "\n", "{}\n", "[1]\n", "[" * 100_000 + "\n"):
        metrics.write_text(text)
        capsys.readouterr()
        assert main([*line, str(tmp_path)]) == 2
        assert f"{metrics} is damaged" in capsys.readouterr().err
    metrics.write_text(whole)
    (one / "best.network").write_bytes((other / "best.network").read_bytes())
    assert main([*line, str(tmp_path)]) == 2
    assert "by another plan" in capsys.readouterr().err


def test_unknown_pilots_are_told(tmp_path, capsys):
    """With those that there are."""
    assert main(["pilots", "nothing", "--out", str(tmp_path / "x")]) == 2
    assert NAMES[0] in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
