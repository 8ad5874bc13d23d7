"""Bots that are no ACPC agents, named by what they are and where.

openspiel:MODULE:BOT       a bot or policy of OpenSpiel
stdio:./my_bot --fast      a program that plays on its standard streams, by its command
pokerbots:FOLDER           a bot of the university pokerbots competitions, by its folder
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agents.options import SWITCH, BotOptions, option
from agents.roster.own_class import names_own_class
from agents.roster.spec import ANY_GAME, AgentSpec, GameKind
from agents.seat.game_validator import describe
from protocol.gamedefs import load_builtin

OPENSPIEL: Final = "openspiel"
STDIO: Final = "stdio"
POKERBOTS: Final = "pokerbots"
"""Groups of such bots; their names begin with it and a colon.  The last is a game, too."""
PROGRAM_GROUPS: Final = (STDIO, POKERBOTS)
"""Programs of users; their seats take a file for what was not taken as it stood."""
_WHOLE_DECK: Final = GameKind(
    "any game that deals from the whole deck", lambda game: not game.dealt_cards
)
_POKERBOTS_GAME: Final = GameKind(
    f"the built-in game {POKERBOTS}",
    lambda game: game == load_builtin(POKERBOTS),
    lambda game: (
        f"bots of the pokerbots competitions play {describe(load_builtin(POKERBOTS))} "
        f"(--game {POKERBOTS}), not {describe(game)}"
    ),
)


@dataclass(frozen=True, slots=True)
class OpenSpielOptions(BotOptions):
    """How a bot of OpenSpiel sees the game."""

    betting: str | None = option(None, "fullgame, fcpa or fchpa (fullgame)", "KIND")


@dataclass(frozen=True, slots=True)
class StdioOptions(BotOptions):
    """How a program on its standard streams is judged."""

    strict: float = option(0.0, "1: a wrong answer ends it", SWITCH)
    replies: str = option("", "JSON of what was not taken as it stood")


def bridge_called(name: str) -> AgentSpec | None:
    """Return the bot behind a bridge that has this name, None where it is none."""
    kind, colon, rest = name.partition(":")
    if kind == OPENSPIEL and names_own_class(rest):
        return AgentSpec(
            name=name,
            summary="a bot or policy of OpenSpiel",
            factory="agents.bridges.spiel_seated:spiel_seat",
            games=_WHOLE_DECK,
            record="agents.roster.bridges:OpenSpielOptions",
            fixed={"name": rest},
            group=OPENSPIEL,
        )
    if kind == STDIO and colon:
        return AgentSpec(
            name=name,
            summary="a program that plays on its standard streams",
            factory="agents.bridges.stdio_bot:StdioBot",
            games=ANY_GAME,
            record="agents.roster.bridges:StdioOptions",
            fixed={"command": rest},
            group=STDIO,
        )
    if kind == POKERBOTS and rest:
        return AgentSpec(
            name=name,
            summary="a bot of the university pokerbots competitions",
            factory="agents.bridges.pokerbots_bot:PokerbotsBot",
            games=_POKERBOTS_GAME,
            record="agents.bridges.pokerbots_options:PokerbotsOptions",
            fixed={"folder": rest},
            group=POKERBOTS,
        )
    return None
