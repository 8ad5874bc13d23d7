"""External-sampling MCCFR: learns a strategy for an abstract game by self-play.

An iteration is one traversal for each player, each with its own deal.  With one worker a run
repeats exactly, because tables, generator and number of iterations are all its state.  So 2 n
iterations equal n iterations, a checkpoint (`engine.mccfr.checkpoint`) and n more.  With several
workers that are merged this holds where n is a multiple of `merge_every`, because a run merges
wherever it is cut.  `MccfrSettings` says how several workers go together.

Works for any two-player poker game: no-limit and limit hold'em through a card abstraction, Kuhn
and Leduc poker without loss (`engine.abstraction.lossless`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL
from engine.compiled.lanes import aligned_zeros
from engine.errors import InvalidGame
from engine.mccfr import kernels, table_blocks
from engine.mccfr.records import MccfrTables, Rules
from engine.mccfr.restrained_kernels import traverse_restrained
from engine.mccfr.sample_deals import DealSource
from engine.mccfr.settings import LARGEST_WHOLE, MccfrSettings
from engine.parallel.halting import Halt

if TYPE_CHECKING:
    from engine.abstraction.buckets import Abstraction
    from engine.betting.info_sets import InfoSets
    from engine.mccfr.restraint import Restraint

_float: Any = np.float32

ITERATIONS_PER_BATCH: Final = 1024


class SamplingProgress(NamedTuple):
    """Progress of a run."""

    iterations: int
    """Iterations since the run began, earlier calls and checkpoints included."""
    seconds: float
    """Seconds of this call of `run`."""
    iterations_per_s: float
    nodes_per_s: float
    """Decisions and ends visited per second of this call."""
    mean_regret: float
    """Mean over all information sets of the positive regrets, chips per iteration."""


class Mccfr:
    """Regrets and strategy sums of an abstract game.

    Attributes:
        cells: the table of float32 cells; regrets in it may be int32 instead.
        nodes: decisions and ends visited in all iterations.
        source: of its deals.
        generators: one for each worker.
    """

    def __init__(
        self,
        info_sets: InfoSets,
        abstraction: Abstraction,
        generator: np.random.Generator,
        settings: MccfrSettings | None = None,
        source: DealSource | None = None,
        restraint: Restraint | None = None,
    ) -> None:
        """Start from uniform strategies.

        Args:
            info_sets: the game, with as many buckets as the abstraction has.
            generator: of deals and choices; not to be used for anything else afterwards.  Several
                workers get generators spawned from it.
            source: of deals; None: each deal of the game is as likely as any other.
            restraint: of the opponent; a robust response to it is learned, not an equilibrium.
                Its free part learns as well.

        Raises:
            InvalidGame: abstraction and information sets do not fit together.
            OutOfMemory: the tables would take more than the settings allow.
            ValueError: a response is to be learned with pruning, whole regrets or merging.
        """
        if tuple(abstraction.counts) != info_sets.buckets:
            raise InvalidGame(
                f"information sets of {info_sets.buckets} buckets, "
                f"an abstraction of {tuple(abstraction.counts)}"
            )
        self.settings: Final = settings or MccfrSettings()
        self.restraint: Final = restraint
        if restraint is not None and self.settings.is_special:
            raise ValueError("a response is learned without pruning, whole regrets and merging")
        if self.settings.memory_limit is not None:
            info_sets.check_memory(self.settings.tables, self.settings.memory_limit)
        self.info_sets: Final = info_sets
        self.cells: Final = aligned_zeros(info_sets.cells, np.float32)
        self.iterations = 0
        self.nodes = 0
        self.weight = 0.0
        workers = self.settings.workers
        self.generators: Final = [generator] if workers == 1 else generator.spawn(workers)
        self.source: Final = source or DealSource(info_sets.tree.game, abstraction)
        self._blocks: Final = table_blocks.blocks_of(info_sets)
        self._queues: Final = [kernels.make_queue(info_sets.walk) for _ in range(workers)]
        copies = workers if self.settings.merge_every else 0
        self._parts: Final = aligned_zeros(copies * info_sets.cells, np.float32).reshape(
            copies, info_sets.cells
        )

    def run(
        self,
        iterations: int,
        *,
        on_progress: Callable[[SamplingProgress], None] | None = None,
        every: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> SamplingProgress:
        """Run more iterations.

        Args:
            on_progress: called between iterations, from this thread.
            every: approximate number of iterations between those calls.
            stop: called from the workers, about a hundred times a second; once it returns True the
                run ends early, in a state that can be continued like any other.

        Returns:
            The progress at the end, as `on_progress` would get it.

        Raises:
            KeyboardInterrupt: Ctrl-C; as with `stop`, the run can be continued.  So it can after
                anything that `stop` or `on_progress` raises.
            ValueError: a negative number of iterations, none between reports, or an abstraction
                that returns buckets beyond its own.
        """
        if iterations < 0 or (every is not None and every < 1):
            raise ValueError(f"cannot run {iterations} iterations with a report every {every}")
        begun = time.perf_counter()
        first, nodes, reported = self.iterations, self.nodes, self.iterations
        end = first + iterations

        def progress() -> SamplingProgress:
            seconds = time.perf_counter() - begun
            speed = 1 / seconds if seconds else 0.0
            return SamplingProgress(
                self.iterations,
                seconds,
                (self.iterations - first) * speed,
                (self.nodes - nodes) * speed,
                self.mean_regret(),
            )

        self._parts[:] = self.cells
        with Halt(stop) as halt, ThreadPoolExecutor(self.settings.workers) as pool:
            while self.iterations < end and not halt():
                ahead = min(end - self.iterations, self.settings.until_change(self.iterations))
                if every is not None and not self.settings.merge_every:
                    ahead = min(ahead, max(every - (self.iterations - reported), 1))
                if self._work(pool, ahead, halt):
                    self._turn_over(pool)
                due = every is not None and self.iterations - reported >= every
                if on_progress is not None and due and not halt.raises:
                    reported = self.iterations
                    with halt.opened():
                        on_progress(progress())
        return progress()

    def average(self, node: int) -> NDArray[np.float32]:
        """Return (B, A) float32, the average strategy of each bucket at a decision.

        The average is what converges; it is uniform where a bucket was never seen.

        Raises:
            ValueError: the node is not a decision.
        """
        count = self._actions(node)
        if count == 1:
            return self._only_action(node)
        return _shares(self.info_sets.rows_of(self.cells, node)[:, count:])

    def current(self, node: int) -> NDArray[np.float32]:
        """Return (B, A) float32, the strategy that would be played next at a decision.

        Raises:
            ValueError: the node is not a decision.
        """
        count = self._actions(node)
        if count == 1:
            return self._only_action(node)
        regrets = self.info_sets.rows_of(self._regret_of(self.cells), node)[:, :count]
        return _shares(np.maximum(regrets, 0).astype(np.float32))

    def mean_regret(self) -> float:
        """Return the positive regrets in chips per iteration, their mean over information sets.

        Regrets of sampled values are noisy: the mean falls with learning, but not to zero.
        """
        regret = self._regret_of(self.cells)
        total = sum(table_blocks.positive_regrets(b, 0, b.buckets, regret) for b in self._blocks)
        if not self.weight:
            return 0.0
        return total * self.settings.unit / (self.weight * self.info_sets.rows)

    def _work(self, pool: ThreadPoolExecutor, iterations: int, halt: Halt) -> int:
        """Have the workers run some iterations; return how many they did."""
        rules, workers = self._rules(), self.settings.workers
        share, more = divmod(iterations, workers)
        jobs: list[Future[tuple[int, int]]] = []
        try:
            for worker in range(workers):
                mine = share + (worker < more)
                jobs.append(pool.submit(self._learn, worker, mine, rules, halt))
        except Exception as failure:  # no more threads: the ones there are finish and are counted
            halt.fail(failure)
        _wait_for(jobs)
        done = sum(job.result()[0] for job in jobs)
        self.iterations += done
        self.weight += done / workers if len(self._parts) else done
        self.nodes += sum(job.result()[1] for job in jobs)
        return done

    def _learn(self, worker: int, iterations: int, rules: Rules, halt: Halt) -> tuple[int, int]:
        """Run iterations of one worker; return their number and that of the nodes visited."""
        generator, queue = self.generators[worker], self._queues[worker]
        learned = self._tables(self._parts[worker] if len(self._parts) else self.cells)
        done = nodes = 0
        try:
            while done < iterations and not halt():
                block = min(ITERATIONS_PER_BATCH, iterations - done)
                keys = generator.integers(0, 1 << 64, 2 * block, np.uint64)
                deals = self.source.deal(keys)
                if self.restraint is None:
                    nodes += kernels.traverse(learned, deals, 0, rules, queue)[0]
                else:
                    nodes += traverse_restrained(
                        learned, self._tables(self.restraint.free), self.restraint.fixed, deals,
                        rules, queue,
                    )  # fmt: skip
                done += block
        except BaseException as failure:  # raised once the rest is counted
            halt.fail(failure)
        return done, nodes

    def _turn_over(self, pool: ThreadPoolExecutor) -> None:
        """Merge copies and discount tables where that is due between iterations."""
        settings = self.settings
        if len(self._parts):
            floor = _float(settings.lowest)
            _wait_for(
                pool.submit(table_blocks.merge_parts, self.cells, self._parts, first, last, floor)
                for first, last in self._shares_of(len(self.cells))
            )
        step = settings.step_of(self.iterations)
        factors = _float(step.positive), _float(step.negative), _float(step.keep)
        if not settings.discounts_at(self.iterations) or factors == (1, 1, 1):
            return
        self.weight *= step.positive
        free = [] if self.restraint is None else [self.restraint.free]
        _wait_for(
            pool.submit(
                table_blocks.scale_rows, block, first, last, self._regret_of(cells), cells, factors
            )
            for cells in (self.cells, *self._parts, *free)
            for block in self._blocks
            for first, last in self._shares_of(block.buckets)
        )

    def _shares_of(self, count: int) -> Iterable[tuple[int, int]]:
        ends = np.linspace(0, count, self.settings.workers + 1).astype(int).tolist()
        return pairwise(ends)

    def _rules(self) -> Rules:
        settings, pruning = self.settings, self.settings.pruning
        streets = len(self.info_sets.buckets)
        active = pruning is not None and self.iterations >= pruning.after
        if pruning is not None and not pruning.on_last_street:
            streets -= 1
        return Rules(
            scale=_float(1 / settings.unit),
            floor=_float(settings.lowest),
            ceiling=_float(LARGEST_WHOLE if settings.whole_regrets else np.inf),
            weight=_float(settings.step_of(self.iterations).weight),
            explores=_float(settings.exploration),
            errs=_float(settings.mistakes),
            prunes=active,
            threshold=_float(pruning.threshold / settings.unit if pruning else -1.0),
            softness=_float(pruning.softness / settings.unit if pruning else 1.0),
            least=_float(pruning.least if pruning else 1.0),
            streets=streets,
        )

    def _tables(self, cells: NDArray[np.float32]) -> MccfrTables:
        info_sets = self.info_sets
        return MccfrTables(
            info_sets.walk, info_sets.start, info_sets.width, self._regret_of(cells), cells
        )

    def _regret_of(self, cells: NDArray[np.float32]) -> NDArray[Any]:
        return cells.view(np.int32) if self.settings.whole_regrets else cells

    def _actions(self, node: int) -> int:
        tree = self.info_sets.tree
        if not 0 <= node < tree.nodes or tree.kind[node] >= DEAL:
            raise ValueError(f"node {node} is no decision")
        return int(tree.child_count[node])

    def _only_action(self, node: int) -> NDArray[np.float32]:
        street = int(self.info_sets.tree.street[node])
        return np.ones((self.info_sets.buckets[street], 1), np.float32)


def _shares(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows that add to 1, uniform where there is no weight."""
    totals = weights.sum(axis=1, keepdims=True, dtype=np.float64)
    even = _float(1 / weights.shape[1])
    shares = np.where(totals > 0, weights / np.where(totals > 0, totals, 1), even)
    return shares.astype(np.float32)


def _wait_for(jobs: Iterable[Future[Any]]) -> None:
    """Wait until all jobs have ended.  Raises what a job has raised."""
    begun = list(jobs)
    wait(begun)
    for job in begun:
        job.result()
