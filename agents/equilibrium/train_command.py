"""`arena train equilibrium`: solve a small game, by one regret minimiser or a choice among them.

Exit codes: 0 the goal is reached, 1 a file cannot be written or the game has no decisions, 2 wrong
arguments, a game that is too large, or a folder that another training uses or whose run cannot be
resumed, 130 Ctrl-C; then, too, everything is saved.
"""

from __future__ import annotations

import argparse
import math
import re
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.errors import AgentError
from agents.training.run_folder import alone_in, check_folder
from engine.cfr.variants import VARIANTS, Variant
from engine.commands.minimiser_options import (
    ADAPTIVE,
    CHOICE,
    PRESET_OPTION,
    choice_of,
    given,
    parse_with_preset,
)
from engine.console.arguments import load_game, positive, street_counts, whole_number
from engine.console.command import Command, Option, OptionGroup, WrongArguments
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.console.stopping import stop_on_signals
from engine.errors import EngineError, InvalidGame
from engine.small_games.poker_tree import check_size

if TYPE_CHECKING:
    from agents.blueprint_model.grouped_holdem import Groups
    from agents.equilibrium.equilibrium_run import EquilibriumConfig, EquilibriumRun, Goal
    from engine.cfr.adaptive_choice import AdaptiveChoice
    from protocol.gamedef import GameDef

PROG: Final = "arena train equilibrium"
GOAL: Final = 1.0
"""Exploitability to reach where nothing else is asked for, thousandths of the big blind."""
_PROGRESS_SECONDS: Final = 10.0
_SAVE_SECONDS: Final = 300.0
_DEALS_PER_MINUTE: Final = 3_000_000
"""Of one core, once the buckets are joined, which takes another minute."""


def _train(options: argparse.Namespace) -> int:
    name, game = options.game
    from agents.blueprint_model.grouped_holdem import check_groups
    from agents.equilibrium.equilibrium_run import EquilibriumConfig

    try:
        minimiser, groups = _chosen(options), _groups(options)
        if groups is not None:
            check_groups(game, groups)
    except ValueError as error:
        raise WrongArguments(str(error)) from error
    if groups is None:
        _check_written_out(game)

    config = EquilibriumConfig(
        name=name,
        game=game,
        minimiser=minimiser,
        alternating=not options.simultaneous,
        random_start=options.start == "random",
        seed=options.seed,
        groups=groups,
    )
    stem = re.sub(r"[^\w.-]+", "-", Path(name).stem)
    folder = options.out or Path("runs") / f"equilibrium-{stem}-{options.minimiser}"
    tell(f"run folder {folder}")
    check_folder(folder, resume=options.resume)  # before the folder is made
    from agents.equilibrium.equilibrium_run import FILES_OF_RUN

    with alone_in(folder, FILES_OF_RUN):
        return _run(folder, config, options, f"{PROG} {shlex.join(options.argv)}")


def _run(folder: Path, config: EquilibriumConfig, options: argparse.Namespace, command: str) -> int:
    from agents.equilibrium.equilibrium_run import EquilibriumRun, Goal

    if config.groups is not None:
        minutes = 1 + config.groups.deals // _DEALS_PER_MINUTE
        about = "about a minute" if minutes == 1 else f"about {minutes:,} minutes"
        tell(f"joining buckets and counting {config.groups.deals:,} deals: {about}")
    run = EquilibriumRun(folder, config, resume=options.resume)
    run.commands.append(command)
    tell(f"{run.game.nodes:,} nodes, {run.game.info_sets:,} information sets")
    if options.resume:
        tell(f"going on after {run.solver.iterations:,} iterations")
    target = options.exploitability
    if target is None and options.iterations is None and options.minutes is None:
        target = GOAL
    goal = Goal(
        exploitability=(target or 0.0) * config.game.big_blind / 1000,
        iterations=options.iterations,
        seconds=None if options.minutes is None else 60 * options.minutes,
    )
    return _solve(run, goal)


def _solve(run: EquilibriumRun, goal: Goal) -> int:
    big_blind = run.config.game.big_blind
    said = RateLimiter(_PROGRESS_SECONDS, first_seconds=2.0)

    def line(exploitability: float) -> str:
        return (
            f"{run.solver.iterations:,} iterations in {run.seconds:.1f} s, exploitability "
            f"{_thousandths(exploitability, big_blind)} thousandths of the big blind"
        )

    remaining = math.inf if goal.seconds is None else goal.seconds
    with stop_on_signals(patient=True) as stop:
        while True:
            part = replace(goal, seconds=min(remaining, _SAVE_SECONDS))
            latest = run.solve(part, lambda now: said(lambda: line(now)), stop)
            model = run.save()
            remaining -= _SAVE_SECONDS
            if stop() or remaining <= 0 or run.reached(goal, latest):
                break
    tell(line(latest))
    if len(run.uses) > 1:
        tell("iterations by " + ", ".join(f"{name} {used:,}" for name, used in run.uses.items()))
    values = " ".join(f"{value:+.6f}" for value in model.provenance["values"])
    tell(f"chips that each position wins: {values}")
    named = shlex.join(("--game", run.config.name, "--model", str(run.model_file)))
    tell(f"to play it: arena agent {run.game.bot} HOST PORT {named}")
    if stop():
        tell("stopped; resume with the same options and --resume")
        return INTERRUPTED
    return 0


