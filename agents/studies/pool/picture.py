"""The plane of tightness and aggression with the measured bots in it, as a figure.

Across: share of hands played, tight left, loose right; up: share of raises.  The shapes tell the
groups apart without colour.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.roster.plane import AGGRESSIVE_ABOVE, LOOSE_ABOVE
from engine.console.drawing import COLOURS, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import BboxBase

    from agents.studies.pool.crosstable import Crosstable

_QUADRANTS: Final = (
    (0.02, 0.95, "tight-aggressive"),
    (0.42, 0.95, "loose-aggressive"),
    (0.02, 0.35, "tight-weak"),
    (0.42, 0.35, "loose-weak"),
)
_SHAPES: Final = "os^"
_LABEL_STEP: Final = 5.0
"""Points by which a name moves up or down until it is free."""
_MOST_STEPS: Final = 60
_FAR_RIGHT: Final = 0.8
_RADIUS: Final = 4.0
"""Of a mark, pixels."""


def plane_figure(table: Crosstable, title: str, subtitle: str = "") -> Figure:
    """Return the figure; bots that had no occasion to show a habit are left out."""
    figure, [axes] = new_figure(title, subtitle, 1, 1, (7.6, 5.2))
    axes.axvline(LOOSE_ABOVE, linestyle="--", color=COLOURS[3])
    axes.axhline(AGGRESSIVE_ABOVE, linestyle="--", color=COLOURS[3])
    axes.set(
        xlim=(-0.03, 1.03),
        ylim=(-0.03, 1.03),
        xlabel="hands played against a raise",
        ylabel="raises among actions but folds",
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda share, _: f"{100 * share:.0f} %")
    groups = list(dict.fromkeys(bot.group for bot in table.bots))
    marks = []
    for number, bot in enumerate(table.bots):
        habits = table.habits(number)
        if habits.played is not None and habits.raise_share is not None:
            name = f"{bot.name} {bot.also}".strip()
            marks.append((habits.played, habits.raise_share, name, groups.index(bot.group)))
    for place, group in enumerate(groups):
        points = [mark[:2] for mark in marks if mark[3] == place]
        at = [x for x, _ in points], [y for _, y in points]
        axes.plot(*at, _SHAPES[place % 3], color=COLOURS[place % 3], label=group)
    if len(groups) > 1:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(groups))
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # places in the figure are as they will be
    taken = [_box_of(axes, across, up) for across, up, _, _ in marks]
    for across, up, word in _QUADRANTS:
        taken.append(axes.text(across, up, word, color="#6a6a6a").get_window_extent())
    for across, up, name, _ in marks:
        _name(axes, across, up, name, taken)
    return figure


def _box_of(axes: Axes, across: float, up: float) -> BboxBase:
    """Return the box of a mark, pixels."""
    from matplotlib.transforms import Bbox

    x, y = axes.transData.transform((across, up))
    return Bbox.from_extents(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS)


def _name(axes: Axes, across: float, up: float, name: str, taken: list[BboxBase]) -> None:
    """Write a name beside its mark, at the side and height nearest to it where it covers nothing.

    Names of marks at the right stand at the left.
    """
    label = axes.annotate(name, (across, up), (0, 0), textcoords="offset points", va="center")
    for attempt in range(2 * _MOST_STEPS):
        step = attempt // 2
        left = across > _FAR_RIGHT or attempt % 2 == 1
        label.set_horizontalalignment("right" if left else "left")
        label.xyann = (-7 if left else 7, (step + 1) // 2 * _LABEL_STEP * (-1) ** step)
        box = label.get_window_extent()
        if not any(box.overlaps(other) for other in taken):
            break
    taken.append(box)
