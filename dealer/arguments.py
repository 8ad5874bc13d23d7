"""What the command lines of this package have in common."""

from __future__ import annotations

import argparse
from typing import NoReturn


class OneLineParser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line, without the usage in front."""

    def error(self, message: str) -> NoReturn:
        """Print the message and leave with exit code 2."""
        self.exit(2, f"{self.prog}: {message} (--help shows how)\n")


def program_version() -> str:
    """Return the installed version of this program."""
    from importlib import metadata

    try:
        return metadata.version("acpc-arena")
    except metadata.PackageNotFoundError:
        return "(not installed)"
