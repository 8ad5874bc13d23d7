"""Train what bots play by: `python -m agents.training KIND ...`, also known as `arena train`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from agents.training.kinds import KindsCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "arena train"
KINDS: Final = {
    "ashe": ("agents.ashe.train_command", "a network that says what hands are worth, by evolution"),
    "ashe-2": ("agents.lookahead.train_command", "ASHE 2.0: estimators, by evolution"),
    "astar": ("agents.astar.train_command", "networks that exploit opponents, by evolution"),
    "blueprint": ("agents.blueprint.train_command", "an approximate equilibrium, by MCCFR"),
    "compact": ("agents.blueprint.compact_command", "a blueprint's file made smaller"),
    "cnn": ("agents.poker_cnn.train_command", "a network that sees hands as pictures"),
    "equilibrium": (
        "agents.equilibrium.train_command",
        "an equilibrium of a small game, by CFR",
    ),
    "library": ("agents.astar.library_command", "what `astar` knows opponents by, of its networks"),
    "statistical": (
        "agents.statistical.learning.command",
        "what players do, from match logs",
    ),
}
"""Kind -> (module with a `main`, summary); nothing is imported until chosen."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code.  Errors go to stderr, one line each."""
    command = KindsCommand(PROG, "Train what bots play by.", "trained", KINDS)
    return command.run(sys.argv[1:] if argv is None else argv)
