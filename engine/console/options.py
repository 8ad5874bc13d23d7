"""Options that several commands have."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any, Final

from engine.console.arguments import DEFAULT_GAME, count, deal_seed, load_game, output_file


def add_game(
    parser: argparse.ArgumentParser,
    default: str | None = DEFAULT_GAME,
    *,
    otherwise: str = "%(default)s",
) -> None:
    """Add --game, of hold'em for two.

    Args:
        default: None leaves it to the command.
        otherwise: what is played without the option, for its help.
    """
    parser.add_argument(
        "--game",
        metavar="NAME|FILE",
        type=load_game,
        default=default,
        help=f"built-in game or game file, hold'em for two ({otherwise})",
    )


def add_seed(parser: argparse._ActionsContainer, of: str = "of deals and draws") -> None:
    """Add --seed, 1 by default."""
    parser.add_argument(
        "--seed", metavar="N", type=deal_seed, default=1, help=f"{of} (%(default)s)"
    )


def add_jobs(parser: argparse._ActionsContainer, what: str = "processes") -> None:
    """Add --jobs, of work that comes to the same result however it is shared out."""
    parser.add_argument(
        "--jobs",
        "--workers",
        metavar="N",
        type=count,
        default=os.cpu_count() or 1,
        help=f"{what} (one per core: %(default)s); the result does not depend on it",
    )


class _Version(argparse.Action):
    """Prints the version and ends the program; looked up only then, which takes a while."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        _namespace: argparse.Namespace,
        _values: Any,
        _option: str | None = None,
    ) -> None:
        from engine.console.version import program_version

        sys.stdout.write(f"{parser.prog} {program_version()}\n")
        parser.exit()


def add_version(parser: argparse.ArgumentParser) -> None:
    """Add --version."""
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show program's version number and exit"
    )


STDOUT: Final = Path("-")
"""What --json gives where no file is named."""


class JsonTarget(argparse.Action):
    """Stores where --json goes; see `add_json`."""

    beside_files = False
    """Whether the command takes other files, whose names --json is not to swallow."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option: str | None = None,
    ) -> None:
        """Store the target."""
        setattr(namespace, self.dest, values)


def add_json(
    parser: argparse._ActionsContainer,
    what: str = "the numbers as JSON instead of the table, or beside it in FILE",
    *,
    beside_files: bool = False,
) -> None:
    """Add --json [FILE], the same for every command: None without it, `STDOUT` without a FILE.

    Args:
        parser: or a group of its arguments.
        beside_files: whether other files are arguments.  The word after --json is then FILE only
            where it ends in .json (any is in --json=FILE), lest a log be overwritten.
    """
    action = parser.add_argument(
        "--json",
        metavar="FILE",
        nargs="?",
        const=STDOUT,
        type=json_target,
        action=JsonTarget,
        help=what,
    )
    assert isinstance(action, JsonTarget)
    action.beside_files = beside_files


def add_csv(parser: argparse._ActionsContainer, what: str) -> None:
    """Add --csv FILE: what instead of the table where FILE is "-", else beside it."""
    parser.add_argument(
        "--csv",
        metavar="FILE",
        type=json_target,
        help=f'{what}, as CSV; "-": instead of the table',
    )


def json_target(text: str) -> Path:
    """Return where JSON goes: `STDOUT` for "-", else a file that is written when all is done.

    Raises:
        argparse.ArgumentTypeError: it is a folder, or there is no folder for it.
    """
    return STDOUT if text == str(STDOUT) else output_file(text)
