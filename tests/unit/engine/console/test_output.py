"""What commands print and write."""

import io
import sys

import pytest

from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.output import quietly, show, stopped, tell, write_files


def test_results_and_interrupts():
    """The exit code is the command's; Ctrl-C has its own."""

    def interrupted():
        raise KeyboardInterrupt

    assert quietly(lambda: 7) == 7
    assert quietly(interrupted) == INTERRUPTED


def test_a_closed_stdout_is_one_line(monkeypatch, capsys):
    """The command is not even begun."""
    monkeypatch.setattr(sys, "stdout", None)
    assert quietly(lambda: 1 // 0, "arena x") == FAILED
    assert capsys.readouterr().err == "arena x: cannot write to stdout: it is closed\n"


def test_errors_of_other_files_are_not_taken_for_stdouts(tmp_path):
    """They name a file."""
    with pytest.raises(FileNotFoundError):
        quietly(lambda: (tmp_path / "none").stat().st_size)


def test_what_is_shown_is_on_stdout(capsys):
    """As it is."""
    assert show("one\ntwo\n", "arena x") == 0
    assert capsys.readouterr() == ("one\ntwo\n", "")


def test_what_is_told_is_one_line_on_stderr(capsys):
    """Whatever names are made of."""
    tell("a\nb\x1b[2J\udcffc ± d")
    assert capsys.readouterr() == ("", "a\\nb\\x1b[2J\\udcffc ± d\n")


class _Gone(io.StringIO):
    """The stderr of a window that was closed."""

    def write(self, text):
        """Fail as the system does."""
        raise OSError(5, "Input/output error")


@pytest.mark.parametrize("stream", [None, _Gone()])
def test_without_stderr_nothing_is_told_and_nothing_stops(monkeypatch, stream):
    """Work goes on when its terminal is closed."""
    monkeypatch.setattr(sys, "stderr", stream)
    tell("half way")


def test_what_cannot_be_written_is_told_and_the_rest_is_written(tmp_path, capsys):
    """The exit code says that something is missing."""
    nowhere, there = tmp_path / "no" / "x.json", tmp_path / "y.json"
    assert write_files({nowhere: "1", there: "2"}, "prog") == FAILED
    assert there.read_text() == "2"
    assert capsys.readouterr().err == f"prog: {nowhere}: No such file or directory\n"
    assert write_files({there: "3"}, "prog") == 0


@pytest.mark.parametrize(
    ("done", "line"),
    [
        (1234, "prog: stopped after 1,234 of 5,000 deals\n"),
        (0, "prog: stopped after 0 of 5,000 deals: nothing to show or write\n"),
    ],
)
def test_ctrl_c_is_told_with_what_is_there(done, line, capsys):
    """And has its exit code."""
    assert stopped("prog", done, 5000, "deals") == INTERRUPTED
    assert capsys.readouterr().err == line
