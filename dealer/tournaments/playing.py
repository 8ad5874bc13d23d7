"""A tournament from the options to the standings."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from signal import SIGHUP, SIGTERM

from dealer.errors import MatchError
from dealer.hosts.line import HostLine
from dealer.hosts.place import RankInfo
from dealer.legs.folder import locked
from dealer.legs.in_process_leg import drop_unfinished, without_dealer
from dealer.legs.leg_settings import LegSettings
from dealer.legs.runner import run_queue, shared_cores
from dealer.matches.command_run import CommandRun, stop_in_order
from dealer.server.endings import Ending
from dealer.tournaments.aivat import estimate_pairings
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
    place: RankInfo | None = None,
    line: HostLine | None = None,
) -> int:
    """Play the tournament that is asked for, together with the other hosts on the line, if any.

    Args:
        arguments: the words that both were read from, for the record.
        place: of this host among several.

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


class _TournamentRun(CommandRun[TournamentRequest]):
    """One call of the command, once its arguments are understood and its folder is ready."""

    prog = PROG

    def __init__(
        self,
        request: TournamentRequest,
        arguments: Sequence[str],
        place: RankInfo | None,
        line: HostLine | None,
    ) -> None:
        super().__init__(request, arguments)
        self._place = place
        ledger = TournamentLedger(self._folder / LEDGER_NAME, request.tournament.digest)
        self._queue = TournamentQueue(
            request.tournament,
            request.game,
            self._folder,
            ledger,
            self._settings_of,
            retry=request.retry,
        )
        self._shown_at = len(ledger.entries)
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
        progress = self._begin_progress(queue, queue.standing)
        self._introduce(self._what_is_played())
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
        progress.clear()
        with handling((SIGTERM, SIGHUP), stop_in_order):
            if queue.refused is not None:
                discard = partial(discard_tournament, self._folder, request.tournament)
                self._refuse(queue.refused, discard, played=bool(queue.ledger.entries))
            return self._report()

    def _settings_of(self, match: PairingMatch, lock_fd: int) -> LegSettings:
        alone = self._request.in_process and without_dealer(match.manifest.bots)
        return self._leg_settings(match.manifest, match.folder, lock_fd, in_process=alone)

    def _what_is_played(self) -> str:
        tournament, queue = self._request.tournament, self._queue
        settings = tournament.settings
        before = f"; {queue.standing()}, {queue.hands:,} hands" if self._request.resume else ""
        dealt = "" if settings.deals is None else f", deals of {settings.deals.name}"
        return (
            f"{tournament.style.value} of {len(tournament.labels)} bots, {settings.game_name}, "
            f"seed {settings.seed}{dealt}: "
            f"{tournament.pairing_count:,} pairings of {settings.runs} x 2 legs of "
            f"{settings.hands:,} hands{before}"
        )

    def _watch(self) -> None:
        assert self._progress is not None
        self._progress()
        over = len(self._queue.ledger.entries)
        every = self._request.rating_interval
        if every and over - self._shown_at >= every:
            self._shown_at = over
            text = standing_text(self._request.tournament, standings(self._queue))
            self._say("\n" + text)

    def _report(self) -> int:
        request = self._request
        found = self._standings()
        code = self._exit_code(found)
        facts = standing_facts(request.tournament, found, command=[*PROG.split(), *self._arguments])
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

    def _standings(self) -> Standings:
        """Return the standings; Ctrl-C during the long parts leaves these out."""
        request, queue = self._request, self._queue
        logs = [queue.match(pairing).logs for pairing in queue.pairings()]
        for one in logs:
            one.read_new()
        aivat = None
        if (words := request.aivat) is not None:
            if not request.quiet:
                self._say(
                    "estimating by AIVAT the hands that have no estimate; Ctrl-C leaves it out"
                )
            aivat = self._unless_stopped(
                lambda: estimate_pairings(queue, words, request.jobs, shown=not request.quiet),
                f"AIVAT is left out; {self._again()} resumes it",
            )
        return self._with_all_in(
            sum(one.run_outs for one in logs),
            lambda step: standings(queue, step, aivat),
            self._again(),
        )

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
