"""A bot is checked, one check after the other, in one game after the other: options -> report."""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dealer.bots.participants import BotKind, parse_bots, strictly
from dealer.bots.processes import ProcessLauncher
from dealer.commands.requests import check_games, read_game, shipped_of
from dealer.compliance.bench import CheckBench
from dealer.compliance.bot_session import CheckSettings
from dealer.compliance.checked_games import CheckedGame, with_players
from dealer.compliance.checks import CHECKS, ComplianceCheck
from dealer.compliance.compliance_report import (
    PROG,
    CheckResult,
    details_text,
    line_text,
    list_text,
    report_document,
    summary_line,
    title_text,
)
from dealer.compliance.result import CheckFinding, CheckVerdict, not_applicable, not_run
from dealer.compliance.wire import BotRefused, BotTrouble
from dealer.errors import MatchUsageError
from dealer.series.leg_queue import stopped_by_signals
from dealer.series.schedule import GUEST_START_LIMIT_MS, START_LIMIT_MS
from engine.console.arguments import DEFAULT_GAME
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.options import STDOUT
from engine.console.output import put_json, tell
from engine.console.progress import LivingLine, RateLimiter
from engine.console.version import program_version


@dataclass(frozen=True, slots=True)
class CheckRequest:
    """What the user asked for."""

    settings: CheckSettings
    games: Sequence[CheckedGame]
    checks: Sequence[ComplianceCheck]
    given: argparse.Namespace
    """The options, of which --out, --strict, --quiet and --json say how to report."""


def check(given: argparse.Namespace) -> int:
    """Check what is asked for, or list the checks; return the exit code.

    Raises:
        MatchError: something is named that cannot be played.
    """
    if given.list:
        sys.stdout.write(list_text(CHECKS))
        return 0
    request = request_from(given)
    with _folder(given.out) as folder, LivingLine() as line:
        return _CheckRun(request, folder, line).run()


