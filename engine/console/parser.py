"""What the command lines of this package have in common."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from engine.console.output import printable, quietly
from protocol.cards import parse_cards


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, without the usage in front."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        self.exit(2, f"{self.prog}: {printable(message)} (--help shows how)\n")

    def print_help(self, file: Any = None) -> None:
        """Print the help; leave with exit code 1 where stdout cannot take it."""
        if file is not None:
            super().print_help(file)
        elif code := quietly(self._write_help, self.prog):
            self.exit(code)

    def _write_help(self) -> int:
        sys.stdout.write(self.format_help())
        return 0


def spelled_cards(text: str) -> tuple[int, ...]:
    """Return cards that a person typed: capital and small letters mean the same, blanks nothing.

    Raises:
        MalformedCard: some are no cards.
    """
    letters = "".join(text.split())
    return parse_cards("".join(c.lower() if i % 2 else c.upper() for i, c in enumerate(letters)))


def program_version() -> str:
    """Return the installed version of this program."""
    from importlib import metadata

    try:
        return metadata.version("acpc-arena")
    except metadata.PackageNotFoundError:
        return "(not installed)"
