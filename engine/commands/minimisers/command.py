"""arena minimisers GAME...: does it pay to choose a regret minimiser per iteration?

Solves small games, and subgames of hold'em over full ranges: with every member of a pool alone,
with members in turn and at random, and with the forms of the adaptive choice.  Prints how
exploitable the average strategies are after as many iterations and after as much time.

Exit codes: 0 fine, 1 an unwritable stdout, 2 wrong arguments, an unreadable subgame or an
unwritable file, 130 interrupted: games that were done by then are shown and written.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any

from engine.cfr.adaptive import Bonus, UcbRule, Update
from engine.cfr.adaptive_report import AdaptiveForm, Comparison, Contest, compare_minimisers
from engine.cfr.adaptive_starts import StartsSummary, summary_of
from engine.cfr.solver import StrategyKind
from engine.commands.minimisers.arguments import ALL, PRESET, PROG, parser
from engine.commands.minimisers.games import GameArgument, MeasuredGame
from engine.commands.minimisers.picture import minimisers_figure
from engine.commands.minimisers.tables import comparison_table, starts_table
from engine.console.drawing import figure_svg
from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.minimiser_options import parse_with_preset
from engine.console.options import STDOUT
from engine.console.output import put_json, quietly, say, stopped, tell, write_files
from engine.console.progress import LivingLine
from engine.storage.atomic import check_writable

_REPEATS = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _main(argv), PROG)


def _main(argv: Sequence[str] | None) -> int:
    made = parser()
    options = parse_with_preset(made, argv, PRESET)
    try:
        if options.svg is not None and options.svg == options.json:
            made.error(f"--json and --svg: {options.svg} cannot be both")
        for path in (options.json, options.svg):
            if path not in (None, STDOUT):
                check_writable(path)
    except OSError as error:
        return _refuse(path, error)
    command = f"{PROG} {shlex.join(sys.argv[1:] if argv is None else argv)}"
    found: dict[str, Any] = {}
    drawn: dict[str, StartsSummary] = {}
    code = 0
    try:
        forms = _forms(options)
        games: list[MeasuredGame] = []  # all, so that none is refused once others are measured
        for argument in options.games:
            games.append(_opened(options, argument))
    except OSError as error:
        return _refuse(argument.path, error)
    except ValueError as error:
        made.error(str(error))
    try:
        for game in games:
            numbers, drawn[game.name] = _measured(options, game, forms)
            found[game.name] = {"command": command, **numbers}
    except KeyboardInterrupt:
        code = stopped(PROG, len(found), len(options.games), "games")
    if options.svg is not None and drawn:
        code = write_files({options.svg: figure_svg(minimisers_figure(drawn))}, PROG) or code
    if options.json is not None and found:
        code = put_json(options.json, found, PROG) or code
    return code


def _refuse(path: Path, error: OSError) -> int:
    tell(f"{PROG}: {path}: {error.strerror or error}")
    return WRONG_ARGUMENTS


def _opened(options: argparse.Namespace, argument: GameArgument) -> MeasuredGame:
    return argument.opened(alternating=options.alternating, threads=options.threads)


def _forms(options: argparse.Namespace) -> tuple[AdaptiveForm, ...]:
    """Return the forms of the choice that the command line asks for.

    Raises:
        ValueError: a number is out of range.
    """
    updates = [update for update in Update if options.update in (ALL, update.value)]
    bonuses = [bonus for bonus in Bonus if options.bonus in (ALL, bonus.name.lower())]
    rewards = [which for which in StrategyKind if options.reward in (ALL, which.value)]
    return tuple(
        AdaptiveForm(UcbRule(update, bonus, weight, options.alpha), which, options.every)
        for which, update, bonus, weight in product(rewards, updates, bonuses, options.exploration)
    )


def _measured(
    options: argparse.Namespace, game: MeasuredGame, forms: tuple[AdaptiveForm, ...]
) -> tuple[dict[str, Any], StartsSummary]:
    """Measure one game, print it unless JSON goes there; return it for JSON and for the picture."""
    updates = "alternating" if options.alternating else "simultaneous"
    shown = options.json != STDOUT
    if shown:
        say(f"{game.name}: {game.summary}; {updates} updates")
    head: dict[str, Any] = {"summary": game.summary, "updates": updates}
    if options.starts == 0:
        comparison = _compared(options, game, forms, None)
        if shown:
            for line in comparison_table(comparison):
                say(line)
        return head | asdict(comparison), summary_of([comparison])
    seeds = range(1, options.starts + 1)
    summary = summary_of([_compared(options, game, forms, seed) for seed in seeds])
    if shown:
        for line in starts_table(summary):
            say(line)
    return head | asdict(summary), summary


def _compared(
    options: argparse.Namespace,
    game: MeasuredGame,
    forms: tuple[AdaptiveForm, ...],
    start: int | None,
) -> Comparison:
    contest = Contest(
        make_solver=lambda: game.solver(start),
        pool=options.pool,
        forms=forms,
        iterations=options.iterations,
        seeds=tuple(range(1, options.seeds + 1)),
        big_blind=game.big_blind,
        repeats=options.repeats or (_REPEATS if start is None else 1),
    )
    of = "" if start is None else f", start {start}"
    with LivingLine() as line:
        return compare_minimisers(
            contest, on_entrant=lambda entrant: line.show(f"{game.name}{of}: {entrant}")
        )
