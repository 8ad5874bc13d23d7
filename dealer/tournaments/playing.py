"""A tournament from the options to the standings."""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
from collections.abc import Sequence
from contextlib import closing
from signal import SIGHUP, SIGTERM
from types import FrameType
from typing import NoReturn

from dealer.hosts.line import HostLine
from dealer.hosts.place import HostPlace
from dealer.matches.aivat_files import ESTIMATES_LEFT_OUT, has_estimates
from dealer.matches.errors import MatchError, MatchUsageError
from dealer.matches.folder import locked
from dealer.matches.in_process_leg import drop_unfinished, without_dealer
from dealer.matches.leg_settings import LegSettings
from dealer.matches.option_values import FASTER_IN_PROCESS
from dealer.matches.progress import MatchProgress
from dealer.matches.runner import run_queue, shared_cores
from dealer.server.endings import Ending
from dealer.server.waits import Wait
from dealer.tournaments.aivat import PairingEstimates, estimate_pairings
from dealer.tournaments.arguments import TournamentRequest, request_from
from dealer.tournaments.command_line import PROG
from dealer.tournaments.folder import discard_tournament, prepare_tournament, settle_tournament
from dealer.tournaments.ledger import LEDGER_NAME, TournamentLedger
from dealer.tournaments.leg_queue import PairingMatch, TournamentQueue, check_ledger
from dealer.tournaments.other_hosts import check_shareable, helping_hosts
from dealer.tournaments.publishing import publish, standing_facts
from dealer.tournaments.standing import Standings, standings
from dealer.tournaments.standing_text import endings_text, standing_text
from dealer.tournaments.toml_file import BotEntry
from dealer.tournaments.tournament import write_tournament
from engine.console.exit_codes import FAILED
from engine.console.options import STDOUT
from engine.console.output import put_json, show, tell
from engine.parallel.signals import handling


def play(
    given: argparse.Namespace,
    entries: Sequence[BotEntry],
    arguments: Sequence[str],
    place: HostPlace | None = None,
    line: HostLine | None = None,
) -> int:
    """Play the tournament that is asked for, with others on the line where there are.

    Args:
        given: the options.
        entries: the bots.
        arguments: the words that both were read from, for the record.
        place: of this host among several.
        line: to the others.

    Returns:
        The exit code.

    Raises:
        MatchError: it cannot be played.
    """
    request = request_from(given, entries, 1 if place is None else place.size_here)
    if place is not None:
        check_shareable(request.tournament)
    if not request.resume:
        prepare_tournament(
            request.folder, request.tournament, force=request.force, deals=request.deals
        )
    with locked(request.folder):
        settle_tournament(request.folder, request.before or request.tournament)
        return _TournamentRun(request, arguments, place, line).play()


def _stop_in_order(_number: int, _frame: FrameType | None) -> NoReturn:
    """Let what is being written be cleared away, as after Ctrl-C."""
    raise KeyboardInterrupt


