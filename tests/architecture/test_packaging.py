"""What gets installed: pinned versions, packaged data, the `arena` command."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

from tests.architecture.repository import (
    PACKAGES,
    ROOT,
    parsed,
    project_settings,
    relative,
    repository_files,
    source_files,
)

LISTS = """
import json, sys
from setuptools import Distribution
distribution = Distribution({"script_name": "setup.py"})
distribution.parse_config_files(["pyproject.toml"])
egg_info = distribution.get_command_obj("egg_info")
egg_info.egg_base = sys.argv[1]
egg_info.ensure_finalized()
egg_info.run()
build = distribution.get_command_obj("build_py")
build.ensure_finalized()
wheel = [file for _, _, file in build.find_all_modules()]
wheel += [f"{source}/{file}" for _, source, _, files in build.data_files for file in files]
with open(sys.argv[2], "w") as answer:
    json.dump([wheel, egg_info.filelist.files], answer)
"""
"""Asks setuptools what it packs, and packs nothing."""
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


def test_the_version_is_the_newest_of_the_changelog():
    """It stands in pyproject.toml alone; programs ask what is installed."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"(?m)^## \[(\d\S*)\] - \d{4}-\d\d-\d\d$", text)
    assert released[0] == project_settings()["project"]["version"]


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
    assert f"{project['name']}[bridges,cluster,formats,studies]" in extras["test"]
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
        if "except*" in path.read_text(encoding="utf-8")
        for block in ast.walk(parsed(path))
        if isinstance(block, ast.TryStar)
        for handler in block.handlers
        for node in ast.walk(handler)
        if isinstance(node, ast.Raise)
    ]
    assert not raising


def packed(tmp_path: Path) -> tuple[set[str], set[str]]:
    """Return what setuptools would put into the wheel, and what into the sdist."""
    answer = tmp_path / "files.json"
    command = [sys.executable, "-c", LISTS, str(tmp_path), str(answer)]
    subprocess.run(command, check=True, timeout=100, cwd=ROOT, capture_output=True)
    wheel, sdist = json.loads(answer.read_text(encoding="utf-8"))
    return set(wheel), {name for name in sdist if ".egg-info/" not in name}


def test_wheel_and_sdist_hold_every_file(tmp_path):
    """The packages with games, models, pages and templates; nothing of tests, docs or leftovers."""
    wheel, sdist = packed(tmp_path)
    wanted = {relative(path) for path in (*source_files(), *package_data())}
    assert wheel == wanted
    around = {"LICENSE", "MANIFEST.in", "README.md", "constraints.txt", "pyproject.toml"}
    assert sdist == wanted | around
    assert any(name.endswith(".blueprint") for name in wheel)


def test_what_is_opened_at_run_time_lies_in_the_packages():
    """Files are looked for beside the module that opens them, so they are in every installation."""
    climbing = {
        relative(path)
        for path in source_files()
        for depth in re.findall(r"__file__\)(?:\.resolve\(\))?\.parents\[(\d)\]", path.read_text())
        if int(depth) >= len(path.relative_to(ROOT).parts) - 1
    }
    assert climbing == {"engine/parallel/own_programs.py"}
