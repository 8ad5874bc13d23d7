"""`arena solve`: solve a spot, or look at one that is saved.

Exit codes: 0 fine, 1 the solution could not be saved, 2 wrong arguments, an unreadable file or a
spot that is too large, 130 interrupted by SIGINT (Ctrl-C), SIGTERM or SIGHUP (what was solved until
then is printed and saved).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.commands.minimiser_options import CHOICE
from engine.commands.solve.machine import free_memory
from engine.commands.solve.request import (
    AUTO,
    MOST_CHIPS,
    PROG,
    ReportSection,
    SolveRequest,
    look_of,
    request_of,
)
from engine.console.arguments import real_number, whole_number
from engine.console.command import Command, Option, OptionGroup, WrongArguments
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.options import json_option
from engine.console.output import put_json, say, tell
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.commands.solve.betting_plan import BettingPlan
    from engine.commands.solve.decisions import Route
    from engine.commands.solve.spot_solver import SolveOutcome
    from engine.range_solver.strategy import RangeStrategy

ALGORITHM: Final = "dcfr+"
"""It comes closest soonest on typical spots, see `tests/benchmarks/bench_solve.py`."""
_SHARE_OF_FREE: Final = 0.75

_DESCRIPTION: Final = """\
Solve a river, turn or flop spot of heads-up no-limit hold'em over full ranges. Print the strategy
at its root and its exploitability, and save all of it. Given a saved FILE, print any of its
decisions."""

_EPILOG: Final = """\
ranges:
  QQ+ AKs AKo AK 77-55 A5s-A2s A5s+ JTs-76s AhKh 20% random, joined by commas. AKs:0.5 has half
  the weight; 20% are the hands that do best against a random one. @FILE reads a range from a
  file.

sizes:
  per cent of the pot, after the call where there is a bet to call; a is all-in. 50,100,a is for
  every street, 50,100,a/75,a/100 a list for each street from the board's on.

tables:
  share is how often a hand is held there. EV is the chips it takes out of the pot on average, less
  what it puts in from there on; both players' sum to the pot. It is left out behind the root of a
  flop where it would take long. The words in the row --node are what --node wants: r and all chips
  put in over the hand, those already in the pot included. A / separates streets: --node cc/
  --dealt 2h is the first decision after check, check and the deuce of hearts.

examples:
  arena solve --board 4s8hTc9h2s --pot 500 --stacks 19750 --oop random --ip random --bets 50,100,a
                          a river, under a second
  arena solve --board KsJs7d2c --pot 500 --stacks 4750 --oop 22+,A2s+ --ip QQ+,AKs --out my.solution
                          a turn, 2 to 6 seconds
  arena solve --board KsJs7d --pot 500 --stacks 2750 --oop 30% --ip 20% --max-raises 2
                          a flop, 1 to 5 minutes
  arena solve my.solution --node cr500 --hands AA,KK
  arena solve my.solution --node cr500c --dealt 2h --combos

  The first solve on a machine compiles the solver besides, for some 20 seconds (river) to 40.
  What a spot takes in memory and time is said on stderr before it is begun.
