"""arena rate LOG...: every estimator of everybody's win rate, from logs alone.

Exit codes: 0 fine, 1 something could not be counted, or there is no hand, 2 wrong arguments or
nothing that can be read, 130 interrupted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dealer.logs.count_logs import STRICT, count_logs
from dealer.logs.counting.player_names import RENAMING_OPTIONS
from dealer.logs.hand_filter import FILTERS, HandFilter, logs_options
from dealer.logs.log_session import Counting
from dealer.ratings.aivat_options import (
    AIVAT_OPTIONS,
    TOLD_OPTION,
    WITHOUT_AIVAT,
    aivat_words,
    goes_with_aivat,
)
from dealer.ratings.tally_ratings import tally_ratings
from engine.console.command import Command, Option, WrongArguments
from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS
from engine.console.options import STDOUT, csv_option, jobs_option, json_option
from engine.console.output import printable, say, tell, write_files
from engine.console.version import program_version
from engine.errors import LogError
from engine.handlogs.source.opening import no_hands

if TYPE_CHECKING:
    from dealer.ratings.corrected_hands import CorrectedHands
    from engine.estimates.hand_estimates import Ratings

PROG: Final = "arena rate"
_EPILOG: Final = """\
estimators, all on the same hands:
  raw                 the chips as paid, each hand a sample
  duplicate sets      the same over deals that the same players played in every seating, wherever
                      in the logs: hands of one number, hole cards and board; a deal is a sample
  all-in expectation  hands all-in before the last card at their mean over the boards to come
  all-in exp. in sets both
"x1.39" behind an interval: without this estimator it takes 1.39 times as many hands.

A consistency check compares the estimators on the same hands and warns where they differ
significantly, since they have the same mean: then the logs are wrong, or an estimator is.
"""


def _rate(options: argparse.Namespace) -> int:
    if options.aivat and options.estimates:
        raise WrongArguments("--aivat computes what --estimates has; give one of them")
    if not goes_with_aivat(options):
        raise WrongArguments(WITHOUT_AIVAT)
    chosen = HandFilter(options)
    if chosen and (options.aivat or options.estimates):
        raise LogError("AIVAT is for all hands of logs; leave out what chooses some")
    what = Counting(expectation=not options.no_allin_ev, threads=options.jobs)
    counted = count_logs(PROG, options, what, each=True)
    corrected = None
    if counted.games and (options.aivat or options.estimates):
        if len(counted.games) > 1:
            raise LogError("AIVAT is for logs of one game; rate them one by one")
        corrected = _corrected(options, counted.paths)
    by_session = options.unit == "session"
    rated_games = [
        (
            label,
            tally.game.big_blind,
            tally_ratings(tally, tally.results(), by_session=by_session, corrected=corrected),
        )
        for label, tally, _ in counted.games
    ]
    unread = sum(log.error is not None for log in counted.logs)
    if unread == len(counted.logs):
        return WRONG_ARGUMENTS
    if not rated_games:
        tell(f"{PROG}: {no_hands(counted.paths, chosen.asked)}")
        return FAILED
    facts = {
        "command": ["arena", "rate", *options.argv],
        "versions": {"acpc-arena": program_version()},
        "logs": len(counted.logs),
        "logs_not_read": unread,
        "lines_left_out": counted.complaints.count,
        "hands_with_contradicted_payoffs": counted.contradicted,
    }
    if counted.chosen:
        facts["hands_chosen"] = counted.chosen.facts()
    if corrected is not None:
        facts["aivat"] = corrected.facts
    written = _write(options, rated_games, facts, verdict=chosen.bias is None)
    doubtful = options.strict and counted.doubtful
    return FAILED if unread or counted.complaints.count or doubtful else written


def _corrected(options: argparse.Namespace, logs: Sequence[Path]) -> CorrectedHands:
    """Return what AIVAT says, of a file or computed now."""
    from dealer.ratings.corrected_hands import computed, read_corrected

    if options.estimates:
        return read_corrected(options.estimates)
    arguments = aivat_words(options)
    if options.game:
        arguments += ["--game", options.game]
    return computed(logs, [*arguments, "--jobs", str(options.jobs)])


def _write(
    options: argparse.Namespace,
    games: Sequence[tuple[str, int, Ratings]],
    facts: dict[str, Any],
    *,
    verdict: bool,
) -> int:
    """Print the tables or write the files; return the exit code."""
    import json

    from dealer.ratings.rating_documents import ratings_csv, ratings_document
    from dealer.ratings.rating_table import EXPLAINED, rating_lines

    texts: dict[Path, str] = {}
    if options.json is not None:
        facts = {**facts, "games": [ratings_document(*game, verdict=verdict) for game in games]}
        texts[options.json] = json.dumps(facts, indent=2, allow_nan=False) + "\n"
    if options.csv is not None:
        texts[options.csv] = ratings_csv((label, ratings) for label, _, ratings in games)
    code = write_files(texts, PROG)
    if STDOUT not in texts:
        for label, _, ratings in games:
            for line in (*rating_lines(printable(label), ratings, verdict=verdict), ""):
                say(line)
        say(EXPLAINED)
    return code


main = Command(
    PROG,
    _rate,
    "Say who won how much in match logs, and how surely, by every estimator.",
    (
        *logs_options(),
        Option(
            "--unit",
            "what is independent: hands (and deals that were played in every seating), or whole "
            "sessions, for players who change while they play. A session is a log, or what "
            "follows a header in it (%(default)s)",
            default="hand",
            choices=("hand", "session"),
        ),
        *RENAMING_OPTIONS,
        STRICT,
        Option("--no-allin-ev", "leave out the all-in expectation"),
        *AIVAT_OPTIONS[:-1],
        TOLD_OPTION,
        AIVAT_OPTIONS[-1],
        Option(
            "--estimates FILE",
            "estimates of arena aivat hands, of the same logs in the same order",
            Path,
        ),
        jobs_option("threads for all-in expectation, processes for AIVAT"),
        json_option(beside_files=True),
        csv_option("a line for each player, opponents and estimator"),
        FILTERS,
    ),
    _EPILOG,
).main
