"""A command with tasks, such as `arena astar sweep`, each a module of its own.

A module has `add_parser(tasks)`: it adds its parser, and sets `run` to what takes the options and
returns the exit code.  Exit codes: 0 done, 1 a file cannot be written, 2 wrong arguments, games or
models, 130 Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from agents.errors import AgentError
from engine.console.exit_codes import FAILED, INTERRUPTED, WRONG_ARGUMENTS
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.errors import EngineError


class TaskModule(Protocol):
    """The module of a task."""

    def add_parser(self, tasks: Any) -> None:
        """Add its parser to those of the command."""


def run_task(
    parser: OneLineParser,
    modules: Sequence[TaskModule],
    argv: Sequence[str] | None,
    *,
    title: str,
    metavar: str,
    stopped: str,
) -> int:
    """Run a command line; return the exit code.  Errors go to stderr, one line each.

    Args:
        parser: of the command, without its tasks.
        modules: of the tasks, as its help lists them.
        argv: the command line; None for that of this process.
        title: of the tasks, in the help.
        metavar: of a task, in the help.
        stopped: what to say after Ctrl-C; tasks that have something to show do so themselves.
    """
    tasks = parser.add_subparsers(title=title, metavar=metavar, required=True)
    for module in modules:
        module.add_parser(tasks)
    options = parser.parse_args(argv)
    try:
        code: int = options.run(options)
        return code
    except KeyboardInterrupt:
        tell(f"{parser.prog}: {stopped}")
        return INTERRUPTED
    except AgentError as error:
        tell(f"{parser.prog}: {error}")
        return error.exit_code
    except (EngineError, ValueError) as error:
        tell(f"{parser.prog}: {error}")
        return WRONG_ARGUMENTS
    except OSError as error:
        tell(f"{parser.prog}: {error.filename}: {error.strerror}")
        return FAILED
