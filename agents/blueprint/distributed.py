"""A training run on several processes: each learns on a copy of the tables, then all are averaged.

After every round, some iterations of each process, the tables of all become their mean: the old
tables plus the mean gain.  (Adding up the gains instead overshoots, see `engine.mccfr.settings`.)
Strategy sums are averaged like regrets.  So an iteration of N processes counts and weighs as much
as one of a single process, with N times the deals behind it.  Periods, pruning and floor mean the
same, and a run may be resumed with another number of processes at any time.

The deals of a round follow from the config's seed, the number of the process and the iterations so
far.  With one worker each, a run that was stopped and resumed ends with the same bits as one that
was not.

Only the first process reads and writes the run's folder.  The others are sent the config, the card
abstraction and the tables, and need no files.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents.blueprint.training import Spent, TrainingRun
from agents.blueprint_model.config import config_of_facts
from agents.blueprint_model.model import BlueprintModel, tree_of
from agents.errors import PeerLost, TrainingError
from agents.training.peers import Peers
from engine.abstraction.buckets import CardAbstraction
from engine.abstraction.lossless import LosslessAbstraction
from engine.betting.info_sets import build_info_sets
from engine.mccfr.external_sampling import Mccfr, SamplingProgress


def open_together(
    peers: Peers, open_run: Callable[[], TrainingRun], folder: Path, workers: int
) -> TrainingRun:
    """Return the run that the first process opens, a copy of it on the others.

    Args:
        open_run: begins or resumes the run; called on the first process only.
        folder: of the run; the others only keep its name.

    Raises:
        PeerLost: another process has ended, or the first could not open the run.
        TrainingError: this process has another version of the program.
    """
    run = None
    if peers.first:
        try:
            run = open_run()
        except BaseException:
            peers.broadcast_json(None)
            raise
    facts = peers.broadcast_json(run and _facts(run))
    if facts is None:
        raise PeerLost("the first process could not open the run; it says why")
    if run is None:
        run = _copy(facts, peers, folder, workers)
    else:
        for part in _parts(run).values():
            peers.broadcast(part)
    peers.broadcast(run.solver.cells)
    return run


class DistributedRun(TrainingRun):
    """A run that several processes work on; each has one of these.

    Attributes:
        merge_every: iterations of each in a round.
        merging: seconds that merging has taken since the run was opened.
    """

    def __init__(self, run: TrainingRun, peers: Peers, merge_every: int) -> None:
        super().__init__(run.folder, run.config, run.cards, run.info_sets, run.solver, run.spent)
        self.peers: Final = peers
        self.merge_every: Final = merge_every
        self.merging = 0.0

    def learn(
        self,
        seconds: float,
        *,
        on_progress: Callable[[SamplingProgress], None] | None = None,
        most_iterations: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Learn together for some time by the first process's clock, or up to some iterations.

        All stop after the same round.

        Args:
            seconds: how long, about; the compiler's time is not counted.
            on_progress: called after every round; speeds are those of all processes together.
            most_iterations: ends at exactly so many of each process; None: time alone decides.
            stop: called after every round; all stop if any returns True.

        Raises:
            KeyboardInterrupt: a process was interrupted; raised on all, and all can go on.
            PeerLost: another process has ended; the tables are of no use.
        """
        solver = self.solver
        if not solver.iterations:
            self._compile()
        seconds_before, begun = self.spent.seconds, time.perf_counter()
        while True:
            own_state = [0.0, 0.0, float(stop is not None and stop())]
            if self.peers.first:
                passed = time.perf_counter() - begun
                ends = passed >= seconds or solver.iterations == most_iterations
                own_state[:2] = passed, float(ends)
            passed, over, interrupts = self.peers.sum(own_state)
            self.spent.seconds = seconds_before + passed
            if interrupts:
                raise KeyboardInterrupt
            if over:
                return
            progress = self._round(most_iterations)
            if on_progress is not None:
                on_progress(progress)

    def checkpoint(
        self, model: BlueprintModel | None = None, *, best: bool = False, **measured: Any
    ) -> BlueprintModel:
        """Save everything, as `TrainingRun.checkpoint` does; for the first process."""
        measured |= {"processes": self.peers.size, "merge_seconds": round(self.merging, 1)}
        return super().checkpoint(model, best=best, **measured)

    def provenance(self) -> dict[str, Any]:
        """Return how the run came about, as plain values."""
        return {**super().provenance(), "processes": self.peers.size}

    def _round(self, most_iterations: int | None) -> SamplingProgress:
        solver, begun = self.solver, time.perf_counter()
        first, nodes = solver.iterations, solver.nodes
        ahead = self.merge_every - first % self.merge_every
        if most_iterations is not None:
            ahead = min(ahead, most_iterations - first)
        # The iterations last: only the last number may take more than 32 bits and stay unambiguous.
        entropy = [self.config.seed, self.peers.rank, first]
        generator = np.random.default_rng(np.random.SeedSequence(entropy))
        workers = solver.settings.workers
        solver.generators[:] = [generator] if workers == 1 else generator.spawn(workers)
        alone = solver.run(ahead)
        (visited,) = self.peers.sum([solver.nodes - nodes])  # and wait for the slowest
        learned = time.perf_counter()
        self.peers.average(solver.cells)
        solver.nodes = nodes + int(visited)
        self.spent.iterations, self.spent.nodes = solver.iterations, solver.nodes
        ended = time.perf_counter()
        self.merging += ended - learned
        return SamplingProgress(
            solver.iterations,
            ended - begun,
            ahead * self.peers.size / (ended - begun),
            visited / (ended - begun),
            alone.mean_regret,  # of this copy: another look at a large table takes long
        )


def _facts(run: TrainingRun) -> dict[str, Any]:
    """Return what other processes have to know, as plain values."""
    spent, solver = run.spent, run.solver
    return {
        "config": run.config.facts(),
        "cells": run.info_sets.cells,
        "cards": {name: [p.dtype.str, list(p.shape)] for name, p in _parts(run).items()},
        "spent": [spent.seconds, spent.iterations, spent.nodes, spent.commands],
        "solver": [solver.iterations, solver.nodes, solver.weight],
    }


def _parts(run: TrainingRun) -> dict[str, Any]:
    """Return the arrays of a card abstraction; none where it follows from the game."""
    if not isinstance(run.cards, CardAbstraction):
        return {}
    return {name: np.ascontiguousarray(part) for name, part in run.cards.parts.items()}


def _copy(facts: dict[str, Any], peers: Peers, folder: Path, workers: int) -> TrainingRun:
    """Return a run like that of the first process, but for what is in its tables.

    Raises:
        TrainingError: the game comes out otherwise here.
    """
    config = config_of_facts(facts["config"])
    parts: dict[str, Any] = {}
    for name, (kind, shape) in facts["cards"].items():
        parts[name] = np.empty(shape, kind)
        peers.broadcast(parts[name])
    cards: Any = CardAbstraction(**parts) if parts else LosslessAbstraction(config.game)
    info_sets = build_info_sets(tree_of(config), cards.counts)
    if info_sets.cells != facts["cells"]:
        raise TrainingError("another version of this program runs here than on the first machine")
    solver = Mccfr(info_sets, cards, np.random.default_rng(0), config.training.settings(workers))
    solver.iterations, solver.nodes, solver.weight = facts["solver"]
    return TrainingRun(folder, config, cards, info_sets, solver, Spent(*facts["spent"]))
