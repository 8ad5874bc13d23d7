"""What the options that `arena match`, `arena tournament` and `arena check` share stand for."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from dealer.bots.participants import BotKind, Participant, possibly_shipped
from dealer.bots.roster import (
    ExploitabilityBound,
    compiled_bots,
    exploitability_bounds,
    shipped_bots,
)
from dealer.errors import MatchError, MatchUsageError
from dealer.legs.in_process_leg import without_dealer
from dealer.legs.manifest import Manifest
from dealer.legs.plan import MOST_HANDS
from dealer.plan.match_plan import CLOCKS
from dealer.plan.options import COMMON
from dealer.ratings.aivat_options import aivat_words, what_is_wrong
from engine.parallel.cores import core_count
from protocol.errors import GameDefError
from protocol.gamedef import GameDef, parse_gamedef
from protocol.gamedefs import builtin_aliases, builtin_path, load_builtin

DEFAULT_RECOVER_SECONDS: Final = 60
"""How long a bot that is started again may take to be back, where --reconnect does not say."""
FASTER_IN_PROCESS: Final = (
    "faster: --in-process plays the same hands between these bots without dealers, without what "
    "only dealers have (docs/playing.md)"
)
_LONG: Final = 10_000
"""Hands below which nobody minds how fast they are played."""


def shipped_of(specs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what the bots of the BOT arguments that may be shipped ones play."""
    names = possibly_shipped(specs)
    return shipped_bots(names) if names else {}


def known_bounds(manifest: Manifest) -> dict[str, ExploitabilityBound]:
    """Return the best attacks on record on bots of a tournament, by label.

    Those of shipped bots without options, in a built-in game; none where they cannot be asked for.
    """
    game = parse_gamedef(manifest.game_text)
    alias = next((alias for alias in builtin_aliases() if load_builtin(alias) == game), None)
    shipped = [bot for bot in manifest.bots if bot.kind is BotKind.SHIPPED and len(bot.words) == 1]
    if alias is None or not shipped:
        return {}
    try:
        bounds = exploitability_bounds([bot.words[0] for bot in shipped], alias)
    except MatchError:
        return {}
    return {bot.label: bounds[bot.words[0]] for bot in shipped if bot.words[0] in bounds}


def could_be_faster(manifest: Manifest, given: argparse.Namespace) -> bool:
    """Return whether to say that in one process it would play sooner.

    So it would for a match between compiled bots without options, and where a tournament has two.
    """
    hands = MOST_HANDS if manifest.sprt else manifest.hands * manifest.leg_count
    if hands < _LONG or (
        given.in_process or given.events or given.recover or given.quiet or given.resume
    ):
        return False
    plain = [bot.words[0] for bot in manifest.bots if without_dealer((bot,))]
    names = compiled_bots(plain) if plain else ()
    compiled = sum(name in names for name in plain)
    return compiled == len(manifest.bots) if manifest.style is None else compiled > 1


def usual_jobs(bots: Sequence[Participant]) -> int:
    """Return how many legs are played side by side unless the user says otherwise.

    Who starts a bot by hand may have but one, which has to sit in one leg after the other.
    """
    return 1 if any(bot.kind is BotKind.LISTEN for bot in bots) else core_count()


def check_games(
    bots: Sequence[Participant],
    shipped: Mapping[str, Sequence[str]],
    game_name: str,
    game_text: str,
) -> None:
    """Refuse a shipped bot that does not play a built-in game.

    Of other games, and with a model of its own, it has to tell itself.
    """
    game = parse_gamedef(game_text)
    alias = next((alias for alias in builtin_aliases() if load_builtin(alias) == game), None)
    for bot in bots:
        if bot.kind is not BotKind.SHIPPED or alias is None or "--model" in bot.words:
            continue
        if alias not in shipped[bot.words[0]]:
            played = ", ".join(shipped[bot.words[0]])
            raise MatchUsageError(f"{bot.words[0]} does not play {game_name}; it plays {played}")


def aivat_wanted(
    given: argparse.Namespace, game: GameDef, game_name: str, players: Sequence[str]
) -> tuple[str, ...] | None:
    """Return what the program for AIVAT is told, None where it is not asked for.

    Raises:
        MatchUsageError: it is no hold'em for two, --known names nobody of them, or what it or
            --values names cannot be used.
    """
    if not given.aivat:
        return None
    if not (game.is_holdem and game.players == 2):
        raise MatchUsageError(f"--aivat is for hold'em for two, not for {game_name}")
    for known in given.known:
        if (name := known.partition("=")[0]) not in players:
            there = ", ".join(players)
            raise MatchUsageError(f"--known {known}: nobody is called {name}; there are {there}")
    words = aivat_words(given)
    if words and (wrong := what_is_wrong(words)):
        raise MatchUsageError(wrong)
    return tuple(words)


def dealer_options(given: argparse.Namespace) -> dict[str, str]:
    """Return the options of every dealer that were given, by name without dashes."""
    values = {}
    for name in COMMON:
        value = getattr(given, name)
        if name in CLOCKS:
            value = next((ms for label, ms in reversed(value or ()) if not label), None)
        if value is not None:
            values[name] = str(value)
    if given.recover and given.resume is None:
        values.setdefault("reconnect", str(DEFAULT_RECOVER_SECONDS))
    return values


def with_clocks(
    bots: Sequence[Participant],
    given: argparse.Namespace,
    stored: Sequence[Participant] = (),
) -> tuple[Participant, ...]:
    """Return the bots with the time limits that were given for one of them alone.

    Args:
        stored: the same bots in the folder of a match to be resumed; their limits stay.

    Raises:
        MatchUsageError: no bot has such a label.
    """
    clocks = {bot.label: dict(bot.clocks) for bot in bots}
    for bot in stored:
        if bot.label in clocks:
            clocks[bot.label] = dict(bot.clocks) | clocks[bot.label]
    for name in CLOCKS:
        for label, value in getattr(given, name) or ():
            if label and label not in clocks:
                known = ", ".join(clocks)
                raise MatchUsageError(
                    f"--{name} {label}={value}: no bot is labelled {label}; there are {known}"
                )
            if label:
                clocks[label][name] = str(value)
    return tuple(
        replace(bot, clocks=tuple(sorted(clocks[bot.label].items(), key=_clock_order)))
        for bot in bots
    )


def _clock_order(clock: tuple[str, str]) -> int:
    return CLOCKS.index(clock[0])


def read_game(name: str) -> tuple[str, str]:
    """Return the file name, free of blanks, and the text of a game file or built-in game."""
    path = Path(name)
    try:
        if not path.is_file():
            path = builtin_path(name)
        text = path.read_text(encoding="utf-8")
        parse_gamedef(text)
    except (GameDefError, OSError, UnicodeDecodeError) as exc:
        raise MatchUsageError(f"--game {name}: {exc}") from exc
    return re.sub(r"\s+", "_", path.name), text
