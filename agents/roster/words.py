"""A bot in one argument: its name and its options, "blueprint --model F", as for `arena match`."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NoReturn

from agents.errors import UnknownAgent
from agents.roster.bots import find_agent
from agents.roster.bridges import STDIO
from agents.roster.spec import AgentSpec
from engine.console.command import Option, add_options
from engine.console.parser import OneLineParser

if TYPE_CHECKING:
    from collections.abc import Mapping


def bot_options(spec: AgentSpec) -> tuple[Option, ...]:
    """Return the options that a bot has of its own; their values get the names of its keywords."""
    options = []
    for option in spec.options:
        number = option.kind is float
        text = option.summary
        if option.default is not None:
            text += " (default: %(default)g)" if number else " (default: %(default)s)"
        spelling = f"{option.flag} {option.metavar or ('P' if number else 'FILE')}"
        options.append(Option(spelling, text, option.kind, option.default, dest=option.keyword))
    return tuple(options)


def read_bot(text: str) -> tuple[AgentSpec, dict[str, float | str | None]]:
    """Return a bot and the values of all its options.

    Args:
        text: its name, and options as a shell would take them.

    Raises:
        UnknownAgent: there is no such bot, or it has no such option; the message says which.
    """
    try:
        parts = shlex.split(text)
    except ValueError as error:
        raise UnknownAgent(f"{text}: {error}") from error
    spec = find_agent(parts[0] if parts else "")
    parser = _Parser(prog=spec.name, add_help=False, allow_abbrev=False)
    add_options(parser, bot_options(spec))
    return spec, vars(parser.parse_args(parts[1:]))


def chosen_bot(text: str) -> AgentSpec:
    """Return a bot with the options that a text sets.

    Raises:
        UnknownAgent: as from `read_bot`, or an option cannot be.
    """
    if text.startswith(f"{STDIO}:"):
        return find_agent(text)  # "stdio:PROGRAM ARGUMENT..." is one name
    spec, options = read_bot(text)
    try:
        return spec.with_options(options)
    except ValueError as error:
        raise UnknownAgent(f"{spec.name}: {error}") from error


class _Parser(OneLineParser):
    """Raises an error where argparse would exit, for the command to report."""

    def error(self, message: str) -> NoReturn:
        raise UnknownAgent(f"{self.prog}: {message}")


def option_values(
    spec: AgentSpec, parsed: Mapping[str, float | str | None]
) -> dict[str, float | str | None]:
    """Return the values of a bot's own options among those of a command line."""
    return {option.keyword: parsed[option.keyword] for option in spec.options}