class _TournamentRun:
    """One call of the command, once its arguments are understood and its folder is ready."""

    def __init__(
        self,
        request: TournamentRequest,
        arguments: Sequence[str],
        place: HostPlace | None,
        line: HostLine | None,
    ) -> None:
        self._request = request
        self._place = place
        self._arguments = arguments
        self._folder = request.folder.absolute()
        self._waits: dict[str, Wait] = {}
        self._unlogged: dict[str, int] = {}
        ledger = TournamentLedger(self._folder / LEDGER_NAME, request.tournament.digest)
        self._queue = TournamentQueue(
            request.tournament,
            request.game,
            self._folder,
            ledger,
            self._leg_settings,
            retry=request.retry,
        )
        self._shown_at = len(ledger.entries)
        self._progress: MatchProgress | None = None
        self._others = None if line is None else helping_hosts(line, request.tournament, self._say)

    def play(self) -> int:
        request, queue = self._request, self._queue
        check_ledger(queue)
        if request.before not in (None, request.tournament):  # longer: only what can be played
            write_tournament(self._folder, request.tournament)
        for match in map(queue.match, queue.pairings()):
            if request.in_process and without_dealer(match.manifest.bots):
                drop_unfinished(match.manifest, match.folder)
            match.logs.read_new()
        self._progress = MatchProgress(
            queue,
            sys.stderr,
            shown=not request.quiet,
            waits=self._waits,
            unlogged=self._unlogged,
        )
        if not request.quiet:
            self._introduce()
        settings = request.tournament.settings
        cores = shared_cores(settings.bots, at_once=request.jobs, wanted=request.affinity)
        with closing(queue):
            asyncio.run(
                run_queue(
                    queue,
                    jobs=request.jobs,
                    cores=cores if self._place is None else self._place.share_of(cores),
                    recruiting=None if self._others is None else self._others.recruiting,
                    watch=self._watch,
                )
            )
        self._progress.clear()
        with handling((SIGTERM, SIGHUP), _stop_in_order):
            if queue.refused is not None:
                self._refuse()
            return self._report()

    def _leg_settings(self, match: PairingMatch, lock_fd: int) -> LegSettings:
        return LegSettings(
            match.manifest,
            match.folder,
            self._say,
            recover=self._request.recover,
            events=self._request.events,
            in_process=self._request.in_process and without_dealer(match.manifest.bots),
            lock_fd=lock_fd,
            waits=self._waits,
            unlogged=self._unlogged,
        )

    def _say(self, line: str) -> None:
        if self._progress is None:
            tell(line)
        else:
            self._progress.say(line)

    def _introduce(self) -> None:
        tournament, queue = self._request.tournament, self._queue
        settings = tournament.settings
        before = f"; {queue.standing()}, {queue.hands:,} hands" if self._request.resume else ""
        dealt = "" if settings.deals is None else f", deals of {settings.deals.name}"
        self._say(
            f"{tournament.style.value} of {len(tournament.labels)} bots, {settings.game_name}, "
            f"seed {settings.seed}{dealt}: "
            f"{tournament.pairing_count:,} pairings of {settings.runs} x 2 legs of "
            f"{settings.hands:,} hands{before}"
        )
        if self._request.faster:
            self._say(FASTER_IN_PROCESS)
        if self._request.resume and self._request.aivat is None and has_estimates(self._folder):
            self._say(ESTIMATES_LEFT_OUT)

    def _watch(self) -> None:
        assert self._progress is not None
        self._progress()
        over = len(self._queue.ledger.entries)
        every = self._request.rating_interval
        if every and over - self._shown_at >= every:
            self._shown_at = over
            text = standing_text(self._request.tournament, standings(self._queue))
            self._say("\n" + text)

    def _refuse(self) -> NoReturn:
        """End a tournament in which a shipped bot does not accept its options."""
        outcome = self._queue.refused
        assert outcome is not None
        if not self._request.resume and not self._queue.ledger.entries:
            discard_tournament(self._folder, self._request.tournament)
        words = outcome.stderr[-1] if outcome.stderr else outcome.detail
        raise MatchUsageError(f"{outcome.bot} cannot play: {words}")

    def _report(self) -> int:
        request = self._request
        found = self._standings()
        code = self._exit_code(found)
        facts = standing_facts(
            request.tournament, found, command=["arena", "tournament", *self._arguments]
        )
        try:
            publish(self._folder, request.tournament, found, facts)
        except OSError as exc:
            raise MatchError(f"cannot write the standings: {exc}") from exc
        text = standing_text(request.tournament, found)
        text += f"\n{endings_text(self._queue)}standings and logs: {request.folder}\n"
        if found.legs < found.legs_planned:
            text += f"to resume: {self._again()}\n"
        shown = 0 if request.json is None else put_json(request.json, facts, PROG)
        if request.json == STDOUT:
            tell(text.rstrip("\n"))
        else:
            shown = show(text, PROG) or shown
        return code or shown

    def _aivat(self) -> PairingEstimates | None:
        """Return the estimates of AIVAT, if wanted; Ctrl-C, or what goes wrong, leaves them out."""
        request = self._request
        if request.aivat is None:
            return None
        if not request.quiet:
            self._say("estimating by AIVAT the hands that have no estimate; Ctrl-C leaves it out")
        try:
            return estimate_pairings(
                self._queue, request.aivat, request.jobs, shown=not request.quiet
            )
        except KeyboardInterrupt:
            self._say(f"AIVAT is left out; {self._again()} resumes it")
        except MatchError as error:
            self._say(f"{PROG}: {error}")
        return None

    def _standings(self) -> Standings:
        """Return the standings; Ctrl-C during a long part of it leaves that part out."""
        assert self._progress is not None
        progress = self._progress
        matches = [self._queue.match(pairing) for pairing in self._queue.pairings()]
        for match in matches:
            match.logs.read_new()
        aivat = self._aivat()
        total = sum(match.logs.run_outs for match in matches)
        done = 0

        def step(count: int) -> None:
            nonlocal done
            done += count
            progress.step("all-in expectation, hands", done, total)

        try:
            return standings(self._queue, step, aivat)
        except KeyboardInterrupt:
            self._say(f"all-in expectation is left out; {self._again()} computes it")
            return standings(self._queue, None, aivat)
        finally:
            progress.clear()

    def _again(self) -> str:
        """Return the command that resumes the tournament, and AIVAT if that is wanted."""
        words = self._request.aivat
        asked = [] if words is None else ["--aivat", *words]
        return " ".join([f"{PROG} --resume {self._request.folder}", *map(shlex.quote, asked)])

    def _exit_code(self, found: Standings) -> int:
        endings = [outcome.ending for outcome in self._queue.unfinished.values()]
        errors = [ending for ending in endings if ending is not Ending.INTERRUPTED]
        if errors:
            return FAILED
        if found.legs < found.legs_planned:
            return Ending.INTERRUPTED.exit_code
        return FAILED if any(bot.forfeits for bot in found.bots) else 0
