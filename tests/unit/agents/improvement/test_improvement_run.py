"""The file of a run that improves a model: it is resumed, and damaged ones are told in a line."""

import pytest

from agents.errors import TrainingError
from agents.improvement.improvement_run import KIND, ImprovementRun, Watch
from agents.training.run_folder import RunFolder

RAISED = {"extra": "r300", "pots": 1.5, "times": 2, "share": 1, "nearest": 1, "distance": 1}
TASK = {
    **{"raised": {**RAISED, "score": 3}, "seconds": 1.5, "iterations": 7, "worth": None},
    **{"marked": 4, "change": 0.25, "converged": False, "added": False},
}
CONFIG = {"model": "x", "--alone": False, "--seed": 1, "--workers": 1, "--watch": False}


def opened(folder, task=TASK, **changes):
    """Return a run whose folder holds a task, resumed."""
    if task is not None:
        RunFolder(folder, KIND).save(CONFIG, {"tasks": [task], "commands": ["a"]}, {})
    own = {"digest": "x", "safe": True, "seed": 1, "workers": 1, **changes}
    run = ImprovementRun(folder, **own)
    return run if run.resume() else None


def test_a_whole_file_is_read_and_written(tmp_path):
    """The raise, how long it was learned, and nothing where there is no file."""
    assert opened(tmp_path, None) is None
    run = opened(tmp_path)
    (task,) = run.tasks
    assert (task.raised.extra, task.iterations, run.commands) == ("r300", 7, ["a"])
    run.commands.append("b")
    run.note()
    again = opened(tmp_path, None)
    assert (again.tasks, again.commands) == (run.tasks, ["a", "b"])


@pytest.mark.parametrize(
    "changes",
    [
        {"raised": {**TASK["raised"], "extra": 5}},
        {"raised": {**TASK["raised"], "pots": "x"}},
        {"raised": RAISED},
        {"iterations": float("inf")},
        {"seconds": []},
        {"worth": [1.0, "x"]},
        {"marked": None},
        {"change": "x"},
    ],
    ids=str,
)
def test_a_damaged_file_is_told(tmp_path, changes):
    """Values of other kinds, numbers that nothing holds, facts that are missing."""
    with pytest.raises(TrainingError, match="checkpoint is damaged"):
        opened(tmp_path, {**TASK, **changes})


def test_a_service_says_how_far_it_is(tmp_path):
    """Which round, when it began, and whether it is over."""
    run = ImprovementRun(tmp_path, "x", True, 1, 1, watch=Watch())
    assert not run.resume()
    run.watch.rounds, run.watch.begun, run.watch.over = 3, 1.5e9, False
    run.note()
    again = ImprovementRun(tmp_path, "x", True, 1, 1, watch=Watch())
    assert again.resume()
    assert again.watch == run.watch
    with pytest.raises(TrainingError, match="begun with another --watch"):
        ImprovementRun(tmp_path, "x", True, 1, 1).resume()


def test_a_run_of_other_options_is_refused(tmp_path):
    """By their names."""
    with pytest.raises(TrainingError, match="begun with another --seed, --workers; --out"):
        opened(tmp_path, seed=2, workers=3)
