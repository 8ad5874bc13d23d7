"""The file of a run that improves a model: damaged ones are told in a line."""

import json

import pytest

from agents.errors import TrainingError
from agents.improvement.run import RUN, open_run

RAISED = {"extra": "r300", "pots": 1.5, "times": 2, "share": 1, "nearest": 1, "distance": 1}
TASK = {"raised": {**RAISED, "score": 3}, "seconds": 1.5, "iterations": 7, "worth": None}
WHOLE = {"model": "x", "safe": True, "seed": 1, "workers": 1, "commands": [], "tasks": [TASK]}


def test_a_whole_file_is_read(tmp_path):
    """The raise, how long it was learned, and nothing where there is no file."""
    assert open_run(tmp_path) is None
    (tmp_path / RUN).write_text(json.dumps(WHOLE))
    (task,) = open_run(tmp_path).tasks
    assert (task.raised.extra, task.iterations) == ("r300", 7)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(WHOLE).replace('"r300"', "5"),
        json.dumps(WHOLE).replace("1.5,", '"x",', 1),
        json.dumps(WHOLE).replace('"seed": 1', '"seed": 1e999'),
        json.dumps(WHOLE).replace('"seed": 1', f'"seed": {"9" * 4000}'),
        json.dumps(WHOLE).replace("[]", "[" * 100_000),
        "[1]",
    ],
)
def test_a_damaged_file_is_told(tmp_path, text):
    """Values of other kinds, numbers that nothing holds, lists without an end."""
    (tmp_path / RUN).write_text(text)
    with pytest.raises(TrainingError, match=f"{RUN} is damaged"):
        open_run(tmp_path)
