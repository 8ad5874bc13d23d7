"""The command lines of all commands are of one kind."""

import argparse
from importlib import import_module

import pytest

from dealer.arena import COMMANDS, GROUPS
from engine.console.command import Command
from engine.console.command_table import CommandTable
from engine.console.options import JsonTarget
from engine.console.parser import OneLineParser

WIDTH = 100
REFERENCE_DEALER = {"dealer"}
"""Whose command line is that of the reference dealer."""
EARLIER_JSON = {"agent"}
"""Whose --json is from before there was a common one."""


def parsers(entry, monkeypatch):
    """The parsers of a command, and of all commands of a table."""
    module, _, function = entry.partition(":")
    main = getattr(import_module(module), function or "main")
    owner = getattr(main, "__self__", None)
    if isinstance(owner, CommandTable):
        return [
            parser for name, _ in owner.commands.values() for parser in parsers(name, monkeypatch)
        ]
    if isinstance(owner, Command):
        return [owner.parser()]
    shown = []
    monkeypatch.setattr(OneLineParser, "print_help", lambda parser, file=None: shown.append(parser))
    with pytest.raises(SystemExit):
        main(["--help"])
    for parser in shown:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                shown.extend(action.choices.values())
    return shown


def test_every_command_is_in_one_group():
    """And the groups name no other."""
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - REFERENCE_DEALER))
def test_every_argument_has_help(command, monkeypatch):
    """In lines that fit."""
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    for parser in parsers(COMMANDS[command][0], monkeypatch):
        bare = {action.dest for action in parser._actions if not action.help}
        assert bare - {argparse.SUPPRESS} == set()
        too_long = [line for line in parser.format_help().splitlines() if len(line) > WIDTH]
        assert too_long == []


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - REFERENCE_DEALER - EARLIER_JSON))
def test_json_is_of_one_kind(command, monkeypatch):
    """`--json [FILE]`."""
    for parser in parsers(COMMANDS[command][0], monkeypatch):
        for action in parser._actions:
            if "--json" in action.option_strings:
                assert isinstance(action, JsonTarget)


@pytest.mark.parametrize("command", sorted(set(COMMANDS) - REFERENCE_DEALER))
def test_help_shows_per_cent_signs_as_they_are_typed(command, monkeypatch):
    """An example in a help text can be copied: no doubled sign is left in it."""
    for parser in parsers(COMMANDS[command][0], monkeypatch):
        assert "%%" not in parser.format_help()
