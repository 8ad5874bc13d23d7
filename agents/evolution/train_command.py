"""What `arena train` does to evolve a network of any family, generation by generation.

Exit codes: 0 all generations are played, 1 a file cannot be written, 2 wrong arguments, or a folder
that another training uses or whose run cannot be resumed, 130 Ctrl-C or SIGTERM; then, too,
everything up to the last whole generation is saved.  Under torchrun the individuals are shared out
to all processes; the result is that of one process, to the bit.
"""

from __future__ import annotations

import argparse
import shlex
import signal
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from agents.evolution.config import config_names, load_config
from agents.evolution.evolution_run import evolve
from agents.evolution.family import EVOLUTION_GAME
from agents.evolution.network import SUFFIX, EvolvedNetwork
from agents.roster.bots import find_agent
from agents.training import torchrun
from agents.training.run_folder import CHECKPOINT, alone_in, check_folder, how_to_resume
from engine.console.arguments import whole_number
from engine.console.command import Command, Option
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.console.stopping import stop_on_signals
from engine.storage.atomic import check_writable
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from agents.evolution.config import EvolutionConfig
    from agents.evolution.evolution_run import Best, EvolutionRun
    from agents.evolution.family import EvolvedFamily
    from agents.training.peers import Peers

_MOST_THREADS: Final = 1024
_MOST_SEED: Final = 2**31 - 1


def _run_family(module: str, name: str, argv: Sequence[str] | None = None) -> int:
    """Run `arena train` for the family of that name in a module, which is imported now."""
    return train_family(getattr(import_module(module), name), argv)


def train_family(family: EvolvedFamily, argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` of `arena train` and the family's name; return the exit code."""
    return Command(
        f"arena train {family.name}",
        partial(_train, family),
        f"Evolve {family.summary}.",
        _options(family),
        prints=False,
    ).main(argv)


def _train(family: EvolvedFamily, options: argparse.Namespace) -> int:
    config = load_config(family, options.config, options.against, options.seed)
    for name in {name for stage in config.plan.stages for name in stage.opponents}:
        find_agent(name).compiled_policy(
            load_builtin(EVOLUTION_GAME), 0
        )  # before there is a folder
    folder = options.out or Path("runs") / f"{family.name}-{config.name}"
    command = _told(f"arena train {family.name}", options)
    if torchrun.processes() == 1:
        return _evolve(family, config, folder, options, command, None)
    from agents.training.peers import with_peers

    with with_peers() as everybody:
        command = f"torchrun, {everybody.size} processes: {command}"
        return _evolve(family, config, folder, options, command, everybody)


def _told(prog: str, options: argparse.Namespace) -> str:
    """Return the command line without what does not change the network, such as its folder."""
    arguments = ["--config", options.config]
    if options.against:
        arguments += ["--against", *options.against]
    if options.seed is not None:
        arguments += ["--seed", str(options.seed)]
    return f"{prog} {shlex.join(arguments)}"


def _evolve(
    family: EvolvedFamily,
    config: EvolutionConfig,
    folder: Path,
    options: argparse.Namespace,
    command: str,
    everybody: Peers | None,
) -> int:
    """Begin or resume, and play all generations; return the exit code."""
    from agents.evolution.evolution_run import METRICS, PICTURE, EvolutionRun

    plan, path = config.plan, folder / f"{config.name}{SUFFIX}"
    with ExitStack() as resources:
        _tell(f"run folder {folder}")
        if torchrun.is_first_rank():
            check_folder(folder, resume=options.resume)
            resources.enter_context(alone_in(folder, (CHECKPOINT, METRICS, PICTURE, path.name)))
        run = EvolutionRun(
            folder,
            plan,
            load_builtin(EVOLUTION_GAME),
            lambda genome, seed: family.policy(plan.shape, genome, plan.resets, seed),
            resume=options.resume,
            peers=everybody,
        )
        run.commands.append(command)
        if run.first:
            check_writable(path)
        _tell(f"{plan.population} individuals of {plan.shape.genome:,} numbers")
        said = RateLimiter()
        if everybody is None:
            best = evolve(run, options.threads, lambda run: said(partial(_line, run)))
        else:
            best = _together(run, options, said)
        if best is None:
            done = f"stopped after {run.evolution.generation} of {plan.generations} generations"
            _tell(f"{done}; {how_to_resume(folder)}")
            return INTERRUPTED
        genome, facts = best
        if run.first:
            network = EvolvedNetwork(family.name, plan.shape, plan.resets, genome, facts)
            network.save(path)
            _tell(f"{plan.generations} generations in {run.seconds:.0f} s")
            _tell(f"{path}: {_won(facts['final'])}")
    return 0


def _together(run: EvolutionRun, options: argparse.Namespace, said: RateLimiter) -> Best | None:
    """Do what `evolve` does, with several processes: all stop after the same generation.

    Once it has begun, they play the final to its end.
    """
    everybody = run.peers
    # torchrun sends each of them such signals, more than once
    with stop_on_signals((signal.SIGINT, signal.SIGTERM), patient=True) as stop:
        while not run.evolution.done:
            run.step(options.threads)
            if run.first:
                run.save()
                said(partial(_line, run))
            asked = everybody is not None and everybody.sum([stop()])[0] > 0
            if asked and not run.evolution.done:
                return None
        return run.best(options.threads)


def _line(run: EvolutionRun) -> str:
    latest = run.history[-1]
    return (
        f"generation {latest['generation'] + 1} of {run.evolution.plan.generations}: fitness "
        f"{latest['mean_fitness']:.3f}, best {latest['best_fitness']:.3f} ({_won(latest)})"
    )


def _won(generation: dict[str, Any]) -> str:
    won = zip(generation["opponents"], generation["best_won"], strict=True)
    return "mbb/h " + ", ".join(f"{name} {rate:+,.0f}" for name, rate in won)


def _tell(text: str) -> None:
    if torchrun.is_first_rank():
        tell(text)


def _options(family: EvolvedFamily) -> tuple[Option, ...]:
    names = ", ".join(config_names(family))
    return (
        Option(
            "--config NAME|FILE", f"how, and against whom: {names}, or a TOML file", required=True
        ),
        Option(
            "--against BOT...",
            "whom to counter, where the config leaves it open (*): names, points of the plane",
        ),
        Option("--seed N", "of everything random (the config's)", whole_number(0, _MOST_SEED)),
        Option("--out DIR", f"run folder (runs/{family.name}-NAME)", Path),
        Option("--resume", "resume the run in the folder"),
        Option(
            "--threads --workers N",
            "matches at once (one per core); the result does not depend on it",
            whole_number(1, _MOST_THREADS),
        ),
    )


ashe = partial(_run_family, "agents.ashe.policy", "ASHE")
ashe_2 = partial(_run_family, "agents.lookahead.policy", "LOOKAHEAD")
astar = partial(_run_family, "agents.astar.family", "ASTAR")
