"""Tables and a figure of regret minimisers, and of choosing one for each iteration."""

from itertools import chain
from typing import Any, Final, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tests.documents.cells import data, number, rounded, table
from tests.documents.drawing import COLOURS, DARK, new_figure

RANDOM: Final = "random"


def figure(found: dict[str, Any], unit: float = 1e3) -> str:
    """Return a mean and its interval with as many decimals, in thousandths unless told.

    A narrower interval has its first digit.
    """
    mean = rounded(unit * found["mean"])
    half = unit * (found["ci95"] or 0.0)
    if not half:
        return mean
    decimals = len(mean.partition(".")[2])
    shown = f"{half:.{decimals}f}" if decimals else number(round(half))
    return f"{mean} ± {shown if half >= 0.5 * 10**-decimals else rounded(half, 1)}"


def times(found: dict[str, Any] | None) -> str:
    """Return a ratio with its interval."""
    return "-" if found is None else figure(found, 1.0)


def named(game: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an entrant."""
    found: dict[str, Any] = next(one for one in game["entrants"] if one["name"] == name)
    return found


def forms(game: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the forms of the choice."""
    return list(game["entrants"][-game["adaptive"] :])


def games(*names: str) -> list[str]:
    """Return what members alone, in turn and chosen come to on each game of some measurements."""
    rows = []
    for game_name, game in chain.from_iterable(data(name).items() for name in names):
        best = named(game, game["best_member"])
        others = [named(game, one) for one in ("in turn", RANDOM)] + forms(game)
        alone = f"`{best['name']}` {figure(best['exploitability'][-1])}"
        rows.append([f"`{game_name}`", alone, *map(cell, others)])
    chosen = [form["name"].removeprefix("adaptive sum, ") for form in forms(game)]
    return table(["game", "best alone", "in turn", RANDOM, *chosen], rows)


def cell(entrant: dict[str, Any]) -> str:
    """Return the exploitability with its ratios to the best: by iterations, in its time."""
    ratios = ", ".join(times(entrant[how]) for how in ("per_iteration", "same_time"))
    return f"{figure(entrant['exploitability'][-1])} ({ratios})"


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
    "average": _Role("chosen by average", COLOURS[0]),
    "current": _Role("chosen by current", COLOURS[1]),
}
"""Those below are drawn over those above."""


def falling(name: str) -> Figure:
    """Return the figure of some games, a panel each: exploitability by iterations."""
    games = data(name)
    figure, panels = new_figure(
        "Regret minimisers alone, and chosen in each iteration",
        "exploitability of the average strategy, thousandths of a big blind; 95 % intervals over "
        "random starts",
        len(games),
        3,
        (3.9, 3.1),
    )
    handles: dict[str, Any] = {}
    for axes, (title, game) in zip(panels, games.items(), strict=True):
        axes.set_title(title, loc="left")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xlabel("iterations")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
        chosen = [form["name"] for form in forms(game)]
        for kind, role in _ROLES.items():
            for entrant in game["entrants"]:
                if kind == _kind(game, entrant["name"], chosen):
                    handles[role.meaning] = _draw(axes, entrant, role)
    figure.legend(handles.values(), handles.keys(), loc="outside lower left", ncols=len(_ROLES))
    return figure


def _kind(game: dict[str, Any], name: str, chosen: list[str]) -> str:
    """Return what an entrant is, a key of `_ROLES`."""
    if name in chosen:
        return name.rpartition(" ")[2]
    if name == game["best_member"]:
        return "best"
    return "member" if name in game["pool"] else "plain"


def _draw(axes: Axes, entrant: dict[str, Any], role: _Role) -> Any:
    """Draw an entrant's curve, with a band where its role has one; return the line.

    An exploitability of 0 has no logarithm and is left out.
    """
    points = [
        (iteration, 1e3 * found["mean"], 1e3 * (found["ci95"] or 0.0))
        for iteration, found in zip(entrant["iterations"], entrant["exploitability"], strict=True)
        if found["mean"] > 0
    ]
    at = [iteration for iteration, _, _ in points]
    if role.band:
        low = [mean - half if mean > half else mean / 10 for _, mean, half in points]
        high = [mean + half for _, mean, half in points]
        axes.fill_between(at, low, high, color=role.colour, alpha=0.2, linewidth=0)
    [line] = axes.plot(at, [mean for _, mean, _ in points], role.line, color=role.colour)
    return line
