"""The solving itself: a `SolveRequest` becomes a `SolveOutcome`."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.cfr.adaptive import PoolSolve, RoundRobin
from engine.cfr.adaptive_choice import AdaptiveSolve
from engine.cfr.solver import StrategyKind
from engine.commands.solve.betting_plan import betting_plan
from engine.commands.solve.forecast import forecast_line, forecast_of
from engine.commands.solve.request import PROG, SolveRequest
from engine.console.output import tell
from engine.console.progress import RateLimiter
from engine.console.stopping import stop_on_signals
from engine.errors import ArtifactMismatch
from engine.hands.range_text import parse_range
from engine.range_solver.checkpoint import KIND, load_solve, save_solve
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.strategy import RangeStrategy
from engine.range_solver.walk import compiled_before
from protocol.cards import parse_cards

if TYPE_CHECKING:
    from engine.commands.solve.betting_plan import BettingPlan
    from engine.console.progress import LivingLine
    from engine.console.stopping import Stop

ACCURATE: Final = "accurate"
ENOUGH: Final = "iterations"
LATE: Final = "seconds"
STOPPED: Final = "interrupted"
STUCK: Final = "no better"

_LAST_STREET: Final = 3
_FIRST_LOOK: Final = 16
_CHECK_INTERVAL_GROWTH: Final = 1.15
"""Exploitability costs about an iteration, so it is looked at ever more rarely."""
_SAVE_SECONDS: Final = 60.0
_MOST_SAVING_SHARE: Final = 0.05
_RAREST_LINE_SECONDS: Final = 600.0
_COMPILING_SECONDS: Final = {False: 20, True: 40}
"""By whether there are several streets; code is compiled once on a machine."""
_STUCK_AFTER: Final = 4096
_STUCK_SHARE: Final = 0.95
"""If twice the iterations leave more than this share, float32 has no more to give."""


class SolveOutcome(NamedTuple):
    """What solving came to."""

    strategy: RangeStrategy
    iterations: int
    """Those of a checkpoint included."""
    resumed: int
    """Those of the checkpoint that was resumed."""
    seconds: float
    """Spent on the iterations and on looking at their results, this time."""
    ended: str
    """Why it ended: `ACCURATE`, `ENOUGH`, `LATE`, `STUCK` or `STOPPED`."""
    uses: dict[str, int]
    """Iterations run with each minimiser, those of a checkpoint included."""


def solve_spot(
    request: SolveRequest, plan: BettingPlan, checkpoint: Path | None, line: LivingLine
) -> SolveOutcome:
    """Solve a spot until it is accurate enough or gets no better, the time is over, or Ctrl-C.

    Args:
        checkpoint: where to keep unfinished work, and to find it.
        line: shows the progress.

    Raises:
        ArtifactMismatch: the checkpoint is none, or that of another spot.
    """
    settings = RangeSettings(threads=request.threads, storage=plan.storage)
    _say_compiling(request, line)
    _compile(request, settings)
    line.clear()
    tell(f"{PROG}: {forecast_line(forecast_of(request, plan), plan)}")
    line.show("beginning")
    work = _Work(request, RangeSolver(plan.tree, request.board, request.ranges, settings), line)
    if checkpoint is not None and checkpoint.exists():
        work.load(checkpoint)
    resumed = work.solver.iterations
    with stop_on_signals(on_stop=lambda: line.show("stopping ...")) as stop:
        start = time.monotonic()
        ended = work.run(checkpoint, stop)
        seconds = time.monotonic() - start
        if checkpoint is not None:
            line.show(f"saving {checkpoint}")
            work.save(checkpoint)
        line.show("writing the strategy out")
        strategy = RangeStrategy.of(work.solver)
    line.clear()
    return SolveOutcome(strategy, work.solver.iterations, resumed, seconds, ended, work.uses)


class _Work:
    def __init__(self, request: SolveRequest, solver: RangeSolver, line: LivingLine) -> None:
        self.solver = solver
        self._request = request
        self._adaptive = _adaptive(request, solver)
        self._pool = self._adaptive or PoolSolve(solver, request.minimisers, RoundRobin(1))
        self._line = line
        self._seen = ""
        self._shares: list[tuple[int, float]] = []
        self._begun = time.monotonic()
        self._each: float | None = None
        self._now_and_then = RateLimiter(longest_seconds=_RAREST_LINE_SECONDS)

    def run(self, checkpoint: Path | None, stop: Stop) -> str:
        """Iterate until there is a reason to end, and return it; at least once, if it may be."""
        request, solver = self._request, self.solver
        looks = _Looks()
        if looks.due(solver.iterations) and self._is_accurate():
            return ACCURATE
        self._begun = time.monotonic()
        save_at = self._begun + _SAVE_SECONDS
        while request.iterations is None or solver.iterations < request.iterations:
            self._iterate()
            if looks.due(solver.iterations):
                if self._is_accurate():
                    return ACCURATE
                if self._is_stuck():
                    return STUCK
            if stop():
                return STOPPED
            now = time.monotonic()
            if request.seconds is not None and now - self._begun >= request.seconds:
                return LATE
            if checkpoint is not None and now > save_at:
                if not self.save(checkpoint):
                    checkpoint = None
                took = time.monotonic() - now
                save_at = now + took + max(_SAVE_SECONDS, took / _MOST_SAVING_SHARE)
        return ENOUGH

    def _iterate(self) -> None:
        began = time.monotonic()
        self._pool.iterate()
        took = time.monotonic() - began
        # The first one also waits for memory; of many, the last ones count most.
        self._each = took if self._each is None else self._each + (took - self._each) / 4
        if self._line.living:
            self._line.show_often(self._progress)
        else:
            self._now_and_then(lambda: f"{PROG}: {self._progress()}")

    def _is_accurate(self) -> bool:
        share = self.solver.exploitability_of_pot(StrategyKind.AVERAGE)
        self._seen = f"; {100 * share:.3f} % of the pot after {self.solver.iterations}"
        self._shares.append((self.solver.iterations, share))
        return share <= self._request.accuracy

    def _is_stuck(self) -> bool:
        """Return whether the second half of the iterations has gained next to nothing."""
        half = self.solver.iterations / 2
        first_half = [share for iterations, share in self._shares if iterations <= half]
        since = [share for iterations, share in self._shares if iterations > half]
        if self.solver.iterations < _STUCK_AFTER or not first_half:
            return False
        return min(since) > _STUCK_SHARE * min(first_half)

    def save(self, path: Path) -> bool:
        """Write a checkpoint; say so and return False where that fails."""
        try:
            chosen = self._adaptive.state() if self._adaptive else None
            save_solve(self.solver, path, self._request.identity, chosen)
        except OSError as error:
            self._line.clear()
            tell(f"{PROG}: no checkpoint: {path}: {error.strerror or error}")
            return False
        return True

    def load(self, path: Path) -> None:
        """Resume a checkpoint.

        Raises:
            ArtifactMismatch: it is none, or that of another spot or algorithm.
        """
        chosen = load_solve(self.solver, path, self._request.identity)
        if self._adaptive is None:
            self._pool.uses[0] = self.solver.iterations
            return
        try:
            self._adaptive.restore(chosen)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error

    @property
    def uses(self) -> dict[str, int]:
        """Iterations run with each minimiser."""
        names = [variant.name for variant in self._pool.pool]
        return dict(zip(names, self._pool.uses, strict=True))

    def _progress(self) -> str:
        seconds = time.monotonic() - self._begun
        each = short_duration(self._each or 0.0)
        return f"iteration {self.solver.iterations}, {seconds:.0f} s, {each} each{self._seen}"


def _adaptive(request: SolveRequest, solver: RangeSolver) -> AdaptiveSolve | None:
    choice = request.choice
    return None if choice is None else AdaptiveSolve(solver, choice, request.big_blind)


class _Looks:
    """The iterations after which exploitability is computed: the same ones after a resume."""

    def __init__(self) -> None:
        self._next = _FIRST_LOOK

    def due(self, iterations: int) -> bool:
        """Return whether to look now."""
        while self._next < iterations:
            self._next = int(self._next * _CHECK_INTERVAL_GROWTH) + 1
        return self._next == iterations


def short_duration(seconds: float) -> str:
    """Return a short time for people."""
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def _say_compiling(request: SolveRequest, line: LivingLine) -> None:
    """Say that compiling will take a while, where it will: also where lines stay."""
    several = request.street < _LAST_STREET
    if compiled_before(several=several):
        line.show("getting ready")
        return
    seconds = _COMPILING_SECONDS[several]
    text = f"compiling the solver, once on this machine: about {seconds} s"
    if line.living:
        line.show(text)
    else:
        tell(f"{PROG}: {text}")


def _compile(request: SolveRequest, settings: RangeSettings) -> None:
    """Solve a tiny spot, so that compiling is over before the time begins to count."""
    board = parse_cards("2c3d4h5s7c")[: len(request.board)]
    ranges = np.stack([parse_range("AA"), parse_range("KK")])
    tiny = replace(request, board=board, pot=2, stack=2, big_blind=1, ranges=ranges, max_raises=1)
    solver = RangeSolver(betting_plan(tiny).tree, board, ranges, settings)
    pool = _adaptive(request, solver) or PoolSolve(solver, request.minimisers, RoundRobin(1))
    for _ in (1, 2):
        pool.iterate()
    RangeStrategy.of(solver)
