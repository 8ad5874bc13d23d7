"""Families of agents stand side by side: whoever comes next, none imports another."""

from agents.roster.bots import ROSTER
from tests.architecture.repository import (
    ROOT,
    imported_modules,
    module_name,
    project_settings,
    relative,
    source_files,
)
from tests.architecture.test_imports import copy_packages, lint_imports

CONTRACT = "the rooms of the agents"


def layers() -> list[set[str]]:
    """Return the layers of rooms in agents, the highest first."""
    contracts = project_settings()["tool"]["importlinter"]["contracts"]
    (found,) = (one for one in contracts if one["name"] == CONTRACT)
    return [{name.strip() for name in layer.split("|")} for layer in found["layers"]]


def rooms() -> set[str]:
    """Return the folders of agents that are packages."""
    return {path.parent.name for path in (ROOT / "agents").glob("*/__init__.py")}


def families() -> set[str]:
    """Return the folders of bots: those that the roster builds from, and any with a bot.py."""
    folders = {path.parent.name for path in (ROOT / "agents").glob("*/bot.py")}
    return (folders | {spec.factory.split(".")[1] for spec in ROSTER}) - {"templates"}


def test_every_room_is_in_the_contract():
    """No folder is left out, and all families share a layer, in which none may import another."""
    assert rooms() <= set().union(*layers())
    (layer,) = (layer for layer in layers() if layer & families())
    assert families() <= layer


def test_no_family_imports_another():
    """Wherever in a file, and for type checkers only."""
    known = {module_name(path) for path in source_files()}
    wrong = [
        f"{relative(path)} imports {module}"
        for family in families()
        for path in (ROOT / "agents" / family).rglob("*.py")
        for module in imported_modules(path, known)
        if module.startswith("agents.") and module.split(".")[1] in families() - {family}
    ]
    assert not wrong


def test_a_family_outside_the_contract_is_refused(tmp_path):
    """A new folder fails until it is named there."""
    folder = copy_packages(tmp_path)
    (folder / "agents" / "stranger").mkdir()
    (folder / "agents" / "stranger" / "__init__.py").write_text('"""A new family."""\n')
    result = lint_imports(folder)
    assert result.returncode != 0
    assert f"{CONTRACT} BROKEN" in result.stdout
    assert "- agents.stranger" in result.stdout
