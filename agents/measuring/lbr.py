"""Measure what can be won from an agent, at least: `arena lbr AGENT`.

Local best response and scripts that look at no card say so; --worst finds the worst of many.  In a
small game, for any number of players, best responses are exact.
Only agents that tell their whole strategy can be measured: those with a `policy` in the roster.
Exit codes: 0 measured, 1 it cannot be, 2 wrong arguments, 130 Ctrl-C (what there is, is shown).
"""

from __future__ import annotations

import argparse
import os
from typing import Final

from engine.commands.attack_options import (
    BETS_HELP,
    river_option,
    script_option,
    settings_option,
)
from engine.console.arguments import count, output_folder
from engine.console.command import Command, Option, WrongArguments
from engine.console.options import (
    executor_option,
    game_option,
    jobs_option,
    json_option,
    seed_option,
    shard_option,
)
from engine.console.shard_records import MergeRequest, settle_shard
from engine.errors import ShardError

PROG: Final = "arena lbr"


def _measure(options: argparse.Namespace) -> int:
    if options.one_line and not (options.river or options.worst):
        raise WrongArguments("--one-line is for --river or --worst")
    shard = settle_shard(options.shard, os.environ, PROG)
    if shard is None and options.out is not None:
        raise WrongArguments("--out is for --shard; --json FILE has the numbers")
    from agents.measuring.lbr_work import measure_bot, measure_shard

    if shard is None:
        return measure_bot(options, PROG)
    if options.out is None:
        raise WrongArguments(f"shard {shard}: --out DIR is needed (--shard none: all of it)")
    if options.worst:
        raise WrongArguments(
            f"shard {shard}: --worst measures again what is worst in all shards; name the ways"
        )
    if options.json is not None:
        raise WrongArguments(f"shard {shard}: --json is for arena merge")
    return measure_shard(options, shard, PROG)


def merge_measured(request: MergeRequest) -> int:
    """Show what all shards measured; return the exit code.

    Raises:
        ShardError: a shard is not over.
    """
    if request.out is not None:
        raise ShardError(f"{PROG} only shows its result: leave --out out, or give --json FILE")
    options = COMMAND.parser().parse_args(request.arguments)
    options.json, options.executor = request.json, None
    from agents.measuring.lbr_work import measure_bot
    from engine.evaluation.shard_units import MergedUnits

    folders = [stored.folder for stored in request.shards]
    units = MergedUnits(folders, request.shards[0].record.digest)
    return measure_bot(options, PROG, units)


def _holes(text: str) -> int:
    from engine.evaluation.lbr_match import ALL_HOLES, MOST_HOLES

    if text == "all":
        return ALL_HOLES
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= MOST_HOLES):
        raise argparse.ArgumentTypeError(f"want 1 to {MOST_HOLES} hands, or all, not {text!r}")
    return int(text)


COMMAND: Final = Command(
    PROG,
    _measure,
    "Lower bounds on what can be won from an agent: by local best response, which knows the "
    "agent's strategy, by best responses on the river, and by scripts that look at no card.",
    (
        Option(
            "AGENT",
            "an agent that tells its strategy, with its options: blueprint, "
            "'blueprint --model FILE' or, where one searches, 'deepstack --iterations 40'",
        ),
        Option(
            "--set NAME=VALUE",
            "an option of the agent in another way, such as model=FILE",
            repeated=True,
        ),
        settings_option(
            "LBR's actions by street, such as C,C,FCPA,FCPA (without any: the published four)"
        ),
        script_option(
            "what a player wins who looks at no card, such as C,300f, which calls before the flop, "
            "then bets three pots once on each street, and folds to raises"
        ),
        river_option(
            "what the best response on the river wins, with raises of 0.5, 1 and 2.5 pots and "
            "all-in. Before the river the player follows a script, or with FC checks, calls and "
            "folds by equity"
        ),
        Option(
            "--worst",
            "try many settings, scripts and ways to the river, or those named, with few samples "
            "each, then measure those again that seem worst, on other deals and boards",
        ),
        Option("--pairs N", "pairs of hands (%(default)s)", count, 1000),
        Option(
            "--holes N",
            "hands that LBR plays on each board of a pair, up to 1081, or all: a mean of more "
            "varies less, and an agent that searches solves the board once for many. With all "
            "no hand is drawn, and large pots are met more often, with less weight: for agents "
            "that search. Scripts and rivers have all hands anyway (%(default)s)",
            _holes,
            1,
        ),
        Option("--boards N", "boards of a script or a river (%(default)s)", count, 200),
        Option(
            "--one-line",
            "of each river's board follow one line of the agent to the river, drawn by its "
            "probability, and raise only where it still has a tenth of its hands: for agents that "
            "search, which are slow to ask",
        ),
        seed_option("of the deals and boards"),
        jobs_option(),
        executor_option("pairs and boards"),
        shard_option("measure the I-th of N parts, into --out; arena merge shows the whole"),
        Option("--out DIR", "with --shard: folder of the shards", output_folder),
        game_option(None, otherwise="that of the model named, else hunl"),
        json_option(),
    ),
    BETS_HELP,
    prints=False,
)
main = COMMAND.main
