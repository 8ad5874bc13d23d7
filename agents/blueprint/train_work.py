"""What `arena train blueprint` does once its arguments are read: learns, measures, saves."""

from __future__ import annotations

import argparse
import math
import shlex
import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Final

from agents.blueprint.distributed import DistributedRun, open_together
from agents.blueprint.measure import (
    CHECKING_OR_FOLDING,
    Exploitability,
    Measures,
    earlier,
    estimate,
)
from agents.blueprint.opponent import Wanted
from agents.blueprint.training import BEST, FILES_WRITTEN_WHOLE, METRICS, MODEL, TrainingRun
from agents.blueprint_model.config import load_config
from agents.errors import TrainingError
from agents.training import peers, torchrun
from agents.training.logs import find_logs
from agents.training.run_folder import alone_in, check_folder, how_to_resume
from engine.console.exit_codes import INTERRUPTED
from engine.console.output import tell
from engine.console.progress import RateLimiter, Stages
from engine.console.stopping import stop_on_signals
from engine.evaluation.attacks import Ways
from engine.mccfr.external_sampling import SamplingProgress
from engine.parallel.signals import handling

_PROGRESS_SECONDS: Final = 30.0


def train_blueprint(options: argparse.Namespace, command: str) -> int:
    """Begin a run or resume it, and learn; return the exit code.

    Args:
        command: line that they are of, for the record.

    Raises:
        ConfigError: there is no such config.
        OSError: the folder cannot be made, locked or written.
        PeerLost: another process of the run was lost.
        TrainingError: another training holds the folder, it has a run already, or none to resume.
    """
    folder = options.out or Path("runs") / f"blueprint-{Path(options.config).stem}"
    if torchrun.processes() > 1:
        command = f"torchrun, {torchrun.processes()} processes: {command}"
        return _train_together(options, folder, command)
    with _alone(options, folder):
        return _train_alone(options, folder, command)


def _alone(options: argparse.Namespace, folder: Path) -> AbstractContextManager[None]:
    """Lock the folder, if it is fit for what is asked.

    Raises:
        ConfigError: there is no such config.
        OSError: the folder cannot be made or locked.
        TrainingError: another training holds it, it has a run already, or none to resume.
    """
    load_config(options.config)
    _tell(f"run folder {folder}")
    check_folder(folder, resume=options.resume)
    return alone_in(folder, FILES_WRITTEN_WHOLE)


def _train_alone(options: argparse.Namespace, folder: Path, command: str) -> int:
    killed = (signal.SIGTERM,)
    try:
        with handling(killed, signal.default_int_handler):  # nothing to save yet: as Ctrl-C
            run = _open(options, folder, command)
    except KeyboardInterrupt:
        if not options.resume:
            _tell(f"stopped; {how_to_resume(folder)}")
        raise
    with stop_on_signals(killed, patient=True) as stop:
        return _train(run, options, stop)


def _train_together(options: argparse.Namespace, folder: Path, command: str) -> int:
    with peers.with_peers() as everybody, ExitStack() as resources:

        def opened() -> TrainingRun:
            resources.enter_context(_alone(options, folder))
            return _open(options, folder, command)

        run = open_together(everybody, opened, folder, options.workers)
        # All have to stop together, and torchrun sends each of them such signals more than once.
        with stop_on_signals((signal.SIGINT, signal.SIGTERM), patient=True) as stop:
            shared = DistributedRun(run, everybody.with_timeout(), options.merge_every)
            return _train(shared, options, stop)


def _open(options: argparse.Namespace, folder: Path, command: str) -> TrainingRun:
    run = _begin_or_resume(options, folder)
    run.spent.commands.append(command)
    for line in run.info_sets.memory_report().splitlines():
        _tell(line)
    return run


def _begin_or_resume(options: argparse.Namespace, folder: Path) -> TrainingRun:
    if options.resume:
        run = TrainingRun.resume(folder, workers=options.workers)
        given = load_config(options.config)
        if given.facts() != run.config.facts():
            raise TrainingError(f"{folder} was begun with another config than {options.config}")
        _tell(f"going on after {run.solver.iterations:,} iterations")
        return run
    stages = Stages(lambda text: _tell(f"buckets: {text}"))
    run = TrainingRun.begin(
        folder,
        load_config(options.config),
        workers=options.workers,
        on_stage=stages,
        wanted=_wanted(options),
    )
    if run.opponent is not None:
        facts = run.opponent.facts
        _tell(
            f"{facts['name']}: {facts['decisions']:,} decisions in {facts['hands']:,} hands, of "
            f"which {facts['hands_with_hidden_cards']:,} hide its cards"
        )
    _tell(f"{run.info_sets.rows:,} information sets")
    return run


