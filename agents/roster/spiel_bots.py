"""Bots and policies of OpenSpiel, named by where they are: openspiel:MODULE:BOT."""

from __future__ import annotations

from typing import Final

from agents.roster.own_class import names_own_class
from agents.roster.spec import AgentSpec, BotOption, GameKind

OPENSPIEL: Final = "openspiel"
"""Group of such bots; their names begin with it and a colon."""
_GAMES: Final = GameKind(
    "any game that deals from the whole deck", lambda game: not game.dealt_cards
)


def spiel_bot_called(name: str) -> AgentSpec | None:
    """Return the bot of OpenSpiel that has this name, None where it is none."""
    kind, _, place = name.partition(":")
    if kind != OPENSPIEL or not names_own_class(place):
        return None
    return AgentSpec(
        name=name,
        summary="a bot or policy of OpenSpiel",
        factory="agents.bridges.spiel_seated:spiel_seat",
        games=_GAMES,
        options=(
            BotOption(
                "--betting", "betting", None, "fullgame, fcpa or fchpa (fullgame)", str, "KIND"
            ),
        ),
        fixed={"name": place},
        group=OPENSPIEL,
    )
