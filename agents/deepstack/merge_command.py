"""`arena data merge`: join folders of solved situations, as of several machines.

Exit codes: 0 done, 1 a file is damaged, there twice or of another configuration, 2 wrong arguments.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from agents.deepstack.data import merge_data
from engine.console.arguments import output_folder
from engine.console.command import Command, Option
from engine.console.output import tell

PROG: Final = "arena data merge"


def _merge(options: argparse.Namespace) -> int:
    total = merge_data(options.folders, options.out)
    tell(f"{PROG}: {total:,} situations are in {options.out}")
    return 0


main = Command(
    PROG,
    _merge,
    "Copy the files of several folders of `arena data values` into one, after all "
    "checksums are compared.  Folders of different configurations, and the same situations "
    "twice, are refused.",
    (
        Option("FOLDER...", "what is joined", Path, dest="folders"),
        Option("--out FOLDER", "to", output_folder, required=True),
    ),
    prints=False,
).main
