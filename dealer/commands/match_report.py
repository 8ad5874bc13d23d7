"""A match from what is asked for to the table of results."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from dealer.bots.program_files import earlier_lines
from dealer.commands.command_run import Console, play_series, ready_folder
from dealer.commands.match_options import MATCH
from dealer.commands.requests import PlayRequest, series_request
from dealer.commands.shard_report import shard_report
from dealer.commands.tournament_file import BotEntry
from dealer.errors import MatchError
from dealer.results.aivat import LiveAivat
from dealer.results.match_result import MatchResult, match_result, seat_text
from dealer.results.match_text import (
    endings_text,
    explanation_text,
    read_looks,
    result_table,
    summary_document,
)
from dealer.results.sequential import (
    SETS_TO_TRUST_SD,
    TOO_NARROW,
    MatchTest,
    decision_document,
    decision_text,
    sequential_text,
)
from dealer.series.folder import RESULT_NAME, settle_folder
from dealer.series.in_process_leg import drop_unfinished, without_dealer
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import Pairing
from dealer.series.series import Series
from dealer.server.endings import Ending
from engine.parallel.shards import Shard
from engine.storage.atomic import write_whole


def play_match_request(
    given: argparse.Namespace,
    arguments: Sequence[str],
    prog: str = MATCH,
    shard: Shard | None = None,
) -> int:
    """Play what is asked for; return the exit code.

    Args:
        prog: the command whose arguments these are.
        shard: which part of it is played; None: all.

    Raises:
        MatchError: it cannot be played.
    """
    request = series_request(given, [*map(BotEntry, given.bots)], shard=shard)
    console = Console(request, prog, arguments)
    with ready_folder(request) as lock_fd:
        settle_folder(request.folder, request.stored or request.manifest, request.manifest)
        manifest = request.manifest
        if request.in_process and without_dealer(manifest.bots):
            drop_unfinished(manifest, console.folder)
        settings = console.leg_settings
        series = Series(manifest, console.folder, lock_fd, settings, shard=shard)
        report = MatchReport(request, series, console)
        return play_series(request, shard_report(request, report, console) or report, console)


class MatchReport:
    """What is told of a match: who wins, and what its sequential test says."""

    def __init__(self, request: PlayRequest, series: Series, console: Console) -> None:
        self.series = series
        self._request = request
        self._console = console
        (self._pairing,) = series.pairings()
        self._logs = series.match(self._pairing)
        self._logs.read_new()
        self._legs_left = series.count_left()
        self._aivat = None
        if request.aivat is not None:
            self._aivat = LiveAivat(self._logs, request.aivat)
        test = request.manifest.sprt
        self._test = None if test is None else MatchTest(test, self._logs)
        """By which the match ends."""
        series.longer = self._longer

    def introduction(self) -> list[str]:
        """Return what is played, and how long a sequential test will take."""
        manifest = self._logs.manifest
        legs = self.series.leg_count
        played = f"{legs} {'leg' if legs == 1 else 'legs'} of {manifest.hands:,} hands"
        if manifest.sprt is not None:
            played = f"legs of {manifest.hands:,} hands until a sequential test decides"
        over = legs - self._legs_left
        progress = f"; {over} of them and {self._logs.hands:,} hands are played already"
        what = (
            f"{' vs '.join(manifest.labels)}, {manifest.game_name}, seed {manifest.seed}"
            + ("" if manifest.deals is None else f", deals of {manifest.deals.name}")
            + ("" if manifest.sit_in is None else f", in the seat of {manifest.sit_in.player}")
            + f": {played}"
            + (progress if self._request.resume else "")
        )
        prediction = "" if self._test is None else self._test.prediction()
        return [what, prediction] if prediction else [what]

    def jobs(self) -> int:
        """Return how many legs are played at once, 0 where none is left."""
        if self._test is None:
            return min(self._request.jobs, self._legs_left)
        return 0 if self._test.decided else self._request.jobs

    @contextmanager
    def playing(self) -> Iterator[None]:
        """Within, AIVAT follows the logs."""
        if self._aivat is not None:
            self._aivat.start()
        try:
            yield
        finally:
            if self._aivat is not None:
                self._aivat.stop()

    def watch(self) -> bool:
        """Return whether a sequential test has decided the match."""
        test = self._test
        if test is None:
            return False
        if self._request.quiet:
            self._logs.read_new()
        test.update()
        enough = test.state.samples >= SETS_TO_TRUST_SD and not self._request.quiet
        if enough and (text := test.prediction()):
            self._console.say(text)
        return test.decided

    def standing(self) -> str:
        """Return what the first bot wins, also by AIVAT, and where the test stands."""
        test, parts = self._test, [self._logs.standing()]
        if self._aivat is not None:
            parts.append(self._aivat.standing())
        if test is not None:
            test.update()
            progress = self._console.progress
            speed = 0.0 if progress is None else progress.speed
            parts.append(sequential_text(test.test, test.state, speed))
        return "  ".join(parts)

    def _longer(self, series: Series) -> dict[Pairing, int]:
        """Return by how many runs a match that ends by a test goes on; none at its longest."""
        runs = series.manifest.runs
        if self._test is None or runs >= self._request.most_runs:
            return {}
        self._logs.read_new()  # legs may be over sooner than anybody watches
        self._test.update()
        return {} if self._test.decided else {self._pairing: runs + 1}

    def finish(self) -> int:
        """Tell and write the result; return the exit code."""
        self._logs.read_new()
        outcomes = [self.series.ended(leg) for leg in self._logs.legs]
        result, looks = self._looked_at(self._result())
        test, sequential, said = self._test, None, ""
        ended = outcomes
        if test is not None:
            test.update()
            sequential = decision_document(test.test, test.state)
            said = decision_text(test.test, test.state, self._logs.labels[0]) + "\n"
            if test.decided:
                ended = [
                    outcome for outcome in outcomes if outcome.ending is not Ending.INTERRUPTED
                ]
        if result.sit_in is not None and result.sit_in.hands:
            said += f"{seat_text(result.sit_in)}\n"
        caveats = earlier_lines(self._logs.manifest.bots)
        said += "".join(f"{line}\n" for line in caveats)
        if test is not None:
            caveats = [TOO_NARROW, *caveats]
        code = exit_code(ended)
        text = (
            f"{result_table(result)}\n\n{explanation_text(result)}{said}"
            f"{self._console.workers_text()}logs: {self._request.folder}\n{endings_text(ended)}\n"
        )
        if any(outcome.ending is not Ending.FINISHED for outcome in ended):
            text += f"to resume: {self._console.again}\n"
        facts = {
            **self._console.record(),
            "folder": str(self._request.folder),
            "exit_code": code,
            "looks": looks,
            **summary_document(
                self._request.folder,
                self._logs,
                result,
                outcomes,
                sequential=sequential,
                aivat=None if self._aivat is None else self._aivat.facts(),
                caveats=caveats,
            ),
        }
        result_file = self._console.folder / RESULT_NAME
        shown = self._console.show_result(text, facts, str(self._request.folder / RESULT_NAME))
        try:
            write_whole(result_file, json.dumps(facts, indent=2, allow_nan=False) + "\n")
        except OSError as exc:
            raise MatchError(f"cannot write {result_file}: {exc.strerror}") from exc
        return code or shown

    def _looked_at(self, result: MatchResult) -> tuple[MatchResult, list[int]]:
        """Return a result that knows whether its length was fixed, and the hands at each look.

        A match that was interrupted and played to its planned end has been looked at once.
        """
        looks = read_looks(self._console.folder)
        whole = result.hands == result.hands_planned
        if whole and result.hands not in looks:
            looks.append(result.hands)
        fixed = self._test is None and whole and len(looks) == 1
        return replace(result, fixed=fixed), looks

    def _result(self) -> MatchResult:
        """Return the result; Ctrl-C during the long parts of it leaves them out."""
        chips = seat = None
        if (aivat := self._aivat) is not None:
            jobs, shown = self._request.jobs, not self._request.quiet
            chips = self._console.unless_stopped(
                lambda: aivat.estimates(jobs, shown=shown),
                f"AIVAT is left out; {self._console.again} computes it",
            )
            if chips is not None:
                seat = self._console.unless_stopped(
                    lambda: aivat.seat_estimates(jobs, shown=shown),
                    f"AIVAT of the hands in the log is left out; {self._console.again} computes it",
                    f"{MATCH}: the difference to the log is without AIVAT",
                )
        return self._console.with_all_in(
            self._logs.run_outs, lambda step: match_result(self._logs, step, chips, seat)
        )


def exit_code(outcomes: Sequence[LegOutcome]) -> int:
    """Return the exit code of a match: stopped by the user, else the first leg that failed."""
    endings = [outcome.ending for outcome in outcomes]
    if Ending.INTERRUPTED in endings:
        return Ending.INTERRUPTED.exit_code
    return next((end.exit_code for end in endings if end is not Ending.FINISHED), 0)
