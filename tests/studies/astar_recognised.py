"""Whom the evolved ensemble takes opponents for, and how sure it may be.

    make study NAME="astar-recognised O1 O2 O3 O4 O5 O6 O7 O8 plane-59-29 plane-21-91 O1+O4@50
        solid trapper pressure controller exploiter ashe ashe-2"

The ensemble meets each opponent; which known ones is it most like, by how much actions diverge, in
nats an action: 0 or less is alike.  A minute of one core.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from agents.astar.bot import VARIANTS
from agents.astar.ensemble.evidence_kernels import log_loss
from agents.astar.ensemble_models import (
    MODELS,
    WIDE_LIBRARY,
    EnsembleModels,
    ensemble_of,
    load_models,
    usual_library,
)
from agents.astar.options import WHOLE
from agents.patterns.memory_kernels import nodes_of
from agents.patterns.tree_memory import PATH
from agents.patterns.trees_kernels import MADE
from agents.roster.bots import find_agent
from engine.console.arguments import count
from engine.console.options import seed_option
from engine.play.compiled_match import play_matches
from protocol.gamedefs import load_builtin

GAME: Final = "hunl"
HANDS: Final = 1000
SMALL: Final = {"opponents": ["O1", "solid"], "hands": 20}


def add_options(parser: ArgumentParser) -> None:
    """Add opponents, how much is played, and the networks."""
    add = parser.add_argument
    add("opponents", metavar="BOT", nargs="*", help="compiled bots, points of the plane, mixtures")
    add("--hands", metavar="N", type=count, default=HANDS, help="of each match (%(default)s)")
    add("--models", metavar="DIR", type=Path, default=MODELS, help="networks and library")
    add("--library", metavar="NAME", help="of them (wide, or the only one of the folder)")
    seed_option().add_to(parser)


def run(options: Namespace) -> dict[str, Any]:
    """Return the two nearest known opponents of each."""
    library = options.library or usual_library(options.models, WIDE_LIBRARY)
    models = load_models(options.models, library)
    nearest = [recognised(models, name, options.hands, options.seed) for name in options.opponents]
    facts = {"hands": options.hands, "seed": options.seed}
    return facts | {"opponents": [one._asdict() for one in nearest]}


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


def recognised(models: EnsembleModels, opponent: str, hands: int, seed: int) -> NearestKnown:
    """Return whom an opponent is like after a match with the ensemble.

    Raises:
        UnknownAgent: there is no such opponent, or it plays no bulk matches.
        ValueError: the library knows one opponent alone.
    """
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
