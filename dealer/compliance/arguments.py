"""The command line of `arena check` -> which bot, games and checks, and how to show the report."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from dealer.compliance.check import ComplianceCheck
from dealer.compliance.checks import CHECKS
from dealer.compliance.games import CheckedGame, with_players
from dealer.matches.bots import BotKind, Participant, parse_bots
from dealer.matches.errors import MatchUsageError
from dealer.matches.leg import GUEST_START_MS, START_MS
from dealer.matches.match_options import (
    BOT_IS,
    CLOCK_TEXTS,
    add_game_file,
    add_quiet,
    add_start_timeout,
    add_version,
    check_games,
    read_game,
    shipped_of,
)
from dealer.server.options import HAND_MS, PER_HAND_MS
from engine.console.arguments import DEFAULT_GAME, real_number, whole_number
from engine.console.options import add_json, add_seed
from engine.console.parser import OneLineParser
from protocol.gamedef import MAX_PLAYERS

PROG: Final = "arena check"
_DEFAULT_HANDS: Final = 200
_RESPONSE_MS: Final = 10_000
_LATE_SECONDS: Final = 2.0
_EXIT_SECONDS: Final = 5.0
_hands: Final = whole_number(1, 10**6, "{}: want a whole number from 1 to 1,000,000")
_milliseconds: Final = whole_number(
    1, 10**9, "{}: want a whole number of milliseconds from 1 to 10^9"
)
_seconds: Final = real_number(
    lambda value: 0 < value <= 3600, "{}: want a number of seconds above 0, at most 3600"
)
_PLAYERS: Final = re.compile(r"([0-9]{1,2})(?:-([0-9]{1,2}))?")
_EPILOG: Final = f"""\
{BOT_IS}
A dealer of our own plays each check's hands with the bot, in a new process of it for nearly every
check, so that one failure does not cause another; one that you start yourself has to connect anew
for each.  The same seed gives the same hands to a bot that does the same; --only NAME repeats a
check exactly.  docs/compliance.md says what each wants.

Exit code: 0 no check failed (with --strict: nor gave a warning), 1 some did or could not be run,
2 wrong arguments, 130 stopped by Ctrl-C.
"""


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What the user asked for."""

    bot: Participant
    games: tuple[CheckedGame, ...]
    checks: tuple[ComplianceCheck, ...]
    hands: int
    seed: int
    response_ms: int
    hand_ms: int
    per_hand_ms: int
    start_ms: int
    late_seconds: float
    exit_seconds: float
    listen: str
    out: Path | None
    """Folder for transcripts and what the bot wrote."""
    strict: bool
    """Whether warnings count as failures."""
    quiet: bool
    json: Path | None
    """File for the report, see `engine.console.options.add_json`."""


def parse_request(argv: Sequence[str] | None) -> CheckRequest | None:
    """Return what the command line asks for, None for a list of the checks.

    Raises:
        MatchError: it names something that cannot be played.
        SystemExit: arguments that cannot be read (2), or help was wanted (0).
    """
    given = _parser().parse_args(argv)
    if given.list:
        return None
    if given.bot is None:
        raise MatchUsageError("which bot? (--help shows how)")
    checks = _chosen(given.only, given.skip)
    games = _games(given.game or [DEFAULT_GAME], given.players)
    shipped = shipped_of([given.bot])
    (bot,) = parse_bots([given.bot], shipped, Path.cwd())
    for game in games:
        check_games([bot], shipped, game.name, game.text)
    guest = bot.kind is BotKind.LISTEN
    return CheckRequest(
        bot=bot,
        games=games,
        checks=checks,
        hands=given.hands,
        seed=given.seed,
        response_ms=given.t_response,
        hand_ms=given.t_hand,
        per_hand_ms=given.t_per_hand,
        start_ms=given.start_timeout or (GUEST_START_MS if guest else START_MS),
        late_seconds=given.late,
        exit_seconds=given.exit,
        listen=given.listen,
        out=None if given.out is None else Path(given.out),
        strict=given.strict,
        quiet=given.quiet,
        json=given.json,
    )


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        usage="%(prog)s BOT [options]",
        description="Check that a bot speaks the protocol and plays by the rules.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("bot", metavar="BOT", nargs="?", help="who is checked, see below")
    group = parser.add_argument_group("what is checked")
    add = group.add_argument
    add_game_file(group, " that the bot plays; may be repeated", action="append")
    add(
        "--players",
        metavar="N,...",
        type=_player_counts,
        help="numbers of players, as 2-6 or 2,3,6: each game, if it is hold'em, with so many",
    )
    add("--hands", metavar="N", type=_hands, default=_DEFAULT_HANDS, help="hands against random "
        "opponents (%(default)s)")  # fmt: skip
    add_seed(parser, "of deals, opponents and, where it takes one, the bot")
    add("--only", metavar="CHECK,...", action="append", help="run these checks; may be repeated")
    add("--skip", metavar="CHECK,...", action="append", help="leave these out; may be repeated")
    add("--list", action="store_true", help="list the checks and end")
    add("--strict", action="store_true", help="warnings count as failures")
    _add_times(parser.add_argument_group("time"))
    group = parser.add_argument_group("running it")
    add = group.add_argument
    add("--listen", metavar="ADDRESS", default="127.0.0.1", help="address to listen on "
        "(%(default)s)")  # fmt: skip
    add(
        "--out",
        metavar="DIR",
        help="keep all that went over the wire, and what the bot wrote, in this folder",
    )
    add_quiet(group)
    add_json(group, "the report as JSON instead of text, or beside it in FILE", beside_files=True)
    add_version(parser)
    return parser


def _add_times(group: Any) -> None:
    add = group.add_argument
    defaults = {"t_response": _RESPONSE_MS, "t_hand": HAND_MS, "t_per_hand": PER_HAND_MS}
    for name, text in CLOCK_TEXTS.items():
        add(
            f"--{name}",
            metavar="MS",
            type=_milliseconds,
            default=int(defaults[name]),
            help=f"{text} (%(default)s)",
        )
    add_start_timeout(group, "the bot", _milliseconds)
    add(
        "--late",
        metavar="S",
        type=_seconds,
        default=_LATE_SECONDS,
        help="seconds that a late dealer, or a late first state, lets the bot wait (%(default)g)",
    )
    add(
        "--exit",
        metavar="S",
        type=_seconds,
        default=_EXIT_SECONDS,
        help="seconds that the bot may take to end, or to come back when it lost its connection "
        "(%(default)g)",
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


def _player_counts(text: str) -> tuple[int, ...]:
    counts: set[int] = set()
    for part in text.split(","):
        found = _PLAYERS.fullmatch(part.strip())
        if found is None:
            break
        least, most = int(found[1]), int(found[2] or found[1])
        if not 2 <= least <= most <= MAX_PLAYERS:
            break
        counts |= set(range(least, most + 1))
    else:
        return tuple(sorted(counts))
    raise argparse.ArgumentTypeError(
        f"{text}: want numbers of players from 2 to {MAX_PLAYERS}, as 2-6 or 2,3,6"
    )