"""


def _print_strategy(options: argparse.Namespace) -> int:
    try:
        look = look_of(options)
        if options.file is not None:
            return _show(_saved(options), look)
        return _solve(request_of(options), look, options.out, options.checkpoint)
    except (EngineError, MemoryError) as error:
        tell(f"{PROG}: {str(error) or 'out of memory'}")
        return WRONG_ARGUMENTS
    except ValueError as error:
        raise WrongArguments(str(error)) from error


def _saved(options: argparse.Namespace) -> Path:
    """Return the file to look at.

    Raises:
        ValueError: it is no file, or there are options for solving, too.
    """
    path: Path = options.file
    for option in (option for group in _SOLVING for option in group.options):
        if option.is_given(options):
            raise ValueError(
                f"{path}: {option.flag} is for solving, FILE for looking at a solution"
            )
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
    from engine.commands.solve.betting_plan import betting_plan, size_text
    from engine.commands.solve.decisions import find_route
    from engine.commands.solve.spot_solver import ACCURATE, STOPPED, solve_spot
    from engine.commands.solve.targets import check_targets, free_name
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
    from engine.commands.solve.spot_solver import ENOUGH

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
        decision_lines,
        node_json,
        solution_json,
        solution_lines,
    )

    decision = decision_at(strategy, route)
    if not look.as_json:
        for text in (*solution_lines(strategy), *lines, "", *decision_lines(decision, look)):
            say(text)
    if look.json is None:
        return 0
    everything = facts | solution_json(strategy) | node_json(decision, look)
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
    from engine.commands.solve.betting_plan import size_text
    from engine.commands.solve.spot_solver import ACCURATE, ENOUGH, LATE, STOPPED, STUCK

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


def _most_raises(text: str) -> int | str:
    return AUTO if text == AUTO else whole_number(0, 64, "{!r}: want 0 to 64, or auto")(text)


def _positive(largest: float) -> Callable[[str], float]:
    return real_number(
        lambda value: 0 < value <= largest, f"{{!r}}: want a number above 0, at most {largest:,.0f}"
    )


_FILE: Final = Option("[FILE]", "a saved solution", Path)
_SOLVING: Final = (
    OptionGroup(
        "the spot",
        (
            Option("--board CARDS", "3, 4 or 5 cards, as KsJs7d"),
            Option(
                "--pot CHIPS",
                "an even number, half of it from each player",
                whole_number(2, MOST_CHIPS),
            ),
            Option(
                "--stacks CHIPS",
                "chips each player has left; of two numbers, as in 900,1200, the smaller one "
                "counts",
            ),
            Option("--oop RANGE", "hands of the player out of position, who acts first"),
            Option("--ip RANGE", "hands of the player in position"),
            Option("--bets SIZES", "first bets (default %(default)s)", default="50,100,a"),
            Option("--raises SIZES", "raises (default %(default)s)", default="100,a"),
            Option(
                "--max-raises N",
                "most bets and raises on a street (default: without bound); auto: without bound, "
                "or else the largest of 3, 2 and 1 that fits in --memory",
                _most_raises,
            ),
            Option(
                "--big-blind CHIPS",
                "the smallest bet (default %(default)s)",
                whole_number(1, MOST_CHIPS),
                100,
            ),
        ),
    ),
    OptionGroup(
        "how far, and with what",
        (
            Option(
                "--accuracy PERCENT",
                "stop at this exploitability, in per cent of the pot (default %(default)s). Most "
                "spots reach 0.01, those with deep stacks do not; a solve that stops improving "
                "ends",
                _positive(1e6),
                0.3,
            ),
            Option(
                "--iterations N",
                "or after so many, those of a checkpoint included",
                whole_number(1, 10**9),
            ),
            Option("--seconds S", "or after so long", _positive(1e9)),
            Option(
                "--algorithm NAME",
                "member of the CFR family, or adaptive: chosen among several while it solves, by "
                "what they take off the exploitability (default %(default)s)",
                default=ALGORITHM,
            ),
            Option(
                "--threads N",
                "on turn and flop (default: one for each core, here %(default)s)",
                whole_number(1, 256),
                os.cpu_count() or 1,
            ),
            Option(
                "--storage",
                "precision of the tables; int16 takes 60 per cent of the memory (default: float32 "
                "where that fits in --memory)",
                default=AUTO,
                choices=(AUTO, "float32", "int16"),
            ),
            Option(
                "--memory GIB",
                "refuse what needs more (default: three quarters of what is free, here "
                "%(default)s)",
                _positive(1e6),
                max(0.1, round(_SHARE_OF_FREE * free_memory() / 2**30, 1)),
            ),
            Option(
                "--out FILE",
                "save the solution here (default BOARD.solution, with a number where that "
                "exists); a solution that is there already is replaced",
                Path,
            ),
            Option(
                "--checkpoint FILE",
                "save the unfinished work here every minute, and resume it if it is there: "
                "the same spot with the same --algorithm",
                Path,
            ),
        ),
    ),
    OptionGroup("how --algorithm adaptive chooses", CHOICE),
)
_LOOK: Final = OptionGroup(
    "what to print",
    (
        Option(
            "--node BETTING",
            "the decision after this betting, as cr500 (default: the root)",
            default="",
        ),
        Option(
            "--dealt CARDS",
            "board cards that came since the root, where the decision is on a later street",
            default="",
        ),
        Option("--hands RANGE", "only these hands"),
        Option("--combos", "a row for every combo"),
        json_option(
            "one JSON object instead of the tables, or beside them in FILE", beside_files=True
        ),
    ),
)
COMMAND: Final = Command(
    PROG,
    _print_strategy,
    _DESCRIPTION,
    (_FILE, *_SOLVING, _LOOK),
    _EPILOG,
    usage="%(prog)s --board CARDS --pot CHIPS --stacks CHIPS --oop RANGE --ip RANGE "
    "[OPTION...]\n       %(prog)s FILE [--node BETTING] [--dealt CARDS] [--hands RANGE] "
    "[--combos] [--json]",
    allow_abbrev=False,
)
main = COMMAND.main
