"""`arena cnn report`: what the bot wins in duplicate, beside its rivals and its own variants.

Every match that is over is kept in `duels.jsonl` of the report's folder; the same command plays
what is missing.  `winnings.svg` shows what is won as hands go by.
"""

from __future__ import annotations

import argparse
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine.console.arguments import count
from engine.console.line_chart import ChartLine, line_chart
from engine.console.options import add_jobs, add_seed
from engine.console.output import show, tell
from engine.console.quantities import interval
from engine.console.text_table import aligned
from engine.storage.atomic import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.studies.pool.duels import Duel, DuelResult

PROG: Final = "arena cnn report"
GAME: Final = "hunl"
DEALS: Final = 10_000
LEDGER: Final = "duels.jsonl"
WINNINGS: Final = "winnings.svg"
MATCH: Final = 500
"""Deals of a match with somebody who learns, from both seats, as in the report of `arena astar`."""
LEARNERS: Final = (
    "statistical",
    "astar",
    "solid",
    "trapper",
    "pressure",
    "controller",
    "exploiter",
)
RIVALS: Final = ("biased-random", "statistical", "astar", "blueprint")
"""Those of the article's figure: the original's sample player, an opponent modeller, and, where it
has a CFR player that models, the evolved ensemble and the blueprint."""
RULE_BOTS: Final = ("solid", "trapper", "pressure", "controller", "exploiter")
POOL: Final = ("O1", "O2", "O3", "O4", "O5", "O6", "O7", "O8")
OPPONENTS: Final = (*RIVALS, "rule", *RULE_BOTS, *POOL)
AGENTS: Final = ("cnn", "cnn-rounds", "cnn-blueprint", "cnn-value", "blueprint")
VARIANTS: Final = ("cnn", "cnn-sharp", "cnn-greedy", "cnn-pot")
VARIANTS_MEET: Final = ("blueprint", "biased-random", *POOL)


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena cnn`."""
    parser = tasks.add_parser(
        "report",
        help="what the bot wins from others, in duplicate",
        description="Play the bot, its variants and the blueprint against the pool and each other, "
        "in duplicate; show tables in mbb/h with 95 % intervals.",
    )
    add = parser.add_argument
    add("--out", metavar="DIR", type=Path, default=Path("runs/cnn-report"), help="(%(default)s)")
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
    """
    from agents.studies.pool.duels import DuelLedger
    from agents.training.run_folder import alone_in
    from protocol.gamedefs import load_builtin

    with alone_in(options.out, (LEDGER, WINNINGS)):
        ledger = DuelLedger(options.out / LEDGER, load_builtin(GAME))
        duels = wanted(options.deals, options.seed)
        results: dict[tuple[str, str], DuelResult] = {}
        for done, result in enumerate(ledger.play(duels, options.jobs), 1):
            results[result.duel.one, result.duel.other] = result
            rate = interval(result.rate.mbb_per_hand, result.rate.ci95, 0)
            tell(f"{done} of {len(duels)}: {result.duel.one} - {result.duel.other} {rate}")
        write_whole(options.out / WINNINGS, winnings_svg(results.values(), AGENTS[0]))
    lines = [
        *_table(results, AGENTS, OPPONENTS), "", *_table(results, VARIANTS, VARIANTS_MEET), "",
        "mbb/h with 95 % intervals over duplicate deals; those who learn: over matches of "
        f"{MATCH} deals",
    ]  # fmt: skip
    return show("\n".join(lines) + "\n", PROG)


def wanted(deals: int, seed: int) -> list[Duel]:
    """Return all duels of the report."""
    from agents.studies.pool.duels import Duel

    pairs = [(one, other) for one in AGENTS for other in OPPONENTS if one != other]
    pairs += [(one, other) for one in VARIANTS for other in VARIANTS_MEET]
    found = []
    for one, other in dict.fromkeys(pairs):
        whole = deals - deals % MATCH
        learns = other in LEARNERS and whole
        found.append(Duel(one, other, whole if learns else deals, seed, MATCH if learns else 0))
    return found


def winnings_svg(results: Sequence[DuelResult] | Any, agent: str) -> str:
    """Return the picture of what an agent has won from its rivals as hands go by."""
    from agents.studies.pool.duels import BLOCK

    lines = []
    for result in results:
        if result.duel.one == agent and result.duel.other in RIVALS:
            sums = accumulate(result.blocks, initial=0.0)
            points = [
                (2.0 * BLOCK * end, total * 2.0 * BLOCK / 1000 / 1000)
                for end, total in enumerate(sums)
            ]
            lines.append(ChartLine(f"from {result.duel.other}", points))
    return line_chart(f"What {agent} wins", "thousands of big blinds", "hands", lines)


def _table(
    results: dict[tuple[str, str], DuelResult], agents: Sequence[str], opponents: Sequence[str]
) -> list[str]:
    rows = [["", *agents]]
    for opponent in opponents:
        row = [opponent]
        for agent in agents:
            found = results.get((agent, opponent))
            row.append(
                "-" if found is None else interval(found.rate.mbb_per_hand, found.rate.ci95, 0)
            )
        rows.append(row)
    return aligned(rows)
