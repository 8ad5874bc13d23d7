"""The evolved ensemble, made and measured: `arena astar TASK ...`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from agents.astar import library_command
from agents.studies.astar import (
    recognise_command,
    report_command,
    sweep_command,
)
from agents.studies.astar.pilots import command as pilots_command
from agents.studies.tasks import run_task
from engine.console.parser import OneLineParser

PROG: Final = "arena astar"
_TASKS: Final = (
    library_command,
    recognise_command,
    sweep_command,
    report_command,
    pilots_command,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code, see `agents.studies.tasks`."""
    parser = OneLineParser(prog=PROG, description="Make and measure the evolved ensemble.")
    return run_task(parser, _TASKS, argv, title="tasks", metavar="TASK", stopped="stopped")


if __name__ == "__main__":
    sys.exit(main())
