"""Runs that solve small games."""

import json
from dataclasses import replace

import numpy as np
import pytest

from agents.equilibrium.equilibrium_run import (
    MODEL,
    EquilibriumConfig,
    EquilibriumRun,
    Goal,
)
from agents.equilibrium.model import load_model
from agents.equilibrium.solvable import measured
from agents.errors import TrainingError
from agents.training.run_folder import CHECKPOINT
from engine.cfr.adaptive import FAST_POOL, UcbRule
from engine.cfr.adaptive_choice import AdaptiveChoice
from engine.cfr.variants import VARIANTS
from engine.errors import InvalidGame
from protocol.gamedefs import load_builtin

CHOICE = AdaptiveChoice(FAST_POOL, UcbRule())


def config(game="kuhn", minimiser=CHOICE, **changes):
    """A config: a choice among all fast minimisers unless told."""
    return EquilibriumConfig(game, load_builtin(game), minimiser, **changes)


def solved(folder, wanted, goal, **options):
    """A run that has reached its goal, and what it noted on the way."""
    run = EquilibriumRun(folder, wanted, **options)
    seen = []
    found = run.solve(goal, seen.append, lambda: False)
    return run, found, seen


@pytest.mark.parametrize("game", ["kuhn", "kuhn3", "fixed-queen"])
def test_a_run_ends_at_the_exploitability_asked_for(game, tmp_path):
    """A thousandth of the ante, for two and three players; the model tells it of itself."""
    run, found, seen = solved(tmp_path, config(game), Goal(exploitability=0.001))
    assert found == seen[-1] <= 0.001 < seen[0]
    model = run.save()
    loaded = load_model(tmp_path / MODEL)
    exploitability, values = measured(run.game.tree, loaded.profile(run.game.tree))
    assert loaded.provenance == model.provenance
    assert model.provenance["exploitability"] == exploitability == pytest.approx(found, abs=1e-6)
    assert model.provenance["values"] == values
    assert sum(values) == pytest.approx(0, abs=1e-9)


def test_the_file_beside_a_model_tells_how_it_was_made(tmp_path):
    """Game, minimisers, uses, rule, seed, iterations."""
    run, _, _ = solved(tmp_path, config(seed=3, random_start=True), Goal(iterations=40))
    run.commands.append("this test")
    run.save()
    told = json.loads((tmp_path / MODEL).with_suffix(".json").read_text())
    assert (told["name"], told["minimiser"], told["iterations"]) == ("kuhn", "adaptive", 40)
    assert (told["seed"], told["start"], told["commands"]) == (3, "random", ["this test"])
    assert sum(told["uses"].values()) == 40
    assert set(told["uses"]) == set(told["pool"]) == {variant.name for variant in FAST_POOL}
    assert told["rule"]["update"] == "mean"
    assert "numPlayers = 2" in told["game"]


@pytest.mark.parametrize(
    "wanted",
    [
        config(),
        config("kuhn3", replace(CHOICE, every=8)),
        config(minimiser=VARIANTS["hedge-var"], alternating=False),
        config(random_start=True, seed=5),
    ],
    ids=["adaptive", "left within a round", "one minimiser", "random start"],
)
def test_a_run_that_was_left_ends_with_the_same_bits(wanted, tmp_path):
    """As one that was not; uses and commands add up."""
    whole, _, _ = solved(tmp_path / "whole", wanted, Goal(iterations=63))
    half, _, _ = solved(tmp_path / "half", wanted, Goal(iterations=35))
    half.commands.append("first")
    half.save()
    rest, _, _ = solved(tmp_path / "half", wanted, Goal(iterations=63), resume=True)
    np.testing.assert_array_equal(rest.solver.average(), whole.solver.average())
    assert rest.uses == whole.uses
    assert rest.commands == ["first"]
    assert rest.solver.iterations == whole.solver.iterations == 63


def test_a_request_to_end_is_obeyed_at_once(tmp_path):
    """Within a round of the choice, too, which may take a minute in a large game."""
    run = EquilibriumRun(tmp_path, config(minimiser=replace(CHOICE, every=1000)))
    asked = iter([False] * 2 + [True])
    run.solve(Goal(), lambda _: None, lambda: next(asked))
    assert run.solver.iterations == 2


def test_time_is_a_goal(tmp_path):
    """By the clock that is given."""
    run = EquilibriumRun(tmp_path, config(minimiser=VARIANTS["cfr"]))
    clock = iter(range(1000))
    run.solve(Goal(seconds=20), lambda _: None, lambda: False, lambda: float(next(clock)))
    assert run.solver.iterations == 10
    assert run.seconds == 20


def test_folders_with_and_without_runs_are_told_apart(tmp_path):
    """Nothing is written over, and nothing of another config is resumed."""
    with pytest.raises(TrainingError, match="holds no run to resume"):
        EquilibriumRun(tmp_path, config(), resume=True)
    run, _, _ = solved(tmp_path, config(), Goal(iterations=5))
    run.save()
    with pytest.raises(TrainingError, match="--resume"):
        EquilibriumRun(tmp_path, config())
    for other in (
        config("kuhn3"),
        config(alternating=False),
        config(minimiser=replace(CHOICE, pool=FAST_POOL[:2])),
    ):
        with pytest.raises(TrainingError, match="was begun with another "):
            EquilibriumRun(tmp_path, other, resume=True)
    (tmp_path / CHECKPOINT).write_bytes(b"torn")
    with pytest.raises(TrainingError, match="not an artifact file"):
        EquilibriumRun(tmp_path, config(), resume=True)


def test_games_that_cannot_be_solved_are_refused(tmp_path):
    """Too large ones, and those in which nobody decides anything."""
    with pytest.raises(InvalidGame, match="too large"):
        EquilibriumRun(tmp_path, config("hulhe"))
    broke = replace(load_builtin("kuhn"), stacks=(1, 1))
    with pytest.raises(InvalidGame, match="nothing to solve"):
        EquilibriumRun(tmp_path, replace(config(), game=broke))
