"""arena replay LOG...: show, verify or convert match logs.

Exit codes: 0 fine (with --verify: all is well), 1 faults, nothing to show or nowhere to write, 2
wrong arguments, an unreadable file or an unknown game (--verify continues with the other logs), 130
interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dealer.logs.hand_filter import FILTERS, HandFilter, logs_options
from dealer.logs.showing.show import CHOICES, Palette
from dealer.logs.verifying.findings import LogReport
from engine.console.arguments import whole_number
from engine.console.command import Command, OneOf, Option, WrongArguments
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.options import STDOUT, json_option
from engine.console.output import say, tell, tell_once, write_files
from engine.errors import LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.folders import logs_in
from engine.handlogs.source.log_games import FoundGame, game_from_argument
from engine.handlogs.source.opening import file_size, no_hands
from engine.rules.dealing import MAX_SEED

if TYPE_CHECKING:
    from engine.handlogs.source.log_hands import LoggedHand

PROG: Final = "arena replay"
FAULTS: Final = 1
_MANY: Final = 2**31
_LISTED: Final = 20


def _replay(options: argparse.Namespace) -> int:
    if not options.verify and options.seed is not None:
        raise WrongArguments("--seed goes with --verify")
    chosen = HandFilter(options)
    if options.verify and chosen:
        raise WrongArguments("--verify checks whole logs, whatever hands are wanted")
    if options.json is not None and (options.as_client is not None or options.allin_ev):
        raise WrongArguments("--json is of hands or of --verify")
    if options.json is not None and options.html is not None:
        raise WrongArguments("--html and --json are two ways to write hands")
    try:
        return _run(options, chosen)
    except LogError:
        sys.stdout.flush()
        raise


def _refuse(error: LogError) -> None:
    _tell(f"{PROG}: {error}")


def _run(options: argparse.Namespace, chosen: HandFilter) -> int:
    game = game_from_argument(options.game) if options.game is not None else None
    logs = [log for name in options.logs for log in _logs_of(name)]
    if options.verify:
        return _verify(options, logs, game)
    hands = _ChosenHands(logs, game, chosen)
    if options.as_client is not None:
        return _as_client(hands, options.as_client)
    if options.allin_ev:
        return _allin_ev(hands)
    if options.html is not None:
        return _html(hands, options.html)
    if options.json is not None:
        return _documents(hands, options.json)
    palette = Palette.chosen(options.color, sys.stdout)
    if not chosen and not options.all and sys.stdin.isatty() and sys.stdout.isatty():
        return _browse(logs, game, palette)
    return _show(hands, palette)


def _logs_of(name: str) -> list[Path]:
    """Return a log, or those of a folder; one without any is itself what cannot be read."""
    try:
        return logs_in([name])
    except LogError:
        return [Path(name)]


def _verify(options: argparse.Namespace, logs: list[Path], game: FoundGame | None) -> int:
    from dealer.logs.progress import ProgressBar
    from dealer.logs.showing.verify_report import report_lines, reports_as_json, total_line
    from dealer.logs.verifying.verify import VerifySettings, use_compiled, verify_log

    settings = VerifySettings(
        game=game,
        seed=options.seed,
        siblings=tuple(logs),
        max_faults=_LISTED if options.max_faults is None else options.max_faults or _MANY,
        stop_after=options.max_faults or None,
        compiled=use_compiled(logs),
    )
    palette = Palette.chosen(options.color, sys.stdout)
    bar = ProgressBar(sys.stderr, sum(map(file_size, logs)))
    if settings.compiled:
        bar.announce("loading the compiled checks (the first time they are compiled)")
    reports: list[LogReport] = []
    read = 0
    for log in logs:
        hands = sum(report.hands for report in reports)
        try:
            report = verify_log(log, settings, bar.behind(read, hands))
        except LogError as error:
            report = LogReport(str(log), error=str(error).removeprefix(f"{log}: "))
        finally:
            bar.clear()
        reports.append(report)
        read += file_size(log)
        if report.error is not None:
            _refuse(LogError(f"{log}: {report.error}"))
        elif options.json != STDOUT:
            for line in report_lines(report, palette):
                say(line)
    written = 0
    if options.json is not None:
        written = write_files({options.json: reports_as_json(reports) + "\n"}, PROG)
    if options.json != STDOUT and len(reports) > 1:
        say(total_line(reports))
    if any(report.error is not None for report in reports):
        return WRONG_ARGUMENTS
    return written if all(report.all_is_well for report in reports) else FAULTS


class _ChosenHands:
    """The hands of logs that the user chose, and what is told of the others."""

    def __init__(self, logs: Sequence[Path], game: FoundGame | None, chosen: HandFilter) -> None:
        self.logs = logs
        self.complaints = Complaints(_tell)
        self._game = game
        self._chosen = chosen

    def __iter__(self) -> Iterator[LoggedHand]:
        for log in self.logs:
            yield from self.of(log)

    def of(self, log: Path) -> Iterator[LoggedHand]:
        """Yield the hands of one log."""
        from engine.handlogs.source.log_hands import hands_of

        for hand in hands_of(log, self._game, self.complaints, tell_once):
            if self._chosen.passes(hand.game, hand.record):
                yield hand

    def nothing(self) -> int:
        """Tell that there is no hand; return the exit code."""
        tell(f"{PROG}: {no_hands(self.logs, self._chosen.asked)}")
        return FAULTS

    def end(self, *, written: bool = True) -> int:
        """Tell what was left out, or that there is nothing at all; return the exit code."""
        if not written and not self.complaints.count:
            return self.nothing()
        self.complaints.finish()
        if not self._chosen.by_number_only:
            for line in self._chosen.left_out_lines():
                tell(f"{PROG}: {line}")
        return FAULTS if self.complaints.count else 0


def _as_client(hands: _ChosenHands, seat: str) -> int:
    from dealer.logs.showing.as_client import client_lines

    for log in hands.logs:
        _write(client_lines(hands.of(log), seat, hands.complaints))
    return hands.end()


def _allin_ev(hands: _ChosenHands) -> int:
    from dealer.logs.showing.allin_ev import expectation_lines

    lines = (f"{line}\n" for line in expectation_lines(hands, hands.complaints))
    written = _write(line.encode("utf-8", "surrogateescape") for line in lines)
    return hands.end(written=written)


def _documents(hands: _ChosenHands, target: Path) -> int:
    """Write hands as JSON lines."""
    from dealer.logs.showing.hand_documents import hand_as_json

    lines = (hand_as_json(hand) + "\n" for hand in hands)
    if target == STDOUT:
        return hands.end(written=_write(line.encode() for line in lines))
    text = "".join(lines)
    code = write_files({target: text}, PROG)
    return max(hands.end(written=bool(text)), code)


def _html(hands: _ChosenHands, target: Path) -> int:
    """Write hands as one page for a browser."""
    from dealer.logs.showing.html_page import HtmlPage

    page = HtmlPage()
    for log in hands.logs:
        page.add(log, hands.of(log))
    code = write_files({target: page.text()}, PROG) if page else hands.nothing()
    return max(hands.end(), code)


def _browse(logs: list[Path], game: FoundGame | None, palette: Palette) -> int:
    from dealer.logs.showing.browse import Browser, HandIndex

    hands = HandIndex(logs, game)
    if not len(hands):
        tell(f"{PROG}: {no_hands(logs)}")
        return FAULTS
    hands.hand(0)  # an unknown game is an error, not a page
    Browser(hands, palette, say).run(input)
    return 0


def _show(hands: _ChosenHands, palette: Palette) -> int:
    from dealer.logs.showing.show import shown_hand

    texts = 0
    wrong = False
    for hand in hands:
        texts += 1
        text = shown_hand(hand, palette)
        wrong |= not text.right
        for step in text.steps:
            for line in step:
                say(line)
    return max(hands.end(), FAULTS if wrong else 0) if texts else hands.nothing()


def _tell(line: str) -> None:
    sys.stdout.flush()
    tell(line)


def _write(lines: Iterable[bytes]) -> bool:
    """Write lines as they are; return whether there was any."""
    sys.stdout.flush()
    empty = True
    for line in lines:
        sys.stdout.buffer.write(line)
        empty = False
    sys.stdout.buffer.flush()
    return not empty


main = Command(
    PROG,
    _replay,
    "Show the hands of match logs, verify them, or convert them.  Without a mode "
    "hands are shown: step by step on a terminal, all of them elsewhere.",
    (
        *logs_options(),
        OneOf(
            (
                Option("--all", "show all hands without stopping"),
                Option(
                    "--verify",
                    "check every line: syntax, legality, cards (dealt again from the seed), "
                    "values, names, SCORE; exit code 0 only if all is well",
                ),
                Option(
                    "--as-client SEAT",
                    "print exactly what this seat (number from 1, or name) received from the "
                    "dealer",
                ),
                Option(
                    "--allin-ev",
                    "print the STATE lines with the values of all-in hands averaged over the "
                    "boards that could still come",
                ),
                Option(
                    "--html FILE",
                    "write a page for a browser that replays the hands: one file that needs no "
                    "network",
                    Path,
                ),
            )
        ),
        Option(
            "--seed N",
            "with --verify: the seed of all hands, whatever headers say",
            whole_number(0, MAX_SEED),
        ),
        Option(
            "--max-faults N",
            "with --verify: stop reading a log after so many faults; 0 lists all of them "
            f"(without this option all are counted and the first {_LISTED} listed)",
            whole_number(0, _MANY),
        ),
        json_option(
            "the hands as JSON, an object a line, to standard output or FILE; with --verify: the "
            "report instead of lines, or beside them in FILE",
            beside_files=True,
        ),
        FILTERS,
        Option("--color", "colours (auto: on terminals)", default="auto", choices=CHOICES),
    ),
    "The game is that of --game, else the file named in the log's header (as given, "
    "beside the log, or built in).",
).main
