"""`arena convert IN... --to FORMAT`: writes the hands of files in another format.

Exit codes: 0 all hands went over, 1 some did not, there was none or they cannot be written, 2 wrong
arguments, an unreadable file, an unknown game, or a file that --strict refuses, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dealer.converters.format_options import FORMAT_OPTIONS, chosen_format
from dealer.converters.history_files import HistoryFiles
from dealer.logs.reading.errors import Complaints, LogError
from dealer.logs.reading.files import file_size, no_hands, open_history
from dealer.logs.reading.hand_filter import FILTERS, HandFilter
from dealer.logs.reading.inputs import logs_in, logs_options
from dealer.logs.reading.log_games import FoundGame, find_log_game, game_from_argument
from dealer.logs.reading.progress import ProgressBar
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS
from engine.console.output import tell
from engine.errors import UnusableHistory
from engine.histories.as_log import TextLines
from engine.histories.formats import FORMATS
from engine.histories.hand import HandHistory, LeftOut, ReadSettings
from engine.histories.hand_endings import EndingCounts

if TYPE_CHECKING:
    from engine.histories.formats import HistoryFormat
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord, Header

PROG: Final = "arena convert"
_STDIN: Final = Path("/dev/stdin")
_SHOWN_EVERY: Final = 1 << 8
_EPILOG: Final = """\
examples:
  arena convert match.log --to phhs --out match.phhs       a log as PHH
  arena convert match.phhs --to log --out folder/          back; a log for each depth of stacks
  arena convert cash.phhs --to log --stacks each           one log, stacks and blinds in its lines
  arena convert match.log --player alice --to phhs         the hands of alice, on standard output
  arena convert match.log --to csv --rows decisions        a table of all decisions

What a format is, is told by how a file begins; gzip, bzip2 and xz are unpacked.  Hands that the
format wanted cannot carry are left out, and told by file and line.
"""


class _Refused(Exception):
    """A file that --strict refuses, for the reason given."""


def _convert(options: argparse.Namespace) -> int:
    try:
        form = chosen_format(options)
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    return _Run(options, form).run()


class _Run:
    """One run of the command."""

    def __init__(self, options: argparse.Namespace, written: HistoryFormat) -> None:
        self._strict = options.strict
        self._game = None if options.game is None else game_from_argument(options.game)
        self._files = logs_in(_STDIN if name == "-" else name for name in options.logs)
        out = None if options.out == "-" else Path(options.out)
        if out is not None and options.out.endswith("/"):
            try:
                out.mkdir(exist_ok=True)
            except OSError as error:
                raise LogError(f"{out}: {error.strerror or error}") from error
        self._files_out = HistoryFiles(
            written,
            out,
            self._files,
            each_stakes=options.stacks is not None,
            at_once=not options.strict,
        )
        self._chosen = HandFilter(options)
        self._complaints = Complaints(tell)
        self._notes = Complaints(tell, "kept")
        self._bar = ProgressBar(sys.stderr, sum(map(file_size, self._files)))
        self._biases: list[str] = []
        self._hands = 0
        self._read = 0

    def run(self) -> int:
        """Convert all files; return the exit code."""
        code = 0
        try:
            with self._files_out:
                for path in self._files:
                    code = max(code, self._convert(path))
                self._files_out.close()
        except OSError as error:
            if error.filename is None:
                raise
            tell(f"{PROG}: {error.filename}: {error.strerror or error}")
            return FAILED
        finally:
            self._bar.clear()
        for collector in (self._complaints, self._notes):
            collector.finish()
        for line in (*self._biases, *self._chosen.left_out_lines()):
            tell(f"{PROG}: {line}")
        if not self._hands and not code and not self._complaints.count:
            tell(f"{PROG}: {no_hands(self._files, self._chosen.asked)}")
            return FAILED
        doubts = f", {self._notes.count:,} of them with doubts" if self._notes.count else ""
        hands = f"{self._hands:,} hand{'s' * (self._hands != 1)}"
        tell(f"{PROG}: {hands} went over{doubts}, {self._complaints.count:,} did not")
        return max(code, FAILED if self._complaints.count else 0)

    def _convert(self, path: Path) -> int:
        """Convert a file; return the exit code."""
        hands_so_far = self._hands
        endings = EndingCounts()
        try:
            for hand in self._hands_of(path):
                endings.add(hand)
                self._add(path, hand)
            if self._files_out.by_input:
                self._files_out.close(path)
        except _Refused as error:
            if not self._files_out.by_input:
                raise LogError(f"{error}; nothing is written") from None
            self._files_out.forget(path)
            self._hands = hands_so_far
            tell(f"{PROG}: {error}; this file is left out")
            return WRONG_ARGUMENTS
        except LogError as error:
            self._bar.clear()
            tell(f"{PROG}: {error}")
            return WRONG_ARGUMENTS
        if bias := endings.bias():
            self._biases.append(f"{path}: {bias}")
        self._read += file_size(path)
        return 0

    def _add(self, path: Path, hand: HandHistory | LeftOut) -> None:
        where = f"{path}:{hand.line}"
        if isinstance(hand, LeftOut):
            self._leave_out(where, hand.reason)
            return
        if not self._chosen.passes(hand.game, hand.record):
            return
        try:
            self._files_out.add(path, hand)
        except UnusableHistory as error:
            self._leave_out(where, str(error))
            return
        for note in hand.notes:
            self._notes.add(where, note)
        self._hands += 1

    def _leave_out(self, where: str, reason: str) -> None:
        if self._strict:
            raise _Refused(f"{where}: {reason}")
        self._complaints.add(where, reason)

    def _hands_of(self, path: Path) -> Iterator[HandHistory | LeftOut]:
        form, source = open_history(path)
        assert form.reader is not None
        settings = ReadSettings(_GameFinder(path, self._game))
        try:
            with source:
                lines = TextLines(source)
                for count, hand in enumerate(form.reader(lines, settings)):
                    if not count % _SHOWN_EVERY:
                        self._bar.show(self._read + lines.read, self._hands)
                    yield hand
        except OSError as error:
            raise LogError(f"{path}: {error.strerror or error}") from error


class _GameFinder:
    """Finds the game of the hands of a log."""

    def __init__(self, path: Path, named: FoundGame | None) -> None:
        self._path = path
        self._named = named
        self._games: dict[str | None, GameDef] = {}

    def __call__(self, header: Header | None, record: HandRecord) -> GameDef:
        """Return the game that the user names, else that of the header."""
        if self._named is not None:
            return self._named.game
        key = None if header is None else header.game
        if key not in self._games:
            self._games[key] = find_log_game(header, self._path, record).game
        return self._games[key]


_FORMATS: Final = {form.name: form.summary for form in FORMATS if form.writer is not None}
main = Command(
    PROG,
    _convert,
    "Write the hands of files in another format.",
    (
        *logs_options("files of hands, - for standard input", game="the game of logs"),
        Option(
            "--to FORMAT",
            "; ".join(f"{name}: {summary}" for name, summary in _FORMATS.items()),
            required=True,
            choices=_FORMATS,
        ),
        Option(
            "--out FILE|FOLDER/|-",
            "where to: a file of all hands, a folder with a file for each that is read, or "
            "standard output, as without this option",
            default="-",
        ),
        Option("--strict", "write nothing of a file if a hand must be left out"),
        FORMAT_OPTIONS,
        FILTERS,
    ),
    _EPILOG,
).main
