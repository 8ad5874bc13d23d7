"""Makes a library: networks meet the opponents that they counter, and keep their trees of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.astar.ensemble.library import Library
from agents.astar.family import policy_of
from agents.patterns.memory_kernels import nodes_of
from agents.patterns.raise_classes import MOVES
from agents.patterns.trees_kernels import CHILDREN, ROOTS, WIDTH
from agents.roster.bots import find_agent
from engine.play.compiled_match import play_matches

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from agents.evolution.network import EvolvedNetwork
    from engine.parallel.threads import Progress
    from protocol.gamedef import GameDef

HANDS_PER_OPPONENT: Final = 100_000


def make_library(
    game: GameDef,
    counters: Mapping[str, EvolvedNetwork],
    hands: int = HANDS_PER_OPPONENT,
    seed: int = 1,
    *,
    others: Sequence[EvolvedNetwork] = (),
    own_share: float = 1.0,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Library:
    """Return trees of the opponents that networks counter, as they are after some hands.

    The counter-strategy of an opponent plays a share of the hands with it. The other networks play
    the rest, each as many: trees hold nothing of nodes that were never visited.

    Args:
        game: heads-up hold'em.
        counters: opponent's name -> the network that counters it.
        hands: with each opponent, the button moving.
        others: networks that counter nobody in particular.
        own_share: share of the hands that the counter-strategy plays; 1 as in the article.
        threads: matches at the same time; None for one per core.

    Raises:
        UnknownAgent: an opponent is none, or plays no bulk matches.
        ValueError: the share is none.
    """
    if not 0 <= own_share <= 1:
        raise ValueError(f"own {own_share}: want a share, 0 to 1")
    if hands < (least := len(counters) + len(others)):
        raise ValueError(f"{hands} hands for {least} networks: want one for each or more")
    parts = [
        (
            name,
            network,
            _hands_of(network is counter, hands, own_share, len(counters) + len(others)),
        )
        for name, counter in counters.items()
        for network in (*counters.values(), *others)
    ]
    parts = [part for part in parts if part[2] > 0]
    results = []
    for length in sorted({part[2] for part in parts}):
        same = [part for part in parts if part[2] == length]
        pairs = [
            (policy_of(network, seed), find_agent(name).compiled_policy(game, seed))
            for name, network, _ in same
        ]
        played = play_matches(game, pairs, length, seed, threads=threads, progress=progress)
        results += [
            (name, result.memories[0][0]) for (name, *_), result in zip(same, played, strict=True)
        ]
    trees = []
    for name in counters:
        grown = [nodes_of(memory) for counter, memory in results if counter == name]
        trees.append(merged_trees(grown))
    return Library(tuple(counters), tuple(trees), {"hands": hands, "seed": seed, "own": own_share})


def _hands_of(counter: bool, hands: int, own_share: float, networks: int) -> int:
    if counter:
        return round(hands * own_share) if networks > 1 else hands
    return round(hands * (1 - own_share) / (networks - 1))


def merged_trees(trees: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return (N, WIDTH) trees with the counts of all, (M, WIDTH) each; nodes have new numbers."""
    rows = [np.zeros(WIDTH) for _ in range(ROOTS)]

    def add(tree: NDArray[np.float64], node: int, row: int) -> None:
        rows[row][:CHILDREN] += tree[node, :CHILDREN]
        for move in range(MOVES):
            child = int(tree[node, CHILDREN + move])
            if child:
                column = CHILDREN + move
                if not rows[row][column]:
                    rows[row][column] = len(rows)
                    rows.append(np.zeros(WIDTH))
                add(tree, child, int(rows[row][column]))

    for tree in trees:
        for root in range(ROOTS):
            add(tree, root, root)
    return np.array(rows)
