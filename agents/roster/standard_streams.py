"""Programs that play on their standard streams, named by their command: stdio:./my_bot --fast."""

from __future__ import annotations

from typing import Final

from agents.roster.spec import ANY_GAME, AgentSpec, BotOption

STDIO: Final = "stdio"
"""Group of such bots; their names begin with it and a colon."""


def program_called(name: str) -> AgentSpec | None:
    """Return the bot that asks the program of a name, None where the name has none."""
    kind, colon, command = name.partition(":")
    if not colon or kind != STDIO:
        return None
    return AgentSpec(
        name=name,
        summary="a program that plays on its standard streams",
        factory="agents.bridges.stdio_bot:StdioBot",
        games=ANY_GAME,
        options=(BotOption("--strict", "strict", 0.0, "1: a wrong answer ends it", metavar="1|0"),),
        fixed={"command": command},
        group=STDIO,
    )
