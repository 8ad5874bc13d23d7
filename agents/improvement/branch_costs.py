"""What learning some raises costs: information sets, megabytes and hours, and how that is told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from agents.blueprint_model.model import BlueprintModel
from agents.improvement.branch import Branch
from agents.improvement.ranking import MissingRaise
from engine.betting.info_sets import build_info_sets
from engine.console.quantities import percent
from engine.mccfr.external_sampling import Mccfr

_TRIED_SECONDS: Final = 0.3
_TRIAL_ITERATIONS: Final = 1 << 20
_TRIES: Final = 10
_SETTLED: Final = 1.2


class BranchCost(NamedTuple):
    """What one raise costs."""

    information_sets: int
    file_bytes: float
    """About: as many a set as the model has."""
    memory_bytes: int
    """Of its table while it is learned."""
    iterations_per_s: float
    """Measured."""


def branch_costs(
    model: BlueprintModel, branches: Sequence[Branch], cards: Any, workers: int
) -> list[BranchCost]:
    """Return the costs of branches; each is learned for some seconds, for nothing.

    Args:
        cards: the model's, with a table of the turn.
    """
    whole = build_info_sets(model.tree, model.cards.counts).rows
    each = len(model.packed.streams) / whole
    costs = []
    for branch in branches:
        worth = np.zeros(model.cards.counts[0]) if branch.safe else None
        solver = Mccfr(
            branch.info_sets,
            cards,
            np.random.default_rng(0),
            branch.settings(workers),
            branch.source(cards, worth),
        )
        costs.append(
            BranchCost(
                branch.rows,
                each * branch.rows,
                branch.info_sets.table_bytes,
                settled_speed(solver),
            )
        )
    return costs


def settled_speed(solver: Mccfr) -> float:
    """Return iterations a second, tried until they hardly rise: new tables are slow at first.

    With 156 MiB the first second has a fifth of what later ones have.
    """
    fastest = 0.0
    for _ in range(_TRIES):
        previous, fastest = fastest, max(fastest, _tried_speed(solver))
        if fastest < _SETTLED * previous:
            break
    return fastest


def _tried_speed(solver: Mccfr) -> float:
    end = time.perf_counter() + _TRIED_SECONDS
    return solver.run(_TRIAL_ITERATIONS, stop=lambda: time.perf_counter() > end).iterations_per_s


def plan_lines(
    raises: Sequence[MissingRaise],
    costs: Sequence[BranchCost],
    iterations: int,
    hours: float | None,
) -> list[str]:
    """Return a table of the raises and their costs, in lines.

    Args:
        iterations: of each raise.
        hours: of all together; None: as many as the iterations take.
    """
    width = max(len("raise"), *(len(raised.extra) for raised in raises))
    lines = [
        f"{'raise':>{width}} {'pots':>7} {'times':>8} {'share':>7} {'nearest':>7} {'distance':>8} "
        f"{'score':>9} {'inf. sets':>11} {'MB':>6} {'hours':>7}"
    ]
    for raised, cost in zip(raises, costs, strict=True):
        hours_each = iterations / max(cost.iterations_per_s, 1.0) / 3600
        if hours is not None:
            hours_each = min(hours_each, hours / len(raises))
        lines.append(
            f"{raised.extra:>{width}} {raised.pots:>7.2f} {raised.times:>8,.0f} "
            f"{percent(raised.share):>7} {raised.nearest:>7.2f} {raised.distance:>8.3f} "
            f"{raised.score:>9.2f} {cost.information_sets:>11,} "
            f"{cost.file_bytes / 1e6:>6.2f} {hours_each:>7.2f}"
        )
    memory = max(cost.memory_bytes for cost in costs) / 2**20
    speeds = ", ".join(f"{cost.iterations_per_s:,.0f}" for cost in costs)
    lines.append(
        f"{iterations:,} iterations of each, at most; measured at {speeds} a second; "
        f"{memory:,.0f} MiB of memory"
    )
    return lines
