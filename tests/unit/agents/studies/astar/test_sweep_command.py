"""`arena astar sweep`: every setting from the same deals."""

import json

import pytest

from agents.studies.astar.command import main


def test_each_setting_is_a_row(small_models, tmp_path, capsys):
    """Forms by sharpness by confidence, in that order; the file has what is shown."""
    line = [
        "sweep", "--models", str(small_models), "--deals", "50", "--against", "O2", "O4+O8@10",
        "--sharpness", "0.1", "0.3", "--confidence", "0", "5", "--threads", "1", "--half-life", "0",
        "--doubt", "0", "--patience", "0", "--forms", "exponential", "inverse", "evidence",
        "--json", str(tmp_path / "sweep.json"),
    ]  # fmt: skip
    assert main(line) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].split() == [
        "form", "sharpness", "confidence", "half-life", "carry", "doubt", "patience",
        "O2", "O4+O8@10", "mean",
    ]  # fmt: skip
    assert len(rows) == 13
    assert rows[1].split()[:3] == ["exponential", "0.1", "0"]
    assert rows[12].split()[:3] == ["evidence", "0.3", "5"]
    told = json.loads((tmp_path / "sweep.json").read_text())["settings"]
    assert len({json.dumps(one["won"]) for one in told}) > 4
    for one, row in zip(told, rows[1:], strict=True):
        assert f"{one['won']['O2']['mbb_per_hand']:+,.0f}" in row
    assert main(line) == 0
    assert capsys.readouterr().out.splitlines() == rows


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--sharpness", "0"], "want more than 0"),
        (["--forms", "linear"], "invalid choice"),
        (["--against", "nobody"], "no agent is called"),
        (["--confidence", "-1"], "whole number"),
        (["--half-life", "-1"], "want 0 or more hands"),
        (["--json", "/nowhere/at/all.json"], "/nowhere"),
    ],
)
def test_what_is_refused(extra, message, small_models, capsys):
    """In a line."""
    line = ["sweep", "--models", str(small_models), "--deals", "5", *extra]
    assert code_of(line) in (1, 2)
    assert message in capsys.readouterr().err


def code_of(line):
    """The exit code, whoever ends the program."""
    try:
        return main(line)
    except SystemExit as ended:
        return ended.code
