"""arena minimisers GAME...: does it pay to choose a regret minimiser per iteration?

Solves small games with every member of a pool alone, with members in turn and at random, and with
the forms of the adaptive choice, and prints how exploitable the average strategies are after as
many iterations and after as much time.

Exit codes: 0 fine, 1 an unwritable stdout, 2 wrong arguments or an unwritable file, 130
interrupted.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Final

from engine.cfr.adaptive import POOL, Bonus, UcbRule, Update
from engine.cfr.adaptive_report import AdaptiveForm, Comparison, Contest, Trace, compare
from engine.cfr.solver import Which
from engine.console.arguments import real_number, whole_number
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.options import STDOUT, add_json
from engine.console.output import put_json, quietly, say, tell
from engine.console.parser import OneLineParser
from engine.console.pools import pool_of
from engine.console.progress import LivingLine
from engine.console.text_table import aligned
from engine.small_games.catalogue import GAMES, SmallGame
from engine.storage.atomic import check_writable

PROG: Final = "arena minimisers"
COLUMNS: Final = 5
"""Checkpoints shown, the last ones at powers of two."""
ALL: Final = "all"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _main(argv), PROG)


def _main(argv: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(argv)
    try:
        if options.json not in (None, STDOUT):
            check_writable(options.json)
    except OSError as error:
        return _refuse(options.json, error)
    found: dict[str, object] = {}
    for name in options.games:
        game = GAMES[name]
        try:
            contest = _contest(options, game)
        except ValueError as error:
            parser.error(str(error))
        comparison = _compare(contest, name)
        updates = "alternating" if options.alternating else "simultaneous"
        if options.json != STDOUT:
            say(f"{name}: {game.summary}; {updates} updates")
            for line in comparison_table(comparison):
                say(line)
        found[name] = {"updates": updates, **asdict(comparison)}
    return 0 if options.json is None else put_json(options.json, found, PROG)


def _refuse(path: Path, error: OSError) -> int:
    tell(f"{PROG}: {path}: {error.strerror or error}")
    return WRONG_ARGUMENTS


def _contest(options: argparse.Namespace, game: SmallGame) -> Contest:
    """Return what the command line asks for.

    Raises:
        ValueError: a number is out of range.
    """
    from engine.small_games.tabular import solver_for

    updates = [update for update in Update if options.update in (ALL, update.value)]
    bonuses = [bonus for bonus in Bonus if options.bonus in (ALL, bonus.name.lower())]
    rewards = [which for which in Which if options.reward in (ALL, which.value)]
    forms = tuple(
        AdaptiveForm(
            UcbRule(update, bonus, options.exploration, options.alpha), which, options.every
        )
        for which, update, bonus in product(rewards, updates, bonuses)
    )
    tree = game.build()
    return Contest(
        make_solver=lambda: solver_for(tree, alternating=options.alternating),
        pool=options.pool,
        forms=forms,
        iterations=options.iterations,
        seeds=tuple(range(1, options.seeds + 1)),
        big_blind=game.big_blind,
        repeats=options.repeats,
    )


def _compare(contest: Contest, name: str) -> Comparison:
    with LivingLine() as line:
        return compare(contest, on_entrant=lambda entrant: line.show(f"{name}: {entrant}"))


def comparison_table(comparison: Comparison) -> list[str]:
    """Return a comparison as lines: per iteration, per time, and what came of it."""
    reference = comparison.members[0]
    shown = _columns(reference)
    iterations = [str(reference.iterations[at]) for at in shown]
    times = [reference.seconds[at] for at in shown]
    pool = ", ".join(comparison.pool)
    per_iteration = [("", *iterations, "ms", f"% of {pool}")]
    per_time = [("", *iterations)]
    for name, traces in _groups(comparison):
        spent = statistics.mean(trace.seconds[-1] for trace in traces)
        reached = [statistics.mean(trace.exploitability[at] for trace in traces) for at in shown]
        in_time = [statistics.mean(trace.at_time(time) for trace in traces) for time in times]
        texts = map(_thousandths, reached)
        per_iteration.append((name, *texts, f"{1e3 * spent:.1f}", _shares(traces)))
        per_time.append((name, *map(_thousandths, in_time)))
    return [
        "exploitability of the average strategy in thousandths of a big blind, after iterations:",
        *(f"  {row}" for row in aligned(per_iteration)),
        f"the same after the time in which {reference.name} alone runs so many:",
        *(f"  {row}" for row in aligned(per_time)),
        *_verdict(comparison, times[-1]),
    ]


def _groups(comparison: Comparison) -> list[tuple[str, Sequence[Trace]]]:
    """Return the rows of the tables: names, and the traces whose mean each one shows."""
    seeds = len(comparison.random)
    return [
        *((trace.name, [trace]) for trace in comparison.members),
        ("in turn", [comparison.round_robin]),
        *([(f"random, mean of {seeds}", comparison.random)] if seeds else []),
        *((trace.name, [trace]) for trace in comparison.adaptive),
    ]


def _columns(trace: Trace) -> list[int]:
    """Return which checkpoints to show: the last powers of two and the end."""
    last = len(trace.iterations) - 1
    powers = [at for at in range(last) if trace.iterations[at].bit_count() == 1]
    return [*powers[1 - COLUMNS :], last]


def _shares(traces: Sequence[Trace]) -> str:
    """Return how the iterations were shared among the members of the pool, per cent."""
    uses = [sum(column) for column in zip(*(trace.uses for trace in traces), strict=True)]
    return " ".join(f"{100 * used / sum(uses):.0f}" for used in uses) if len(uses) > 1 else ""


def _verdict(comparison: Comparison, seconds: float) -> list[str]:
    """Return how the forms compare with the best member, which is known afterwards only."""
    best = comparison.best_member
    lines = [f"best member in hindsight: {best.name}"]
    if comparison.adaptive and best.exploitability[-1] > 0:
        floor = best.exploitability[-1]
        adaptive = min(comparison.adaptive, key=lambda trace: trace.exploitability[-1])
        median = statistics.median(trace.exploitability[-1] for trace in comparison.adaptive)
        lines += [
            f"best form in hindsight: {adaptive.name}",
            f"  {adaptive.exploitability[-1] / floor:.2f} times as exploitable per iteration, "
            f"{adaptive.at_time(seconds) / best.at_time(seconds):.2f} times in the same time",
            f"median of the forms: {median / floor:.2f} times as exploitable per iteration",
        ]
    return lines


def _thousandths(value: float) -> str:
    if math.isinf(value):
        return "-"
    return f"{1e3 * value:.3g}" if value < 1 else f"{1e3 * value:.0f}"


_positive: Final = real_number(lambda value: 0 < value < math.inf, "{!r} is not a positive number")


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Compare regret minimisers with choosing one per iteration.",
        epilog="games: " + "; ".join(f"{name} ({game.summary})" for name, game in GAMES.items()),
    )
    parser.add_argument("games", metavar="GAME", nargs="+", choices=GAMES, help="see below")
    parser.add_argument(
        "--iterations",
        type=whole_number(1, 10**6),
        metavar="N",
        default=1024,
        help="of each run (default: %(default)s)",
    )
    parser.add_argument(
        "--pool",
        type=pool_of,
        default=",".join(variant.name for variant in POOL),
        metavar="NAME,...",
        help="minimisers to choose from (default: %(default)s)",
    )
    forms = parser.add_argument_group("forms of the choice, all of them unless told")
    forms.add_argument(
        "--update",
        choices=("sum", "mean", ALL),
        default=ALL,
        help="how the gains of a member are added up: as a sum or as a mean",
    )
    forms.add_argument(
        "--bonus",
        choices=("inverse", "root", "logarithm", ALL),
        default=ALL,
        help="how the bonus of seldom chosen members falls with their uses",
    )
    forms.add_argument(
        "--reward",
        choices=("current", "average", ALL),
        default=ALL,
        help="the strategy whose exploitability is to fall",
    )
    forms.add_argument(
        "--exploration",
        type=_positive,
        metavar="BLINDS",
        default=1.0,
        help="weight of the bonus, in big blinds (default: %(default)s)",
    )
    forms.add_argument(
        "--alpha",
        type=_positive,
        metavar="SHARE",
        default=0.1,
        help="share of the past that is forgotten each time (default: %(default)s)",
    )
    forms.add_argument(
        "--every",
        type=whole_number(1, 1000),
        default=1,
        metavar="K",
        help="choose every K iterations",
    )
    parser.add_argument(
        "--seeds",
        type=whole_number(0, 100),
        metavar="N",
        default=3,
        help="random runs (default: %(default)s)",
    )
    parser.add_argument(
        "--repeats",
        type=whole_number(1, 100),
        metavar="N",
        default=3,
        help="runs of which the fastest counts (default: %(default)s)",
    )
    parser.add_argument(
        "--alternating", action="store_true", help="update the players in turn, not at once"
    )
    add_json(parser, "all measurements as JSON instead of the tables, or beside them in FILE")
    return parser


if __name__ == "__main__":
    sys.exit(main())
