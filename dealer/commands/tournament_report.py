"""A tournament from what is asked for to the standings."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Any

from dealer.commands.command_run import Console, play_series, ready_folder
from dealer.commands.match_options import TOURNAMENT
from dealer.commands.requests import (
    PlayRequest,
    known_bounds,
    series_request,
)
from dealer.commands.shard_report import shard_report
from dealer.commands.tournament_file import BotEntry
from dealer.errors import MatchError
from dealer.results.aivat import estimate_matches
from dealer.results.deciding import TopDecider
from dealer.results.standing import Standings, standings
from dealer.results.standing_files import publish_standings, standing_facts
from dealer.results.standing_text import standing_text, unfinished_text
from dealer.series.folder import LEDGER_NAME, settle_folder
from dealer.series.in_process_leg import drop_unfinished, without_dealer
from dealer.series.ledger import TournamentLedger
from dealer.series.series import Series, check_ledger
from dealer.server.endings import Ending
from engine.console.exit_codes import FAILED
from engine.parallel.shards import Shard


def play_tournament(
    given: argparse.Namespace,
    entries: Sequence[BotEntry],
    arguments: Sequence[str],
    shard: Shard | None = None,
) -> int:
    """Play the tournament that is asked for.

    Args:
        arguments: the words that both were read from, for the record.
        shard: which part of it is played; None: all.

    Returns:
        The exit code.

    Raises:
        MatchError: it cannot be played.
    """
    request = series_request(given, entries, shard)
    console = Console(request, TOURNAMENT, arguments)
    with ready_folder(request) as lock_fd:
        report = TournamentReport(request, _open_series(request, lock_fd, console), console)
        return play_series(request, shard_report(request, report, console) or report, console)


def _open_series(request: PlayRequest, lock_fd: int, console: Console) -> Series:
    """Return the tournament in its folder, made as long as it is asked for.

    Raises:
        MatchError: the folder cannot be used, or the ledger is not that of the logs.
    """
    tournament, folder = request.manifest, console.folder
    stored = request.stored or tournament
    settle_folder(folder, stored, stored)
    ledger = TournamentLedger(folder / LEDGER_NAME, stored.digest)
    series = Series(
        tournament,
        folder,
        lock_fd,
        console.leg_settings,
        ledger=ledger,
        retry=request.retry,
        shard=request.shard,
    )
    check_ledger(series)
    if new := tournament.newcomers(stored):
        ledger.join(new, tournament.digest)
    if stored != tournament:  # longer: only what can be played
        settle_folder(folder, stored, tournament)
    for match in map(series.match, series.pairings()):
        if request.in_process and without_dealer(match.manifest.bots):
            entries = [] if request.retry else series.entries(match)
            drop_unfinished(match.manifest, match.folder, {entry.leg for entry in entries})
        match.read_new()
    return series


class TournamentReport:
    """What is told of a tournament: its standings, and which places are decided."""

    def __init__(self, request: PlayRequest, series: Series, console: Console) -> None:
        self.series = series
        self._request = request
        self._tournament = request.manifest
        self._console = console
        self._decider: TopDecider | None = None
        if request.decide is not None:
            say = (lambda line: None) if request.quiet else console.say
            self._decider = TopDecider(request.decide, request.decide_hands, say)
            series.longer = self._decider
        self._shown_at = len(series.ledger.entries)

    def introduction(self) -> list[str]:
        """Return what is played."""
        tournament, series = self._tournament, self.series
        progress = f"; {self.standing()}, {series.hands:,} hands" if self._request.resume else ""
        dealt = "" if tournament.deals is None else f", deals of {tournament.deals.name}"
        return [
            f"{tournament.style_name} of {len(tournament.bots)} bots, {tournament.game_name}, "
            f"seed {tournament.seed}{dealt}: "
            f"{tournament.pairing_count:,} pairings of {tournament.runs} x {tournament.players} "
            f"legs of {tournament.hands:,} hands{progress}"
        ]

    def jobs(self) -> int:
        """Return how many legs are played at once."""
        return self._request.jobs

    def playing(self) -> AbstractContextManager[None]:
        """Within, legs are played."""
        return nullcontext()

    def standing(self) -> str:
        """Return how many legs are over."""
        series = self.series
        return f"{len(series.ledger.entries):,}/{series.leg_count:,} legs over"

    def watch(self) -> bool:
        """Show the standings now and then, if that is asked for."""
        over = len(self.series.ledger.entries)
        every = self._request.rating_interval
        if every and over - self._shown_at >= every:
            self._shown_at = over
            self._console.say("\n" + standing_text(self._tournament, standings(self.series)))
        return False

    def finish(self) -> int:
        """Tell and write the standings; return the exit code."""
        standings = self._standings()
        facts = self._console.record() | standing_facts(self._tournament, standings)
        decided = self._decision(facts)
        try:
            publish_standings(self._console.folder, self._tournament, standings, facts)
        except OSError as exc:
            raise MatchError(f"cannot write the standings: {exc}") from exc
        text = standing_text(self._tournament, standings)
        text += (
            f"{decided}\n{unfinished_text(self.series)}{self._console.workers_text()}"
            f"standings and logs: {self._request.folder}\n"
        )
        if standings.legs < standings.legs_planned:
            text += f"to resume: {self._console.again}\n"
        shown = self._console.show_result(text, facts, str(self._request.folder))
        return self._exit_code(standings) or shown

    def _standings(self) -> Standings:
        """Return the standings; Ctrl-C during the long parts leaves these out."""
        request, legs = self._request, self.series
        logs = [legs.match(pairing) for pairing in legs.pairings()]
        for match in logs:
            match.read_new()
        aivat = None
        if (options := request.aivat) is not None:
            if not request.quiet:
                self._console.say(
                    "estimating by AIVAT the hands that have no estimate; Ctrl-C leaves it out"
                )
            aivat = self._console.unless_stopped(
                lambda: estimate_matches(logs, options, request.jobs, shown=not request.quiet),
                f"AIVAT is left out; {self._console.again} resumes it",
            )
        result = self._console.with_all_in(
            sum(match.run_outs for match in logs),
            lambda step: standings(legs, step, aivat),
        )
        return replace(result, bounds=known_bounds(self._tournament))

    def _decision(self, facts: dict[str, Any]) -> str:
        """Return what --decide has decided, a line, and put it into the facts; "" without it."""
        decider = self._decider
        if decider is None:
            return ""
        left_out = f"what is decided is left out; {self._console.again} computes it"
        look = self._console.unless_stopped(lambda: decider.look(self.series), left_out)
        if look is None:
            return ""
        facts["decide"] = decider.document(self.series, look[1])
        return f"\n{decider.text(self.series, look[1])}\n"

    def _exit_code(self, standings: Standings) -> int:
        endings = [outcome.ending for outcome in self.series.outcomes.values()]
        errors = [ending for ending in endings if ending is not Ending.INTERRUPTED]
        if errors:
            return FAILED
        if standings.legs < standings.legs_planned:
            return Ending.INTERRUPTED.exit_code
        return FAILED if any(bot.forfeits for bot in standings.bots) else 0
