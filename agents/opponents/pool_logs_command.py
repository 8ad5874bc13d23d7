"""`arena data pool`: play the scripted bots, each against each, and keep the match logs.

The same command writes the logs that are missing.  Exit codes: 0 done, 1 a file cannot be written,
2 wrong arguments or game, or a log in the way, 130 Ctrl-C.
"""

from __future__ import annotations

from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.errors import TrainingError
from agents.roster.bots import MEASURED
from agents.roster.contestants import find_contestants
from engine.console.arguments import count
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import add_game, add_seed
from engine.console.output import show, tell
from engine.console.parser import OneLineParser
from engine.console.progress import RateLimiter
from engine.errors import InvalidGame

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "arena data pool"


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code.

    Raises:
        AgentError: a bot is none, or the game not hold'em for two, or a log in the way.
        OSError: a file cannot be written.
    """
    from agents.opponents.pool_logs import write_logs

    options = _parser().parse_args(argv)
    bots = find_contestants(options.names)
    if len(bots) < 2:
        raise TrainingError(f"{bots[0].name} alone has nobody to play: name two, or none for all")
    wanted = comb(len(bots), 2)
    written = kept = code = 0
    said = RateLimiter()
    try:
        for log in write_logs(options.out, bots, options.game, options.hands, options.seed):
            written, kept = written + (not log.kept), kept + log.kept
            said(f"{written + kept} of {wanted} logs")
    except KeyboardInterrupt:
        tell(f"{PROG}: stopped; the same command writes the logs that are missing")
        code = INTERRUPTED
    except InvalidGame as error:
        raise TrainingError(str(error)) from error
    there = f", {kept} were there already" if kept else ""
    return show(f"{written} of {wanted} logs written to {options.out}{there}\n", PROG) or code


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog=PROG,
        description="Play the bots of the opponent pool against each other and write a match log "
        "of every pair; the same seed gives a pair the same log, whoever else takes part.",
    )
    add = parser.add_argument
    add(
        "names",
        metavar="NAME",
        nargs="*",
        help=f"the bots that take part ({', '.join(MEASURED)}); also points of the plane, "
        "plane-PLAYED-RAISED-BLUFF-SLOW-PRESSURE-SIZE in percent, the last four may be left out",
    )
    add("--out", metavar="DIR", type=Path, required=True, help="folder of the logs")
    add_game(parser)
    add("--hands", metavar="N", type=count, default=1000, help="of a log (%(default)s)")
    add_seed(parser)
    return parser
