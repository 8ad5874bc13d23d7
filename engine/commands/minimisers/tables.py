"""How `arena minimisers` shows a comparison to people."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from typing import Final

from engine.cfr.adaptive_report import Comparison, Trace
from engine.cfr.adaptive_starts import MeanOfStarts, StartsSummary
from engine.console.text_table import aligned

COLUMNS: Final = 5
"""Checkpoints shown, the last ones at powers of two."""
_FEWER_COLUMNS: Final = 3
"""The same where each figure has an interval."""


def comparison_table(comparison: Comparison) -> list[str]:
    """Return a comparison as lines: per iteration, per time, and what came of it."""
    reference = comparison.members[0]
    shown = _columns(reference.iterations, COLUMNS)
    iterations = [str(reference.iterations[at]) for at in shown]
    times = [reference.seconds[at] for at in shown]
    pool = ", ".join(comparison.pool)
    per_iteration = [("", *iterations, "ms", f"% of {pool}")]
    per_time = [("", *iterations)]
    for name, traces in _groups(comparison):
        spent = statistics.mean(trace.seconds[-1] for trace in traces)
        reached = [statistics.mean(trace.exploitability[at] for trace in traces) for at in shown]
        in_time = [statistics.mean(trace.at_time(time) for trace in traces) for time in times]
        texts = map(_thousandths, reached)
        per_iteration.append((name, *texts, f"{1e3 * spent:.1f}", _shares(traces)))
        per_time.append((name, *map(_thousandths, in_time)))
    return [
        "exploitability of the average strategy in thousandths of a big blind, after iterations:",
        *(f"  {row}" for row in aligned(per_iteration)),
        f"the same after the time in which {reference.name} alone runs so many:",
        *(f"  {row}" for row in aligned(per_time)),
        *_verdict(comparison, times[-1]),
    ]


def starts_table(summary: StartsSummary) -> list[str]:
    """Return a comparison over several starts as lines: means, intervals, ratios to the best."""
    iterations = summary.entrants[0].iterations
    shown = _columns(iterations, _FEWER_COLUMNS)
    pool = ", ".join(summary.pool)
    rows = [
        ("", *(str(iterations[at]) for at in shown), "ms", "x best", "in its time", f"% of {pool}")
    ]
    for found in summary.entrants:
        alone = found.name in summary.pool
        rows.append(
            (
                found.name,
                *(_with_interval(found.exploitability[at]) for at in shown),
                f"{1e3 * found.seconds.mean:.1f}",
                _times(found.per_iteration),
                _times(found.same_time),
                "" if alone else " ".join(f"{100 * share:.0f}" for share in found.uses),
            )
        )
    over = "one start"
    if summary.starts > 1:
        over = f"means over {summary.starts} starts, with 95 % intervals"
    return [
        "exploitability of the average strategy in thousandths of a big blind, after iterations; "
        f"{over}; x best: over that of {summary.best_member}, the best member in hindsight, "
        "at the end and in its time",
        *(f"  {row}" for row in aligned(rows)),
    ]


def _with_interval(found: MeanOfStarts) -> str:
    mean = _thousandths(found.mean)
    return mean if found.ci95 is None else f"{mean} ± {_thousandths(found.ci95)}"


def _times(found: MeanOfStarts | None) -> str:
    if found is None:
        return "-"
    spread = "" if found.ci95 is None else f" ± {found.ci95:.2g}"
    return f"{found.mean:.3g}{spread}"


def _groups(comparison: Comparison) -> list[tuple[str, Sequence[Trace]]]:
    """Return the rows of the tables: names, and the traces whose mean each one shows."""
    seeds = len(comparison.random)
    return [
        *((trace.name, [trace]) for trace in comparison.members),
        ("in turn", [comparison.round_robin]),
        *([(f"random, mean of {seeds}", comparison.random)] if seeds else []),
        *((trace.name, [trace]) for trace in comparison.adaptive),
    ]


def _columns(iterations: Sequence[int], most: int) -> list[int]:
    """Return which checkpoints to show: the last powers of two and the end."""
    last = len(iterations) - 1
    powers = [at for at in range(last) if iterations[at].bit_count() == 1]
    return [*powers[1 - most :], last]


def _shares(traces: Sequence[Trace]) -> str:
    """Return how the iterations were shared among the members of the pool, per cent."""
    uses = [sum(column) for column in zip(*(trace.uses for trace in traces), strict=True)]
    return " ".join(f"{100 * used / sum(uses):.0f}" for used in uses) if len(uses) > 1 else ""


def _verdict(comparison: Comparison, seconds: float) -> list[str]:
    """Return how the forms compare with the best member, which is only known after all have run."""
    best = comparison.best_member
    lines = [f"best member in hindsight: {best.name}"]
    if comparison.adaptive and best.exploitability[-1] > 0:
        floor = best.exploitability[-1]
        adaptive = min(comparison.adaptive, key=lambda trace: trace.exploitability[-1])
        median = statistics.median(trace.exploitability[-1] for trace in comparison.adaptive)
        lines += [
            f"best form in hindsight: {adaptive.name}",
            f"  {adaptive.exploitability[-1] / floor:.2f} times as exploitable per iteration, "
            f"{adaptive.at_time(seconds) / best.at_time(seconds):.2f} times in the same time",
            f"median of the forms: {median / floor:.2f} times as exploitable per iteration",
        ]
    return lines


def _thousandths(value: float) -> str:
    if math.isinf(value):
        return "-"
    return f"{1e3 * value:.3g}" if value < 1 else f"{1e3 * value:.0f}"
