"""`arena train ashe`: evolve ASHE against its four opponents, or others."""

from __future__ import annotations

from collections.abc import Sequence

from agents.ashe.policy import ASHE
from agents.evolution.train_command import train_family


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code."""
    return train_family(ASHE, argv)
