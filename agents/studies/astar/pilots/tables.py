"""What pilots came to, as tables and pictures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.evolution.fitness_picture import fitness_svg
from agents.roster.bots import COUNTERED
from engine.console.line_chart import ChartLine, line_chart
from engine.console.quantities import interval
from engine.console.text_table import aligned
from engine.estimates.winrate import half_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agents.studies.astar.pilots.plans import Pilot
    from agents.studies.astar.pilots.runs import VariantResult

LAST: Final = 10
"""Generations whose mean fitness is told."""


def pilot_table(pilot: Pilot, results: Sequence[VariantResult]) -> list[str]:
    """Return the lines of a table: a row for each variant, means over its seeds."""
    rows = [["", "fitness", *COUNTERED, "all eight", "hands", "seconds"]]
    for variant in pilot.variants:
        own = [one for one in results if one.run.variant == variant]
        won = np.array([[rate.mbb_per_hand for rate in one.rates] for one in own])
        each = won.mean(axis=1)
        spread = float(each.std(ddof=1)) if len(each) > 1 else 0.0
        half = half_interval(spread, len(each))
        fitness = np.mean([[g["mean_fitness"] for g in one.history[-LAST:]] for one in own])
        rows.append(
            [
                variant.name,
                f"{fitness:.3f}",
                *(f"{rate:,.0f}" for rate in won.mean(axis=0)),
                interval(float(each.mean()), half, 0),
                f"{np.mean([one.hands for one in own]) / 1e6:.1f} M",
                f"{np.mean([one.seconds for one in own]):.0f}",
            ]
        )
    return aligned(rows)


def curves_svg(pilot: Pilot, results: Sequence[VariantResult]) -> str:
    """Return the picture of the population's mean fitness, a line for each variant: of all seeds.

    Generations are those of the first seed; all seeds have as many.
    """
    curves = {}
    for variant in pilot.variants:
        own = [one.history for one in results if one.run.variant == variant]
        curves[variant.name] = [
            {**rows[0], "mean_fitness": float(np.mean([one["mean_fitness"] for one in rows]))}
            for rows in zip(*own, strict=True)
        ]
    return fitness_svg(pilot.title, curves)


def budget_svg(results: Sequence[VariantResult]) -> str:
    """Return the picture of what is won from all eight by what was played, a dot for each run.

    Hands are told as powers of ten.
    """
    by_seed: dict[int, list[tuple[float, float]]] = {}
    for one in results:
        won = sum(rate.mbb_per_hand for rate in one.rates) / len(one.rates)
        by_seed.setdefault(one.run.seed, []).append((math.log10(one.hands), won))
    lines = [ChartLine(f"seed {seed}", sorted(points)) for seed, points in by_seed.items()]
    return line_chart(
        "What more evolution is worth", "mbb/h, mean over all eight", "log10 of hands", lines
    )
