"""What the command lines share."""

import re

import pytest

from engine.console.parser import OneLineParser, program_version


def test_wrong_arguments_are_one_line_and_exit_2(capsys):
    """No usage text in front."""
    parser = OneLineParser(prog="arena x")
    with pytest.raises(SystemExit) as stop:
        parser.parse_args(["--what"])
    assert stop.value.code == 2
    assert capsys.readouterr().err == (
        "arena x: unrecognized arguments: --what (--help shows how)\n"
    )


def test_version_is_a_number_or_says_that_nothing_is_installed(monkeypatch):
    """A checkout works without being installed."""
    assert re.fullmatch(r"[0-9]+\.[0-9]+\..*|\(not installed\)", program_version())

    def missing(name):
        from importlib import metadata

        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert program_version() == "(not installed)"
