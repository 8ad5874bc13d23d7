"""`arena data values`: make public situations, solve them, and keep what each hand wins.

Files go to FOLDER; progress goes to stderr.  Whatever is there is kept: the same command resumes.
Exit codes: 0 done, 1 a file cannot be read or written, 2 wrong arguments, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.deepstack.configuration import FLOP, PREFLOP, RIVER, SOURCES, TURN, Configuration
from agents.deepstack.data import SolvedData, file_of, merge_data
from agents.deepstack.describing import describe_data
from agents.deepstack.making import DataRun
from agents.deepstack.solving import with_network_digest
from agents.errors import TrainingError
from engine.commands.clusters import cluster_wanted
from engine.console.arguments import count, output_folder, real_number
from engine.console.command import Command, Option
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import (
    executor_option,
    jobs_option,
    json_option,
    seed_option,
    shard_option,
)
from engine.console.output import put_json, show, tell
from engine.console.progress import LivingLine, RateLimiter
from engine.console.shard_records import (
    MergeRequest,
    begin_shard,
    file_facts,
    new_record,
    settle_shard,
    unfinished,
)
from engine.parallel.own_programs import yield_to_others
from engine.parallel.shards import Shard, without_options

if TYPE_CHECKING:
    from engine.parallel.cluster import Cluster

PROG: Final = "arena data values"
_PLACES: Final = {
    "river": (RIVER, False),
    "turn": (TURN, False),
    "turn-end": (TURN, True),
    "flop-end": (FLOP, True),
    "preflop-end": (PREFLOP, True),
}
"""Street, and whether its betting is over."""
_LONGEST_LINE_SECONDS: Final = 600.0


def _work(options: argparse.Namespace) -> int:
    if options.describe:
        text, facts = describe_data(SolvedData(options.folder, verify=True))
        code = put_json(options.json, facts, PROG) if options.json is not None else 0
        return code if options.json == Path("-") else show(text, PROG) or code
    if options.json is not None:
        raise TrainingError("--json is of --describe")
    if options.executor is not None and (options.nice or options.pause is not None):
        raise TrainingError("--nice and --pause are about this machine, --executor is not")
    if options.pause is not None and options.pause.is_dir():
        raise TrainingError(f"--pause {options.pause}: is a folder, want a file")
    configuration = with_network_digest(_configuration(options))
    shard = settle_shard(options.shard, os.environ, PROG)
    if options.nice:
        yield_to_others()
    run = DataRun(configuration, options.folder, options.count, shard or Shard())
    with run.alone():
        if shard is not None:
            facts = _facts(configuration, options.count)
            words = without_options(options.argv, "--shard")
            begin_shard(options.folder, new_record(PROG, words, shard, facts), ["situations"])
        with cluster_wanted(options.executor, options.jobs, tell) as cluster:
            code = _make(run, configuration, options, cluster)
    for line in () if cluster is None else cluster.lines():
        tell(f"{PROG}: {line}")
    return code


def _make(
    run: DataRun,
    configuration: Configuration,
    options: argparse.Namespace,
    cluster: Cluster | None,
) -> int:
    missing, size = run.missing(), configuration.block
    wanted, seconds, made = size * len(run.blocks), 0.0, 0
    done = wanted - size * len(missing)
    tell(f"{PROG}: {done:,} of {wanted:,} situations are there")
    if missing and options.pause is not None and options.pause.is_file():
        tell(f"{PROG}: rests while {options.pause} is there")
    now_and_then = RateLimiter(longest_seconds=_LONGEST_LINE_SECONDS)
    try:
        with LivingLine() as line:
            for spent in run.make(missing, options.jobs, options.pause, cluster):
                jobs = options.jobs if cluster is None else max(1, cluster.jobs)
                seconds, made = seconds + spent / jobs, made + size * (spent > 0)
                done += size
                hours = (wanted - done) * seconds / (made or 1) / 3600
                text = f"{done:,} of {wanted:,} situations{_rate(made, seconds)}"
                text += f", {hours:.1f} hours left" if hours else ""
                (line.show if line.living else now_and_then)(text)
    except KeyboardInterrupt:
        tell(f"{PROG}: {done:,} of {wanted:,} situations are there; the same command resumes")
        return INTERRUPTED
    tell(f"{PROG}: all {wanted:,} situations are in {options.folder}{_rate(made, seconds)}")
    return 0


def _rate(made: int, seconds: float) -> str:
    return f", {made / seconds:.2f} a second" if made else ""


def _configuration(options: argparse.Namespace) -> Configuration:
    changes = {
        "seed": options.seed,
        "block": options.block,
        "policy": options.policy,
        "shares": options.shares,
        "bets": options.bets,
        "network": options.network,
        "target": options.target / 100 if options.target else None,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    street, over = _PLACES[options.street]
    try:
        return Configuration.of(street, over=over, **given)
    except ValueError as error:
        raise TrainingError(str(error)) from error


def _facts(configuration: Configuration, count: int) -> dict[str, str]:
    """Return all that situations depend on, and how many there are to be."""
    facts = {name: str(fact) for name, fact in configuration.facts().items()}
    files = [*configuration.policy.split(), configuration.network]
    return facts | file_facts(files) | {"situations": str(count)}


def merge_values(request: MergeRequest) -> int:
    """Copy the files of all shards into one folder; return the exit code.

    Raises:
        ShardError: a shard is not over.
        ArtifactMismatch: a file is damaged, of another configuration, or there twice.
        OSError: a file cannot be read or written.
    """
    options, out = COMMAND.parser().parse_args(request.arguments), request.folder()
    size = _configuration(options).block
    for block in range(-(-options.count // size)):
        stored = request.shards[block % len(request.shards)]
        if not file_of(stored.folder, block).exists():
            raise unfinished(stored.record.shard, f"no {file_of(stored.folder, block)}")
    total = merge_data([*dict.fromkeys(stored.folder for stored in request.shards)], out)
    tell(f"{PROG}: all {total:,} situations are in {out}")
    return 0


def _shares(text: str) -> dict[str, int]:
    """Return the shares written as "played=30,random=25"."""
    shares = {}
    for piece in text.split(","):
        source, _, share = piece.partition("=")
        if source not in SOURCES or not share.isdecimal():
            wanted = ", ".join(f"{name}=N" for name in SOURCES)
            raise argparse.ArgumentTypeError(f"{piece!r}: want some of {wanted}")
        shares[source] = int(share)
    return shares


COMMAND: Final = Command(
    PROG,
    _work,
    "Make public situations of no-limit hold'em in which a street begins, or its betting is "
    "over, solve them, and keep what each hand wins: what value networks learn from.",
    (
        Option("FOLDER", "where the files are", output_folder),
        Option("--count N", "situations, in whole files (%(default)s)", count, 10_000),
        Option(
            "--street",
            "that begins, or with -end: its betting is over (%(default)s)",
            default="river",
            choices=_PLACES,
        ),
        seed_option("of all draws"),
        Option(
            "--shares SOURCE=N,...",
            f"how many of each source, in parts of all; sources are {', '.join(SOURCES)}",
            _shares,
        ),
        Option("--policy BOT", "who plays to the situations (blueprint)"),
        Option("--bets MENU", 'of solves, as "50,100,a;100,a;": first bet; raises'),
        Option(
            "--target P",
            "exploitability, per cent of the pot (river 0.3, turn 1, ends 1.5, 2 and 1)",
            real_number(lambda number: 0 < number < 100, "{!r}: want per cent of the pot"),
        ),
        Option("--block N", "situations in a file (500)", count),
        Option("--network FILE", "asked at ends of the next street (the shipped one)"),
        jobs_option(),
        executor_option("files"),
        Option("--nice", "work at the lowest priority"),
        Option("--pause FILE", "rest while there is such a file", Path),
        shard_option("make the I-th of N parts, also into a folder with others; see arena merge"),
        Option("--describe", "make nothing: tell what is there"),
        json_option("with --describe: the numbers as JSON instead of the tables, or in FILE"),
    ),
    "Equal options make equal files, whatever the number of processes and shards; "
    "what is there is kept.  `arena merge` puts shards together.",
    prints=False,
)
main = COMMAND.main
