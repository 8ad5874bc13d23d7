"""What the report plays: tables of agents against opponents, in duplicate.

Strangers are drawn by a seed of their own, and named by what they are, so that the same report can
be asked for again; none of them was met in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from agents.measuring.duels import Duel
from agents.roster import COUNTERED, KNOWLEDGE_BOTS

RANDOM: Final = "O_random"
STRANGERS: Final = 20
"""Points of the plane that are drawn."""
FOREIGN: Final = ("biased-random", "uniform-random")
"""The original's example player, and one that is more random still."""


@dataclass(frozen=True, slots=True)
class Section:
    """A table: what each agent wins from each opponent."""

    name: str
    title: str
    agents: tuple[str, ...]
    opponents: tuple[str, ...]
    only_own: bool = False
    """Whether agents that counter somebody meet that opponent alone."""

    def duels(self, deals: int, seed: int) -> list[Duel]:
        """Return all that are played for it."""
        return [
            Duel(agent, opponent, deals, seed)
            for agent in self.agents
            for opponent in self.opponents
            if self.meets(agent, opponent)
        ]

    def meets(self, agent: str, opponent: str) -> bool:
        """Return whether an agent plays an opponent."""
        counters = self.only_own and agent.startswith("counter-")
        return agent != opponent and (not counters or agent == f"counter-{opponent}")


def sections(strangers_seed: int = 2026) -> tuple[Section, ...]:
    """Return all tables of the report, in its order."""
    counters = tuple(f"counter-{name}" for name in COUNTERED)
    variants = ("astar-base", "astar-average", "astar-similar", "astar")
    knowledge = tuple(KNOWLEDGE_BOTS)
    return (
        Section(
            "ablation",
            "Counter-strategies, each against its opponent, the parts of the ensemble, and others",
            (*counters, *variants, "blueprint"),
            (*COUNTERED, RANDOM),
            only_own=True,
        ),
        Section(
            "comparison",
            "Each other, the knowledge bots, and the opponent that changes",
            ("astar", "ashe", "blueprint", "statistical"),
            ("astar", "ashe", "blueprint", "statistical", *knowledge, RANDOM),
        ),
        Section(
            "strangers",
            "Opponents that nobody was trained against",
            ("astar", "astar-base", "blueprint", "statistical"),
            (*drawn_points(strangers_seed), *FOREIGN, *knowledge),
        ),
    )


def drawn_points(seed: int, count: int = STRANGERS) -> tuple[str, ...]:
    """Return names of points of the plane, evenly drawn; bluffs, slow play and pressure, too."""
    rng = np.random.default_rng(seed)
    drawn: Sequence[Sequence[int]] = rng.integers(
        (5, 0, 0, 0, 0), (101, 101, 51, 51, 101), size=(count, 5)
    ).tolist()
    return tuple("-".join(["plane", *map(str, point)]) for point in drawn)
