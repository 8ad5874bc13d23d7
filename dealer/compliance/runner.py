"""Runs checks one after the other, in one game after the other, until the user says stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dealer.bots.processes import ProcessLauncher
from dealer.compliance.bench import CheckBench
from dealer.compliance.bot_session import CheckSettings
from dealer.compliance.check import CheckResult, ComplianceCheck
from dealer.compliance.errors import BotRefused, BotTrouble
from dealer.compliance.games import CheckedGame
from dealer.compliance.result import (
    CheckFinding,
    CheckVerdict,
    not_applicable,
    not_run,
)
from dealer.errors import MatchUsageError
from dealer.series.leg_queue import stopped_by_signals


@dataclass(frozen=True, slots=True)
class CheckListeners:
    """Who hears of the checks as they are run."""

    announce: Callable[[str], None]
    """Tells the user something that cannot wait."""
    progress: Callable[[str], None]
    """Takes what is being done."""
    done: Callable[[CheckResult], None]
    """Takes each result."""


async def run_checks(
    settings: CheckSettings,
    games: Sequence[CheckedGame],
    checks: Sequence[ComplianceCheck],
    listeners: CheckListeners,
) -> bool:
    """Run checks in games; return whether all were run, not stopped by the user.

    No process is left when this returns or raises.

    Raises:
        MatchUsageError: a shipped bot does not play a game, or does not accept its options.
        MatchError: the bot cannot be started, or nobody can listen.
    """
    stop = asyncio.Event()
    planned = len(games) * len(checks)
    done = 0
    async with stopped_by_signals(stop), ProcessLauncher() as launcher:
        for game in games:
            bench = CheckBench(settings, game, launcher, listeners.announce)
            missing = ""
            for check in checks:
                done += 1
                at = f"check {done} of {planned}, {check.name} ({game.name})"
                bench.progress = partial(_progress, listeners, at)
                bench.progress("")
                result = await _unless_stopped(_run(check, bench, missing), stop)
                if result is None:
                    return False
                listeners.done(result)
                if check.needed and result.verdict is CheckVerdict.FAILED:
                    missing = missing or check.name
    return True


def _progress(listeners: CheckListeners, at: str, words: str) -> None:
    listeners.progress(f"{at}: {words}" if words else at)


async def _unless_stopped(
    work: Coroutine[Any, Any, CheckResult], stop: asyncio.Event
) -> CheckResult | None:
    """Return what the work gives, None where the user stopped it, and it has cleared up."""
    task = asyncio.create_task(work)
    stopper = asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({task, stopper}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        return None
    finally:
        for one in (task, stopper):
            one.cancel()
        await asyncio.gather(task, stopper, return_exceptions=True)


async def _run(check: ComplianceCheck, bench: CheckBench, missing: str) -> CheckResult:
    began = time.monotonic()
    bench.last = None
    finding = await _finding(check, bench, missing)
    errors = () if bench.last is None else bench.last.errors
    return CheckResult(check, bench.game.name, finding, time.monotonic() - began, errors)


async def _finding(check: ComplianceCheck, bench: CheckBench, missing: str) -> CheckFinding:
    if why := check.why_not(bench.game, bench.settings.bot):
        return not_applicable(why)
    if missing:
        return not_run(f"the bot fails {missing}")
    try:
        return await check.run(bench)
    except BotRefused as refused:
        label = bench.settings.bot.label
        raise MatchUsageError(f"{label} cannot play {bench.game.name}: {refused}") from refused
    except BotTrouble as trouble:
        if bench.last is None:
            return not_run(str(trouble))
        return bench.last.failure(str(trouble))
