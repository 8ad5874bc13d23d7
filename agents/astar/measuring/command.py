"""The evolved ensemble, made and measured: `arena astar TASK ...`.

Every task is a module with `add_parser(tasks)`: it adds its parser, and sets `run` to what takes
the options and returns the exit code.  Exit codes: 0 done, 1 a file cannot be written, 2 wrong
arguments, games or models, 130 Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from agents.astar.measuring import (
    library_command,
    recognise_command,
    report_command,
    sweep_command,
)
from agents.astar.pilots import command as pilots_command
from agents.errors import AgentError
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.errors import EngineError

PROG: Final = "arena astar"
_TASKS: Final = (
    library_command,
    recognise_command,
    sweep_command,
    report_command,
    pilots_command,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code.  Errors go to stderr, one line each."""
    options = _parser().parse_args(argv)
    try:
        code: int = options.run(options)
        return code
    except KeyboardInterrupt:
        tell(f"{PROG}: stopped")
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
    parser = OneLineParser(prog=PROG, description="Make and measure the evolved ensemble.")
    tasks = parser.add_subparsers(title="tasks", metavar="TASK", required=True)
    for module in _TASKS:
        module.add_parser(tasks)
    return parser


if __name__ == "__main__":
    sys.exit(main())
