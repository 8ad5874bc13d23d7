"""Tables and the figure of robust responses: what they win, and what can be won from them."""

from typing import Any, Final

from matplotlib.figure import Figure

from tests.documents.cells import data, number, table
from tests.documents.drawing import line_figure

LEDUC: Final = "restrained-leduc"
OPPONENTS: Final = ("rule", "cnn")
"""Of limit hold'em."""
NO_LIMIT_OPPONENTS: Final = ("O2",)


def leduc() -> list[str]:
    """Return the curve of Leduc hold'em: a column for each number of hands seen."""
    curve = data(LEDUC)["curve"]
    hands = list(dict.fromkeys(one["hands"] for one in curve))
    rows = []
    for trust in dict.fromkeys(one["trust"] for one in curve):
        found = {one["hands"]: one for one in curve if one["trust"] == trust}
        rows.append([f"{trust:g}", *(_trade(found[seen]) for seen in hands)])
    return table(["trust", *(f"{number(seen)} hands" for seen in hands)], rows)


def _trade(one: dict[str, Any]) -> str:
    return f"{number(round(one['wins']))} / {number(round(one['loses_at_most']))}"


def limit() -> list[str]:
    """Return the curves of limit hold'em, one opponent after the other."""
    rows = [
        [f"`{name}`", *_curve_row(one)]
        for name in OPPONENTS
        for one in data(f"restrained-{name}")["curve"]
    ]
    return table(["opponent", "trust", "wins from it", "loses to a best response"], rows)


def no_limit() -> list[str]:
    """Return the curves of no-limit hold'em, with what the shipped blueprint wins."""
    rows = []
    for name in NO_LIMIT_OPPONENTS:
        found = data(f"restrained-hunl-{name}")
        rows.append([f"`{name}`", "`blueprint`", _interval(found["blueprint"], "wins"), ""])
        rows += [[f"`{name}`", *_curve_row(one)] for one in found["curve"]]
    return table(["opponent", "trust", "wins from it", "loses to a best response"], rows)


def _curve_row(one: dict[str, Any]) -> list[str]:
    return [f"{one['trust']:g}", _interval(one, "wins"), _interval(one, "loses")]


def _interval(one: dict[str, Any], name: str) -> str:
    value = one["loses_at_least" if name == "loses" else name]
    return f"{number(round(value))} ± {number(round(one[f'{name}_ci95'] or 0))}"


def trade() -> Figure:
    """Return what is won against what can be lost, in Leduc hold'em, a line for each sample."""
    curve = data(LEDUC)["curve"]
    lines = {
        f"{number(seen)} hands seen": [
            (one["loses_at_most"], one["wins"]) for one in curve if one["hands"] == seen
        ]
        for seen in dict.fromkeys(one["hands"] for one in curve)
    }
    title = "Responses to a weak player of Leduc hold'em"
    across, up = "exploitability, thousandths of an ante", "won from that player"
    return line_figure(title, across, up, lines)[0]
