"""What the architecture tests look at: the repository's files, as git knows them."""

import ast
import functools
import gc
import shutil
import subprocess
import tomllib
from collections.abc import Set
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("protocol", "engine", "dealer", "agents")


@functools.cache
def repository_files() -> tuple[Path, ...]:
    """Return every file that is tracked or would be, by "git add", as an absolute path."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("this is not a git checkout")
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    paths = {ROOT / name for name in names.split("\0") if name}
    return tuple(sorted(path for path in paths if path.is_file()))


@functools.cache
def source_files() -> tuple[Path, ...]:
    """Return the Python files of the four packages, the templates for bots left out."""
    return tuple(
        path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if "templates" not in path.parts
    )


def module_name(path: Path) -> str:
    """Return the dotted name that imports the source file `path`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def relative(path: Path) -> str:
    """Return `path` as it is written in messages."""
    return path.relative_to(ROOT).as_posix()


@functools.cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a Python file.

    The collector rests meanwhile: going through all trees that are kept takes twice the time.
    """
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"), str(path))
    finally:
        gc.enable()


@functools.cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a Python file's syntax tree."""
    return tuple(ast.walk(parsed(path)))


def imported_packages(path: Path) -> set[str]:
    """Return the top-level names of everything a Python file imports, wherever it does so."""
    found: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def imported_modules(path: Path, known: Set[str]) -> set[str]:
    """Return those of the modules `known` that a Python file imports, wherever it does so.

    Imports within functions count, and those for type checkers.
    """
    found: set[str] = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner_module = f"{node.module}.{alias.name}"
                found.add(inner_module if inner_module in known else node.module)
    return found & known


@functools.cache
def project_settings() -> dict[str, Any]:
    """Return pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@functools.cache
def make_targets() -> frozenset[str]:
    """Return the targets that "make help" explains."""
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    return frozenset(line.partition(":")[0] for line in lines if ": " in line and "## " in line)
