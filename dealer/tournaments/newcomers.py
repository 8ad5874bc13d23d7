"""Bots that join a tournament that has begun: only their own pairings are played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from dealer.bots.participants import Participant, program_words
from dealer.legs.manifest import Manifest
from dealer.legs.pairings import TournamentStyle


def with_newcomers(
    stored: Manifest, named: Sequence[Participant], challengers: int | None
) -> tuple[Participant, ...]:
    """Return the bots of a tournament with those that are named for the first time.

    They are the last, but in a gauntlet with more `challengers` than before the last challengers.
    Bots that are there already may be named besides, in their order, or left out; named otherwise,
    nobody joins, and the bots are those named.
    """
    known = {bot.label for bot in named}
    old = [bot.label for bot in named if bot.label in stored.labels]
    if old != [label for label in stored.labels if label in known]:
        return tuple(named)
    as_named = {bot.label: bot for bot in named}
    bots = [as_named.get(bot.label, bot) for bot in stored.bots]
    here = str(Path.cwd())
    new = [
        replace(bot, directory=bot.directory or here)
        if program_words(bot) and here != stored.working_directory
        else bot
        for bot in named
        if bot.label not in stored.labels
    ]
    at = len(bots)
    more = (challengers or stored.challengers) - stored.challengers
    if stored.style is TournamentStyle.GAUNTLET and more == len(new):
        at = stored.challengers
    return (*bots[:at], *new, *bots[at:])
