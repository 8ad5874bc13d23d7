"""Poker-CNN, measured: `arena cnn TASK ...`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from agents.studies.poker_cnn import (
    accuracy_command,
    calibration_command,
    picture_command,
    report_command,
)
from agents.studies.tasks import run_task
from engine.console.parser import OneLineParser

PROG: Final = "arena cnn"
_TASKS: Final = (accuracy_command, calibration_command, report_command, picture_command)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code, see `agents.studies.tasks`."""
    parser = OneLineParser(
        prog=PROG, description="Measure the network that sees hands as pictures."
    )
    return run_task(parser, _TASKS, argv, title="tasks", metavar="TASK", stopped="stopped")


if __name__ == "__main__":
    sys.exit(main())
