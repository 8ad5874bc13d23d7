"""A bot is checked: from the options to the report."""

from __future__ import annotations

import argparse
import asyncio
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from dealer.compliance.arguments import CheckRequest, request_from
from dealer.compliance.check import CheckResult
from dealer.compliance.checks import CHECKS
from dealer.compliance.report import (
    details_text,
    line_text,
    list_text,
    report_document,
    summary_line,
    title_text,
)
from dealer.compliance.result import CheckVerdict
from dealer.compliance.runner import CheckListeners, run_checks
from dealer.errors import MatchUsageError
from engine.console.exit_codes import FAILED, INTERRUPTED
from engine.console.options import STDOUT
from engine.console.output import put_json, tell
from engine.console.progress import LivingLine, RateLimiter
from engine.console.version import program_version

PROG: Final = "arena check"


def check(given: argparse.Namespace) -> int:
    """Check what is asked for, or list the checks; return the exit code.

    Raises:
        MatchError: something is named that cannot be played.
    """
    if given.list:
        sys.stdout.write(list_text(CHECKS))
        return 0
    request = request_from(given)
    with _folder(request.out) as folder, LivingLine() as line:
        return _CheckRun(request, folder, line).run()


@contextmanager
def _folder(out: Path | None) -> Iterator[Path]:
    """Give the folder for game files and what the bot writes; one that goes again if not wanted."""
    if out is None:
        with tempfile.TemporaryDirectory(prefix="arena-check-") as name:
            yield Path(name)
        return
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise MatchUsageError(f"--out {out}: there is something in it already")
    except OSError as error:
        raise MatchUsageError(f"--out {out}: {error.strerror}") from error
    yield out.absolute()


class _CheckRun:
    """One call of the command, once its arguments are understood."""

    def __init__(self, request: CheckRequest, folder: Path, line: LivingLine) -> None:
        self._request = request
        keep = request.out is not None
        self._settings = replace(request.settings, folder=folder, keep=keep)
        self._line = line
        self._now_and_then = RateLimiter(say=tell)
        self._results: list[CheckResult] = []

    def run(self) -> int:
        request = self._request
        listeners = CheckListeners(self._announce, self._progress, self._done)
        complete = asyncio.run(run_checks(self._settings, request.games, request.checks, listeners))
        self._line.clear()
        code = INTERRUPTED if not complete else FAILED if self._failures() else 0
        planned = len(request.games) * len(request.checks)
        self._write(details_text(self._results))
        self._write("\n" + summary_line(self._results, planned))
        if request.out is not None:
            self._write(f"transcripts: {request.out}\n")
        if request.json is None:
            return code
        versions = {"acpc-arena": program_version(), "python": platform.python_version()}
        document = report_document(self._settings, request.games, self._results, code, versions)
        lost = put_json(request.json, document, PROG)
        return code or lost

    def _failures(self) -> bool:
        bad = {CheckVerdict.FAILED, CheckVerdict.NOT_RUN}
        if self._request.strict:
            bad.add(CheckVerdict.WARNING)
        return any(result.verdict in bad for result in self._results)

    def _announce(self, words: str) -> None:
        self._line.clear()
        tell(words)

    def _progress(self, words: str) -> None:
        if self._request.quiet:
            return
        if self._line.living:
            self._line.show_often(lambda: words)
        else:
            self._now_and_then(f"{PROG}: {words}")

    def _done(self, result: CheckResult) -> None:
        self._line.clear()
        before = self._results[-1].game if self._results else None
        self._results.append(result)
        if result.game != before:
            (game,) = (one for one in self._request.games if one.name == result.game)
            self._write(("\n" if before else "") + title_text(self._settings, game))
        self._write(line_text(result))

    def _write(self, text: str) -> None:
        """Write a piece of the report: on stdout, unless JSON is wanted there."""
        if self._request.json == STDOUT:
            for line in text.splitlines():
                tell(line)
        else:
            sys.stdout.write(text)
            sys.stdout.flush()
