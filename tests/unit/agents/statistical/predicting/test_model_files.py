"""Models as files, and the options of `arena agent statistical` that name them or anything else."""

import re

import pytest

from agents.__main__ import main as agent
from agents.statistical.building import build
from agents.statistical.predicting.model_files import load_shipped


def test_a_file_of_a_model_can_predict_the_opponent(tmp_path):
    """Whatever it is called."""
    path = tmp_path / "my network"
    load_shipped("ann").save(path)
    shipped, own = (build(predictor=named)._predictor for named in ("ann", str(path)))
    assert (shipped.hidden == own.hidden).all()
    load_shipped("tree").save(path)
    shipped, own = (build(predictor=named)._predictor for named in ("tree", str(path)))
    assert (shipped.counts == own.counts).all()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "my.model': want counters, ann, tree, or the file of one"),
        (b"x", "my.model: not an artifact"),
        (b"", "my.model: not an artifact"),
        ("types", "my.model: holds 'types of players'"),
        ("ann", "my.model: damaged"),
        (300 * "a", "counters"),
    ],
)
def test_a_file_that_is_no_such_model_is_told_in_one_line(content, message, tmp_path, capsys):
    """Before anything is connected to, exit code 2; a name too long for a file is that of none."""
    path = tmp_path / "my.model"
    if content == 300 * "a":
        path = content
    elif isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        load_shipped(content).save(path)
    if content == "ann":
        path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(SystemExit) as stop:
        agent(["statistical", "localhost", "1", "--predictor", str(path)])
    assert stop.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert re.search(message, line)


def test_help_says_what_options_take(capsys):
    """Switches, files, and what is out of range."""
    with pytest.raises(SystemExit):
        agent(["statistical", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert text.count(" 1|0 0: ") == 5
    assert text.count(" 1|0 1: ") == 9
    for words in ("ann.model", "met.opponents", "0 to less than 1"):
        assert words in text
