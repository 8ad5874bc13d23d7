"""What gets installed: pinned versions, packaged data, the `arena` command."""

import ast
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.architecture.repository import (
    PACKAGES,
    ROOT,
    parsed,
    project_settings,
    relative,
    repository_files,
    source_files,
)

PIN = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)==([0-9][0-9A-Za-z.]*)")


def canonical(name: str) -> str:
    """Return a distribution's name in the spelling that compares equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins() -> dict[str, str]:
    """Return {canonical name: version} of constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = [PIN.fullmatch(line) for line in lines if line and not line.startswith("#")]
    assert None not in found, "constraints.txt holds nothing but NAME==VERSION lines"
    return {canonical(pin[1]): pin[2] for pin in found if pin is not None}


def declared_requirements() -> list[str]:
    """Return the canonical names of the dependencies of running, training and development."""
    project = project_settings()["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    names = [re.match(r"[A-Za-z0-9._-]+", text) for texts in lists for text in texts]
    found = [canonical(name[0]) for name in names if name is not None]
    return [name for name in found if name != project["name"]]  # one extra includes another


def package_data() -> list[Path]:
    """Return the files in the packages that are no modules and belong into an installation."""
    return [
        path
        for path in repository_files()
        if path.relative_to(ROOT).parts[0] in PACKAGES and path not in source_files()
    ]


def test_every_dependency_is_pinned():
    """Each declared dependency has one exact version in constraints.txt."""
    assert not set(declared_requirements()) - set(pins())


def test_numba_ends_where_it_was_tested():
    """We read its insides, so its upper bound is the version after the tested one."""
    (numba,) = [text for text in project_settings()["project"]["dependencies"] if "numba" in text]
    major, minor, _ = pins()["numba"].split(".")
    assert numba.endswith(f",<{major}.{int(minor) + 1}")


def test_torch_is_the_tested_version():
    """torch stays at the version that was tested: the newest one would bring gigabytes."""
    assert pins()["torch"] == "2.13.0"


def test_development_includes_training():
    """`make setup` installs torch, `make match` and `make test` do not."""
    project = project_settings()["project"]
    extras = project["optional-dependencies"]
    assert extras["dev"] == [f"{project['name']}[test,train]"]
    assert f"{project['name']}[bridges,formats,studies]" in extras["test"]
    assert "torch" not in " ".join([*project["dependencies"], *extras["test"]])


def test_package_data_is_declared():
    """Every file of a package that is no module matches a package-data pattern."""
    patterns = project_settings()["tool"]["setuptools"]["package-data"]
    missed = [
        relative(path)
        for path in package_data()
        if not any(
            path.relative_to(ROOT / path.relative_to(ROOT).parts[0]).match(pattern)
            for pattern in patterns[path.relative_to(ROOT).parts[0]]
        )
    ]
    assert not missed


def test_every_package_is_typed():
    """Type checkers of programs that use the packages find their annotations."""
    assert all((ROOT / package / "py.typed").exists() for package in PACKAGES)


def test_nothing_is_raised_inside_except_star():
    """Up to Python 3.11.3, which Debian 12 has, a group of one comes out of it instead."""
    raising = [
        f"{relative(path)}:{node.lineno}"
        for path in source_files()
        for block in ast.walk(parsed(path))
        if isinstance(block, ast.TryStar)
        for handler in block.handlers
        for node in ast.walk(handler)
        if isinstance(node, ast.Raise)
    ]
    assert not raising


@pytest.mark.slow
def test_wheel_holds_every_file(tmp_path):
    """A built wheel holds all modules, game files, templates and the command's entry point."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(tmp_path)]
    subprocess.run([*command, str(ROOT)], check=True, timeout=300, cwd=tmp_path)
    (wheel,) = tmp_path.glob("acpc_arena-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        (entry_points,) = (name for name in names if name.endswith("entry_points.txt"))
        assert "arena = dealer.arena:main" in archive.read(entry_points).decode()
    wanted = {relative(path) for path in (*source_files(), *package_data())}
    assert not wanted - names
    unexpected = {name for name in names - wanted if ".dist-info/" not in name}
    assert not unexpected
