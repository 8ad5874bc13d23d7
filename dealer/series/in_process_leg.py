"""A leg between shipped bots, played in one process without a dealer: the same log, sooner.

The bots draw what they would draw at a dealer, so the log is the dealer's to the byte.  It gets its
name when it is whole; a leg that was stopped is played again from its start.  A process plays one
leg after the other: to start one takes longer than a thousand hands of compiled bots.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dealer.bots.participants import CLASS_PATTERN, BotKind, Participant
from dealer.bots.processes import MARK_VARIABLE, Child, ProcessLauncher, end_marked, in_words
from dealer.bots.programs import LOOK_SECONDS, OutputFile
from dealer.errors import MatchUsageError
from dealer.plan.match_plan import Records
from dealer.plan.plan_documents import plan_document
from dealer.series.given_deals import DEALS_COPY_NAME
from dealer.series.leg_settings import LegSettings, leg_plan, told_of
from dealer.series.outcome import LegOutcome, finished_leg, replies_file, with_counts
from dealer.series.schedule import Leg, bot_seed
from dealer.server.endings import Ending
from dealer.server.match_run import log_header
from engine.console.output import printable
from engine.parallel.own_programs import environment, own_program
from protocol.deals import DealsNote

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import BinaryIO

    from dealer.plan.match_plan import MatchPlan
    from dealer.series.manifest import Manifest

_PROCESS_END_SECONDS: Final = 1.0
_BOT_FILE_OPTIONS: Final = ("--memory", "--model", "--models", "--predictor")
"""Their files lie in the folder of each bot, and some are written."""
_PROGRAM: Final = own_program("leg player")


def without_dealer(bots: Sequence[Participant]) -> bool:
    """Return whether bots can play each other in one process: ours and Python classes."""
    return all(
        bot.kind is BotKind.SHIPPED
        and not any(word.partition("=")[0] in _BOT_FILE_OPTIONS for word in bot.words)
        for bot in bots
    )


def check_without_dealer(bots: Sequence[Participant]) -> None:
    """Refuse a match that cannot be played so.

    Raises:
        MatchUsageError: it cannot.
    """
    for bot in bots:
        if not without_dealer((bot,)):
            raise MatchUsageError(
                "--in-process is for shipped bots without files, MODULE:CLASS, stdio:COMMAND and "
                f"pokerbots:FOLDER, and {bot.label} is "
                f"{' '.join(bot.words) or 'started by hand (listen)'}"
            )


def drop_unfinished(manifest: Manifest, folder: Path, ended: Collection[str] = ()) -> None:
    """Remove logs of legs that are to be played from their start, before anybody reads them.

    Args:
        ended: names of legs that a bot broke off: they are not played again.
    """
    for leg in manifest.legs():
        if leg.name not in ended and finished_leg(manifest, folder, leg) is None:
            for suffix in (".log", ".tlog", ".end.json", ".aivat"):
                (folder / f"{leg.name}{suffix}").unlink(missing_ok=True)
            for path in _replies_files(folder, leg):
                path.unlink(missing_ok=True)


async def play_in_process(
    settings: LegSettings,
    leg: Leg,
    launcher: ProcessLauncher,
    stop: asyncio.Event,
    core: int | None,
) -> LegOutcome:
    """Play a leg to its end, or until `stop` is set.

    Args:
        launcher: of the match; processes that can play another leg are its `idle` ones.
        core: processor core to keep it on; None for any.
    """
    folder = settings.folder.absolute()
    unfinished = folder / f"{leg.name}.log.part"
    turn = folder / f"{leg.name}.turn"
    errors = OutputFile(folder / f"{leg.name}.err")
    tidying = asyncio.create_task(_keep_short(errors))
    try:
        plan = leg_plan(settings, leg).match
        header = _header(settings, plan)
        unfinished.write_text("".join(f"{line}\n" for line in header), "utf-8")
        turn.write_bytes(bytes(1))
        player = await _player(launcher, f"{launcher.token}.{leg.name}")
        player.keep_on(core)
        request = _request(settings, leg, plan, (unfinished, errors.path, turn))
        with (
            unfinished.open("rb") as log,
            told_of(settings.unlogged, leg.name, hands_counter(log)),
        ):
            answer = await _answer(player, request, stop)
        if answer is None and not stop.is_set():
            await player.ended_within(_PROCESS_END_SECONDS)
        if answer is None or stop.is_set() or any(map(is_own_class, _seated(settings, leg))):
            await player.end(0.0)
            await end_marked(player.name)
        else:
            launcher.idle.append(player)
        if answer is None and not stop.is_set():
            answer = _told_of_end(settings, leg, player, turn)
        if answer is not None and (answer["ending"] == "played" or "label" in answer):
            unfinished.replace(folder / f"{leg.name}.log")  # or what was before it broke off
    except OSError as error:
        return LegOutcome(leg, Ending.ERROR, f"cannot start: {error}")
    finally:
        tidying.cancel()
        errors.keep_short()
        errors.remove_if_empty()
        unfinished.unlink(missing_ok=True)
        turn.unlink(missing_ok=True)
    if stop.is_set() or answer is None:
        return LegOutcome(leg, Ending.INTERRUPTED, "stopped; it is played from its start")
    return with_counts(_outcome(settings, leg, answer), settings.manifest, None, settings.folder)


def _told_of_end(settings: LegSettings, leg: Leg, player: Child, turn: Path) -> dict[str, Any]:
    """Return what a process would have said that has ended: which class was called last."""
    end = "does not answer any more" if player.was_stopped else in_words(player.status)
    (number,) = turn.read_bytes()
    if not number:
        return {"ending": "failed", "why": f"the process {end}"}
    label = settings.manifest.labels[leg.seats[number - 1]]
    return {"ending": "failed", "label": label, "why": f"the process {end} in its turn"}


def _outcome(settings: LegSettings, leg: Leg, answer: dict[str, Any]) -> LegOutcome:
    """Return how a leg ended, by what the process says."""
    if answer["ending"] == "played":
        return LegOutcome(leg, Ending.FINISHED)
    why = printable(str(answer["why"]))
    if answer["ending"] == "refused":
        bots = " or ".join(settings.manifest.labels[index] for index in leg.seats)
        return LegOutcome(leg, Ending.ERROR, "refused", bots, (why,), refused=True)
    if "label" in answer:
        culprit = str(answer["label"])
        return LegOutcome(leg, Ending.CRASH, f"{culprit} broke off", culprit, (why,))
    return LegOutcome(leg, Ending.ERROR, why)


def is_own_class(bot: Participant) -> bool:
    """Return whether a bot is a class of the user's own, which may keep what it likes in memory."""
    return CLASS_PATTERN.fullmatch(bot.words[0]) is not None


