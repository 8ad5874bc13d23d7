"""`arena train ashe-2`: evolve the estimators of ASHE 2.0."""

from __future__ import annotations

from collections.abc import Sequence

from agents.ashe.second.policy import ASHE_2
from agents.evolution.train_command import train


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code."""
    return train(ASHE_2, argv)
