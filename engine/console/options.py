"""Options that several commands have."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any, Final

from engine.console.arguments import DEFAULT_GAME, count, deal_seed, load_game, output_file
from engine.console.command import Option


def game_option(default: str | None = DEFAULT_GAME, otherwise: str = "%(default)s") -> Option:
    """Return --game, of hold'em for two.

    Args:
        default: None leaves it to the command.
        otherwise: what is played without the option, for its help.
    """
    text = f"built-in game or game file, hold'em for two ({otherwise})"
    return Option("--game NAME|FILE", text, load_game, default)


def seed_option(of: str = "of deals and draws") -> Option:
    """Return --seed, 1 by default."""
    return Option("--seed N", f"{of} (%(default)s)", deal_seed, 1)


def jobs_option(what: str = "processes") -> Option:
    """Return --jobs, of work that comes to the same result however it is shared out."""
    text = f"{what} (one per core: %(default)s); the result does not depend on it"
    return Option("--jobs --workers N", text, count, os.cpu_count() or 1)


def executor_option(what: str) -> Option:
    """Return --executor: None without it."""
    text = (
        f"who works on {what}: the workers of a Dask scheduler (dask:tcp://HOST:PORT), those of "
        "mpiexec (mpi), or processes as --jobs has it (processes); see docs/clusters.md"
    )
    return Option("--executor WORD", text, _executor_word)


def _executor_word(text: str) -> str:
    if text in ("processes", "mpi") or re.fullmatch(r"dask:\S+", text):
        return text
    raise argparse.ArgumentTypeError(f"{text}: want dask:ADDRESS, mpi or processes")


def shard_option(what: str) -> Option:
    """Return --shard; `engine.console.shard_records.settle_shard` reads its value."""
    text = f"{what} (arrays of SLURM: that of the task; indexed jobs of Kubernetes: --shard N)"
    return Option("--shard I/N", text)


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


VERSION: Final = Option(
    "--version", "show program's version number and exit", action=_Version, nargs=0
)

STDOUT: Final = Path("-")
"""It stands for standard output where --json names no file."""


class JsonTarget(argparse.Action):
    """Stores where --json goes; see `json_option`."""

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


class _JsonTargetBesideFiles(JsonTarget):
    beside_files = True


def json_option(
    what: str = "the numbers as JSON instead of the table, or beside it in FILE",
    *,
    beside_files: bool = False,
) -> Option:
    """Return --json [FILE], the same for every command: None without it, `STDOUT` without a FILE.

    Args:
        what: the help.
        beside_files: whether other files are arguments.  The word after --json is then FILE only
            where it ends in .json (any is in --json=FILE), lest a log be overwritten.
    """
    action = _JsonTargetBesideFiles if beside_files else JsonTarget
    return Option("--json [FILE]", what, json_target, const=STDOUT, action=action)


def csv_option(what: str) -> Option:
    """Return --csv FILE: what instead of the table where FILE is "-", else beside it."""
    return Option("--csv FILE", f'{what}, as CSV; "-": instead of the table', json_target)


def json_target(text: str) -> Path:
    """Return where JSON goes: `STDOUT` for "-", else a file that is written when all is done.

    Raises:
        argparse.ArgumentTypeError: it is a folder, or there is no folder for it.
    """
    return STDOUT if text == str(STDOUT) else output_file(text)
