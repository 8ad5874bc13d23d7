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
        "form", "sharpness", "confidence", "half-life", "carry", "doubt", "patience", "prior",
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


def test_the_first_deals_of_several_matches(small_models, tmp_path, capsys):
    """The whole of a match is the same with and without its beginning; the prior changes it."""
    line = [
        "sweep", "--models", str(small_models), "--deals", "30", "--against", "O2", "O4",
        "--matches", "4", "--prior", "0", "500", "--half-life", "0", "--threads", "1",
    ]  # fmt: skip
    found = {}
    for name, extra in {"whole": [], "parts": ["--first", "10", "30"]}.items():
        path = tmp_path / name
        assert main([*line, *extra, "--json", str(path)]) == 0
        found[name] = json.loads(path.read_text())["settings"]
    assert [(one["prior"], one["first"]) for one in found["parts"]] == [
        (0.0, 10), (0.0, 30), (500.0, 10), (500.0, 30),
    ]  # fmt: skip
    assert [one["won"] for one in found["whole"]] == [one["won"] for one in found["parts"][1::2]]
    assert found["whole"][0]["won"] != found["whole"][1]["won"]
    assert "first" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (["--sharpness", "0"], "want more than 0"),
        (["--forms", "linear"], "invalid choice"),
        (["--against", "nobody"], "no agent is called"),
        (["--confidence", "-1"], "whole number"),
        (["--prior", "-1"], "want nats, 0 or more"),
        (["--first", "6"], "a match has 5 deals"),
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
