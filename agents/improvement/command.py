"""`arena improve MODEL LOG...`: learn the raises of opponents that a blueprint lacks.

Exit codes: 0 planned or written, 1 a file cannot be written, 2 wrong arguments, or a model, log or
run that cannot be read, 130 Ctrl-C; then, too, everything learned is saved.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.console.arguments import output_folder, positive, whole_number
from engine.console.options import add_game, add_seed
from engine.console.parser import OneLineParser

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "arena improve"
_RAISES: Final = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv`; return the exit code."""
    from engine.console.output import quietly

    return quietly(lambda: _main(argv), PROG)


def _main(argv: Sequence[str] | None) -> int:
    from agents.errors import AgentError
    from engine.console.exit_codes import FAILED, INTERRUPTED
    from engine.console.output import tell
    from engine.errors import EngineError

    arguments = sys.argv[1:] if argv is None else list(argv)
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.plan and options.hours is None and options.iterations is None:
        parser.error("how long? --hours H, or --iterations N; --plan says what they come to")
    try:
        from agents.improvement.work import improve

        return improve(options, f"{PROG} {shlex.join(arguments)}")
    except AgentError as error:
        tell(f"{PROG}: {error}")
        return error.exit_code
    except EngineError as error:
        tell(f"{PROG}: {error}")
        return FAILED
    except OSError as error:
        if error.filename is None:  # stdout's
            raise
        tell(f"{PROG}: {error.filename}: {error.strerror}")
        return FAILED
    except KeyboardInterrupt:
        tell(f"{PROG}: stopped; the same command begins again")
        return INTERRUPTED


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROG,
        description="Find the raises before the flop that opponents made and a blueprint lacks, "
        "learn answers to them while the rest of its strategy stays as it is, and write a model "
        "that holds them.  The same command goes on where it was stopped.",
    )
    add = parser.add_argument
    add("model", metavar="MODEL", help="its file, or the name of a shipped one, such as hunl-100")
    add("logs", metavar="LOG", nargs="+", type=Path, help="match logs, or folders of them")
    add(
        "--opponent",
        metavar="NAME",
        action="append",
        default=[],
        help="look at the raises of this player only; may be repeated (everybody: whoever plays "
        "the model itself raises by its sizes)",
    )
    add(
        "--raises",
        metavar="K",
        type=whole_number(1, 20),
        default=_RAISES,
        help="how many to learn (%(default)s)",
    )
    add(
        "--alone",
        action="store_true",
        help="learn as if the opponent came to each place with all its hands and only ever raised "
        "so: wins more from one who does, loses more to others (without: it may do what the "
        "model has there instead)",
    )
    add("--plan", action="store_true", help="only say what would be learned, how large, how long")
    add("--hours", metavar="H", type=positive, help="how long to learn in all")
    add(
        "--iterations",
        metavar="N",
        type=whole_number(1, 10**12),
        help="of each raise; with --hours, until either",
    )
    add("--out", metavar="DIR", type=output_folder, help="run folder (runs/improve-MODEL)")
    add(
        "--workers",
        metavar="N",
        type=whole_number(1, 1024),
        default=os.cpu_count() or 1,
        help="threads (one per core: %(default)s); with 1 runs of so many iterations repeat "
        "exactly",
    )
    add(
        "--checkpoint-minutes",
        metavar="M",
        type=positive,
        default=5.0,
        help="between two checkpoints (%(default)g)",
    )
    add_seed(parser, "of what is learned")
    add_game(parser, None, otherwise="that of each log's header")
    return parser


if __name__ == "__main__":
    sys.exit(main())
