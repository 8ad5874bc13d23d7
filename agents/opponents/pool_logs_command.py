"""`arena data pool`: play the scripted bots, each against each, and keep the match logs.

The same command writes the logs that are missing.  Exit codes: 0 done, 1 a file cannot be written,
2 wrong arguments or game, or a log in the way, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from agents.errors import TrainingError
from agents.roster.bots import MEASURED
from agents.roster.contestants import find_contestants
from engine.console.arguments import count
from engine.console.command import Command, Option
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import game_option, seed_option, shard_option
from engine.console.output import show, tell
from engine.console.progress import RateLimiter
from engine.console.shard_records import (
    MergeRequest,
    begin_shard,
    game_fact,
    new_record,
    settle_shard,
)
from engine.errors import InvalidGame
from engine.parallel.shards import without_options

if TYPE_CHECKING:
    from agents.roster.spec import AgentSpec
    from protocol.gamedef import GameDef

PROG: Final = "arena data pool"
_LogArguments: TypeAlias = "tuple[Path, tuple[AgentSpec, ...], GameDef, int, int]"


def _write(options: argparse.Namespace) -> int:
    from agents.opponents.pool_logs import write_logs

    bots = find_contestants(options.names)
    if len(bots) < 2:
        raise TrainingError(f"{bots[0].name} alone has nobody to play: name two, or none for all")
    shard = settle_shard(options.shard, os.environ, PROG)
    wanted = comb(len(bots), 2)
    if shard is not None:
        wanted = shard.count(wanted)
        words = without_options(options.argv, "--shard")
        begin_shard(options.out, new_record(PROG, words, shard, _facts(options)))
    written = earlier = code = 0
    said = RateLimiter()
    try:
        for log in write_logs(*_arguments(options), shard=shard):
            written, earlier = written + (not log.was_there), earlier + log.was_there
            said(f"{written + earlier} of {wanted} logs")
    except KeyboardInterrupt:
        tell(f"{PROG}: stopped; the same command writes the logs that are missing")
        code = INTERRUPTED
    except InvalidGame as error:
        raise TrainingError(str(error)) from error
    there = f", {earlier} were there already" if earlier else ""
    return show(f"{written} of {wanted} logs written to {options.out}{there}\n", PROG) or code


def _arguments(options: argparse.Namespace) -> _LogArguments:
    bots = find_contestants(options.names)
    return options.out, bots, options.game, options.hands, options.seed


def _facts(options: argparse.Namespace) -> dict[str, str]:
    """Return all that the logs depend on."""
    return {
        "bots": ", ".join(bot.name for bot in find_contestants(options.names)),
        "game": game_fact(options.game),
        "hands": str(options.hands),
        "seed": str(options.seed),
    }


def merge_logs(request: MergeRequest) -> int:
    """Copy the logs of all shards into one folder; return the exit code.

    Raises:
        ShardError: a shard is not over.
        LogInTheWay: a file is of another match.
        OSError: a file cannot be read or written.
    """
    from agents.opponents.pool_logs import join_logs

    options = COMMAND.parser().parse_args(request.arguments)
    options.out = request.folder()
    count = join_logs(request.shards, *_arguments(options))
    return show(f"{count} of {count} logs written to {options.out}\n", PROG)


COMMAND: Final = Command(
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
        shard_option("play the I-th of N parts of the pairs, also into a folder with others"),
    ),
    prints=False,
)
main = COMMAND.main
