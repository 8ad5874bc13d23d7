"""What the bot that sees hands as pictures wins, beside its rivals and its own variants.

    make study cnn-duels

10 000 deals from both seats for each entry, in duplicate, the same for all who meet an opponent;
hours on all cores.  The ledger of the work folder has each duel that is over.
"""

from argparse import ArgumentParser, Namespace
from typing import Any, Final

from engine.console.arguments import count
from engine.console.options import jobs_option, seed_option
from tests.studies.duels import MATCH, Duel, play_duels

DEALS: Final = 10_000
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
VARIANTS: Final = ("cnn", "cnn --sharpness 2", "cnn --greedy 1", "cnn --sized 0")
VARIANTS_MEET: Final = ("blueprint", "biased-random", *POOL)
SMALL: Final = {"deals": 4, "agents": ["cnn"], "opponents": ["biased-random", "O1"], "jobs": 1}


def add_options(parser: ArgumentParser) -> None:
    """Add who plays, and how much."""
    add = parser.add_argument
    add("--agents", metavar="BOT", nargs="+", help="of the tables (all)")
    add("--opponents", metavar="BOT", nargs="+", help="of the tables (all)")
    add("--deals", metavar="N", type=count, default=DEALS, help="of each match (%(default)s)")
    seed_option().add_to(parser)
    jobs_option().add_to(parser)


def result_name(_: Namespace) -> str:
    """Return the file of all duels."""
    return "cnn/duels.jsonl"


def run(options: Namespace) -> list[dict[str, Any]]:
    """Play what the ledger lacks; return all duels, each once."""
    duels = [
        duel
        for duel in wanted(options.deals, options.seed)
        if duel.one in (options.agents or (duel.one,))
        and duel.other in (options.opponents or (duel.other,))
    ]
    return play_duels(duels, options.work, options.jobs)


def wanted(deals: int, seed: int) -> list[Duel]:
    """Return all duels of the report."""
    pairs = [(one, other) for one in AGENTS for other in OPPONENTS if one != other]
    pairs += [(one, other) for one in VARIANTS for other in VARIANTS_MEET]
    found = []
    for one, other in dict.fromkeys(pairs):
        whole = deals - deals % MATCH
        learns = other in LEARNERS and whole
        found.append(Duel(one, other, whole if learns else deals, seed, MATCH if learns else 0))
    return found
