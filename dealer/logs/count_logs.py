"""What the commands that count logs share: their options' logs counted, and remarks on stderr.

Hands whose payoffs contradict the betting are counted as printed, and told.  Where one cause
explains these hands, or those that cannot be counted at all, it is told, too.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dealer.logs.counting.player_names import renaming
from dealer.logs.hand_filter import HandFilter
from dealer.logs.log_session import CountedHands, CountedLog, Counting, LogSession, without_copies
from dealer.logs.progress import ProgressBar
from engine.console.command import Option, WrongArguments
from engine.console.options import STDOUT
from engine.console.output import tell
from engine.errors import LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.folders import logs_in
from engine.handlogs.source.log_games import FoundGame, game_from_argument
from engine.handlogs.source.opening import file_size, is_regular, no_hands

if TYPE_CHECKING:
    import argparse

    from engine.handlogs.counting.tally import Doubts

_SHOWN: Final = 20
STRICT: Final = Option(
    "--strict", "exit with 1 where payoffs contradict the betting; without it they are only told"
)


def count_logs(
    prog: str, options: argparse.Namespace, what: Counting, *, each: bool = False
) -> CountedHands:
    """Count the logs that the options of a command name; what is to be known goes to stderr.

    Args:
        prog: the command, before its remarks.
        options: LOG, --game, --json, --csv, those of names and `FILTERS`.
        what: the rest of what to count.
        each: whether each log that cannot be read, or has no hand, is told and left out.

    Raises:
        LogError: a log cannot be read, or its game is unknown.
        WrongArguments: the options do not go together.
    """
    try:
        rename = renaming(options.strip_suffix, options.rename)
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    if options.json == STDOUT == options.csv:
        raise WrongArguments("--json and --csv cannot both go to stdout")
    game = game_from_argument(options.game) if options.game is not None else None
    chosen = HandFilter(options, rename)
    what = replace(what, game=game, rename=rename, chosen=chosen)
    logs = without_copies(logs_in(options.logs), tell)

    def remark(log: CountedLog) -> None:
        if log.error is None and (len(logs) == 1 or log.hands or log.left_out):
            return
        bar.clear()
        tell(f"{prog}: {log.error or no_hands([log.path])}")

    with ProgressBar(sys.stderr, sum(map(file_size, logs))) as bar:
        bar.announce("loading the compiled counts (the first time they are compiled)")
        session = LogSession(logs, what, Complaints(tell), bar.show)
        counted = session.count(remark if each else None)
    counted.complaints.finish()
    _tell_doubts(counted.doubtful, game)
    for line in (*counted.repeats.warnings(), *chosen.report_lines()):
        tell(f"{prog}: {line}")
    return counted


def _tell_doubts(logs: list[CountedLog], game: FoundGame | None) -> None:
    """Tell of each log how many hands are doubtful, and what explains them all if anything does."""
    for log in logs[:_SHOWN]:
        if log.doubts is not None and log.doubts.contradicted:
            tell(_contradictions(log, log.doubts))
        for text in _diagnoses(log.path, game):
            tell(f"{log.path}: diagnosis: {text}")
    if (rest := len(logs) - _SHOWN) > 0:
        tell(f"... and {rest:,} more logs with such hands")


def _contradictions(log: CountedLog, doubts: Doubts) -> str:
    more = f", {doubts.impossible:,} more than a stack" if doubts.impossible else ""
    more += f", {doubts.uneven:,} with a sum that is not 0" if doubts.uneven else ""
    return (
        f"{log.path}: {doubts.contradicted:,} of {log.hands:,} hands have payoffs that contradict "
        f"betting and cards{more}; they are counted as printed, see arena replay --verify"
    )


def _diagnoses(log: Path, game: FoundGame | None) -> list[str]:
    """Return what explains all faults of a log."""
    from dealer.logs.verifying.verify import VerifySettings, verify_log

    if not is_regular(log):
        return []
    try:
        report = verify_log(log, VerifySettings(game=game, max_faults=0, compiled=True))
    except LogError:
        return []
    return list(dict.fromkeys(text for part in report.parts for text in part.diagnosis))
