"""Makes a library: each counter-strategy meets its opponent, and keeps its trees of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.astar.ensemble.library import Library, used_nodes
from agents.astar.features.trees_kernels import WIDTH
from agents.astar.play.memory import NETS, NODES, TREES
from agents.astar.play.policy import evolved_policy
from agents.roster import find_agent
from engine.play.compiled_match import play_matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agents.evolution.network import EvolvedNetwork
    from engine.parallel.threads import Progress
    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

HANDS: Final = 100_000
"""Of each match: those of the article."""


def make_library(
    game: GameDef,
    counters: Mapping[str, EvolvedNetwork],
    hands: int = HANDS,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Library:
    """Return the trees that counter-strategies have of their opponents after a match.

    Args:
        game: hold'em for two.
        counters: opponent's name -> the network that counters it.
        hands: of each match, the button moving.
        seed: of deals and draws.
        threads: matches at the same time; None for one per core.
        progress: told the share of the matches that are done.

    Raises:
        UnknownAgent: an opponent is none, or plays no bulk matches.
    """
    pairs = [
        (_policy(network, seed), find_agent(name).compiled_policy(game, seed))
        for name, network in counters.items()
    ]
    results = play_matches(game, pairs, hands, seed, threads=threads, progress=progress)
    trees = []
    for result in results:
        memory = result.memories[0][0]
        trees.append(used_nodes(memory[TREES:NETS].reshape(NODES, WIDTH)))
    return Library(tuple(counters), tuple(trees), {"hands": hands, "seed": seed})


def _policy(network: EvolvedNetwork, seed: int) -> CompiledPolicy:
    return evolved_policy(network.shape, network.genome, network.resets, seed)