def _thousandths(chips: float, big_blind: int) -> str:
    return f"{1000 * chips / big_blind:.4g}"


def _chosen(options: argparse.Namespace) -> Variant | AdaptiveChoice:
    """Return the one minimiser, or how to choose among several.

    Raises:
        ValueError: a number is out of range.
    """
    if options.minimiser == ADAPTIVE:
        return choice_of(options)
    if in_vain := given(options):
        raise WrongArguments(f"{in_vain[0]} is for --minimiser {ADAPTIVE}")
    return VARIANTS[options.minimiser]


def _groups(options: argparse.Namespace) -> Groups | None:
    """Return how hold'em's buckets are joined, None where the game is written out.

    Raises:
        ValueError: a number is out of range, or there are deals without groups.
    """
    from agents.blueprint_model.grouped_holdem import USUAL_DEALS, Groups

    if options.groups is None:
        if options.deals is not None:
            raise ValueError("--deals is for --groups")
        return None
    return Groups(options.groups, options.deals or USUAL_DEALS)


def _check_written_out(game: GameDef) -> None:
    """Refuse a game that is too large, and name --groups where that would do."""
    from agents.blueprint_model.grouped_holdem import trained_for

    try:
        check_size(game)
    except InvalidGame as error:
        try:
            trained_for(game)
        except (AgentError, EngineError, ValueError):
            raise WrongArguments(str(error)) from error
        raise WrongArguments(f"{error}; --groups 4,3,3,3 solves it in groups of buckets") from error


def _named_game(text: str) -> tuple[str, GameDef]:
    return text, load_game(text)


def _minimiser(text: str) -> str:
    if text != ADAPTIVE and text not in VARIANTS:
        raise argparse.ArgumentTypeError(
            f"no minimiser is called {text[:40]!r}; there are {', '.join((ADAPTIVE, *VARIANTS))}"
        )
    return text


main = Command(
    PROG,
    _train,
    "Solve a small game, or hold'em in groups of buckets, by CFR; the average strategy is the bot.",
    (
        Option(
            "--game NAME|FILE",
            "built-in game or game file, small enough to be written out: kuhn, kuhn3, leduc, "
            "leduc3, fixed-queen",
            _named_game,
            required=True,
        ),
        Option(
            "--groups N,N,N,N",
            "hold'em for two: join the buckets of the shipped blueprint in so many groups a "
            "street, and solve that, such as 6,4,4,4 (384 hands on the river)",
            street_counts,
        ),
        Option(
            "--deals N",
            "with --groups: sampled, to count chance (2 million)",
            whole_number(1, 10**9),
        ),
        Option("--minimiser NAME", "(%(default)s)", _minimiser, ADAPTIVE),
        Option(
            "--exploitability E",
            "end when that of the average strategy is as low, in thousandths of the big blind (1, "
            "unless iterations or minutes are given)",
            positive,
        ),
        Option("--iterations N", "end after so many in all", whole_number(1, 10**9)),
        Option("--minutes M", "end after so long", positive),
        Option("--resume", "resume the run in the folder"),
        Option("--out DIR", "run folder (runs/equilibrium-GAME-MINIMISER)", Path),
        Option("--simultaneous", "update the players at once, not in turn"),
        Option(
            "--start",
            "what the first iteration plays (%(default)s)",
            default="uniform",
            choices=("uniform", "random"),
        ),
        Option(
            "--seed N",
            "of a random start, and of deals (%(default)s)",
            whole_number(0, 2**64 - 1),
            0,
        ),
        PRESET_OPTION,
        OptionGroup("the adaptive choice", CHOICE),
    ),
    f"minimisers: {ADAPTIVE} (chosen in each round by what they gained), {', '.join(VARIANTS)}.  "
    "For three players and more, exploitability is what a best response gains on the average over "
    "the players: a distance from an equilibrium that CFR need not reach.",
    prints=False,
    parse=partial(parse_with_preset, more={"start": "random", "simultaneous": True}),
).main
