"""`arena statistical categories`, `bets` and `sequences`: what hands of logs show of winning.

They go back to pictures of the patent that the modeller follows; see the studies themselves.
"""

from __future__ import annotations

import argparse
import json
from typing import Any, Final

from agents.seat.game_validator import describe
from agents.studies.statistical.hand_source import add_source, source_hands
from agents.studies.statistical.publishing import PROG, publish_report
from engine.console.arguments import whole_number
from engine.console.options import add_jobs, add_json
from engine.console.output import stopped
from engine.console.progress import RateLimiter

_MOST_BINS: Final = 100
_bins = whole_number(2, _MOST_BINS)
_HIDDEN: Final = "Hands that a log hides are left out; a showdown must show both."


def add_parser(reports: Any) -> None:
    """Add the three reports to the subparsers of `arena statistical`."""
    _add_study(
        reports,
        "categories",
        "how often pairs, flushes and so on win, by street",
        "Sort the hands that reached each street, of both players, by category; show how often "
        "each wins, at the showdown and in whatever way, and how much.",
    )
    _add_study(
        reports,
        "bets",
        "how much each type of player bets with what it holds, and wins",
        "Tell the types of the players as the modeller does; show for each how often hands win by "
        "the size of the bet, and how much it bets by the strength of the hand.",
    )
    sequences = _add_study(
        reports,
        "sequences",
        "what sequences of actions tell of the hand, beside single actions",
        "Show what each strength does on a street, as sequences of a player's actions, and how "
        "many bits these tell of the strength; of single actions, too.",
    )
    sequences.add_argument(
        "--bins",
        metavar="N",
        type=_bins,
        default=10,
        help="equal ranges of strength (%(default)s)",
    )


def _add_study(reports: Any, name: str, summary: str, description: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = reports.add_parser(
        name, help=summary, description=f"{description} {_HIDDEN}"
    )
    add_source(parser)
    add_jobs(parser)
    add_json(parser, beside_files=True)
    parser.set_defaults(run=_run, study=name)
    return parser


def _run(options: argparse.Namespace) -> int:
    """Read, count and show; Ctrl-C shows what was counted."""
    from agents.studies.statistical.hand_studies import study_hands

    logged = source_hands(options)
    study = _study(options.study)
    counts = study()
    wanted = len(logged.hands)
    code = 0
    said = RateLimiter()
    try:
        for found in study_hands(study, logged, options.jobs):
            counts.add(found)
            said(f"{counts.deals:,} of {wanted:,} hands")
    except KeyboardInterrupt:
        code = stopped(PROG, counts.deals, wanted, "hands")
    if not counts.deals:
        return code
    facts = {
        "game": describe(logged.game),
        "hands": counts.deals,
        "complete": counts.deals == wanted,
        "players": len({name for hand in logged.hands for name in hand.names}),
    }
    head = f"{facts['game']}; {counts.deals:,} hands, {facts['players']} players"
    shown = _shown(counts, options)
    numbers = json.dumps(facts | shown.plain())
    return publish_report(options, f"{head}\n\n{shown.text()}", numbers) or code


def _study(name: str) -> type[Any]:
    from agents.studies.statistical.bet_study import BetStudy
    from agents.studies.statistical.category_study import CategoryStudy
    from agents.studies.statistical.sequence_study import SequenceStudy

    return {"categories": CategoryStudy, "bets": BetStudy, "sequences": SequenceStudy}[name]


def _shown(counts: Any, options: argparse.Namespace) -> Any:
    """Return what has text and plain values of a study."""
    from agents.statistical.predicting.model_files import load_shipped

    if options.study == "bets":
        return counts.counted(load_shipped("types"))
    return counts.table(options.bins) if options.study == "sequences" else counts
