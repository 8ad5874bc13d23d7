"""The command lines of all commands are of one kind."""

import argparse
from importlib import import_module

import pytest

from dealer.arena import COMMANDS, GROUPS
from engine.console.options import JsonTarget
from engine.console.parser import OneLineParser

WIDTH = 100
ANOTHER_PARSER = {"data", "dealer", "train"}
"""The reference dealer's command line; lists of kinds, each with a parser of its own."""
EARLIER_JSON = {"agent"}
"""Whose --json is from before there was a common one."""


def parsers(command, monkeypatch):
    """The parser of a command and those of its parts."""
    found = []
    monkeypatch.setattr(OneLineParser, "print_help", lambda parser, file=None: found.append(parser))
    with pytest.raises(SystemExit):
        import_module(COMMANDS[command][0]).main(["--help"])
    for parser in found:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                found.extend(action.choices.values())
    return found


def test_every_command_is_in_one_group():
    """And the groups name no other."""
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - ANOTHER_PARSER))
def test_every_argument_has_help(command, monkeypatch):
    """In lines that fit."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    for parser in parsers(command, monkeypatch):
        bare = {action.dest for action in parser._actions if not action.help}
        assert bare - {argparse.SUPPRESS} == set()
        too_long = [line for line in parser.format_help().splitlines() if len(line) > WIDTH]
        assert too_long == []


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - ANOTHER_PARSER - EARLIER_JSON))
def test_json_is_of_one_kind(command, monkeypatch):
    """`--json [FILE]`."""
    for parser in parsers(command, monkeypatch):
        for action in parser._actions:
            if "--json" in action.option_strings:
                assert isinstance(action, JsonTarget)


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - ANOTHER_PARSER))
def test_help_shows_per_cent_signs_as_they_are_typed(command, monkeypatch):
    """An example in a help text can be copied: no doubled sign is left in it."""
    for parser in parsers(command, monkeypatch):
        assert "%%" not in parser.format_help()
