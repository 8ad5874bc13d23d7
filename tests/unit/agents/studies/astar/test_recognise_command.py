"""`arena astar recognise`: the nearest known opponents, with their divergence."""

import json

from agents.studies.astar.command import main


def test_known_opponents_are_recognised(capsys, tmp_path):
    """And a foreign style is like nobody."""
    target = tmp_path / "recognised.json"
    line = [
        "recognise",
        "O2",
        "O4",
        "plane-75-25",
        "solid",
        "--hands",
        "400",
        "--json",
        str(target),
    ]
    assert main(line) == 0
    rows = [row.split() for row in capsys.readouterr().out.splitlines()]
    assert rows[0] == ["actions", "nearest", "nats", "second", "nats"]
    assert [row[0] for row in rows[1:]] == ["O2", "O4", "plane-75-25", "solid"]
    assert [row[2] for row in rows[1:4]] == ["O2", "O4", "plane-75-25"]
    told = json.loads(target.read_text())["opponents"]
    for one, row in zip(told, rows[1:], strict=True):
        assert row[3] == f"{one['divergence']:.3f}"
        assert one["divergence"] <= one["second_divergence"]
    assert max(one["divergence"] for one in told[:3]) < 0 < told[3]["divergence"]


def test_what_cannot_be_recognised_is_told(capsys, small_models):
    """In a line."""
    assert main(["recognise", "nobody", "--models", str(small_models)]) == 2
    assert "'nobody'" in capsys.readouterr().err
    assert main(["recognise", "rule", "--models", str(small_models)]) == 2
    assert "rule is not compiled" in capsys.readouterr().err
