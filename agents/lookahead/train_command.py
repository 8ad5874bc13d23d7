"""`arena train ashe-2`: evolve the estimators of ASHE 2.0, and of base strategies."""

from __future__ import annotations

from collections.abc import Sequence

from agents.evolution.train_command import train_family
from agents.lookahead.policy import LOOKAHEAD


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code."""
    return train_family(LOOKAHEAD, argv)
