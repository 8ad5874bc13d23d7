"""Progress is told now and then, and files that cannot be written do not stop the others."""

import argparse
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.console import reporting
from engine.console.parser import OneLineParser


def test_lines_are_said_when_it_is_time(monkeypatch, capsys):
    """The first after as many seconds as there are between two."""
    clock = [100.0]
    monkeypatch.setattr(reporting, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    said = reporting.NowAndThen(10.0)
    for second in (101, 109, 110, 111, 119, 125):
        clock[0] = second
        said(f"line {second}")
    assert capsys.readouterr().err.split("\n") == ["line 110", "line 125", ""]


def test_stages_are_said_once_a_quarter():
    """Each stage by itself, with whatever says it."""
    lines = []
    stages = reporting.Stages(lines.append)
    for done in (0.0, 0.1, 0.3, 0.4, 1.0):
        stages("flop", done)
    stages("turn", 0.6)
    assert lines == ["flop: 0 %", "flop: 25 %", "flop: 100 %", "turn: 50 %"]


def test_what_cannot_be_written_is_told_and_the_rest_is_written(tmp_path, capsys):
    """The exit code says that something is missing."""
    nowhere, there = tmp_path / "no" / "x.json", tmp_path / "y.json"
    assert reporting.write_files({nowhere: "1", there: "2"}, "prog") == 1
    assert there.read_text() == "2"
    assert capsys.readouterr().err == f"prog: {nowhere}: No such file or directory\n"
    assert reporting.write_files({there: "3"}, "prog") == 0


def test_files_that_cannot_be_are_refused_before_the_work(tmp_path, capsys):
    """A folder, a file in no folder or in a file, and a name that is too long: one line, 2."""
    parser = OneLineParser(prog="prog")
    reporting.add_json(parser)
    file = tmp_path / "x.json"
    assert parser.parse_args(["--json", str(file)]).json == file
    file.write_text("")
    assert parser.parse_args(["--json", str(file)]).json == file
    assert parser.parse_args(["--json", "x.json"]).json == Path("x.json")
    for wrong, why in {
        str(tmp_path): "is a folder, want a file",
        "": "is a folder, want a file",
        str(tmp_path / "no" / "x.json"): f"there is no folder {tmp_path / 'no'}",
        str(file / "x.json"): f"there is no folder {file}",
        "x" * 300: "File name too long",
    }.items():
        with pytest.raises(SystemExit, match="2"):
            parser.parse_args(["--json", wrong])
        told = capsys.readouterr().err
        assert why in told
        assert told.count("\n") == 1


def test_columns_are_aligned():
    """Texts to the left, numbers to the right."""
    rows = [["bot", "plays", "won"], ["O1", "tight", "+1"], ["O_random", "x", "-200"]]
    assert reporting.aligned(rows) == [
        "bot       plays   won",
        "O1        tight    +1",
        "O_random      x  -200",
    ]
    assert reporting.aligned(rows, 2)[2] == "O_random  x      -200"


@pytest.mark.parametrize("name", ["--jobs", "--workers"])
def test_jobs_have_two_names(name):
    """Old scripts say --workers."""
    parser = argparse.ArgumentParser()
    reporting.add_jobs(parser)
    assert parser.parse_args([name, "3"]).jobs == 3
