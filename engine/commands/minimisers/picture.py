"""Figure of a comparison of minimisers: a panel for each game.

Iterations across and exploitability up, both in logarithms: the best member alone, the others, all
in turn, at random, and the choice by either reward, with 95 % intervals over the starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.cfr.solver import StrategyKind
from engine.console.drawing import COLOURS, DARK, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from engine.cfr.adaptive_starts import EntrantSummary, StartsSummary


class _Role(NamedTuple):
    """How the entrants of a kind are drawn."""

    meaning: str
    colour: str
    line: str = "-"
    band: bool = True


_ROLES: Final = {
    "member": _Role("other members", "#b9bdc4", band=False),
    "plain": _Role("in turn, at random", COLOURS[2], "--", band=False),
    "best": _Role("best member alone", DARK),
    StrategyKind.AVERAGE.value: _Role("chosen by average", COLOURS[0]),
    StrategyKind.CURRENT.value: _Role("chosen by current", COLOURS[1]),
}
"""Those below are drawn over those above."""


def minimisers_figure(games: Mapping[str, StartsSummary]) -> Figure:
    """Return the figure of the games that were measured, at least one, by their names."""
    subtitle = "exploitability of the average strategy, thousandths of a big blind"
    if any(game.starts > 1 for game in games.values()):
        subtitle += "; 95 % intervals over random starts"
    title = "Regret minimisers alone, and chosen in each iteration"
    figure, panels = new_figure(title, subtitle, len(games), 3, (3.9, 3.1))
    handles: dict[str, Any] = {}
    for axes, (name, game) in zip(panels, games.items(), strict=True):
        axes.set_title(name, loc="left")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xlabel("iterations")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
        roles = [_role_of(game, number) for number in range(len(game.entrants))]
        for wanted, role in _ROLES.items():
            for entrant, found in zip(game.entrants, roles, strict=True):
                if found == wanted:
                    handles[role.meaning] = _draw(axes, entrant, role)
    figure.legend(handles.values(), handles.keys(), loc="outside lower left", ncols=len(_ROLES))
    return figure


def _role_of(game: StartsSummary, number: int) -> str:
    """Return what an entrant is, a key of `_ROLES`."""
    entrant = game.entrants[number]
    if number >= len(game.entrants) - game.adaptive:
        return next(kind.value for kind in StrategyKind if kind.value in entrant.name)
    if entrant.name == game.best_member:
        return "best"
    return "member" if entrant.name in game.pool else "plain"


def _draw(axes: Axes, entrant: EntrantSummary, role: _Role) -> Any:
    """Draw an entrant's curve, with a band where its role has one; return the line.

    An exploitability of 0 has no logarithm and is left out.
    """
    known = [
        (iteration, 1e3 * found.mean, 1e3 * (found.ci95 or 0.0))
        for iteration, found in zip(entrant.iterations, entrant.exploitability, strict=True)
        if found.mean > 0
    ]
    at = [iteration for iteration, _, _ in known]
    if role.band:
        low = [mean - half if mean > half else mean / 10 for _, mean, half in known]
        high = [mean + half for _, mean, half in known]
        axes.fill_between(at, low, high, color=role.colour, alpha=0.2, linewidth=0)
    [line] = axes.plot(at, [mean for _, mean, _ in known], role.line, color=role.colour)
    return line