def _seated(settings: LegSettings, leg: Leg) -> list[Participant]:
    return [settings.manifest.bots[index] for index in leg.seats]


async def _player(launcher: ProcessLauncher, mark: str) -> Child:
    """Return a process that plays legs, a new one where none is idle.  Raises OSError.

    Its name is the mark that all it starts has in its environment: that of its first leg.
    """
    while launcher.idle:
        player = launcher.idle.pop()
        if player.status is None:
            return player
        await player.end(0.0)
    return await launcher.start(
        mark,
        _PROGRAM,
        cwd=Path.cwd(),
        env={**environment(), MARK_VARIABLE: mark},
        stderr=Path(os.devnull),
        requests=True,
    )


def hands_counter(log: BinaryIO) -> Callable[[], int]:
    """Return a function that counts the hands of a growing log, each time it is called."""
    hands = 0

    def count() -> int:
        nonlocal hands
        hands += log.read().count(b"STATE:")
        return hands

    return count


def _replies_files(folder: Path, leg: Leg) -> list[Path]:
    return [replies_file(folder, leg, seat) for seat in range(len(leg.seats))]


async def _keep_short(errors: OutputFile) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        errors.keep_short()


async def _answer(player: Child, request: str, stop: asyncio.Event) -> dict[str, Any] | None:
    """Return what a process says of a leg; None where it ends, or `stop` is set, before."""
    try:
        player.request(request)
    except BrokenPipeError:
        return None
    answer_line = asyncio.ensure_future(player.stdout.readline())
    stopped = asyncio.ensure_future(stop.wait())
    ended = asyncio.ensure_future(player.wait())
    try:
        await asyncio.wait((answer_line, stopped, ended), return_when=asyncio.FIRST_COMPLETED)
        if ended.done():  # what it has started may hold the pipe, but what it said is there
            await asyncio.wait((answer_line,), timeout=_PROCESS_END_SECONDS)
        line = answer_line.result() if answer_line.done() else b""
    except ValueError:  # a line without end: none of ours
        line = b""
    finally:
        for task in (answer_line, stopped, ended):
            task.cancel()
    answer: dict[str, Any] | None = json.loads(line) if line.endswith(b"\n") else None
    return answer


def _header(settings: LegSettings, plan: MatchPlan) -> list[str]:
    deals = settings.manifest.deals
    note = None if deals is None else DealsNote(plan.first_deal, deals.sha256, DEALS_COPY_NAME)
    return log_header(plan, note)


def _request(
    settings: LegSettings, leg: Leg, plan: MatchPlan, files: tuple[Path, Path, Path]
) -> str:
    """Return what is asked of `agents.roster.leg_player`; `files` are log, errors and turn."""
    manifest, folder = settings.manifest, settings.folder.absolute()
    bots = [
        {
            "bot": shlex.join(manifest.bots[index].words),
            "seed": bot_seed(leg, index),
            "folder": manifest.bots[index].directory or manifest.working_directory,
            "replies": str(replies),
        }
        for index, replies in zip(leg.seats, _replies_files(folder, leg), strict=True)
    ]
    log, errors, turn = map(str, files)
    there = replace(
        plan,
        game=str(folder / plan.game),
        deals=None if plan.deals is None else str(folder / plan.deals),
        records=Records(log),
    )
    return json.dumps({"plan": plan_document(there), "bots": bots, "errors": errors, "turn": turn})
