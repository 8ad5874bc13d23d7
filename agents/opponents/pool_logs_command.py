"""`arena data pool`: play the scripted bots, each against each, and keep the match logs.

The same command writes the logs that are missing.  Exit codes: 0 done, 1 a file cannot be written,
2 wrong arguments or game, or a log in the way, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
from math import comb
from pathlib import Path
from typing import Final

from agents.errors import TrainingError
from agents.roster.bots import MEASURED
from agents.roster.contestants import find_contestants
from engine.console.arguments import count
from engine.console.command import Command, Option
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import game_option, seed_option
from engine.console.output import show, tell
from engine.console.progress import RateLimiter
from engine.errors import InvalidGame

PROG: Final = "arena data pool"


def _write(options: argparse.Namespace) -> int:
    from agents.opponents.pool_logs import write_logs

    bots = find_contestants(options.names)
    if len(bots) < 2:
        raise TrainingError(f"{bots[0].name} alone has nobody to play: name two, or none for all")
    wanted = comb(len(bots), 2)
    written = earlier = code = 0
    said = RateLimiter()
    try:
        for log in write_logs(options.out, bots, options.game, options.hands, options.seed):
            written, earlier = written + (not log.was_there), earlier + log.was_there
            said(f"{written + earlier} of {wanted} logs")
    except KeyboardInterrupt:
        tell(f"{PROG}: stopped; the same command writes the logs that are missing")
        code = INTERRUPTED
    except InvalidGame as error:
        raise TrainingError(str(error)) from error
    there = f", {earlier} were there already" if earlier else ""
    return show(f"{written} of {wanted} logs written to {options.out}{there}\n", PROG) or code


main = Command(
    PROG,
    _write,
    "Play the bots of the opponent pool against each other and write a match log of every pair; "
    "the same seed gives a pair the same log, whoever else takes part.",
    (
        Option(
            "[NAME...]",
            f"the bots that take part ({', '.join(MEASURED)}); also points of the plane, "
            "plane-PLAYED-RAISED-BLUFF-SLOW-PRESSURE-SIZE in percent, the last four may be left "
            "out",
            dest="names",
        ),
        Option("--out DIR", "folder of the logs", Path, required=True),
        game_option(),
        Option("--hands N", "of a log (%(default)s)", count, 1000),
        seed_option(),
    ),
    prints=False,
).main
