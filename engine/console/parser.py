"""The parser of all command lines: what is wrong with the arguments is told in one line."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from engine.console.exit_codes import WRONG_ARGUMENTS
from engine.console.output import printable, quietly


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, without the usage in front."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        self.exit(WRONG_ARGUMENTS, f"{self.prog}: {printable(message)} (--help shows how)\n")

    def print_help(self, file: Any = None) -> None:
        """Print the help; leave with exit code 1 where stdout cannot take it."""
        if file is not None:
            super().print_help(file)
        elif code := quietly(self._write_help, self.prog):
            self.exit(code)

    def _write_help(self) -> int:
        sys.stdout.write(self.format_help())
        return 0
