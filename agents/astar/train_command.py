"""`arena train astar`: evolve a counter-strategy, or a base strategy."""

from __future__ import annotations

from collections.abc import Sequence

from agents.astar.family import ASTAR
from agents.evolution.train_command import train_family


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code."""
    return train_family(ASTAR, argv)
