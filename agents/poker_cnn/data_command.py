"""`arena data cnn`: make training records of match logs.

FILE gets the records; FILE.json says what they were made of and lists every line left out, with the
reason.  The summary goes to stdout, progress to stderr.  Exit codes: 0 done, 1 a file cannot be
written, 2 wrong arguments or logs, 130 Ctrl-C; then nothing is written.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.errors import TrainingError
from agents.poker_cnn.joining import join_parts, save_part
from agents.poker_cnn.reading import EVERYONE, WINNER, collect_records
from agents.seat.game_validator import describe
from agents.training.logs import find_logs, source_of
from engine.console.arguments import load_game, output_file
from engine.console.command import Command, Option
from engine.console.options import shard_option
from engine.console.output import show, tell
from engine.console.progress import Stages
from engine.console.shard_records import (
    MergeRequest,
    begin_shard,
    digest_of,
    new_record,
    settle_shard,
)
from engine.parallel.shards import without_options
from engine.storage.atomic import check_writable, write_whole

if TYPE_CHECKING:
    from agents.poker_cnn.cnn_records import CnnRecords
    from agents.poker_cnn.reading import Cleaning
    from engine.parallel.shards import Shard

PROG: Final = "arena data cnn"
_MESSAGES_SHOWN: Final = 10


def _make_records(options: argparse.Namespace) -> int:
    logs = find_logs(options.logs)
    shard = settle_shard(options.shard, os.environ, PROG)
    note = _note_of(options.out)
    for path in (options.out, note) if shard is None else ():
        check_writable(path)
    begun = time.perf_counter()
    source = source_of(logs, options.game)
    if shard is not None:
        return _make_shard(options, logs, source, shard)
    records, cleaning = collect_records(logs, options.expert, options.game, Stages())
    _save(options.out, records, cleaning, _made(options, source))
    tell(f"{options.out} is written, {time.perf_counter() - begun:.1f} s")
    return show(_summary(options.expert, records, cleaning), PROG)


def _make_shard(
    options: argparse.Namespace, logs: list[Path], source: dict[str, Any], shard: Shard
) -> int:
    """Make the records of some of the logs, into a folder beside FILE."""
    if shard.number > len(logs):
        raise TrainingError(f"shard {shard}: there are no more than {len(logs)} logs")
    folder = options.out.with_name(f"{options.out.name}.shards")
    made = _made(options, source)
    facts = {name: digest_of(fact) for name, fact in made.items() if name != "command"}
    words = without_options(options.argv, "--shard")
    begin_shard(folder, new_record(PROG, words, shard, facts))
    mine = [*shard.part(logs)]
    records, cleaning = collect_records(mine, options.expert, options.game, Stages())
    save_part(folder, shard, replace(records, made=made), cleaning)
    text = f"shard {shard}: records of {len(mine):,} logs are in {folder}\n"
    text += f"all shards together: arena merge {shlex.quote(str(folder))} --out FILE\n"
    return show(text, PROG)


def merge_shards(request: MergeRequest) -> int:
    """Make one file of the records of all shards; return the exit code.

    Raises:
        ShardError: a shard is not over.
        TrainingError: one is damaged.
        OSError: a file cannot be read or written.
    """
    out = request.file()
    records, cleaning = join_parts(request.shards)
    _save(out, records, cleaning, records.made)
    tell(f"{out} is written")
    return show(_summary(records.made["expert"], records, cleaning), PROG)


def _note_of(out: Path) -> Path:
    return out.with_name(f"{out.name}.json")


def _made(options: argparse.Namespace, source: dict[str, Any]) -> dict[str, Any]:
    """Return how records are made, as far as it is known before."""
    return {**source, "expert": options.expert, "command": _told(options)}


def _save(out: Path, records: CnnRecords, cleaning: Cleaning, made: dict[str, Any]) -> None:
    """Write the records, and what became of all lines; tell of those left out."""
    note = _note_of(out)
    for line in cleaning.messages[:_MESSAGES_SHOWN]:
        tell(f"left out: {line}")
    if cleaning.dropped > _MESSAGES_SHOWN:
        tell(f"left out: {cleaning.dropped - _MESSAGES_SHOWN:,} more, see {note}")
    made = {
        **made,
        "hands": cleaning.learned,
        "without_expert": cleaning.others,
        "revalued": cleaning.revalued,
        "left_out": cleaning.dropped,
    }
    replace(records, made=made).save(out)
    write_whole(note, json.dumps({**made, "lines_left_out": cleaning.messages}, indent=1) + "\n")


def _told(options: argparse.Namespace) -> str:
    """Return the command line with names of logs, not where they lie, so that it can be shared."""
    names = [log.name for log in options.logs]
    return f"{PROG} {shlex.join([*names[:_MESSAGES_SHOWN], '--expert', options.expert])}"


def _summary(expert: str, records: CnnRecords, cleaning: Cleaning) -> str:
    lines = [
        f"game                       {describe(records.game)}",
        f"decisions of {expert:13} {len(records):,}",
        f"hands                      {cleaning.learned:,}",
        f"matches                    {len(set(records.sessions.tolist())):,}",
        f"hands without a decision   {cleaning.others:,}",
        f"hands with other values    {cleaning.revalued:,}",
        f"lines left out             {cleaning.dropped:,}",
    ]
    return "\n".join(lines) + "\n"


COMMAND: Final = Command(
    PROG,
    _make_records,
    "Make records for `arena train cnn` of match logs of one game of hold'em.",
    (
        Option("LOG...", "match logs, and folders with *.log", Path, dest="logs"),
        Option("--out FILE", "the records", output_file, required=True),
        Option(
            "--expert NAME",
            f"whose decisions: a player's name, {WINNER} (of each hand) or {EVERYONE} "
            "(%(default)s)",
            default=EVERYONE,
        ),
        Option(
            "--game NAME|FILE",
            "what is played in them (default: the built-in game that each log's header names)",
            load_game,
        ),
        shard_option("read the I-th of N parts of the logs, into the folder FILE.shards"),
    ),
    "Broken and unfinished hands are left out, counted, and told line by line in FILE.json.  "
    "Hands whose printed values are not those of betting and cards, such as expectations of "
    "all-in hands, are learned from, and counted as well.",
    prints=False,
)
main = COMMAND.main
