"""A match from the options to the table of results."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace

from dealer.bots.program_files import earlier_lines
from dealer.commands.options import MATCH
from dealer.commands.requests import PlayRequest, match_request
from dealer.commands.run import CommandRun, ready_folder
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
    ENOUGH_SETS,
    TOO_NARROW,
    MatchTest,
    decision_document,
    decision_text,
    sequential_text,
)
from dealer.series.folder import RESULT_NAME, settle_folder
from dealer.series.in_process_leg import drop_unfinished
from dealer.series.leg_queue import LegsInTurn, Recruiting
from dealer.series.logs import MatchLogs
from dealer.series.outcome import LegOutcome
from dealer.series.schedule import Leg
from dealer.server.endings import Ending
from engine.storage.atomic import write_whole


def play_match_request(
    given: argparse.Namespace, arguments: Sequence[str], prog: str = MATCH
) -> int:
    """Play what is asked for; return the exit code.

    Args:
        prog: the command whose arguments these are.

    Raises:
        MatchError: it cannot be played.
    """
    request = match_request(given)
    with ready_folder(request) as lock_fd:
        settle_folder(request.folder, request.before or request.manifest, request.manifest)
        return _MatchRun(request, arguments, lock_fd, prog).play()


class _MatchRun(CommandRun):
    _queue: LegsInTurn

    def __init__(
        self, request: PlayRequest, arguments: Sequence[str], lock_fd: int, prog: str
    ) -> None:
        self.prog = prog
        super().__init__(request, arguments)
        manifest = request.manifest
        if self._in_process(manifest):
            drop_unfinished(manifest, self._folder)
        self._played = self._logs = MatchLogs(manifest, request.game, self._folder)
        self._logs.read_new()
        settings = self._leg_settings(manifest, self._folder, lock_fd)
        self._queue = LegsInTurn(settings, self._logs.legs, self._longer)
        self._aivat = None
        if request.aivat is not None:
            self._aivat = LiveAivat(self._logs, request.aivat)
        test = manifest.sprt
        self._test = None if test is None else MatchTest(test, self._logs)
        """By which the match ends."""

    def _introduce(self) -> None:
        super()._introduce()
        self._predict()

    def _jobs(self) -> int:
        if self._test is None:
            return min(self._request.jobs, self._queue.left)
        return 0 if self._test.decided else self._request.jobs

    def _play(
        self, jobs: int, cores: tuple[int, ...], recruiting: Recruiting | None = None
    ) -> None:
        if self._aivat is not None:
            self._aivat.start()
        try:
            super()._play(jobs, cores, recruiting)
        finally:
            if self._aivat is not None:
                self._aivat.stop()

    def _watch(self) -> bool:
        """Show how far the match is; return whether a sequential test has decided it."""
        super()._watch()
        if self._test is None:
            return False
        if self._request.quiet:
            self._logs.read_new()
        self._test.update()
        if self._test.state.samples >= ENOUGH_SETS:
            self._predict()
        return self._test.decided

    def _predict(self) -> None:
        """Say how long the test will take, if there is anything new to say of it."""
        if self._request.quiet or self._test is None:
            return
        if text := self._test.prediction():
            self._say(text)

    def _standing(self) -> str:
        test, logs = self._test, self._logs
        told = [logs.standing()]
        if self._aivat is not None:
            told.append(self._aivat.standing())
        if test is not None:
            test.update()
            speed = 0.0 if self._progress is None else self._progress.speed
            told.append(sequential_text(test.test, test.state, speed))
        return "  ".join(told)

    def _longer(self) -> Sequence[Leg]:
        """Make a match that ends by a test a run longer; return its legs, none at its longest."""
        manifest = self._logs.manifest
        if self._test is None or manifest.runs >= self._request.most_runs:
            return ()
        self._logs.read_new()  # legs may be over sooner than anybody watches
        self._test.update()
        if self._test.decided:
            return ()
        longer = replace(manifest, runs=manifest.runs + 1)
        settle_folder(self._folder, manifest, longer)
        self._logs.extend(longer)
        return self._logs.legs[-self._logs.seatings :]

    def _what_is_played(self) -> str:
        manifest = self._logs.manifest
        legs, todo = manifest.leg_count, self._queue.left
        played = f"{legs} {'leg' if legs == 1 else 'legs'} of {manifest.hands:,} hands"
        if manifest.sprt is not None:
            played = f"legs of {manifest.hands:,} hands until a sequential test decides"
        before = f"; {legs - todo} of them and {self._logs.hands:,} hands are played already"
        return (
            f"{' vs '.join(manifest.labels)}, {manifest.game_name}, seed {manifest.seed}"
            + ("" if manifest.deals is None else f", deals of {manifest.deals.name}")
            + ("" if manifest.sit_in is None else f", in the seat of {manifest.sit_in.player}")
            + f": {played}"
            + (before if self._request.resume else "")
        )

    def _report(self) -> int:
        self._logs.read_new()
        outcomes = [self._queue.ended(leg) for leg in self._logs.legs]
        result, looks = self._looked_at(self._result())
        test, sequential, said = self._test, None, ""
        ended = outcomes
        if test is not None:
            test.update()
            sequential = decision_document(test.test, test.state)
            said = decision_text(test.test, test.state, self._logs.labels[0]) + "\n"
            if test.decided:
                ended = [one for one in outcomes if one.ending is not Ending.INTERRUPTED]
        if result.sit_in is not None and result.sit_in.hands:
            said += f"{seat_text(result.sit_in)}\n"
        caveats = earlier_lines(self._logs.manifest.bots)
        said += "".join(f"{line}\n" for line in caveats)
        if test is not None:
            caveats = [TOO_NARROW, *caveats]
        code = exit_code(ended)
        text = (
            f"{result_table(result)}\n\n{explanation_text(result)}{said}"
            f"logs: {self._request.folder}\n{endings_text(ended)}\n"
        )
        if any(outcome.ending is not Ending.FINISHED for outcome in ended):
            text += f"to resume: {self._again}\n"
        facts = {
            **self._record(),
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
        kept = self._folder / RESULT_NAME
        shown = self._tell(text, facts, str(self._request.folder / RESULT_NAME))
        try:
            write_whole(kept, json.dumps(facts, indent=2, allow_nan=False) + "\n")
        except OSError as exc:
            raise MatchError(f"cannot write {kept}: {exc.strerror}") from exc
        return code or shown

    def _looked_at(self, result: MatchResult) -> tuple[MatchResult, list[int]]:
        """Return a result that knows whether its length was fixed, and the hands at each look.

        A match that was interrupted and played to its planned end has been looked at once.
        """
        looks = read_looks(self._folder)
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
            chips = self._unless_stopped(
                lambda: aivat.estimates(jobs, shown=shown),
                f"AIVAT is left out; {self._again} computes it",
            )
            if chips is not None:
                seat = self._unless_stopped(
                    lambda: aivat.seat_estimates(jobs, shown=shown),
                    f"AIVAT of the hands in the log is left out; {self._again} computes it",
                    f"{MATCH}: the difference to the log is without AIVAT",
                )
        return self._with_all_in(
            self._logs.run_outs, lambda step: match_result(self._logs, step, chips, seat)
        )


def exit_code(outcomes: Sequence[LegOutcome]) -> int:
    """Return the exit code of a match: stopped by the user, else the first leg that failed."""
    endings = [outcome.ending for outcome in outcomes]
    if Ending.INTERRUPTED in endings:
        return Ending.INTERRUPTED.exit_code
    return next((end.exit_code for end in endings if end is not Ending.FINISHED), 0)
