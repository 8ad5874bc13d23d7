"""`arena solve`: solve a spot, or look at one that is saved.

Exit codes: 0 fine, 1 the solution could not be saved, 2 wrong arguments, an unreadable file or a
spot that is too large, 130 interrupted by SIGINT (Ctrl-C), SIGTERM or SIGHUP (what was solved until
then is printed and saved).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.solve.arguments import PROG, parser
from engine.commands.solve.request import ReportSection, SolveRequest, look_of, request_of
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import put_json, quietly, say, tell
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.commands.solve.decisions import Route
    from engine.commands.solve.plan import BettingPlan
    from engine.commands.solve.work import SolveOutcome
    from engine.range_solver.strategy import RangeStrategy

_LOOKS = {"file", "node", "dealt", "hands", "combos", "json"}
"""Options that make sense for a saved solution."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _run(argv), PROG)


def _run(argv: Sequence[str] | None) -> int:
    made = parser()
    options = made.parse_args(argv)
    try:
        look = look_of(options)
        if options.file is not None:
            return _show(_saved(options, made), look)
        return _solve(request_of(options), look, options.out, options.checkpoint)
    except (EngineError, MemoryError) as error:
        tell(f"{PROG}: {str(error) or 'out of memory'}")
    except ValueError as error:
        made.error(str(error))
    return WRONG_ARGUMENTS


def _saved(options: argparse.Namespace, made: argparse.ArgumentParser) -> Path:
    """Return the file to look at.

    Raises:
        ValueError: it is no file, or there are options for solving, too.
    """
    path: Path = options.file
    for name, value in vars(options).items():
        if name not in _LOOKS and value != made.get_default(name):
            option = f"--{name.replace('_', '-')}"
            raise ValueError(f"{path}: {option} is for solving, FILE for looking at a solution")
    if not os.path.exists(path):
        raise ValueError(f"{path}: there is no such file; a spot is given by --board and so on")
    if not path.is_file():
        raise ValueError(f"{path}: is no file")
    return path


def _show(path: Path, look: ReportSection) -> int:
    from engine.commands.solve.decisions import find_route
    from engine.range_solver.strategy import RangeStrategy

    strategy = RangeStrategy.load(path)
    route = find_route(strategy.tree, strategy.board, strategy.ranges, look)
    return _print(strategy, route, look, {"file": str(path)}, [])


def _solve(
    request: SolveRequest, look: ReportSection, out: Path | None, checkpoint: Path | None
) -> int:
    """Solve, save and print; what can be wrong is checked before the work begins where possible."""
    from engine.commands.solve.decisions import find_route
    from engine.commands.solve.plan import betting_plan, size_text
    from engine.commands.solve.targets import check_targets, free_name
    from engine.commands.solve.work import ACCURATE, STOPPED, solve_spot
    from engine.console.progress import LivingLine

    line = LivingLine()
    try:
        line.show("laying the spot out")
        plan = betting_plan(request)
        route = find_route(plan.tree, request.board, request.ranges, look)
        path = out or free_name(request.board)
        check_targets(path, checkpoint, plan.solution)
        outcome = solve_spot(request, plan, checkpoint, line)
        line.show(f"saving {path}")
        outcome.strategy.asked = request.asked
        problem = _save(outcome.strategy, path)
    except KeyboardInterrupt:  # before the first iteration, or the second time
        line.clear()
        tell(f"{PROG}: interrupted, nothing is saved")
        return INTERRUPTED
    finally:
        line.clear()
    facts = _facts(request, plan, outcome) | {"file": None if problem else str(path)}
    written = _print(outcome.strategy, route, look, facts, _lines(request, plan, outcome))
    if problem:
        tell(f"{PROG}: not saved: {path}: {problem}")
        return FAILED
    if not look.as_json:
        size = size_text(path.stat().st_size)
        say(f"\nsaved, {size}; for other decisions: arena solve {path} --node BETTING")
        if checkpoint is not None and outcome.ended != ACCURATE and checkpoint.exists():
            say(f"unfinished work in {checkpoint}: the same command goes on{_further(outcome)}")
    return written or (INTERRUPTED if outcome.ended == STOPPED else 0)


def _further(outcome: SolveOutcome) -> str:
    """Return what the command needs besides, to resume its checkpoint."""
    from engine.commands.solve.work import ENOUGH

    return ", with more --iterations" if outcome.ended == ENOUGH else ""


def _save(strategy: RangeStrategy, path: Path) -> str:
    """Save a solution; return why it cannot be saved, "" if it was."""
    try:
        strategy.save(path)
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _print(
    strategy: RangeStrategy,
    route: Route,
    look: ReportSection,
    facts: dict[str, Any],
    lines: list[str],
) -> int:
    """Print a decision, after what is known of the whole solution; return the exit code."""
    from engine.commands.solve.decisions import decision_at
    from engine.commands.solve.report import (
        decision_json,
        decision_lines,
        solution_json,
        solution_lines,
    )

    decision = decision_at(strategy, route)
    if not look.as_json:
        for text in (*solution_lines(strategy), *lines, "", *decision_lines(decision, look)):
            say(text)
    if look.json is None:
        return 0
    everything = facts | solution_json(strategy) | decision_json(decision, look)
    return put_json(look.json, everything, PROG, indent=None)


def _facts(request: SolveRequest, plan: BettingPlan, outcome: SolveOutcome) -> dict[str, Any]:
    """Return for `json.dumps` how a solution was computed."""
    return {
        "algorithm": request.algorithm,
        "choice": None if request.choice is None else request.choice.facts(),
        "uses": outcome.uses,
        "max_raises": plan.max_raises,
        "storage": plan.storage,
        "iterations": outcome.iterations,
        "resumed": outcome.resumed,
        "seconds": outcome.seconds,
        "ended": outcome.ended,
        "memory": plan.memory,
    }


def _lines(request: SolveRequest, plan: BettingPlan, outcome: SolveOutcome) -> list[str]:
    """Return the same for people."""
    from engine.commands.solve.plan import size_text
    from engine.commands.solve.work import ACCURATE, ENOUGH, LATE, STOPPED, STUCK

    why = {
        ACCURATE: f"{100 * request.accuracy:g} % of the pot reached",
        ENOUGH: "--iterations reached",
        LATE: "--seconds over",
        STOPPED: "interrupted",
        STUCK: f"it gets no better; {100 * request.accuracy:g} % of the pot is out of reach",
    }[outcome.ended]
    lines = [
        f"{request.algorithm}, {outcome.iterations} iterations, {outcome.seconds:.1f} s, "
        f"{size_text(plan.memory)}; {why}"
    ]
    if len(outcome.uses) > 1:
        used = ", ".join(f"{name} {count}" for name, count in outcome.uses.items())
        lines.append(f"iterations by {used}; the time has the exploitability that chose them")
    if outcome.resumed:
        lines.append(f"{outcome.resumed} of the iterations are the checkpoint's, their time apart")
    if plan.cut:
        lines.append(plan.cut)
    return lines
