"""`arena data merge`: join folders of solved situations, as of several machines.

Exit codes: 0 done, 1 a file is damaged, there twice or of another configuration, 2 wrong arguments.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.deepstack.data import merge_data
from engine.console.arguments import output_folder
from engine.console.output import tell
from engine.console.parser import OneLineParser

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "arena data merge"


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code.

    Raises:
        EngineError: the folders do not belong together.
        OSError: a file cannot be read or written.
    """
    parser = OneLineParser(
        prog=PROG,
        description="Copy the files of several folders of `arena data values` into one, after all "
        "checksums are compared.  Folders of different configurations, and the same situations "
        "twice, are refused.",
    )
    parser.add_argument("folders", metavar="FOLDER", type=Path, nargs="+", help="what is joined")
    parser.add_argument("--out", metavar="FOLDER", type=output_folder, required=True, help="to")
    options = parser.parse_args(argv)
    total = merge_data(options.folders, options.out)
    tell(f"{PROG}: {total:,} situations are in {options.out}")
    return 0
