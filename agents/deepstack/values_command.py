"""`arena data values`: make public situations, solve them, and keep what each hand wins.

Files go to FOLDER; progress goes to stderr.  Whatever is there is kept: the same command resumes.
Exit codes: 0 done, 1 a file cannot be read or written, 2 wrong arguments, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.deepstack.configuration import RIVER, SOURCES, TURN, Configuration
from agents.deepstack.data import SolvedData
from agents.deepstack.describing import describe_data
from agents.deepstack.making import DataRun, Shard
from agents.errors import TrainingError
from engine.console.arguments import count, output_folder, real_number
from engine.console.command import Command, Option
from engine.console.exit_codes import INTERRUPTED
from engine.console.options import jobs_option, json_option, seed_option
from engine.console.output import put_json, show, tell
from engine.console.progress import LivingLine, RateLimiter
from engine.parallel.own_programs import yield_to_others

if TYPE_CHECKING:
    from collections.abc import Mapping

PROG: Final = "arena data values"
_STREETS: Final = {"river": RIVER, "turn": TURN}
_LONGEST_LINE_SECONDS: Final = 600.0


def _work(options: argparse.Namespace) -> int:
    if options.describe:
        text, facts = describe_data(SolvedData(options.folder, verify=True))
        code = put_json(options.json, facts, PROG) if options.json is not None else 0
        return code if options.json == Path("-") else show(text, PROG) or code
    if options.json is not None:
        raise TrainingError("--json is of --describe")
    configuration = _configuration(options)
    shard = requested_shard(options.shard, os.environ)
    if options.nice:
        yield_to_others()
    run = DataRun(configuration, options.folder, options.count, shard)
    with run.alone():
        return _make(run, configuration, options)


def _make(run: DataRun, configuration: Configuration, options: argparse.Namespace) -> int:
    missing, size = run.missing(), configuration.block
    wanted, seconds, made = size * len(run.blocks), 0.0, 0
    done = wanted - size * len(missing)
    tell(f"{PROG}: {done:,} of {wanted:,} situations are there")
    now_and_then = RateLimiter(longest_seconds=_LONGEST_LINE_SECONDS)
    try:
        with LivingLine() as line:
            for spent in run.make(missing, options.jobs, options.pause):
                seconds, made = seconds + spent / options.jobs, made + size * (spent > 0)
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
        "target": options.target / 100 if options.target else None,
    }
    given = {name: value for name, value in changes.items() if value is not None}
    try:
        return Configuration.of(_STREETS[options.street], **given)
    except ValueError as error:
        raise TrainingError(str(error)) from error


def requested_shard(text: str | None, environment: Mapping[str, str]) -> Shard:
    """Return the shard that --shard names, or what a scheduler says in its place.

    Raises:
        TrainingError: it is none.
    """
    first, task = environment.get("SLURM_ARRAY_TASK_MIN", "0"), "SLURM_ARRAY_TASK_ID"
    if task not in environment:
        first, task = "0", "JOB_COMPLETION_INDEX"
    number, _, of = (text or "").rpartition("/")
    try:
        if not number and task in environment:
            number = str(int(environment[task]) - int(first) + 1)
            of = of or environment.get("SLURM_ARRAY_TASK_COUNT", "")
            if not of:
                raise TrainingError(f"{task} says which shard, and --shard N of how many")
        shard = Shard(int(number or 1), int(of or 1))
    except ValueError:
        shard = Shard(0, 0)
    if (text and not number) or not 1 <= shard.number <= shard.of:
        raise TrainingError(f"shard {text or number}: want I/N, as 1/4 to 4/4")
    return shard


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


main = Command(
    PROG,
    _work,
    "Make public situations of no-limit hold'em in which a street begins, solve "
    "them, and keep what each hand wins: what value networks learn from.",
    (
        Option("FOLDER", "where the files are", output_folder),
        Option("--count N", "situations (%(default)s)", count, 10_000),
        Option("--street", "that begins (%(default)s)", default="river", choices=_STREETS),
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
            "exploitability, per cent of the pot (river 0.3, turn 1)",
            real_number(lambda number: 0 < number < 100, "{!r}: want per cent of the pot"),
        ),
        Option("--block N", "situations in a file (500)", count),
        jobs_option(),
        Option("--nice", "work at the lowest priority"),
        Option("--pause FILE", "rest while there is such a file", Path),
        Option(
            "--shard I/N",
            "make the I-th of N parts; in arrays of SLURM that of the task, in indexed jobs of "
            "Kubernetes --shard N is enough",
        ),
        Option("--describe", "make nothing: tell what is there"),
        json_option("with --describe: the numbers as JSON instead of the tables, or in FILE"),
    ),
    "Equal options make equal files, whatever the number of processes and shards; "
    "what is there is kept.  `arena data merge` joins folders.",
    prints=False,
).main
