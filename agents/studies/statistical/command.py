"""What the statistical modeller can do, measured: `arena statistical REPORT ...`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from agents.studies.statistical import (
    departures_command,
    importance_command,
    ranges_command,
    strengths_command,
    studies_command,
    trials_command,
)
from agents.studies.statistical.publishing import PROG
from agents.studies.tasks import run_task
from engine.console.parser import OneLineParser

_REPORTS: Final = (
    trials_command,
    departures_command,
    strengths_command,
    ranges_command,
    studies_command,
    importance_command,
)
_STOPPED: Final = "stopped before anything was measured"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code, see `agents.studies.tasks`."""
    parser = OneLineParser(prog=PROG, description="Measure the statistical modeller.")
    return run_task(parser, _REPORTS, argv, title="reports", metavar="REPORT", stopped=_STOPPED)


if __name__ == "__main__":
    sys.exit(main())
