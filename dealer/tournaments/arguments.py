"""The words of `arena tournament` -> what to play and how to show it."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Final

from dealer.bots.participants import LABEL, Participant, distinct, parse_bots
from dealer.errors import MatchUsageError
from dealer.legs.manifest import TOURNAMENT_NAME, Manifest
from dealer.legs.pairings import TournamentStyle
from dealer.legs.plan import LONGEST_STEM
from dealer.matches.option_values import check_games, read_game, shipped_of
from dealer.matches.request import (
    PlayRequest,
    as_asked,
    check_settings,
    new_manifest,
    play_request,
    resumed,
)
from dealer.tournaments.newcomers import with_newcomers
from dealer.tournaments.toml_file import BotEntry
from engine.console.arguments import DEFAULT_GAME

MOST_BOTS: Final = 1000
MOST_PAIRINGS: Final = 500_000


def request_from(
    given: argparse.Namespace, entries: Sequence[BotEntry], share: int = 1
) -> PlayRequest:
    """Return what the words of `command_line` ask for.

    Args:
        share: how many processes play the tournament on this machine.

    Raises:
        MatchError: it cannot be played, or the folder to resume in cannot be used.
    """
    before = None
    if given.resume is None:
        if given.retry:
            raise MatchUsageError("--retry plays forfeited legs of --resume DIR again")
        manifest = _new_tournament(given, entries)
    else:
        before, manifest = resumed(
            given, TOURNAMENT_NAME, lambda stored: tournament_asked(stored, given, entries)
        )
        _check_knockout(before, manifest, given)
    _check(manifest, given)
    return play_request(
        given,
        manifest,
        before,
        players=manifest.labels,
        share=share,
        retry=given.retry,
        decide=given.decide,
        decide_hands=given.decide_hands,
        rating_interval=given.rating_interval,
    )


def _new_tournament(given: argparse.Namespace, entries: Sequence[BotEntry]) -> Manifest:
    game = read_game(given.game or DEFAULT_GAME)
    return replace(
        new_manifest(given, _participants(entries, *game), game, given.runs or 1),
        style=TournamentStyle(given.style or TournamentStyle.ROUND_ROBIN.value),
        challengers=given.challengers or 1,
    )


def _participants(
    entries: Sequence[BotEntry], game_name: str, game_text: str
) -> tuple[Participant, ...]:
    labels = Counter(
        label
        for entry in entries
        if LABEL.fullmatch(label := entry.spec.partition("=")[0]) and "=" in entry.spec
    )
    if twice := next((label for label, count in labels.items() if count > 1), None):
        raise MatchUsageError(f"two bots are labelled {twice}")
    shipped = shipped_of([entry.spec for entry in entries])
    bots = []
    for entry in entries:
        (bot,) = parse_bots([entry.spec], shipped, Path(entry.directory or Path.cwd()))
        bots.append(replace(bot, directory=entry.directory, clocks=entry.clocks))
    check_games(bots, shipped, game_name, game_text)
    return distinct(bots)


def tournament_asked(
    stored: Manifest, given: argparse.Namespace, entries: Sequence[BotEntry]
) -> Manifest:
    """Return a stored tournament as the arguments would have it.

    Raises:
        MatchUsageError: they name something that cannot be read or started, or nobody's label.
    """
    bots = stored.bots
    if entries:
        named = _participants(entries, stored.game_name, stored.game_text)
        bots = with_newcomers(stored, named, given.challengers)
    return replace(
        as_asked(stored, given, bots),
        style=stored.style if given.style is None else TournamentStyle(given.style),
        challengers=given.challengers or stored.challengers,
    )


def _check_knockout(before: Manifest, manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse what would change who goes on in a knockout that has begun."""
    if before.style is not TournamentStyle.KNOCKOUT:
        return
    if manifest.runs > before.runs:
        raise MatchUsageError(
            f"{given.resume} holds a knockout, which cannot be made longer: with {manifest.runs} "
            f"rounds in the place of {before.runs} others might have gone on; begin a new one"
        )
    if new := manifest.newcomers(before):
        raise MatchUsageError(
            f"{given.resume} holds a knockout, which nobody can join: {', '.join(new)}"
        )
    if given.retry:
        raise MatchUsageError(
            f"{given.resume} holds a knockout: played again, a forfeited leg might bring back who "
            "is out; leave --retry out"
        )


def _check_decide(manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse to decide places that there are not."""
    if given.decide is None:
        if given.decide_hands is not None:
            raise MatchUsageError("--decide-hands is for --decide K")
        return
    if manifest.style is TournamentStyle.KNOCKOUT:
        raise MatchUsageError("--decide is not for a knockout, in which who loses is out")
    gauntlet = manifest.style is TournamentStyle.GAUNTLET
    ranked = manifest.challengers if gauntlet else len(manifest.bots)
    if given.decide >= ranked:
        who = "challengers" if gauntlet else "bots"
        raise MatchUsageError(f"--decide {given.decide}: want fewer places than {ranked} {who}")


def _check(manifest: Manifest, given: argparse.Namespace) -> None:
    """Refuse what would fail later, or play something else than was meant."""
    players = manifest.players
    if players != 2 and manifest.style is TournamentStyle.KNOCKOUT:
        raise MatchUsageError(f"{manifest.game_name} is for {players} players, a knockout for two")
    bots = manifest.bots
    if not players <= len(bots) <= MOST_BOTS:
        raise MatchUsageError(f"{len(bots)} bots: want {players} to {MOST_BOTS:,}")
    if manifest.style is TournamentStyle.GAUNTLET:
        if manifest.challengers > len(bots) - players + 1:
            raise MatchUsageError(
                f"--challengers {manifest.challengers} of {len(bots)} bots leaves nobody to meet"
            )
    elif given.challengers is not None:
        raise MatchUsageError("--challengers is for --style gauntlet")
    _check_decide(manifest, given)
    if manifest.pairing_count > MOST_PAIRINGS:
        raise MatchUsageError(
            f"{len(bots)} bots have {manifest.pairing_count:,} tables of {players}: want at most "
            f"{MOST_PAIRINGS:,}"
        )
    names = Counter(map(".".join, combinations(manifest.labels, players)))
    if twice := next((name for name, count in names.items() if count > 1), None):
        raise MatchUsageError(f"two pairings would be called {twice}; label a bot otherwise")
    if players > 2 and len(longest := max(names, key=len)) > LONGEST_STEM:
        raise MatchUsageError(
            f"{longest} is too long a name for files, over {LONGEST_STEM} characters; "
            "label bots otherwise"
        )
    check_settings(manifest, given)
