"""A leg between two compiled bots, played in one process without a dealer: the same log, sooner.

The bots draw what they would draw at a dealer, so the log is the dealer's to the byte.  It gets its
name when it is whole; a leg that was stopped is played again from its start, which takes less time
than reading what there was.
"""

from __future__ import annotations

import asyncio
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from dealer.matches.bots import BotKind, Participant
from dealer.matches.errors import MatchUsageError
from dealer.matches.given_deals import DEALS_NAME
from dealer.matches.launcher import Child, ProcessLauncher
from dealer.matches.outcome import LegOutcome, finished_leg, in_words, tail_of
from dealer.matches.plan import Leg, bot_seed
from dealer.server.command import log_header
from dealer.server.endings import Ending
from dealer.server.options import parse_options
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.parallel.own_programs import environment, own_program
from protocol.deals import DealsNote

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from dealer.matches.leg import LegSettings
    from dealer.matches.manifest import Manifest
    from dealer.server.options import Options

_PLAYERS: Final = 2
_PROGRAM: Final = own_program("agents.compiled.leg_player")


def without_dealer(bots: Sequence[Participant], compiled: Collection[str]) -> bool:
    """Return whether bots can play each other in one process.

    Args:
        bots: who meets.
        compiled: names of the shipped bots that are compiled; with options they play at dealers.
    """
    return len(bots) == _PLAYERS and all(
        bot.kind is BotKind.SHIPPED and len(bot.words) == 1 and bot.words[0] in compiled
        for bot in bots
    )


def check_without_dealer(bots: Sequence[Participant], compiled: Collection[str]) -> None:
    """Refuse a match that cannot be played so.

    Raises:
        MatchUsageError: it cannot.
    """
    if len(bots) != _PLAYERS:
        raise MatchUsageError(f"--in-process is for two bots, not for {len(bots)}")
    for bot in bots:
        if not without_dealer((bot, bot), compiled):
            raise MatchUsageError(
                f"--in-process is for compiled bots without options, and {bot.label} is "
                f"{' '.join(bot.words) or 'somebody else'}"
            )


def drop_unfinished(manifest: Manifest, folder: Path) -> None:
    """Remove logs of legs that are to be played from their start, before anybody reads them."""
    for leg in manifest.legs():
        if finished_leg(manifest, folder, leg) is None:
            for suffix in (".log", ".tlog", ".end.json", ".aivat"):
                (folder / f"{leg.name}{suffix}").unlink(missing_ok=True)


async def play_in_process(
    settings: LegSettings,
    leg: Leg,
    dealer_arguments: Sequence[str],
    launcher: ProcessLauncher,
    stop: asyncio.Event,
    core: int | None,
) -> LegOutcome:
    """Play a leg to its end, or until `stop` is set.

    Args:
        settings: of all legs.
        leg: which.
        dealer_arguments: what its dealer would be started with, after the program.
        launcher: of the match.
        stop: set when the user has stopped the match.
        core: processor core to keep it on; None for any.
    """
    stem = settings.folder / leg.name
    unfinished, errors = (stem.with_name(f"{leg.name}{end}") for end in (".log.part", ".err"))
    errors_from = errors.stat().st_size if errors.exists() else 0
    try:
        options, _ = parse_options(list(dealer_arguments))
        header = _header(settings, leg, options)
        unfinished.write_text("".join(f"{line}\n" for line in header), "utf-8")
        child = await launcher.start(
            "in-process leg",
            _command(settings, leg, options),
            cwd=settings.folder,
            env=environment(),
            stdout=unfinished,
            stderr=errors,
            core=core,
        )
        status = await _status(child, stop)
        if status == 0:
            unfinished.replace(stem.with_name(f"{leg.name}.log"))
            return LegOutcome(leg, Ending.FINISHED)
    except OSError as error:
        return LegOutcome(leg, Ending.ERROR, f"cannot start: {error}")
    finally:
        unfinished.unlink(missing_ok=True)
        if errors.exists() and not errors.stat().st_size:
            errors.unlink()
    if stop.is_set():
        return LegOutcome(leg, Ending.INTERRUPTED, "stopped; it is played from its start")
    tail = tail_of(errors, errors_from)
    if status == WRONG_ARGUMENTS:
        bots = " or ".join(settings.manifest.labels[index] for index in leg.seats)
        return LegOutcome(leg, Ending.ERROR, "refused", bots, tail, refused=True)
    return LegOutcome(leg, Ending.ERROR, f"the process {in_words(status)}", stderr=tail)


def _header(settings: LegSettings, leg: Leg, options: Options) -> list[str]:
    manifest = settings.manifest
    named = replace(
        options,
        match=leg.name,
        gamedef=manifest.game_name,
        hands=manifest.hands,
        seed=leg.seed,
    )
    if manifest.deals is None:
        return log_header(named)
    note = DealsNote(options.first_deal, manifest.deals.sha256, DEALS_NAME)
    return log_header(named, note)


def _command(settings: LegSettings, leg: Leg, options: Options) -> list[str]:
    manifest = settings.manifest
    deals = ["--deals", DEALS_NAME, "--first-deal", str(options.first_deal)]
    return [
        *(*_PROGRAM, manifest.game_name, str(manifest.hands), str(leg.seed)),
        *(
            word
            for index in leg.seats
            for word in (
                manifest.labels[index],
                str(bot_seed(leg, index)),
                shlex.join(manifest.bots[index].words),
            )
        ),
        *(() if manifest.deals is None else deals),
    ]


async def _status(child: Child, stop: asyncio.Event) -> int:
    """Return the exit status of a process, which is ended when `stop` is set."""
    ended, stopped = asyncio.ensure_future(child.wait()), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
    finally:
        stopped.cancel()
        await child.end(0.0)
    return await ended
