"""What commands that print much have in common."""

import argparse
import sys

import pytest

from engine.console.output import INTERRUPTED, quietly, whole_number


def test_results_and_interrupts():
    """The exit code is the command's; Ctrl-C has its own."""

    def interrupted():
        raise KeyboardInterrupt

    assert quietly(lambda: 7) == 7
    assert quietly(interrupted) == INTERRUPTED


@pytest.mark.parametrize("text", ["-1", "8", "x", "", "1.5", "٣", "9" * 5000])
def test_numbers_out_of_range_are_refused(text):
    """Whatever they look like."""
    with pytest.raises(argparse.ArgumentTypeError):
        whole_number(0, 7)(text)
    assert whole_number(0, 7)("007") == 7


def test_a_closed_stdout_is_one_line(monkeypatch, capsys):
    """The command is not even begun."""
    monkeypatch.setattr(sys, "stdout", None)
    assert quietly(lambda: 1 // 0, "arena x") == 1
    assert capsys.readouterr().err == "arena x: cannot write to stdout: it is closed\n"


def test_errors_of_other_files_are_not_taken_for_stdouts(tmp_path):
    """They name a file."""
    with pytest.raises(FileNotFoundError):
        quietly(lambda: (tmp_path / "none").stat().st_size)
