"""Papers and books are named so that a reader can find them, and docs/sources.md has them all."""

import re
from pathlib import Path

from tests.architecture.repository import ROOT, relative, source_files

SOURCES = ROOT / "docs" / "sources.md"
TITLE = re.compile(r'"(\w[^"]{11,160})", (?:[A-Z][^"]{0,60}?)?\b(?:19|20)\d\d\b')
"""A title in quotes and, soon after it, a year."""
SHORT = re.compile(r"\b[A-Z]\w+ et al\.,? (?:19|20)\d\d|\bALGORITHMS \d")
"""Authors and a year without a title, which leaves a reader to search, or a paper of our own."""


def modules() -> list[Path]:
    """Return the source modules and the tests."""
    return [*source_files(), *sorted((ROOT / "tests").rglob("*.py"))]


def text_of(path: Path) -> str:
    """Return a file's text as one line."""
    return re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))


def titles_in_modules() -> dict[str, list[str]]:
    """Return the titles that modules and tests name, each with its modules."""
    found: dict[str, list[str]] = {}
    for path in modules():
        for title in TITLE.findall(text_of(path)):
            found.setdefault(title, []).append(relative(path))
    return found


def test_the_list_has_every_source_that_a_module_names():
    """And no other: a source that nothing rests on any more leaves the list."""
    listed = set(TITLE.findall(text_of(SOURCES)))
    assert len(listed) > 30
    assert listed == titles_in_modules().keys()


def test_the_list_sends_the_reader_to_modules_that_exist():
    """Each name in code type is a module or a package."""
    for name in re.findall(r"`([\w.]+)`", SOURCES.read_text(encoding="utf-8")):
        path = ROOT.joinpath(*name.split("."))
        assert path.with_suffix(".py").is_file() or (path / "__init__.py").is_file(), name


def test_no_source_is_named_by_authors_and_year_alone():
    """A reader need not guess which paper of that year is meant."""
    short = {relative(path): found for path in modules() if (found := SHORT.findall(text_of(path)))}
    assert not short
