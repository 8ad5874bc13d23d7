"""Figure of a strength study: three panels, one above the other.

histogram       hands by strength, the four streets on top of each other
win chance      share of hands that won by strength, all streets, with 95 % intervals
by street       the same for each street
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.studies.statistical.strength_study import STREET_NAMES, merged_bins
from engine.console.drawing import COLOURS, DARK, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from agents.studies.statistical.strength_study import StrengthCounts

BARS: Final = 50
POINTS: Final = 20
LEAST_HANDS: Final = 10
"""Points of fewer hands are left out of the lines by street."""

_STREET_COLOURS: Final = (COLOURS[3], COLOURS[0], COLOURS[2], COLOURS[1])


def study_figure(counts: StrengthCounts, subtitle: str = "") -> Figure:
    """Return the figure."""
    title = "Hand strengths of two modellers who play each other"
    figure, panels = new_figure(title, subtitle, 3, 1, (7.6, 3.2))
    _histogram(panels[0], counts)
    _win_chance(panels[1], counts)
    _by_street(panels[2], counts)
    for axes in panels:
        axes.set_xlim(0, 1)
        axes.set_xticks(np.arange(11) / 10)
    panels[2].set_xlabel("effective hand strength")
    return figure


def _histogram(axes: Axes, counts: StrengthCounts) -> None:
    bars = merged_bins(counts.hands, BARS)
    under = np.zeros(BARS)
    at = (np.arange(BARS) + 0.5) / BARS
    for street, name in enumerate(STREET_NAMES):
        colour = _STREET_COLOURS[street]
        axes.bar(at, bars[street], 0.9 / BARS, under, color=colour, label=name)
        under += bars[street]
    axes.set_title("hands that reached a street", loc="left", fontsize=9)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.margins(y=0.2)
    axes.legend(ncols=len(STREET_NAMES))


def _win_chance(axes: Axes, counts: StrengthCounts) -> None:
    found = counts.win_chances(bins=POINTS)
    known = np.flatnonzero(found.hands)
    at, chance = (known + 0.5) / POINTS, found.chance[known]
    around = [chance - found.low[known], found.high[known] - chance]
    axes.errorbar(at, chance, around, color=DARK, marker="o", markersize=4)
    for place, hands in enumerate(found.hands):
        above = ((place + 0.5) / POINTS, 1.02)
        axes.annotate(_short(int(hands)), above, ha="center", fontsize=7, annotation_clip=False)
    label = "share that won, all streets, 95 % intervals; hands per point above"
    axes.set_title(label, loc="left", fontsize=9, pad=14)
    _percents(axes)


def _by_street(axes: Axes, counts: StrengthCounts) -> None:
    for street, name in enumerate(STREET_NAMES):
        found = counts.win_chances(street, POINTS)
        known = np.flatnonzero(found.hands >= LEAST_HANDS)
        at = (known + 0.5) / POINTS
        axes.plot(at, found.chance[known], color=_STREET_COLOURS[street], label=name)
    label = f"share that won, by street; points of {LEAST_HANDS} hands or more"
    axes.set_title(label, loc="left", fontsize=9)
    axes.legend()
    _percents(axes)


def _percents(axes: Axes) -> None:
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")


def _short(count: int) -> str:
    """Return a count in few letters: 999, 1.2k, 45k."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 9950 else f"{count / 1000:.0f}k"
