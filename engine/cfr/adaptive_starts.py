"""A comparison of minimisers from several starts: means over them, with intervals.

Entrants of the same name in each comparison are put together.  A ratio compares an entrant with
the best member alone from the same start; best is the member whose mean ends lowest, which is known
in hindsight only.  Random members of all seeds are one entrant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final

from engine.cfr.adaptive_report import Comparison, Trace
from engine.estimates.winrate import half_interval

RANDOM: Final = "random"


@dataclass(frozen=True, slots=True)
class MeanOfStarts:
    """A mean with its 95 % interval by Student's distribution."""

    mean: float
    ci95: float | None
    """Half the interval; None for a single start."""


@dataclass(frozen=True, slots=True)
class EntrantSummary:
    """One entrant over all starts."""

    name: str
    iterations: tuple[int, ...]
    """Powers of two, and the last one."""
    exploitability: tuple[MeanOfStarts, ...]
    """Exploitability of the average strategy after so many iterations, big blinds."""
    seconds: MeanOfStarts
    """Seconds of all iterations."""
    per_iteration: MeanOfStarts | None
    """Exploitability at the end over that of the best member; None where that is 0."""
    same_time: MeanOfStarts | None
    """The ratio at the time when the best member ends; None where either was not measured yet.
    """
    uses: tuple[float, ...]
    """Share of the iterations run with each member of the pool."""


@dataclass(frozen=True, slots=True)
class StartsSummary:
    """All entrants over all starts."""

    pool: tuple[str, ...]
    starts: int
    best_member: str
    entrants: tuple[EntrantSummary, ...]
    """Each member alone, all in turn, at random, and the forms of the choice."""
    adaptive: int
    """How many of the entrants are forms of the choice: the last ones."""


def summary_of(comparisons: Sequence[Comparison]) -> StartsSummary:
    """Put comparisons of a contest together, one for each start.  Raises ValueError for none."""
    if not comparisons:
        raise ValueError("no start")
    first = comparisons[0]
    runs = [_entrants(comparison) for comparison in comparisons]
    ends = [
        fmean(run[place][1][0].exploitability[-1] for run in runs)
        for place in range(len(first.members))
    ]
    best = ends.index(min(ends))
    rivals = [comparison.members[best] for comparison in comparisons]
    return StartsSummary(
        pool=first.pool,
        starts=len(comparisons),
        best_member=first.members[best].name,
        entrants=tuple(
            _summary(name, [run[place][1] for run in runs], rivals)
            for place, (name, _) in enumerate(runs[0])
        ),
        adaptive=len(first.adaptive),
    )


def _entrants(comparison: Comparison) -> list[tuple[str, Sequence[Trace]]]:
    random = [(RANDOM, comparison.random)] if comparison.random else []
    return [
        *((trace.name, [trace]) for trace in comparison.members),
        (comparison.round_robin.name, [comparison.round_robin]),
        *random,
        *((trace.name, [trace]) for trace in comparison.adaptive),
    ]


def _summary(name: str, runs: Sequence[Sequence[Trace]], rivals: Sequence[Trace]) -> EntrantSummary:
    """Return one entrant's means; `runs` has its traces from each start."""
    measured = runs[0][0].iterations
    kept = [at for at, t in enumerate(measured) if t.bit_count() == 1 or t == measured[-1]]
    pairs = list(zip(runs, rivals, strict=True))
    per_iteration = [
        _ratio(fmean(trace.exploitability[-1] for trace in run), rival.exploitability[-1])
        for run, rival in pairs
    ]
    same_time = [
        _ratio(fmean(trace.at_time(rival.seconds[-1]) for trace in run), rival.exploitability[-1])
        for run, rival in pairs
    ]
    used = [sum(column) for column in zip(*(t.uses for run in runs for t in run), strict=True)]
    return EntrantSummary(
        name=name,
        iterations=tuple(measured[at] for at in kept),
        exploitability=tuple(
            mean_of_starts([fmean(trace.exploitability[at] for trace in run) for run in runs])
            for at in kept
        ),
        seconds=mean_of_starts([fmean(trace.seconds[-1] for trace in run) for run in runs]),
        per_iteration=_mean_of_known(per_iteration),
        same_time=_mean_of_known(same_time),
        uses=tuple(count / sum(used) for count in used),
    )


def mean_of_starts(values: Sequence[float]) -> MeanOfStarts:
    """Return the mean of independent values."""
    ci95 = half_interval(stdev(values), len(values)) if len(values) > 1 else None
    return MeanOfStarts(fmean(values), ci95)


def _ratio(value: float, reference: float) -> float | None:
    return value / reference if reference > 0 and math.isfinite(value) else None


def _mean_of_known(values: Sequence[float | None]) -> MeanOfStarts | None:
    known = [value for value in values if value is not None]
    return mean_of_starts(known) if len(known) == len(values) else None
