"""Who or what ended a leg: told from its log, the dealer's summary and the exit statuses."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dealer.bots.launcher import Child, in_words
from dealer.bots.output_file import size_on_disk, tail_of
from dealer.bots.seated import SeatedBot
from dealer.legs.leg_settings import LegSettings
from dealer.legs.outcome import LegOutcome, is_complete, read_summary, with_counts, words_of
from dealer.legs.plan import Leg
from dealer.server.endings import Ending

_NO_PACKAGE: Final = re.compile(
    r"ModuleNotFoundError: No module named '(agents|engine|protocol|numpy|numba)"
)


@dataclass(slots=True, kw_only=True)
class LegTraces:
    """What a play of a leg leaves behind."""

    settings: LegSettings
    leg: Leg
    dealer: Child | None = None
    bots: list[SeatedBot] = field(default_factory=list)
    gone: SeatedBot | None = None
    """A bot that ended while the dealer still waited for it."""
    dealer_stderr_from: int = 0
    """Size of the dealer's error file before this play of the leg, bytes."""
    actions_from: int = 0
    """Size of the transaction file before this play of the leg, bytes."""
    user_stopped: bool = False
    waited_for: str = ""
    """Whom the dealer waited for when the user stopped it, "" for nobody."""
    restarts: int = 0

    @property
    def begun(self) -> bool:
        """True once an action was taken in this play: all bots have connected."""
        return size_on_disk(self.file(".tlog")) > self.actions_from

    def file(self, suffix: str) -> Path:
        """Return a file of the leg."""
        return self.settings.folder / f"{self.leg.name}{suffix}"


async def ending_of(traces: LegTraces, patience: float) -> LegOutcome:
    """Return how a leg ended, once its dealer has.

    A bot that closed its connection may take `patience` seconds to end, for its exit status.
    """
    manifest = traces.settings.manifest
    summary = read_summary(traces.file(".end.json"))
    outcome = LegOutcome(traces.leg, Ending.FINISHED, restarts=traces.restarts)
    if not is_complete(traces.file(".log"), manifest.hands):
        outcome = await _broken_off(traces, summary, patience)
    return with_counts(outcome, manifest, summary, traces.settings.folder)


async def _broken_off(
    traces: LegTraces, summary: dict[str, Any] | None, patience: float
) -> LegOutcome:
    ending, detail, culprit = await _blame(traces, summary, patience)
    tail: tuple[str, ...] = ()
    if culprit is not None:
        tail = culprit.program.errors.tail()
        tail += _other_interpreter(culprit, tail)
    elif ending is Ending.ERROR:
        tail = tail_of(traces.file(".err"), traces.dealer_stderr_from)
    return LegOutcome(
        traces.leg,
        ending,
        detail,
        _label_blamed(traces, culprit, summary),
        tail,
        restarts=traces.restarts,
        refused=culprit is not None and culprit.refused(begun=traces.begun),
    )


def _other_interpreter(culprit: SeatedBot, tail: tuple[str, ...]) -> tuple[str, ...]:
    """Return a line of advice where a Python without our packages ran somebody's bot."""
    words = culprit.bot.words
    if not any(_NO_PACKAGE.match(line) for line in tail):
        return ()
    for at, word in enumerate(words):
        if Path(word).name.startswith("python"):
            ours = shlex.join([*words[:at], sys.executable, *words[at + 1 :]])
            return (f"({word} has not this project installed; {ours!r} would run the bot with it)",)
    return ()


async def _blame(
    traces: LegTraces, summary: dict[str, Any] | None, patience: float
) -> tuple[Ending, str, SeatedBot | None]:
    """Return the ending, its description and, where one of our bots is the cause, which."""
    if traces.gone is not None:
        status = traces.gone.child.status
        words = f"{traces.gone.bot.label} {in_words(status)} while the dealer waited for it"
        return (Ending.CRASH if status else Ending.DISCONNECT), words, traces.gone
    if summary is None:
        if traces.user_stopped:
            return Ending.INTERRUPTED, _with_wait("interrupted", traces), None
        status = None if traces.dealer is None else traces.dealer.status
        return Ending.ERROR, f"the dealer {in_words(status)} without a result", None
    ending = Ending(summary["ending"])
    detail = words_of(summary)
    bot = next((bot for bot in traces.bots if bot.number + 1 == summary["seat"]), None)
    if ending is Ending.INTERRUPTED:
        return ending, _with_wait(detail, traces), bot
    if ending is Ending.DISCONNECT and bot is not None:
        await bot.child.ended_within(patience)
        status = bot.child.status
        if status and not bot.child.was_stopped:
            return Ending.CRASH, f"{bot.bot.label} {in_words(status)}: {detail}", bot
    return ending, detail, bot


def _with_wait(detail: str, traces: LegTraces) -> str:
    """Return the words for an interruption, with whom it was waiting for."""
    return f"{detail} while waiting for {traces.waited_for}" if traces.waited_for else detail


def _label_blamed(
    traces: LegTraces, culprit: SeatedBot | None, summary: dict[str, Any] | None
) -> str | None:
    if culprit is not None:
        return culprit.bot.label
    seat: int | None = None if summary is None else summary["seat"]
    if seat is None or seat > len(traces.leg.seats):
        return None
    return traces.settings.manifest.labels[traces.leg.seats[seat - 1]]
