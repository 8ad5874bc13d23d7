"""Make what is learned from, of match logs or by solving: `arena data KIND`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from agents.training.kinds import KindsCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "arena data"
KINDS: Final = {
    "cnn": ("agents.poker_cnn.data_command", "records for `arena train cnn`, of match logs"),
    "pool": ("agents.opponents.pool_logs_command", "match logs of scripted bots, each pair's"),
    "values": ("agents.deepstack.values_command", "solved situations, for value networks"),
    "merge": ("agents.deepstack.merge_command", "folders of solved situations joined"),
}
"""Kind -> (module with a `main`, summary); nothing is imported until chosen."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code.  Errors go to stderr, one line each."""
    command = KindsCommand(PROG, "Make what is learned from.", "made", KINDS)
    return command.run(sys.argv[1:] if argv is None else argv)
