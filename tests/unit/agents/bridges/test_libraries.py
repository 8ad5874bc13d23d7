"""Bridges without the library that they lead to: one line says what to install."""

import importlib
import sys

import pytest

from agents.__main__ import main
from agents.bridges.libraries import DISTRIBUTIONS, EXTRA, MissingLibrary, library
from agents.bridges.pokerkit_states import to_pokerkit
from agents.bridges.train.__main__ import main as train
from engine.rules.state import HandState
from protocol.gamedefs import load_builtin
from tests.architecture.repository import project_settings

ROUTES = {
    "agents.bridges.pettingzoo_env": "pettingzoo",
    "agents.bridges.gymnasium_env": "gymnasium",
    "agents.bridges.spiel_ours": "pyspiel",
}
"""Module that is for nothing but a library -> the library."""


def hide(monkeypatch, name):
    """Have a library be not installed."""
    monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.parametrize("module", ROUTES)
def test_a_module_says_what_it_needs(monkeypatch, module):
    """When it is imported, and by the name under which it is installed."""
    hide(monkeypatch, ROUTES[module])
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingLibrary) as caught:
        importlib.import_module(module)
    needed = DISTRIBUTIONS[ROUTES[module]]
    wanted = f"this needs {needed}, which is not installed: pip install 'acpc-arena[{EXTRA}]'"
    assert str(caught.value) == wanted


@pytest.mark.parametrize(
    ("needed", "error"),
    [("gymnasium", MissingLibrary), ("nothing_of_this_name", ModuleNotFoundError)],
)
def test_one_library_may_need_another(monkeypatch, tmp_path, needed, error):
    """PettingZoo needs Gymnasium, the one to install then; what fails itself is not missing."""
    (tmp_path / "pettingzoo.py").write_text(f"import {needed}\n")
    monkeypatch.delitem(sys.modules, "pettingzoo", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    hide(monkeypatch, "gymnasium")
    with pytest.raises(error, match=needed):
        library("pettingzoo")


def test_a_state_for_pokerkit_needs_pokerkit(monkeypatch):
    """When one is asked for."""
    hide(monkeypatch, "pokerkit")
    with pytest.raises(MissingLibrary, match="pokerkit"):
        to_pokerkit(HandState.start(load_builtin("hunl")), ((), ()), ())


def test_the_command_line_says_it_in_one_line(monkeypatch, capsys):
    """`arena agent openspiel:...` where OpenSpiel is not."""
    hide(monkeypatch, "pyspiel")
    name = "openspiel:open_spiel.python.policy:UniformRandomPolicy"
    assert main([name, "localhost", "1"]) == MissingLibrary.exit_code
    said = capsys.readouterr().err
    assert said.startswith(f"arena agent {name}: this needs open_spiel")
    assert said.count("\n") == 1


@pytest.mark.parametrize("name", ["gymnasium", "torch"])
def test_training_says_it_in_one_line(monkeypatch, capsys, tmp_path, name):
    """The modules that need them are imported by the command alone."""
    hide(monkeypatch, name)
    for module in ("agents.bridges.gymnasium_env", "agents.bridges.train.ppo"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    assert train(["--out", str(tmp_path / "toy.network")]) == 1
    said = capsys.readouterr().err
    assert "not installed" in said
    assert said.count("\n") == 1


def test_the_extra_brings_all_of_them():
    """As pyproject.toml has it; a run-time dependency is none of them."""
    project = project_settings()["project"]
    assert sorted(set(DISTRIBUTIONS.values())) == sorted(project["optional-dependencies"][EXTRA])
    assert not set(DISTRIBUTIONS.values()) & set(project["dependencies"])
