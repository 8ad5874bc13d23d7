"""`arena merge`: put the shards of a command together to what one run of it makes.

Exit codes: those of the command, 1 a file cannot be read or written, 2 shards that do not belong
together, are missing, there twice or not over.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final, cast

from dealer.errors import MatchUsageError
from engine.console.command import Command, Option
from engine.console.options import json_option
from engine.console.shard_records import MergeRequest, all_shards, check_program

PROG: Final = "arena merge"
MERGES: Final = {
    "arena match": "dealer.commands.series_merge:merge_match",
    "arena tournament": "dealer.commands.series_merge:merge_tournament",
    "arena lbr": "agents.measuring.lbr:merge_measured",
    "arena data cnn": "agents.poker_cnn.data_command:merge_shards",
    "arena data pool": "agents.opponents.pool_logs_command:merge_logs",
    "arena data values": "agents.deepstack.values_command:merge_values",
}
"""Command with --shard -> "module:function": takes a `MergeRequest`, returns an exit code."""


def _merge(options: argparse.Namespace) -> int:
    shards = all_shards(options.folders)
    check_program(shards)
    command = shards[0].record.command
    if command not in MERGES:
        raise MatchUsageError(f"{shards[0].folder}: no shards of {command} can be merged")
    if options.json is not None and command.startswith("arena data"):
        raise MatchUsageError(f"{command} has no result as JSON; leave --json out")
    module, _, function = MERGES[command].partition(":")
    merge = cast("Callable[[MergeRequest], int]", getattr(import_module(module), function))
    return merge(MergeRequest(shards, options.out, options.json))


COMMAND: Final = Command(
    PROG,
    _merge,
    "Put the shards that a command made with --shard together: the same files and figures, to the "
    "bit, as one run without --shard makes.  Shards of other options, seeds, games, models, bots "
    "or versions are refused, as are missing and unfinished ones.",
    (
        Option(
            "FOLDER...",
            "what --out was, or a copy of it from each machine; together all shards",
            Path,
            dest="folders",
        ),
        Option("--out PATH", "where the result goes; arena lbr only shows it", Path),
        json_option(
            "the result of a match, tournament or arena lbr as JSON instead of the text, or beside "
            "it in FILE",
            beside_files=True,
        ),
    ),
    prints=False,
)
main = COMMAND.main
