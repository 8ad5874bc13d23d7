"""`arena train astar`: evolve a network, generation by generation.

Exit codes: 0 all generations are played, 1 a file cannot be written, 2 wrong arguments, or a folder
that another training uses or whose run cannot be resumed, 130 Ctrl-C; then, too, everything up to
the last whole generation is saved.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.training.folders import CHECKPOINT, alone_in, check_folder
from engine.console.arguments import whole_number
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.console.progress import NowAndThen
from engine.console.stopping import stop_on_signals

if TYPE_CHECKING:
    from agents.evolution.run import EvolutionRun

PROG: Final = "arena train astar"
GAME: Final = "hunl"
_MOST_THREADS: Final = 1024
_MOST_SEED: Final = 2**31 - 1


def main(argv: Sequence[str]) -> int:
    """Run the command line `argv`; return the exit code."""
    options = _parser().parse_args(argv)
    from agents.astar.config import load_config
    from agents.astar.play.network import SUFFIX, EvolvedNetwork
    from agents.astar.play.policy import evolved_policy
    from agents.evolution.run import METRICS, EvolutionRun
    from protocol.gamedefs import load_builtin

    config = load_config(options.config, options.against, options.seed)
    folder = options.out or Path("runs") / f"astar-{config.name}"
    tell(f"run folder {folder}")
    check_folder(folder, resume=options.resume)
    with alone_in(folder, (CHECKPOINT, METRICS)):
        run = EvolutionRun(
            folder,
            config.plan,
            load_builtin(GAME),
            lambda genome, seed: evolved_policy(config.plan.shape, genome, config.resets, seed),
            resume=options.resume,
        )
        run.commands.append(f"{PROG} {shlex.join(argv)}")
        code = _evolve(run, options.threads)
        if code == 0:
            genome, facts = run.best(options.threads)
            network = EvolvedNetwork(config.plan.shape, config.resets, genome, facts)
            path = folder / f"{config.name}{SUFFIX}"
            network.save(path)
            tell(f"{path}: {_won(facts['final'])}")
        return code


def _evolve(run: EvolutionRun, threads: int | None) -> int:
    plan, said = run.evolution.plan, NowAndThen()
    tell(f"{plan.population} individuals of {plan.shape.genome:,} numbers")
    with stop_on_signals() as stop:
        while not run.evolution.done and not stop():
            try:
                run.step(threads)
            except KeyboardInterrupt:
                break
            run.save()
            said(partial(_line, run))
    if not run.evolution.done:
        done = run.evolution.generation
        tell(f"stopped after {done} of {plan.generations} generations; --resume goes on")
        return INTERRUPTED
    tell(f"{plan.generations} generations in {run.seconds:.0f} s")
    return 0


def _line(run: EvolutionRun) -> str:
    told = run.history[-1]
    return (
        f"generation {told['generation'] + 1} of {run.evolution.plan.generations}: fitness "
        f"{told['mean_fitness']:.3f}, best {told['best_fitness']:.3f} ({_won(told)})"
    )


def _won(told: dict[str, Any]) -> str:
    """Return what the best won."""
    won = zip(told["opponents"], told["best_won"], strict=True)
    return "mbb/h " + ", ".join(f"{name} {rate:+,.0f}" for name, rate in won)


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog=PROG, description="Evolve a network that exploits opponents.")
    add = parser.add_argument
    add("--config", metavar="NAME|FILE", required=True, help="what is evolved, and against whom")
    add(
        "--against",
        metavar="BOT",
        nargs="+",
        help="opponents of the last stage, not those of the config; points of the plane, too",
    )
    add("--seed", metavar="N", type=whole_number(0, _MOST_SEED), help="of everything random")
    add("--out", metavar="DIR", type=Path, help="run folder (runs/astar-NAME)")
    add("--resume", action="store_true", help="resume the run in the folder")
    add(
        "--threads",
        "--workers",
        metavar="N",
        type=whole_number(1, _MOST_THREADS),
        help="matches at once (one per core); the result does not depend on it",
    )
    return parser
