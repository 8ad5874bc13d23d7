"""arena experiment WHAT DIR: comparisons that papers published, made again.

Exit codes: 0 finished, 1 the folder is unusable, 2 wrong arguments, 130 interrupted: what is
finished is shown, and the same command goes on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from engine.commands.experiment import nested, sizes, subgames
from engine.console.exit_codes import FAILED
from engine.console.output import quietly, tell
from engine.console.parser import OneLineParser
from engine.errors import ArtifactMismatch
from engine.storage.locks import locked_folder

PROG: Final = "arena experiment"
EXPERIMENTS: Final = (nested, sizes, subgames)
"""Modules with `add_parser(tasks)`, which sets `run` to what takes the options."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    return quietly(lambda: _main(argv), PROG)


def _main(argv: Sequence[str] | None) -> int:
    options = _parser().parse_args(argv)
    try:
        with locked_folder(options.folder):  # two would lose what the other one finds
            code: int = options.run(options)
    except ArtifactMismatch as error:
        tell(f"{PROG}: {error}")
        return FAILED
    except OSError as error:
        if error.filename is None:  # stdout's
            raise
        tell(f"{PROG}: {error.filename}: {error.strerror}")
        return FAILED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog=PROG, description="Make comparisons that papers published again.")
    tasks = parser.add_subparsers(title="comparisons", metavar="WHAT", required=True)
    for module in EXPERIMENTS:
        module.add_parser(tasks)
    return parser


if __name__ == "__main__":
    sys.exit(main())
