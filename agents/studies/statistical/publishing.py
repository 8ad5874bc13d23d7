"""What a report shows and writes when all is played: a table, its numbers, a picture."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Final

from engine.console.options import STDOUT
from engine.console.output import show, write_files

PROG: Final = "arena statistical"


def publish_report(
    options: argparse.Namespace,
    text: str,
    numbers: str,
    picture: Callable[[], str] | None = None,
) -> int:
    """Show a table, then write the files that were asked for; return the exit code.

    Args:
        options: --json, and --svg where there is a picture.
        text: for stdout.
        numbers: the same as JSON.
    """
    code = 0 if options.json == STDOUT else show(text, PROG)
    written = {}
    if options.json is not None:
        written[options.json] = numbers + "\n"
    if picture is not None and options.svg is not None:
        written[options.svg] = picture()
    return write_files(written, PROG) or code
