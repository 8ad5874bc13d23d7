"""The parser of all command lines: what is wrong with the arguments is told in one line."""

from __future__ import annotations

import argparse
import itertools
import sys
from pathlib import Path
from typing import Any, Final, NoReturn

from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.output import printable, quietly

_OUT: Final = "out"
"""Destination of --out, whose type is the command's."""


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, without the usage in front."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        self.exit(WRONG_ARGUMENTS, f"{self.prog}: {printable(message)} (--help shows how)\n")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse words, of which --json takes none that is the command's; see `json_option`."""
        argv = list(sys.argv[1:] if args is None else args)
        if any(getattr(action, "beside_files", False) for action in self._actions):
            argv = [
                "--json=-" if word == "--json" and not after.endswith((".json", "-")) else word
                for word, after in itertools.zip_longest(argv, argv[1:], fillvalue="")
            ]
        return super().parse_known_args(argv, namespace)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """Return the value of a word; refuse a path of no letters, which is the working folder."""
        if not arg_string and (action.type is Path or action.dest == _OUT):
            raise argparse.ArgumentError(action, "want a path; . is the folder that you are in")
        return super()._get_value(action, arg_string)

    def print_help(self, file: Any = None) -> None:
        """Print the help; leave with exit code 1 where stdout cannot take it."""
        if file is not None:
            super().print_help(file)
        elif code := quietly(self._write_help, self.prog):
            self.exit(code)

    def _write_help(self) -> int:
        sys.stdout.write(self.format_help())
        return 0
