"""What the bot that sees hands as pictures wins, beside its rivals and its own variants.

    make study cnn-duels
    make study NAME="cnn-duels --game hulhe"

10 000 deals from both seats for each entry, in duplicate, the same for all who meet an opponent;
hours on all cores.  The ledger of the work folder has each duel that is over.  In limit hold'em,
hulhe, the rivals are those of the article's figure 7.
"""

from argparse import ArgumentParser, Namespace
from typing import Any, Final

from engine.console.arguments import count
from engine.console.options import jobs_option, seed_option
from tests.studies.duels import GAME, MATCH, Duel, play_duels

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
"""Those of the article's figure 7, all but a CFR player that models: it is of limit hold'em."""
LIMIT: Final = "hulhe"
LIMIT_RIVALS: Final = ("biased-random", "statistical", "restrained")
"""The original's sample player, an opponent modeller, a CFR player that models."""
LIMIT_OPPONENTS: Final = (*LIMIT_RIVALS, "rule", "blueprint")
LIMIT_AGENTS: Final = ("cnn", "cnn --greedy 1", "blueprint")
RULE_BOTS: Final = ("solid", "trapper", "pressure", "controller", "exploiter")
POOL: Final = ("O1", "O2", "O3", "O4", "O5", "O6", "O7", "O8")
OPPONENTS: Final = (*RIVALS, "rule", *RULE_BOTS, *POOL)
AGENTS: Final = ("cnn", "cnn-rounds", "cnn-blueprint", "cnn-value", "blueprint")
VARIANTS: Final = ("cnn", "cnn --sharpness 2", "cnn --greedy 1", "cnn --sized 0")
VARIANTS_MEET: Final = ("blueprint", "biased-random", *POOL)
VALUES_MEET: Final = ("biased-random", "rule", "blueprint")
"""Whom readings of the article's targets meet, see `cnn_values`."""
SMALL: Final = {"deals": 4, "agents": ["cnn"], "opponents": ["biased-random", "O1"], "jobs": 1}


def add_options(parser: ArgumentParser) -> None:
    """Add who plays, and how much."""
    add = parser.add_argument
    add("--agents", metavar="BOT", nargs="+", help="of the tables (all)")
    add("--opponents", metavar="BOT", nargs="+", help="of the tables (all)")
    add("--game", choices=(GAME, LIMIT), default=GAME, help="(%(default)s)")
    add("--deals", metavar="N", type=count, default=DEALS, help="of each match (%(default)s)")
    seed_option().add_to(parser)
    jobs_option().add_to(parser)


def result_name(options: Namespace) -> str:
    """Return the file of all duels of a game."""
    return f"cnn/duels{'' if options.game == GAME else f'-{options.game}'}.jsonl"


def run(options: Namespace) -> list[dict[str, Any]]:
    """Play what the ledger lacks; return all duels, each once."""
    duels = [
        duel
        for duel in wanted(options.game, options.deals, options.seed)
        if duel.one in (options.agents or (duel.one,))
        and duel.other in (options.opponents or (duel.other,))
    ]
    return play_duels(duels, options.work, options.jobs)


def wanted(game: str, deals: int, seed: int) -> list[Duel]:
    """Return all duels of a game's report."""
    agents, opponents = (AGENTS, OPPONENTS) if game == GAME else (LIMIT_AGENTS, LIMIT_OPPONENTS)
    pairs = [(one, other) for one in agents for other in opponents if one != other]
    if game == GAME:
        pairs += [(one, other) for one in VARIANTS for other in VARIANTS_MEET]
    found = []
    for one, other in dict.fromkeys(pairs):
        whole = deals - deals % MATCH
        learns = other in LEARNERS and whole
        match = MATCH if learns else 0
        found.append(Duel(one, other, whole if learns else deals, seed, match, game))
    return found
