"""Pilots: what is compared, and that they are trained and resumed."""

import json
from dataclasses import replace

import pytest

from agents.evolution.evolution import Stage
from agents.evolution.selection import ReproductionConfig
from agents.recurrent.shape import GAME_ANEW, OPPONENT_ANEW
from agents.roster.bots import COUNTERED_OPPONENTS, find_agent
from tests.studies import astar_pilots, frame
from tests.studies.astar_pilots import NAMES, PilotVariant, curriculum, network_shape, pilots

OPTIONS = frame.parsed("astar-pilots", [])
USUAL = astar_pilots.small_plan(OPTIONS)
TINY = replace(
    USUAL,
    shape=network_shape((4, 4), (1, 1, 2), (1, 1, 2)),
    stages=(Stage(2, ("O2",), 2), Stage(1, ("O8",), 2)),
    population=4,
    founders=6,
    breeding=ReproductionConfig(survival=0.5),
)


def test_a_pilot_changes_one_thing():
    """Each has the small plan, or its twin, among its variants; budgets grow fourfold, in hands."""
    small, all_pilots = PilotVariant("", USUAL), pilots(OPTIONS)
    assert tuple(all_pilots) == NAMES
    for variants in all_pilots.values():
        names = [variant.name for variant in variants]
        assert len(set(names)) == len(names) >= 4
        assert any(one[1:] == small[1:] for one in variants)
        assert len({repr(one[1:]) for one in variants}) == len(names)
        for variant in variants:
            for stage in variant.plan.stages:
                assert all(find_agent(name).compiled for name in stage.opponents)
    deals = [replace(variant.plan, founders=0).deals for variant in all_pilots["budgets"]]
    assert [one / deals[0] for one in deals] == [1, 4, 16, 64]


def test_curricula_are_those_of_the_article():
    """In thirds of the generations."""
    simple, complex_ = COUNTERED_OPPONENTS[:4], COUNTERED_OPPONENTS[4:]
    told = {
        name: [(stage.generations, stage.opponents) for stage in curriculum(name, 100, 5)]
        for name in ("S1", "S2", "S3", "S4")
    }
    assert told == {
        "S1": [(300, COUNTERED_OPPONENTS)],
        "S2": [(100, simple), (200, complex_)],
        "S3": [(100, simple), (200, COUNTERED_OPPONENTS)],
        "S4": [(100, simple), (100, complex_), (100, COUNTERED_OPPONENTS)],
    }
    with pytest.raises(ValueError, match="want S1"):
        curriculum("S5", 1, 1)


@pytest.fixture
def tiny(monkeypatch, tmp_path):
    """Run one pilot of two variants that take a moment; return the exit code and the results."""
    both = (PilotVariant("one", TINY), PilotVariant("the other", TINY, GAME_ANEW | OPPONENT_ANEW))
    monkeypatch.setattr(astar_pilots, "pilots", lambda options: {"stacks": both})

    def run(work, *seeds, more=()):
        out = tmp_path / "pilots.json"
        line = ["astar-pilots", "stacks", "--deals", "20", "--threads", "1", "--seeds", *seeds]
        line += more
        code = frame.main([*line, "--work", str(tmp_path / work), "--out", str(out)])
        return code, json.loads(out.read_text())["pilots"]["stacks"] if code == 0 else []

    return run


def test_pilots_are_trained_and_not_trained_again(tiny, monkeypatch):
    """Two variants from two seeds; a seed that is named twice counts once."""
    code, told = tiny("work", "1", "2", "2")
    assert code == 0
    assert [(one["variant"], one["seed"]) for one in told] == [
        ("one", 1), ("one", 2), ("the other", 1), ("the other", 2),
    ]  # fmt: skip
    assert all(len(one["fitness"]) == 3 and len(one["won"]) == 8 for one in told)
    monkeypatch.setattr(astar_pilots, "EvolutionRun", None)
    assert tiny("work", "1", "2") == (0, told)


def test_a_variant_may_be_chosen_and_one_plan_is_trained_once(tiny, monkeypatch, tmp_path, capsys):
    """By its name; whoever asks for the same plan under another name gets the same result."""
    code, chosen = tiny("work", "1", more=("--variants", "one"))
    assert (code, [one["variant"] for one in chosen]) == (0, ["one"])
    assert tiny("work", "1", more=("--variants", "nobody"))[0] == 2
    assert "no variant of these pilots is called 'nobody'" in capsys.readouterr().err
    twins = (PilotVariant("one", TINY), PilotVariant("its twin", TINY))
    monkeypatch.setattr(astar_pilots, "pilots", lambda options: {"stacks": twins})
    monkeypatch.setattr(astar_pilots, "EvolutionRun", None)
    _, both = tiny("work", "1")
    assert [one | {"variant": ""} for one in both] == [chosen[0] | {"variant": ""}] * 2
    assert not (tmp_path / "work/stacks/its-twin-seed1").exists()


def test_a_stopped_pilot_is_resumed(tiny, monkeypatch):
    """With the network that it would have had."""
    _, whole = tiny("whole", "3")
    real = astar_pilots.RateLimiter

    class Stopping(real):
        def __call__(self, text):
            raise KeyboardInterrupt

    monkeypatch.setattr(astar_pilots, "RateLimiter", Stopping)
    assert tiny("cut", "3")[0] == 130
    monkeypatch.setattr(astar_pilots, "RateLimiter", real)
    _, cut = tiny("cut", "3")
    for one, other in zip(whole, cut, strict=True):
        assert (one["fitness"], one["won"]) == (other["fitness"], other["won"])


def test_what_is_not_of_the_pilot_is_told(tiny, tmp_path, capsys):
    """A network of another plan, and metrics that are cut off: by the name of the file."""
    tiny("work", "3")
    one, other = (tmp_path / "work/stacks" / name for name in ("one-seed3", "the-other-seed3"))
    metrics = one / "metrics.jsonl"
    whole = metrics.read_text()
    for text in (whole.splitlines()[0] + "\n", "{}\n"):
        metrics.write_text(text)
        capsys.readouterr()
        assert tiny("work", "3")[0] == 2
        assert f"{metrics} is damaged" in capsys.readouterr().err
    metrics.write_text(whole)
    (one / "best.network").write_bytes((other / "best.network").read_bytes())
    assert tiny("work", "3")[0] == 2
    assert "by another plan" in capsys.readouterr().err
