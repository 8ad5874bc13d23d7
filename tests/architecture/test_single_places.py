"""What is done in one place of the project is done in no other."""

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from engine.parallel.own_programs import PROGRAMS
from tests.architecture.repository import module_name, nodes_of, source_files

READERS_OF_BETTING_TEXT = (
    "protocol",
    "engine.rules",
    "engine.handlogs",
    "engine.showdown.hand_check",
    "agents.training.logs",
)
"""Packages and modules that take betting text apart: messages and logs come as text."""


MODULES_IN_TEXTS = {
    "engine.parallel.own_programs": "programs that one room starts of another",
    "dealer.arena": "commands",
    "dealer.commands.merge": "how the shards of each command are merged",
    "dealer.lane.loading": "the compiled code of its own room",
    "agents.training.kinds": "kinds of training and of data",
    "agents.evolution.train_command": "the families that evolve",
    "agents.roster": "bots",
    "engine.compiled": "what all kernels depend on",
}
"""Modules and rooms that name modules of ours in texts, past the import contracts -> which."""


def users_of(function: str) -> set[str]:
    """Return the modules that import a function by name."""
    return {
        module_name(path)
        for path in source_files()
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and any(alias.name == function for alias in node.names)
    }


ONE_PLACE = {
    "os.replace": {"engine.storage.atomic"},
    "signal.signal": {"engine.parallel.signals", "dealer.server.stopping"},
    "sys.executable": {"engine.parallel.own_programs", "dealer.series.leg"},
}
"""Name of the standard library -> the modules that may use it: files are put in place, signals
handled, and our own programs started, in one way.  `dealer.series.leg` advises a user how to start
a bot in Python."""


def namers_of(function: str) -> set[str]:
    """Return the modules that name something of a module, as in `os.replace`."""
    module, _, name = function.partition(".")
    return {
        module_name(path)
        for path in source_files()
        for node in nodes_of(path)
        if isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Name)
        and node.value.id == module
    }


def told_twice(package: str) -> set[str]:
    """Return the options that more than one module of a package adds with the same help."""
    found = defaultdict(set)
    for path in source_files():
        if not module_name(path).startswith(f"{package}."):
            continue
        for node in nodes_of(path):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            texts = [ast.unparse(word.value) for word in node.keywords if word.arg == "help"]
            option = node.args[0]
            if texts and isinstance(option, ast.Constant) and isinstance(option.value, str):
                found[option.value, texts[0]].add(module_name(path))
    return {option for (option, _), modules in found.items() if len(modules) > 1}


def test_modules_are_named_in_texts_in_few_tables():
    """What is started or loaded by name stands where a reader looks for it."""
    ours = {module_name(path) for path in source_files()}
    namers = {
        module_name(path)
        for path in source_files()
        for node in nodes_of(path)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and "." in node.value
        and node.value.partition(":")[0] in ours
    }
    rooms = {
        next((room for room in MODULES_IN_TEXTS if f"{name}.".startswith(f"{room}.")), name)
        for name in namers
    }
    assert rooms == MODULES_IN_TEXTS.keys()


def named_programs(path: Path) -> set[str]:
    """Return the programs that a module starts by `own_program`, or looks up in the table.

    Raises:
        AssertionError: one is named by a variable, which a reader cannot look up.
    """
    named = set()
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("own_program"):
            (name,) = node.args
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "PROGRAMS":
            name = node.slice
        else:
            continue
        assert isinstance(name, ast.Constant), f"{path}:{node.lineno}"
        named.add(name.value)
    return named


def test_our_own_programs_are_started_by_their_names_in_the_table():
    """Nobody runs a module of ours past the table, and each of its programs is started."""
    table = "engine.parallel.own_programs"
    paths = {module_name(path): path for path in source_files()}
    assert set(PROGRAMS.values()) <= paths.keys()
    started = [named_programs(path) for name, path in paths.items() if name != table]
    assert set().union(*started) == PROGRAMS.keys()
    runners = {
        name
        for name, path in paths.items()
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and node.value == "-m"
    }
    assert runners == {table, "dealer.bots.program_files"}  # which reads it in others' commands


def test_a_program_past_the_table_is_noticed(tmp_path):
    """Its name has to be there, where it is started."""
    path = tmp_path / "module.py"
    path.write_text('own_program("solver")\nPROGRAMS["arena"]\n')
    assert named_programs(path) == {"solver", "arena"}
    path = tmp_path / "stranger.py"
    path.write_text("own_programs.own_program(name)\n")
    with pytest.raises(AssertionError, match=r"stranger.py:1"):
        named_programs(path)


def test_options_that_commands_share_are_written_once():
    """In a function that adds them, so that all commands say and take the same."""
    assert told_twice("dealer") == set()


def test_the_environment_of_our_own_programs_is_made_in_one_place():
    """They find the packages of the program that starts them, however that was found."""
    users = {
        module_name(path)
        for path in source_files()
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and node.value == "PYTHONPATH"
    }
    assert users == {"engine.parallel.own_programs"}


def test_betting_text_is_parsed_where_text_comes_in_only():
    """Bots and solvers go by `PlayerView.history`; they never parse betting text again."""
    users = users_of("parse_betting")
    assert "engine.rules.view" in users
    strangers = {
        user
        for user in users
        if not any(user == room or user.startswith(f"{room}.") for room in READERS_OF_BETTING_TEXT)
    }
    assert not strangers


@pytest.mark.parametrize("function", ONE_PLACE)
def test_what_has_one_place_is_named_there_only(function):
    """Nobody writes files in one piece, handles signals or starts Python in a way of its own."""
    assert namers_of(function) == ONE_PLACE[function]


def test_hands_are_settled_in_one_place():
    """Chips are shared out by `hand_values`, over all boards by the all-in expectation."""
    assert users_of("payoffs") == {"engine.showdown.hand_values", "engine.equity.allin"}