def request_from(given: argparse.Namespace) -> CheckRequest:
    """Return what the options of `command` ask for.

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
    start_ms = GUEST_START_LIMIT_MS if bot.kind is BotKind.LISTEN else START_LIMIT_MS
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
        keep=given.out is not None,
    )
    return CheckRequest(settings, games, checks, given)


def _chosen(only: Sequence[str] | None, skip: Sequence[str] | None) -> tuple[ComplianceCheck, ...]:
    names = [check.name for check in CHECKS]
    wanted, skipped = _names(only, names) or names, _names(skip, names)
    checks = tuple(check for check in CHECKS if check.name in wanted and check.name not in skipped)
    if not checks:
        raise MatchUsageError("no check is left to run")
    return checks


def _names(given: Sequence[str] | None, names: Sequence[str]) -> list[str]:
    chosen = [name.strip() for text in given or () for name in text.split(",")]
    for name in chosen:
        if name not in names:
            raise MatchUsageError(f"no check is called {name!r}; there are {', '.join(names)}")
    return chosen


def _games(names: Sequence[str], players: Sequence[int] | None) -> tuple[CheckedGame, ...]:
    games: list[CheckedGame] = []
    for name in names:
        base = CheckedGame(*read_game(name))
        games += [with_players(base, number) for number in players] if players else [base]
    stems = [game.name for game in games]
    if twice := next((stem for stem in stems if stems.count(stem) > 1), None):
        raise MatchUsageError(f"two games are called {twice}")
    return tuple(games)


@contextmanager
def _folder(out: str | None) -> Iterator[Path]:
    """Give the folder for game files and what the bot writes; one that goes again if not wanted."""
    if out is None:
        with tempfile.TemporaryDirectory(prefix="arena-check-") as name:
            yield Path(name)
        return
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise MatchUsageError(f"--out {folder}: there is something in it already")
    except OSError as error:
        raise MatchUsageError(f"--out {folder}: {error.strerror}") from error
    yield folder.absolute()


class _CheckRun:
    """One call of the command, once its arguments are understood."""

    def __init__(self, request: CheckRequest, folder: Path, line: LivingLine) -> None:
        self._request = request
        self._given = request.given
        self._settings = replace(request.settings, folder=folder)
        self._planned = len(request.games) * len(request.checks)
        self._line = line
        self._now_and_then = RateLimiter(say=tell)
        self._results: list[CheckResult] = []
        self._at = ""
        """Which check is run, in words."""

    def run(self) -> int:
        """Run all checks and write the report; return the exit code."""
        given = self._given
        complete = asyncio.run(self._run_checks())
        self._line.clear()
        code = INTERRUPTED if not complete else FAILED if self._failures() else 0
        self._write(details_text(self._results))
        self._write("\n" + summary_line(self._results, self._planned))
        if given.out is not None:
            self._write(f"transcripts: {Path(given.out)}\n")
        if given.json is None:
            return code
        versions = {"acpc-arena": program_version(), "python": platform.python_version()}
        games = self._request.games
        document = report_document(self._settings, games, self._results, code, versions)
        lost = put_json(given.json, document, PROG)
        return code or lost

    async def _run_checks(self) -> bool:
        """Run checks in games; return whether all were run, not stopped by the user.

        No process is left when this returns or raises.

        Raises:
            MatchUsageError: a shipped bot does not play a game, or does not accept its options.
            MatchError: the bot cannot be started, or nobody can listen.
        """
        stop = asyncio.Event()
        async with stopped_by_signals(stop), ProcessLauncher() as launcher:
            for game in self._request.games:
                bench = CheckBench(self._settings, game, launcher, self._announce, self._progress)
                missing = ""
                for check in self._request.checks:
                    number = f"check {len(self._results) + 1} of {self._planned}"
                    self._at = f"{number}, {check.name} ({game.name})"
                    self._progress("")
                    result = await _unless_stopped(_result(check, bench, missing), stop)
                    if result is None:
                        return False
                    self._note(result, game)
                    if check.needed and result.verdict is CheckVerdict.FAILED:
                        missing = missing or check.name
        return True

    def _failures(self) -> bool:
        bad = {CheckVerdict.FAILED, CheckVerdict.NOT_RUN}
        if self._given.strict:
            bad.add(CheckVerdict.WARNING)
        return any(result.verdict in bad for result in self._results)

    def _announce(self, text: str) -> None:
        self._line.clear()
        tell(text)

    def _progress(self, text: str) -> None:
        if self._given.quiet:
            return
        text = f"{self._at}: {text}" if text else self._at
        if self._line.living:
            self._line.show_often(lambda: text)
        else:
            self._now_and_then(f"{PROG}: {text}")

    def _note(self, result: CheckResult, game: CheckedGame) -> None:
        self._line.clear()
        last_game = self._results[-1].game if self._results else None
        self._results.append(result)
        if result.game != last_game:
            self._write(("\n" if last_game else "") + title_text(self._settings, game))
        self._write(line_text(result))

    def _write(self, text: str) -> None:
        """Write a piece of the report: on stdout, unless JSON is wanted there."""
        if self._given.json == STDOUT:
            for line in text.splitlines():
                tell(line)
        else:
            sys.stdout.write(text)
            sys.stdout.flush()


async def _unless_stopped(
    work: Coroutine[Any, Any, CheckResult], stop: asyncio.Event
) -> CheckResult | None:
    """Return what the work gives, None where the user stopped it, and it has cleared up."""
    task = asyncio.create_task(work)
    stopper = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({task, stopper}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()
        stopper.cancel()
        await asyncio.gather(task, stopper, return_exceptions=True)


async def _result(check: ComplianceCheck, bench: CheckBench, missing: str) -> CheckResult:
    began = time.monotonic()
    bench.last, bench.name = None, check.name
    finding = await _finding(check, bench, missing)
    errors = () if bench.last is None else bench.last.errors
    return CheckResult(check, bench.game.name, finding, time.monotonic() - began, errors)


async def _finding(check: ComplianceCheck, bench: CheckBench, missing: str) -> CheckFinding:
    if why := check.why_not(bench.game, bench.settings.bot):
        return not_applicable(why)
    if missing:
        return not_run(f"the bot fails {missing}")
    try:
        return await check.script(bench)
    except BotRefused as refused:
        label = bench.settings.bot.label
        raise MatchUsageError(f"{label} cannot play {bench.game.name}: {refused}") from refused
    except BotTrouble as trouble:
        if bench.last is None:
            return not_run(str(trouble))
        return bench.last.failure(str(trouble))
