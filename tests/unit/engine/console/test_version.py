"""The version of the program."""

import re
from importlib import metadata

from engine.console.version import program_digest, program_version


def test_version_is_a_number_or_says_that_nothing_is_installed(monkeypatch):
    """A checkout works without being installed."""
    assert re.fullmatch(r"[0-9]+\.[0-9]+\..*|\(not installed\)", program_version())

    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert program_version() == "(not installed)"


def test_the_digest_is_of_all_that_is_installed(tmp_path, monkeypatch):
    """Models included, compiled leftovers not."""
    folder = tmp_path / "engine"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "x.model").write_bytes(b"1")
    monkeypatch.setattr("engine.parallel.own_programs.PACKAGES_FOLDER", tmp_path)
    before = program_digest()
    assert re.fullmatch("[0-9a-f]{12}", before)
    (folder / "__pycache__" / "x.pyc").write_bytes(b"1")
    assert program_digest() == before
    (folder / "x.model").write_bytes(b"2")
    assert program_digest() != before
