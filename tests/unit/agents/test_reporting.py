"""Progress is told now and then, and files that cannot be written do not stop the others."""

import argparse
from types import SimpleNamespace

import pytest

from agents import reporting


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


@pytest.mark.parametrize("name", ["--jobs", "--workers"])
def test_jobs_have_two_names(name):
    """Old scripts say --workers."""
    parser = argparse.ArgumentParser()
    reporting.add_jobs(parser)
    assert parser.parse_args([name, "3"]).jobs == 3
