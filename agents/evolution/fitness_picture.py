"""Fitness by generation as SVG: of one run, or of several runs beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.console.line_chart import ChartLine, line_chart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FITNESS_LIMITS: Final = (-2.0, 1.0)
"""A generation that has just met new opponents may lose any amount; that is cut off."""


def fitness_svg(title: str, curves: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    """Return the picture: the mean of each population as a line, and of a single run the best,
    dashed.

    Args:
        curves: name -> facts of its generations, see `GenerationResult.facts`.
    """
    lines = [
        ChartLine(name, _points(generations, "mean_fitness"))
        for name, generations in curves.items()
    ]
    if len(curves) == 1:
        ((name, generations),) = curves.items()
        lines = [
            ChartLine(f"{name}, mean", lines[0].points),
            ChartLine(f"{name}, best", _points(generations, "best_fitness"), dashed=True),
        ]
    subtitle = "fitness: mean of what is won, by what the best wins"
    return line_chart(title, subtitle, "generation", lines, _FITNESS_LIMITS)


def _points(generations: Sequence[Mapping[str, Any]], what: str) -> list[tuple[float, float]]:
    return [(generation["generation"] + 1, generation[what]) for generation in generations]