def _wanted(options: argparse.Namespace) -> Wanted | None:
    if options.respond_to is None:
        return None
    logs = tuple(find_logs(options.logs))
    return Wanted(logs, options.respond_to, options.trust, options.doubt, options.game)


def _train(run: TrainingRun, options: argparse.Namespace, stop: Callable[[], bool]) -> int:
    remaining = math.inf if options.minutes is None else 60.0 * options.minutes
    most = options.iterations
    said = RateLimiter(_PROGRESS_SECONDS, first_seconds=0.0, say=_tell)

    def on_progress(progress: SamplingProgress) -> None:
        said(_progress_line(progress))

    interrupted = enough = False
    while (
        not enough
        and remaining > 0
        and not interrupted
        and (most is None or run.solver.iterations < most)
    ):
        begun = run.spent.seconds
        seconds = min(remaining, 60.0 * options.checkpoint_minutes)
        try:
            run.learn(seconds, on_progress=on_progress, most_iterations=most, stop=stop)
        except KeyboardInterrupt:
            interrupted = True
            _tell("stopped; saving")
        remaining -= run.spent.seconds - begun
        cut_short, enough = _checkpoint(run, options, measured=not interrupted)
        interrupted |= cut_short
    plays = BEST if options.patience is not None and (run.folder / BEST).is_file() else MODEL
    named = shlex.join(("--game", run.game_option(), "--model", str(run.folder / plays)))
    _tell(f"to play it: arena agent blueprint HOST PORT {named}")
    if interrupted:
        _tell(f"stopped; {how_to_resume(run.folder)}")
        return INTERRUPTED
    return 0


def _checkpoint(
    run: TrainingRun, options: argparse.Namespace, *, measured: bool
) -> tuple[bool, bool]:
    """Measure and save; return whether Ctrl-C cut the measuring short, and whether to end."""
    if not torchrun.is_first_rank():
        return False, False
    cut_short = False
    loss, model = Exploitability("", {}), run.model()
    try:
        if measured:
            loss = estimate(model, _measures(options))
    except KeyboardInterrupt:
        cut_short = True
        _tell("stopped; saving")
    since = _checkpoints_since_best(run, loss) if options.patience is not None else None
    run.checkpoint(model, best=since == 0, **loss.facts)
    _tell(
        f"checkpoint: {run.solver.iterations:,} iterations in {run.spent.seconds / 60:.1f} min, "
        f"mean regret {run.solver.mean_regret():.3g} chips" + (f", {loss.text}" * bool(loss.text))
    )
    if since:
        ago = f"{since} checkpoint{'' if since == 1 else 's'} ago"
        _tell(f"{run.folder / BEST}, {ago}, loses least")
    if since is not None and since >= options.patience:
        _tell(f"no better for {since} checkpoint{'' if since == 1 else 's'}: the run ends")
    return cut_short, since is not None and since >= options.patience


def _checkpoints_since_best(run: TrainingRun, loss: Exploitability) -> int | None:
    """Return the number of checkpoints since the lowest loss; None: nothing was measured."""
    if loss.worst is None:
        return None
    best = run.folder / BEST
    saved = earlier(best.with_suffix(".json"), loss, lines=False) if best.is_file() else []
    if not saved or loss.worst < saved[0].worst:
        return 0
    measured = earlier(run.folder / METRICS, loss, lines=True)
    return 1 + sum(checkpoint.iterations > saved[0].iterations for checkpoint in measured)


def _measures(options: argparse.Namespace) -> Measures:
    settings = options.settings or (() if options.script else (CHECKING_OR_FOLDING,))
    return Measures(Ways(settings, options.script), options.lbr_pairs, options.boards)


def _progress_line(progress: SamplingProgress) -> str:
    whose = " of each process" if torchrun.processes() > 1 else ""
    return (
        f"{progress.iterations:,} iterations{whose}, {progress.iterations_per_s:,.0f}/s, "
        f"{progress.nodes_per_s / 1e6:.1f} M nodes/s, mean regret {progress.mean_regret:.3g} chips"
    )


def _tell(text: str) -> None:
    if torchrun.is_first_rank():
        tell(text)
