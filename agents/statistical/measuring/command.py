"""What the statistical modeller can do, measured: `arena statistical REPORT ...`.

Every report is a module with `add_parser(reports)`: it adds its parser, and sets `run` to what
takes the options and returns the exit code.  Exit codes: 0 done, 1 a file cannot be written, 2
wrong arguments, game or models, 130 Ctrl-C (what there is, is shown).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from agents.errors import AgentError
from agents.statistical.measuring import (
    departures_command,
    importance_command,
    ranges_command,
    strengths_command,
    studies_command,
    trials_command,
)
from agents.statistical.measuring.publishing import PROG
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.errors import EngineError

_REPORTS: Final = (
    trials_command,
    departures_command,
    strengths_command,
    ranges_command,
    studies_command,
    importance_command,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code.  Errors go to stderr, one line each."""
    options = _parser().parse_args(argv)
    try:
        code: int = options.run(options)
        return code
    except KeyboardInterrupt:  # reports that have something to show do so themselves
        tell(f"{PROG}: stopped before anything was measured")
        return INTERRUPTED
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    except (EngineError, ValueError) as error:
        tell(f"{PROG}: {error}")
        return WRONG_ARGUMENTS
    except OSError as error:
        tell(f"{PROG}: {error.filename}: {error.strerror}")
        return FAILED


def _parser() -> OneLineParser:
    parser = OneLineParser(prog=PROG, description="Measure the statistical modeller.")
    reports = parser.add_subparsers(title="reports", metavar="REPORT", required=True)
    for module in _REPORTS:
        module.add_parser(reports)
    return parser


if __name__ == "__main__":
    sys.exit(main())
