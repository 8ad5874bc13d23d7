"""How files look: one purpose each, explained, of a length that can be read at a sitting."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.architecture.repository import (
    ROOT,
    relative,
    repository_files,
    source_files,
)

MOST_LINES = 800
"""Of a module; one that wants to grow past it is split along its purpose."""
MOST_TEST_LINES = 600
MOST_BYTES = 300_000
"""Of any file: data belongs elsewhere."""
SILENT = re.compile(
    r'^ *(?:async )?def ((?:test|bench)_\w+)\((?:[^()]|\([^()]*\))*\)[^:\n]*:\n(?! +r?""")',
    re.MULTILINE,
)
"""A test without a docstring."""
FOLDERS = (".ci", "agents", "dealer", "docs", "engine", "protocol", "tests")


def python_tests() -> list[Path]:
    """Return the files with tests and benchmarks."""
    return sorted(
        path for path in (ROOT / "tests").rglob("*.py") if path.name.startswith(("test_", "bench_"))
    )


def lines_of(path: Path) -> int:
    """Return the number of lines of a text file."""
    return path.read_bytes().count(b"\n")


def test_every_test_says_what_it_shows():
    """Every test and benchmark has a docstring; ruff sees to those of modules."""
    silent = [
        f"{relative(path)}: {name}"
        for path in python_tests()
        for name in SILENT.findall(path.read_text(encoding="utf-8"))
    ]
    assert not silent


def test_a_silent_test_is_noticed():
    """However its parameters are written."""
    spoken = 'def test_a(b, c=(1, 2)):\n    """It does."""\n'
    silent = "    async def bench_d(\n        b,\n        c=(1, 2),\n    ):\n        pass\n"
    assert SILENT.findall(spoken + silent + spoken) == ["bench_d"]


def test_modules_are_short():
    """No source module is longer than a reader can keep in mind."""
    long = {relative(path): n for path in source_files() if (n := lines_of(path)) > MOST_LINES}
    assert not long


MOST_FILES_OF_A_NAME = 2
SHARED_FILE_NAMES = {"__init__", "__main__", "errors"}
FAMILY_FILE_NAMES = {"bot", "model", "options", "policy", "policy_kernels", "train_command"}
"""In agents only: who has read one family of bots finds the way in the next one by these."""


def test_a_file_name_tells_files_apart():
    """A name that many files share says nothing of what one of them holds."""
    names = Counter(
        path.stem
        for path in source_files()
        if path.stem not in SHARED_FILE_NAMES
        and not (path.is_relative_to(ROOT / "agents") and path.stem in FAMILY_FILE_NAMES)
    )
    assert {name: n for name, n in names.items() if n > MOST_FILES_OF_A_NAME} == {}


def test_test_files_are_short():
    """No test file grows without limit either."""
    long = {
        relative(path): n
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if (n := lines_of(path)) > MOST_TEST_LINES
    }
    assert not long


MOST_PICTURE_BYTES = 80_000

MODELS = (".blueprint", ".equilibrium", ".learned", ".library", ".model", ".network", ".values")
"""Suffixes of what was trained."""


def test_files_are_small_plain_text():
    """Every file is short UTF-8 text with Unix line ends and a final newline; but for models.

    Pictures of the screen in docs are small.
    """
    wrong = []
    for path in repository_files():
        if path.parent.name == "models" and path.suffix in MODELS:
            continue
        data = path.read_bytes()
        if path.parent.name == "docs" and path.suffix == ".webp":
            if len(data) > MOST_PICTURE_BYTES:
                wrong.append(f"{relative(path)}: {len(data)} bytes")
            continue
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            wrong.append(f"{relative(path)}: not UTF-8")
        if len(data) > MOST_BYTES:
            wrong.append(f"{relative(path)}: {len(data)} bytes")
        if b"\r\n" in data:
            wrong.append(f"{relative(path)}: DOS line ends")
        if data and not data.endswith(b"\n"):
            wrong.append(f"{relative(path)}: no newline at the end")
    assert not wrong


def test_every_package_folder_is_a_package():
    """A folder with modules has an __init__.py, so that what is imported is never in doubt."""
    folders = {path.parent for path in source_files()}
    missing = [relative(folder) for folder in folders if not (folder / "__init__.py").exists()]
    assert not missing


def test_unit_tests_mirror_the_packages():
    """tests/unit/<package>/<sub-package>/ stands for a package that exists."""
    unit = ROOT / "tests" / "unit"
    lost = [
        relative(path)
        for path in unit.rglob("test_*.py")
        if not (ROOT / path.parent.relative_to(unit)).is_dir()
    ]
    assert not lost


def test_git_ignores_no_source():
    """A pattern in .gitignore never swallows a module or a test."""
    kept = set(repository_files())
    ignored = [relative(path) for path in (*source_files(), *python_tests()) if path not in kept]
    assert not ignored


@pytest.mark.parametrize("name", ["LICENSE", "README.md", "CHANGELOG.md", "constraints.txt"])
def test_repository_has(name):
    """The files that a stranger looks for first are there."""
    assert (ROOT / name).is_file()


def test_nothing_unexpected_lies_at_the_top():
    """The top folder holds the project's files and folders, and no left-overs."""
    unexpected = {
        top
        for path in repository_files()
        if len(parts := path.relative_to(ROOT).parts) > 1 and (top := parts[0]) not in FOLDERS
    }
    assert not unexpected
