"""The learning of one raise: to a number of iterations, a time, or until it has converged."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from agents.improvement.branch import PLAYOUTS, Branch
from agents.improvement.convergence import GROWTH, strategy_change
from agents.improvement.improvement_run import ImprovementRun
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.mccfr.external_sampling import Mccfr, SamplingProgress

_PROGRESS_SECONDS: Final = 30.0
_MOST_VALUING_SHARE: Final = 0.25
_ITERATIONS_PER_REPORT: Final = 50_000


class LessonLimits(NamedTuple):
    """When a lesson ends."""

    iterations: int
    """Most of the raise, earlier lessons included."""
    seconds: float
    """Most spent on the raise, earlier lessons included."""
    pause: float
    """Seconds between two checkpoints."""
    bound: float | None = None
    """Change of the strategy below which it has converged, see `convergence`; None: not asked."""


class Lesson:
    """The learning of one raise."""

    def __init__(
        self,
        run: ImprovementRun,
        number: int,
        branch: Branch,
        cards: Any,
        limits: LessonLimits,
        stop: Callable[[], bool],
    ) -> None:
        """Learn nothing yet.

        Args:
            number: of the raise among the run's tasks, from 0.
            cards: the model's, with a table of the turn.
        """
        self._run: Final = run
        self._number: Final = number
        self._task: Final = run.tasks[number]
        self._branch: Final = branch
        self._cards: Final = cards
        self._limits: Final = limits
        self._stop: Final = stop
        self._name: Final = f"{number + 1} of {len(run.tasks)}, {branch.extra}"
        self._said: Final = RateLimiter(_PROGRESS_SECONDS, first_seconds=0.0)

    def learn(self) -> bool:
        """Learn up to the first limit; return whether it was reached, not interrupted.

        Raises:
            OSError: a file cannot be written.
            TrainingError: a checkpoint is damaged.
        """
        task, limits = self._task, self._limits
        if task.seconds >= limits.seconds or task.iterations >= limits.iterations:
            return True
        try:
            if self._branch.safe and task.worth is None:
                self._value_others()
            solver = self._run.open_solver(self._number, self._branch, self._cards)
        except KeyboardInterrupt:
            return False
        interrupted = False
        while (
            not interrupted
            and not task.converged
            and solver.iterations < limits.iterations
            and (task.seconds < limits.seconds or not solver.iterations)
        ):
            interrupted = self._learn_on(solver)
            self._run.save(self._number, solver)
            if limits.bound is not None:
                self._judge(solver, limits.bound)
        return not interrupted

    def _value_others(self) -> None:
        """Find out what the other actions of the place are worth.

        Raises:
            KeyboardInterrupt: it was stopped, and nothing is kept.
        """
        begun = time.perf_counter()
        enough = begun + _MOST_VALUING_SHARE * (self._limits.seconds - self._task.seconds)
        seed = self._run.seed + self._number
        deals = min(PLAYOUTS, self._limits.iterations)
        playouts = None
        for playouts in self._branch.value_others(self._cards, deals, seed):
            if self._stop():
                raise KeyboardInterrupt
            self._said(
                f"{self._name}: valuing the other actions, {playouts.deals.sum():,} deals so far"
            )
            if time.perf_counter() > enough:
                break
        assert playouts is not None  # there is one deal at least
        self._task.worth = self._branch.worth_of(playouts).tolist()
        self._task.seconds += time.perf_counter() - begun
        self._run.note()

    def _learn_on(self, solver: Mccfr) -> bool:
        """Learn up to the next checkpoint; return whether it was interrupted."""
        begun = time.perf_counter()
        remaining = max(self._limits.seconds - self._task.seconds, 1.0)
        deadline = begun + min(remaining, self._limits.pause)

        def ends() -> bool:
            return self._stop() or time.perf_counter() > deadline

        interrupted = False
        try:
            solver.run(
                self._goal(solver) - solver.iterations,
                on_progress=self._tell,
                every=_ITERATIONS_PER_REPORT,
                stop=ends,
            )
        except KeyboardInterrupt:
            interrupted = True
        self._task.seconds += time.perf_counter() - begun
        return interrupted or self._stop()

    def _goal(self, solver: Mccfr) -> int:
        """Return how many iterations there are to be before the next look."""
        if self._limits.bound is None:
            return self._limits.iterations
        marked = self._task.marked
        goal = round(GROWTH * marked) if marked else solver.settings.period
        return min(max(goal, solver.iterations), self._limits.iterations)

    def _judge(self, solver: Mccfr, bound: float) -> None:
        """Compare the strategy with that of two thirds of its iterations, where that is due."""
        task = self._task
        if task.marked and solver.iterations >= GROWTH * task.marked:
            earlier = self._run.open_mark(self._number, self._branch, self._cards)
            if earlier.iterations == task.marked:
                task.change = strategy_change(earlier, solver, self._branch.first_decision)
                task.converged = task.change <= bound
                tell(
                    f"{self._name}: {solver.iterations:,} iterations; over the last third of them "
                    f"the strategy changed by {task.change:.3f}, converged is {bound:g}"
                )
        elif task.marked or solver.iterations < solver.settings.period:
            return
        self._run.mark(self._number, solver)

    def _tell(self, progress: SamplingProgress) -> None:
        self._said(
            f"{self._name}: {progress.iterations:,} iterations, "
            f"{progress.iterations_per_s:,.0f}/s, {progress.nodes_per_s / 1e6:.1f} M nodes/s, "
            f"mean regret {progress.mean_regret:.3g} chips"
        )
