"""The words of `arena check` -> which bot, games and checks, and how to show the report."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dealer.bots.participants import BotKind, parse_bots, strictly
from dealer.commands.requests import check_games, read_game, shipped_of
from dealer.compliance.bot_session import CheckSettings
from dealer.compliance.check import ComplianceCheck
from dealer.compliance.checks import CHECKS
from dealer.compliance.games import CheckedGame, with_players
from dealer.errors import MatchUsageError
from dealer.series.schedule import GUEST_START_MS, START_MS
from engine.console.arguments import DEFAULT_GAME


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What the user asked for."""

    settings: CheckSettings
    games: tuple[CheckedGame, ...]
    checks: tuple[ComplianceCheck, ...]
    out: Path | None
    """Folder for transcripts and what the bot wrote."""
    strict: bool
    """Whether warnings count as failures."""
    quiet: bool
    json: Path | None
    """File for the report, see `engine.console.options.json_option`."""


def request_from(given: argparse.Namespace) -> CheckRequest:
    """Return what the options of `check_command` ask for.

    Raises:
        MatchError: it names something that cannot be played.
    """
    if given.bot is None:
        raise MatchUsageError("which bot? (--help shows how)")
    checks = _chosen(given.only, given.skip)
    games = _games(given.game or [DEFAULT_GAME], given.players)
    shipped = shipped_of([given.bot])
    (bot,) = parse_bots([given.bot], shipped, Path.cwd())
    for game in games:
        check_games([bot], shipped, game.name, game.text)
    start_ms = GUEST_START_MS if bot.kind is BotKind.LISTEN else START_MS
    settings = CheckSettings(
        bot=strictly(bot),
        hands=given.hands,
        seed=given.seed,
        response_seconds=given.t_response / 1000,
        hand_seconds=given.t_hand / 1000,
        per_hand_seconds=given.t_per_hand / 1000,
        start_seconds=(given.start_timeout or start_ms) / 1000,
        late_seconds=given.late,
        exit_seconds=given.exit,
        listen=given.listen,
    )
    return CheckRequest(
        settings=settings,
        games=games,
        checks=checks,
        out=None if given.out is None else Path(given.out),
        strict=given.strict,
        quiet=given.quiet,
        json=given.json,
    )


def _chosen(only: Sequence[str] | None, skip: Sequence[str] | None) -> tuple[ComplianceCheck, ...]:
    known = {check.name: check for check in CHECKS}
    wanted = _names(only, known) or list(known)
    left_out = set(_names(skip, known))
    checks = tuple(one for one in CHECKS if one.name in wanted and one.name not in left_out)
    if not checks:
        raise MatchUsageError("no check is left to run")
    return checks


def _names(given: Sequence[str] | None, known: dict[str, ComplianceCheck]) -> list[str]:
    names = [name.strip() for text in given or () for name in text.split(",")]
    for name in names:
        if name not in known:
            raise MatchUsageError(f"no check is called {name!r}; there are {', '.join(known)}")
    return names


def _games(names: Sequence[str], players: Sequence[int] | None) -> tuple[CheckedGame, ...]:
    games: list[CheckedGame] = []
    for name in names:
        base = CheckedGame(*read_game(name))
        games += [with_players(base, number) for number in players] if players else [base]
    stems = [game.name for game in games]
    if twice := next((stem for stem in stems if stems.count(stem) > 1), None):
        raise MatchUsageError(f"two games are called {twice}")
    return tuple(games)
