"""A match from the options to the table of results."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from signal import SIGHUP, SIGTERM
from typing import TextIO

from dealer.errors import MatchError
from dealer.legs.folder import (
    RESULT_NAME,
    discard_match,
    locked,
    prepare_folder,
    settle_folder,
)
from dealer.legs.in_process_leg import drop_unfinished
from dealer.legs.outcome import LegOutcome, finished_leg
from dealer.legs.plan import Leg
from dealer.legs.runner import LegsInTurn, left_out, run_queue, shared_cores
from dealer.matches.arguments import MatchRequest, request_from
from dealer.matches.command_line import PROG
from dealer.matches.command_run import CommandRun, stop_in_order
from dealer.results.live_aivat import LiveAivat
from dealer.results.results import MatchLogs, MatchResult
from dealer.results.seat_result import seat_text
from dealer.results.sequential import (
    ENOUGH_SETS,
    MatchTest,
    decision_document,
    decision_text,
    standing_text,
)
from dealer.results.summary import summary_text
from dealer.results.table import endings_text, explanation_text, result_table
from dealer.server.endings import Ending
from engine.console.version import program_version
from engine.parallel.signals import handling
from engine.storage.atomic import write_whole


def play(given: argparse.Namespace, arguments: Sequence[str]) -> int:
    """Play what is asked for; return the exit code.

    Raises:
        MatchError: it cannot be played.
    """
    request = request_from(given)
    if not request.resume:
        prepare_folder(
            request.folder,
            request.manifest,
            force=request.force,
            deals=request.deals,
            seat=request.seat,
        )
    with locked(request.folder) as lock_fd:
        settle_folder(request.folder, request.before or request.manifest, request.manifest)
        return _MatchRun(request, arguments, lock_fd).play()


class _MatchRun(CommandRun[MatchRequest]):
    """One call of the command, once its arguments are understood and its folder is ready."""

    prog = PROG

    def __init__(self, request: MatchRequest, arguments: Sequence[str], lock_fd: int) -> None:
        super().__init__(request, arguments)
        self._manifest = request.manifest
        self._again = f"{PROG} --resume {request.folder}"
        if request.in_process:
            drop_unfinished(self._manifest, self._folder)
        self._logs = MatchLogs(self._manifest, request.game, self._folder)
        self._logs.read_new()
        self._shown = self._begin_progress(self._logs, self._standing)
        self._settings = self._leg_settings(
            self._manifest, self._folder, lock_fd, in_process=request.in_process
        )
        self._aivat = None
        if request.aivat is not None:
            self._aivat = LiveAivat(self._manifest, self._logs, self._folder, request.aivat)
        test = self._manifest.sprt
        self._test = None if test is None else MatchTest(test, self._logs)
        """By which the match ends."""

    def play(self) -> int:
        request = self._request
        legs = self._manifest.legs()
        before = [finished_leg(self._manifest, self._folder, leg) for leg in legs]
        todo = [leg for leg, outcome in zip(legs, before, strict=True) if outcome is None]
        self._introduce(self._what_is_played(len(legs), len(todo)))
        self._predict()
        if self._manifest.sprt is None:
            at_once = min(request.jobs, len(todo))
        else:
            at_once = 0 if self._is_decided() else request.jobs
        cores = shared_cores(self._manifest.bots, at_once=at_once, wanted=request.affinity)
        queue = LegsInTurn(self._settings, todo, self._longer)
        if at_once:
            self._play(queue, at_once, cores)
        self._shown.clear()
        with handling((SIGTERM, SIGHUP), stop_in_order):
            self._logs.read_new()
            if refused := next((one for one in queue.outcomes.values() if one.refused), None):
                discard = partial(discard_match, self._folder, self._manifest)
                self._refuse(refused, discard, played=self._logs.hands > 0)
            known = {outcome.leg: outcome for outcome in before if outcome is not None}
            return self._report(
                [
                    known.get(leg) or queue.outcomes.get(leg.name) or left_out(self._settings, leg)
                    for leg in self._manifest.legs()
                ]
            )

    def _play(self, queue: LegsInTurn, at_once: int, cores: Sequence[int]) -> None:
        if self._aivat is not None:
            self._aivat.start()
        try:
            asyncio.run(run_queue(queue, jobs=at_once, cores=cores, watch=self._watch))
        finally:
            if self._aivat is not None:
                self._aivat.stop()

    def _is_decided(self) -> bool:
        return self._test is not None and self._test.decided

    def _watch(self) -> bool:
        """Show how far the match is; return whether a sequential test has decided it."""
        self._shown()
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
            told.append(standing_text(test.test, test.state))
        return "  ".join(told)

    def _longer(self) -> Sequence[Leg]:
        """Make a match that ends by a test a run longer; return its legs, none at its longest."""
        manifest = self._manifest
        if self._test is None or manifest.runs >= self._request.most_runs:
            return ()
        self._logs.read_new()  # legs may be over sooner than anybody watches
        self._test.update()
        if self._test.decided:
            return ()
        self._manifest = replace(manifest, runs=manifest.runs + 1)
        settle_folder(self._folder, manifest, self._manifest)
        self._logs.extend(self._manifest)
        return self._manifest.legs()[len(manifest.legs()) :]

    def _what_is_played(self, legs: int, todo: int) -> str:
        manifest = self._manifest
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

    def _report(self, outcomes: Sequence[LegOutcome]) -> int:
        request = self._request
        result = self._result()
        decided = self._is_decided()
        ended = [one for one in outcomes if not decided or one.ending is not Ending.INTERRUPTED]
        code = exit_code(ended)
        test, state = self._manifest.sprt, None
        if self._test is not None:
            self._test.update()
            state = self._test.state
        document = summary_text(
            self._manifest,
            request.folder,
            self._logs,
            result,
            outcomes,
            exit_code=code,
            command=[*PROG.split(), *self._arguments],
            versions={
                "acpc-arena": program_version(),
                "python": platform.python_version(),
                "started_with": dict(self._manifest.versions).get("acpc-arena", ""),
            },
            sequential=None if test is None or state is None else decision_document(test, state),
            aivat=None if self._aivat is None else self._aivat.facts(),
        )
        said = ""
        if test is not None and state is not None:
            said = decision_text(test, state, self._manifest.labels[0]) + "\n"
        if result.sit_in is not None and result.sit_in.hands:
            said += f"{seat_text(result.sit_in)}\n"
        text = (
            f"{result_table(result)}\n\n{explanation_text(result)}{said}logs: {request.folder}\n"
            f"{endings_text(ended)}\n"
        )
        if any(outcome.ending is not Ending.FINISHED for outcome in ended):
            text += f"to resume: {self._again}\n"
        lost = _show(sys.stdout, document if request.json == "-" else text)
        if request.json == "-":
            _show(sys.stderr, text)
        self._save(self._folder / RESULT_NAME, document)
        if request.json not in (None, "-"):
            self._save(Path(request.json), document)
        if lost is None:
            return code
        kept = self._request.folder / RESULT_NAME
        self._say(
            f"{PROG}: cannot write to standard output: {lost.strerror or lost}; "
            f"the result is in {kept}"
        )
        return code or Ending.ERROR.exit_code

    def _save(self, path: Path, document: str) -> None:
        try:
            write_whole(path, document)
        except OSError as exc:
            raise MatchError(f"cannot write {path}: {exc.strerror}") from exc

    def _result(self) -> MatchResult:
        """Return the result; Ctrl-C during the long parts of it leaves them out."""
        chips = seat = None
        if (aivat := self._aivat) is not None:
            jobs, shown = self._request.jobs, not self._request.quiet
            chips = self._unless_stopped(
                lambda: aivat.estimates(jobs, shown=shown),
                f"AIVAT is left out; {self._again} --aivat computes it",
            )
            if chips is not None:
                seat = self._unless_stopped(
                    lambda: aivat.seat_estimates(jobs, shown=shown),
                    f"AIVAT of the hands in the log is left out; {self._again} --aivat computes it",
                    f"{PROG}: the difference to the log is without AIVAT",
                )
        return self._with_all_in(
            self._logs.run_outs, lambda step: self._logs.result(step, chips, seat), self._again
        )


def _show(stream: TextIO, text: str) -> OSError | None:
    """Write a text; return why it could not be written, where it could not."""
    try:
        stream.write(text)
        stream.flush()
    except OSError as exc:
        with contextlib.suppress(OSError):  # what is left over would be tried again at the exit
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
        return exc
    return None


def exit_code(outcomes: Sequence[LegOutcome]) -> int:
    """Return the exit code of a match: stopped by the user, else the first leg that failed."""
    endings = [outcome.ending for outcome in outcomes]
    if Ending.INTERRUPTED in endings:
        return Ending.INTERRUPTED.exit_code
    return next((end.exit_code for end in endings if end is not Ending.FINISHED), 0)
