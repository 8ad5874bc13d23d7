"""`arena astar pilots`: small evolutions side by side, their curves, and what their best win.

Each evolution lives in a run folder of its own, so pilots that were stopped are resumed by the same
command, and more seeds or more pilots train only what is missing.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import count, whole_number
from engine.console.options import add_seed
from engine.console.output import show, tell
from engine.console.progress import RateLimiter
from engine.storage.atomic import write_whole

if TYPE_CHECKING:
    from agents.evolution.run import EvolutionRun
    from agents.studies.astar.pilots.plans import Pilot
    from agents.studies.astar.pilots.runs import VariantRun
    from protocol.gamedef import GameDef

PROG: Final = "arena astar pilots"
BUDGETS: Final = "budgets"
NAMES: Final = ("stacks", "curricula", "widths", "survival", BUDGETS)
DEALS: Final = 10_000
RESULTS: Final = "pilots.json"
_MOST_SEED: Final = 2**31 - 1


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena astar`."""
    parser = tasks.add_parser(
        "pilots",
        help="small evolutions side by side: stacks, curricula, widths, survival, budgets",
        description="Evolve small populations that differ in one thing, and show what their best "
        "networks win from all known opponents, in duplicate.  The same command resumes.",
    )
    add = parser.add_argument
    add("pilots", metavar="PILOT", nargs="*", help=f"of {', '.join(NAMES)} (all)")
    add("--out", metavar="DIR", type=Path, default=Path("runs/astar-pilots"), help="(%(default)s)")
    add(
        "--seeds",
        metavar="N",
        nargs="+",
        type=whole_number(0, _MOST_SEED),
        default=[1, 2, 3],
        help="each variant is trained from each (1 2 3)",
    )
    add(
        "--deals",
        metavar="N",
        type=count,
        default=DEALS,
        help="of each match that is measured, each from both seats (%(default)s)",
    )
    add("--threads", metavar="N", type=count, help="matches at once (one per core)")
    add_seed(parser)
    parser.set_defaults(run=run_subcommand)


def run_subcommand(options: argparse.Namespace) -> int:
    """Do it; return the exit code.

    Raises:
        KeyboardInterrupt: after Ctrl-C or SIGTERM; all whole generations are saved.
        OSError: a file cannot be written.
        TrainingError: another training uses a folder, or a checkpoint is damaged.
        ValueError: there is no such pilot.
    """
    from agents.studies.astar.pilots.plans import pilots
    from agents.studies.astar.pilots.tables import budget_svg, curves_svg, pilot_table
    from protocol.gamedefs import load_builtin

    unknown = sorted(set(options.pilots) - set(NAMES))
    if unknown:
        raise ValueError(f"no pilot is called {unknown[0]!r}; there are: {', '.join(NAMES)}")
    game = load_builtin("hunl")
    text: list[str] = []
    told: dict[str, Any] = {"deals": options.deals, "seed": options.seed, "pilots": {}}
    for pilot in pilots():
        if options.pilots and pilot.name not in options.pilots:
            continue
        results = _results(game, pilot, options)
        told["pilots"][pilot.name] = [one.facts() for one in results]
        write_whole(options.out / f"{pilot.name}.svg", curves_svg(pilot, results))
        if pilot.name == BUDGETS:
            write_whole(options.out / "budget.svg", budget_svg(results))
        text += [pilot.title, "", *pilot_table(pilot, results), ""]
    write_whole(options.out / RESULTS, json.dumps(told, indent=1) + "\n")
    text.append(
        "fitness: population mean of the last ten generations; then mbb/h of the best network, "
        "each a mean over seeds; ±: 95 % interval over seeds"
    )
    return show("\n".join(text) + "\n", PROG)


def _results(game: GameDef, pilot: Pilot, options: argparse.Namespace) -> list[Any]:
    from agents.studies.astar.pilots.runs import VariantRun, measure_variant, train_variant

    results = []
    for variant in pilot.variants:
        for seed in dict.fromkeys(options.seeds):
            folder = options.out / pilot.name / f"{variant.name.replace(' ', '-')}-seed{seed}"
            one = VariantRun(variant, seed, folder)
            told = partial(_tell, pilot, one, RateLimiter())
            command = f"{PROG} {pilot.name} --seeds {seed}"
            if not train_variant(game, one, command, options.threads, told):
                raise KeyboardInterrupt
            results.append(measure_variant(game, one, options.deals, options.seed, options.threads))
            won = sum(rate.mbb_per_hand for rate in results[-1].rates) / len(results[-1].rates)
            tell(f"{pilot.name}, {variant.name}, seed {seed}: {won:,.0f} mbb/h over all eight")
    return results


def _tell(pilot: Pilot, one: VariantRun, said: RateLimiter, run: EvolutionRun) -> None:
    said(
        lambda: (
            f"{pilot.name}, {one.variant.name}, seed {one.seed}: generation "
            f"{run.evolution.generation} of {run.evolution.plan.generations}"
        )
    )
