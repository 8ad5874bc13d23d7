"""`arena astar recognise`: whom the ensemble takes an opponent for, and how sure it may be."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.console.arguments import count
from engine.console.options import STDOUT, add_json, add_seed
from engine.console.output import put_json, show

if TYPE_CHECKING:
    from agents.astar.models import EnsembleModels

PROG: Final = "arena astar recognise"
GAME: Final = "hunl"
HANDS: Final = 1000


class NearestKnown(NamedTuple):
    """What was seen of an opponent, and the two known ones who are nearest."""

    opponent: str
    actions: float
    """Seen, those of earlier hands counting less."""
    nearest: str
    divergence: float
    """Nats an action, see `ensemble.evidence_kernels`; about 0 or less for who plays like it."""
    second: str
    second_divergence: float


def add_parser(tasks: Any) -> None:
    """Add the task to those of `arena astar`."""
    parser = tasks.add_parser(
        "recognise",
        help="whom the ensemble takes an opponent for",
        description="Let the ensemble meet opponents, and show which known ones they are most "
        "like, by how much their actions diverge, in nats an action: 0 or less is alike.",
    )
    add = parser.add_argument
    add(
        "opponents",
        metavar="BOT",
        nargs="+",
        help="compiled bots, points of the plane, mixtures",
    )
    add("--hands", metavar="N", type=count, default=HANDS, help="of each match (%(default)s)")
    add("--models", metavar="DIR", type=Path, help="networks and library, not those shipped")
    add("--library", metavar="NAME", help="of them (wide, or the only one of the folder)")
    add_seed(parser)
    add_json(parser)
    parser.set_defaults(run=run_subcommand)


def run_subcommand(options: argparse.Namespace) -> int:
    """Do it; return the exit code.

    Raises:
        AgentError: an opponent is none, or a model is missing or damaged.
        OSError: a file cannot be written.
    """
    from agents.astar.models import MODELS, WIDE, load_models, usual_library
    from engine.console.text_table import aligned

    folder = options.models or MODELS
    models = load_models(folder, options.library or usual_library(folder, WIDE))
    found = [recognised(models, name, options.hands, options.seed) for name in options.opponents]
    rows = [["", "actions", "nearest", "nats", "second", "nats"]]
    rows += [
        [
            one.opponent,
            f"{one.actions:.0f}",
            one.nearest,
            f"{one.divergence:.3f}",
            one.second,
            f"{one.second_divergence:.3f}",
        ]
        for one in found
    ]
    shown = 0 if options.json == STDOUT else show("\n".join([*aligned(rows), ""]), PROG)
    if options.json is not None:
        facts = {"hands": options.hands, "seed": options.seed}
        told = facts | {"opponents": [one._asdict() for one in found]}
        return put_json(options.json, told, PROG) or shown
    return shown


def recognised(models: EnsembleModels, opponent: str, hands: int, seed: int) -> NearestKnown:
    """Return whom an opponent is like after a match with the ensemble.

    Raises:
        UnknownAgent: there is no such opponent, or it plays no bulk matches.
        ValueError: the library knows one opponent alone.
    """
    import numpy as np

    from agents.astar.bot import VARIANTS, WHOLE
    from agents.astar.ensemble.evidence_kernels import log_loss
    from agents.astar.models import ensemble_of
    from agents.patterns.memory import PATH
    from agents.patterns.memory_kernels import nodes_of
    from agents.patterns.trees_kernels import MADE
    from agents.roster.bots import find_agent
    from engine.play.compiled_match import play_matches
    from protocol.gamedefs import load_builtin

    names = models.library.names
    if len(names) == 1:
        raise ValueError("the library knows one opponent alone")
    game = load_builtin(GAME)
    player = ensemble_of(models, VARIANTS[WHOLE][0], seed)
    other = find_agent(opponent).compiled_policy(game, seed + 1)
    [result] = play_matches(game, [(player, other)], hands, seed)
    memory = result.memories[0][0]
    distances = np.empty(len(names))
    made = int(memory[PATH + MADE])
    actions = log_loss(nodes_of(memory), made, models.library.stacked(), distances)
    first, second = np.argsort(distances)[:2].tolist()
    return NearestKnown(
        opponent,
        round(actions, 1),
        names[first],
        round(float(distances[first]), 4),
        names[second],
        round(float(distances[second]), 4),
    )
