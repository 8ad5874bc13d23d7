"""What is done in one place of the project is done in no other."""

import ast

from tests.architecture.repository import module_name, parsed, source_files

READERS_OF_BETTING_TEXT = (
    "protocol",
    "engine.rules",
    "engine.handlogs",
    "agents.statistical.learning.logs",
)
"""Packages and modules that take betting text apart: messages and logs come as text."""


def users_of(function: str) -> set[str]:
    """Return the modules that import a function by name."""
    return {
        module_name(path)
        for path in source_files()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom) and any(alias.name == function for alias in node.names)
    }


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
