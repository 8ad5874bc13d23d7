"""`arena astar report`: play what the report tells of, and show it as tables.

Every match that is over is kept in `duels.jsonl` of the report's folder, so a report that was
stopped is resumed by the same command, and one with more sections plays only what is missing.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import count
from engine.console.options import add_jobs, add_seed
from engine.console.output import show, tell
from engine.console.quantities import interval
from engine.storage.atomic import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.studies.astar.report_sections import Section
    from agents.studies.pool.duels import DuelResult

PROG: Final = "arena astar report"
GAME: Final = "hunl"
DEALS: Final = 10_000
LEDGER: Final = "duels.jsonl"
ADAPTATION: Final = "adaptation.svg"
COSTS: Final = "costs"
COSTS_FILE: Final = "costs.json"
NAMES: Final = ("ablation", "ancestor", "comparison", "strangers", "sizes", COSTS)


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena astar`."""
    parser = tasks.add_parser(
        "report",
        help="what the ensemble, its parts and other bots win, in duplicate",
        description="Play the ensemble, its parts and other bots against known opponents, each "
        "other and strangers, in duplicate; show tables in mbb/h with 95 % intervals.",
    )
    add = parser.add_argument
    add("sections", metavar="SECTION", nargs="*", help=f"of {', '.join(NAMES)} (all)")
    add("--out", metavar="DIR", type=Path, default=Path("runs/astar-report"), help="(%(default)s)")
    add(
        "--deals",
        metavar="N",
        type=count,
        default=DEALS,
        help="of each match, each from both seats (%(default)s)",
    )
    add_seed(parser)
    add_jobs(parser)
    parser.set_defaults(run=run_subcommand)


def run_subcommand(options: argparse.Namespace) -> int:
    """Do it; return the exit code.

    Raises:
        AgentError: an agent cannot be measured, or the ledger is damaged.
        OSError: a file cannot be written.
        ValueError: there is no such section.
    """
    from agents.studies.astar.report_sections import sections
    from agents.training.run_folder import alone_in

    unknown = sorted(set(options.sections) - set(NAMES))
    if unknown:
        raise ValueError(f"no section is called {unknown[0]!r}; there are: {', '.join(NAMES)}")
    chosen = [one for one in sections() if not options.sections or one.name in options.sections]
    with alone_in(options.out, (LEDGER, COSTS_FILE, ADAPTATION)):
        return _report(options, chosen)


def _report(options: argparse.Namespace, chosen: Sequence[Section]) -> int:
    """Play and show sections; nobody else works in the folder."""
    from agents.studies.astar.costs import costs_table, measured_costs
    from agents.studies.astar.report_sections import MATCH, RANDOM
    from agents.studies.astar.report_tables import adaptation_svg, section_table
    from agents.studies.pool.duels import DuelLedger
    from protocol.gamedefs import load_builtin

    ledger = DuelLedger(options.out / LEDGER, load_builtin(GAME))
    text: list[str] = []
    played: dict[tuple[str, str], DuelResult] = {}
    for section in chosen:
        results = {}
        duels = section.duels(options.deals, options.seed)
        for done, result in enumerate(ledger.play(duels, options.jobs), 1):
            results[result.duel.one, result.duel.other] = result
            rate = interval(result.rate.mbb_per_hand, result.rate.ci95, 0)
            tell(
                f"{section.name} {done} of {len(duels)}: {result.duel.one} - {result.duel.other} "
                f"{rate} ({result.seconds:.0f} s)"
            )
        text += [section.title, "", *section_table(section, results), ""]
        played |= results
    if not options.sections or COSTS in options.sections:
        costs = measured_costs()
        facts = [cost._asdict() for cost in costs]
        write_whole(options.out / COSTS_FILE, json.dumps(facts, indent=1) + "\n")
        text += ["What it costs", "", *costs_table(costs), ""]
    adapting = [result for (_, other), result in played.items() if other == RANDOM]
    if adapting:
        write_whole(options.out / ADAPTATION, adaptation_svg(adapting))
    text.append(
        "mbb/h with 95 % intervals over duplicate deals; O_random: over its periods; those who "
        f"learn: over matches of {MATCH} deals"
    )
    return show("\n".join(text) + "\n", PROG)
