"""`arena convert IN... --to FORMAT`: writes the hands of files in another format.

Exit codes: 0 all hands went over, 1 some did not, there was none or they cannot be written, 2 wrong
arguments, an unreadable file, an unknown game, or a file that --strict refuses, 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

from dealer.converters.history_files import HistoryFiles
from dealer.logs.hand_filter import FILTERS, HandFilter, logs_options
from dealer.logs.progress import ProgressBar
from engine.console.arguments import whole_number
from engine.console.command import Command, Option, OptionGroup, WrongArguments
from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS
from engine.console.output import tell, tell_once
from engine.errors import LogError, UnusableHistory
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.folders import logs_in
from engine.handlogs.source.log_games import GameFinder, game_from_argument
from engine.handlogs.source.opening import file_size, no_hands, open_history, read_error
from engine.histories.as_log import TextLines
from engine.histories.csv_write import DECISIONS, HANDS, CsvWriter
from engine.histories.formats import CSV, FORMATS, LOG, POKERSTARS, HistoryFormat, format_named
from engine.histories.hand import EndingCounts, HandHistory, LeftOut, ReadSettings
from engine.histories.pokerstars_write import PokerStarsWriter

PROG: Final = "arena convert"
_STDIN: Final = Path("/dev/stdin")
_SHOWN_EVERY: Final = 1 << 8
_MOST_CHIPS: Final = 10_000
_MOST_NUMBER: Final = 10**15
_FORMAT_OF_OPTION: Final = {
    "stacks": LOG,
    "rows": CSV,
    "equity": CSV,
    "chips_per_dollar": POKERSTARS,
    "numbers_from": POKERSTARS,
    "hero": POKERSTARS,
}
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
    return _Run(options, _chosen_format(options)).run()


def _chosen_format(options: argparse.Namespace) -> HistoryFormat:
    """Return the format to write; WrongArguments where an option goes with another one."""
    form = format_named(options.to)
    for name, owner in _FORMAT_OF_OPTION.items():
        if getattr(options, name) is not None and owner != form.name:
            raise WrongArguments(f"--{name.replace('_', '-')} goes with --to {owner}")
    if options.equity and options.rows != DECISIONS:
        raise WrongArguments("--equity goes with --rows decisions")
    if options.rows is not None:
        return replace(form, writer=partial(CsvWriter, options.rows, equity=bool(options.equity)))
    if form.name == POKERSTARS:
        chips = options.chips_per_dollar or 1
        if chips != 10 ** (len(str(chips)) - 1):
            raise WrongArguments("--chips-per-dollar is 1, 10, 100, ...")
        first = options.numbers_from
        numbers = None if first is None else count(first)
        return replace(form, writer=partial(PokerStarsWriter, chips, numbers, options.hero))
    return form


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
        form, source = open_history(path, warn=tell_once)
        assert form.reader is not None
        games = GameFinder(path, self._game)
        settings = ReadSettings(lambda header, record: games(header, record).game)
        try:
            with source:
                lines = TextLines(source)
                for count, hand in enumerate(form.reader(lines, settings)):
                    if not count % _SHOWN_EVERY:
                        self._bar.show(self._read + lines.read, self._hands)
                    yield hand
        except OSError as error:
            raise read_error(path, error) from error


_FORMAT_OPTIONS: Final = OptionGroup(
    "one format",
    (
        Option(
            "--stacks",
            "with --to log: write the stacks and blinds of each hand into its line; without this "
            "option each depth of stacks gets a log of its own",
            choices=("each",),
        ),
        Option(
            "--chips-per-dollar N",
            "with --to pokerstars: how many chips are a dollar, 1, 10, 100, ...; 1 without this "
            "option, so that a chip is a dollar",
            whole_number(1, _MOST_CHIPS),
        ),
        Option(
            "--numbers-from N",
            "with --to pokerstars: number the hands N, N+1, ... over all files, as a tracker "
            "passes over a number that it knows; without this option they keep those they have",
            whole_number(0, _MOST_NUMBER),
        ),
        Option(
            "--hero NAME",
            "with --to pokerstars: deal only the cards of NAME face up, as at a table; those of "
            "others are lost unless they are shown; hands that NAME does not play are left out",
        ),
        Option(
            "--rows",
            "with --to csv: what a row is; hands without this option",
            choices=(HANDS, DECISIONS),
        ),
        Option(
            "--equity",
            "with --to csv --rows decisions: what share of the pot the hand wins on average "
            "against those of the others",
            action="store_const",
            const=True,
        ),
    ),
)
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
        _FORMAT_OPTIONS,
        FILTERS,
    ),
    _EPILOG,
).main
