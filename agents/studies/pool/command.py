"""Measure the bots of the pool, or write logs of their matches: `arena pool [NAME...]`.

Exit codes: 0 done, 1 a file cannot be written, 2 wrong arguments or game, or a log in the way, 130
Ctrl-C (what there is, is shown; the same command writes the logs that are missing).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.errors import AgentError
from agents.roster.bots import MEASURED
from agents.seat.game_validator import describe
from engine.console.arguments import count
from engine.console.drawing import figure_file, figure_svg
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.options import STDOUT, add_game, add_jobs, add_json, add_seed
from engine.console.output import show, stopped, tell, write_files
from engine.console.parser import OneLineParser
from engine.console.progress import RateLimiter
from engine.errors import EngineError

if TYPE_CHECKING:
    from agents.roster.spec import AgentSpec
    from agents.studies.pool.crosstable import Crosstable, PairResult

PROG: Final = "arena pool"
_PROGRESS_SECONDS: Final = 2.0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    options = _parser().parse_args(argv)
    try:
        if options.logs is not None:
            return _write_logs(options)
        return _measure(options)
    except KeyboardInterrupt:  # before there was anything to measure
        return INTERRUPTED
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    except EngineError as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS


def _write_logs(options: argparse.Namespace) -> int:
    """Write the logs of all pairs, or of those until Ctrl-C; return the exit code."""
    from agents.studies.pool.logs import write_logs

    if options.json is not None or options.svg is not None:
        _parser().error("--logs measures nothing: neither --json nor --svg goes with it")
    bots = _contestants(options)
    wanted = len(bots) * (len(bots) - 1) // 2
    written = kept = 0
    said = RateLimiter(_PROGRESS_SECONDS)
    code = 0
    try:
        for log in write_logs(options.logs, bots, options.game, options.log_hands, options.seed):
            written, kept = written + (not log.kept), kept + log.kept
            said(f"{written + kept} of {wanted} logs")
    except KeyboardInterrupt:
        tell(f"{PROG}: stopped; the same command writes the logs that are missing")
        code = INTERRUPTED
    except OSError as error:
        tell(f"{PROG}: {error.filename or options.logs}: {error.strerror}")
        return FAILED
    there = f", {kept} were there already" if kept else ""
    text = f"{written} of {wanted} logs written to {options.logs}{there}\n"
    return show(text, PROG) or code


def _contestants(options: argparse.Namespace) -> tuple[AgentSpec, ...]:
    """Return the bots that are named, two at least."""
    from agents.studies.pool.contestants import find_contestants

    bots = find_contestants(options.names)
    if len(bots) < 2:
        _parser().error(f"{bots[0].name} alone has nobody to play: name two, or none for all")
    return bots


def _measure(options: argparse.Namespace) -> int:
    """Play all pairs, or those until Ctrl-C, and report; return the exit code."""
    from agents.studies.pool.crosstable import Crosstable, play_pairs

    bots = _contestants(options)
    wanted = Crosstable(bots, ()).wanted
    played: list[PairResult] = []
    said = RateLimiter(_PROGRESS_SECONDS)
    code = 0
    try:
        for pair in play_pairs(
            bots, options.game, options.hands, options.seed, at_once=options.jobs
        ):
            played.append(pair)
            said(f"{len(played)} of {wanted} pairs")
    except KeyboardInterrupt:
        code = stopped(PROG, len(played), wanted, "pairs")
        if not played:
            return code
    return _report(options, Crosstable(bots, tuple(played))) or code


def _report(options: argparse.Namespace, table: Crosstable) -> int:
    from agents.studies.pool.picture import plane_figure
    from agents.studies.pool.report import as_data, as_text

    game, deals = options.game, f"{options.hands:,} deals a pair"
    head = f"{describe(game)}; {deals}, each in both seatings; seed {options.seed}"
    code = 0 if options.json == STDOUT else show(f"{head}\n\n{as_text(table)}", PROG)
    written = {}
    if options.json is not None:
        facts = {"game": describe(game), "deals": options.hands, "seed": options.seed}
        written[options.json] = json.dumps(facts | as_data(table), indent=2) + "\n"
    if options.svg is not None:
        kind = "no-limit" if game.no_limit else "limit"
        blinds = "/".join(map(str, game.blinds))
        below = f"{kind} hold'em for two, blinds {blinds}; {deals}, seed {options.seed}"
        written[options.svg] = figure_svg(plane_figure(table, "Tightness and aggression", below))
    return write_files(written, PROG) or code


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Play the bots of the opponent pool against each other in duplicate; show what "
        "each of them does, and what each wins from each; or, with --logs, write match logs.",
    )
    add = parser.add_argument
    add(
        "names",
        metavar="NAME",
        nargs="*",
        help=f"the bots that take part ({', '.join(MEASURED)}); also points of the "
        "plane, plane-PLAYED-RAISED-BLUFF-SLOW-PRESSURE-SIZE in percent, the last four may be "
        "left out",
    )
    add_game(parser)
    add("--hands", metavar="N", type=count, default=10_000, help="deals a pair (%(default)s)")
    add_seed(parser)
    add_jobs(parser, "threads")
    add_json(parser)
    add("--logs", metavar="DIR", type=Path, help="measure nothing, write a match log a pair there")
    add("--log-hands", metavar="N", type=count, default=1000, help="hands a log (%(default)s)")
    add(
        "--svg",
        metavar="FILE",
        type=figure_file,
        help="draw the plane of tightness and aggression there",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
