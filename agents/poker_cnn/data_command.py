"""`arena data cnn`: make training records of match logs.

FILE gets the records; FILE.json says what they were made of and lists every line left out, with the
reason.  The summary goes to stdout, progress to stderr.  Exit codes: 0 done, 1 a file cannot be
written, 2 wrong arguments or logs, 130 Ctrl-C; then nothing is written.
"""

from __future__ import annotations

import argparse
import json
import shlex
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.poker_cnn.reading import EVERYONE, WINNER, collect_records
from agents.seat.game_validator import describe
from agents.training.logs import find_logs, source_of
from engine.console.arguments import load_game, output_file
from engine.console.command import Command, Option
from engine.console.output import show, tell
from engine.console.progress import Stages
from engine.storage.atomic import check_writable, write_whole

if TYPE_CHECKING:
    from agents.poker_cnn.cnn_records import CnnRecords
    from agents.poker_cnn.reading import Cleaning

PROG: Final = "arena data cnn"
_MESSAGES_SHOWN: Final = 10


def _make_records(options: argparse.Namespace) -> int:
    logs = find_logs(options.logs)
    note = options.out.with_name(f"{options.out.name}.json")
    for path in (options.out, note):
        check_writable(path)
    begun = time.perf_counter()
    source = source_of(logs, options.game)
    records, cleaning = collect_records(logs, options.expert, options.game, Stages())
    for line in cleaning.messages[:_MESSAGES_SHOWN]:
        tell(f"left out: {line}")
    if cleaning.dropped > _MESSAGES_SHOWN:
        tell(f"left out: {cleaning.dropped - _MESSAGES_SHOWN:,} more, see {note}")
    made = {
        **source,
        "expert": options.expert,
        "command": _told(options),
        "hands": cleaning.learned,
        "without_expert": cleaning.others,
        "revalued": cleaning.revalued,
        "left_out": cleaning.dropped,
    }
    replace(records, made=made).save(options.out)
    write_whole(note, json.dumps({**made, "lines_left_out": cleaning.messages}, indent=1) + "\n")
    tell(f"{options.out} is written, {time.perf_counter() - begun:.1f} s")
    return show(_summary(options, records, cleaning), PROG)


def _told(options: argparse.Namespace) -> str:
    """Return the command line with names of logs, not where they lie, so that it can be shared."""
    names = [log.name for log in options.logs]
    return f"{PROG} {shlex.join([*names[:_MESSAGES_SHOWN], '--expert', options.expert])}"


def _summary(options: argparse.Namespace, records: CnnRecords, cleaning: Cleaning) -> str:
    lines = [
        f"game                       {describe(records.game)}",
        f"decisions of {options.expert:13} {len(records):,}",
        f"hands                      {cleaning.learned:,}",
        f"matches                    {len(set(records.sessions.tolist())):,}",
        f"hands without a decision   {cleaning.others:,}",
        f"hands with other values    {cleaning.revalued:,}",
        f"lines left out             {cleaning.dropped:,}",
    ]
    return "\n".join(lines) + "\n"


main = Command(
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
    ),
    "Broken and unfinished hands are left out, counted, and told line by line in FILE.json.  "
    "Hands whose printed values are not those of betting and cards, such as expectations of "
    "all-in hands, are learned from, and counted as well.",
    prints=False,
).main
