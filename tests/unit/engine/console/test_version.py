"""The version of the program."""

import re
from importlib import metadata

from engine.console.version import program_version


def test_version_is_a_number_or_says_that_nothing_is_installed(monkeypatch):
    """A checkout works without being installed."""
    assert re.fullmatch(r"[0-9]+\.[0-9]+\..*|\(not installed\)", program_version())

    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert program_version() == "(not installed)"
