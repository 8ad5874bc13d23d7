"""Tables and a figure of libratus: what it wins, and how far its searches are from solved."""

import math
from statistics import fmean, stdev

from matplotlib.figure import Figure

from engine.estimates.winrate import half_interval
from tests.documents.cells import data, number, percent, table, whole
from tests.documents.drawing import COLOURS, new_figure


def match() -> list[str]:
    """Return what it wins from the blueprint, by estimators."""
    rows = [
        [f"`{match['bot']}`", one["estimator"], number(one["hands"]), whole(one)]
        for match in data("libratus-match")["matches"]
        for one in match["rates"]
    ]
    return table(["bot", "estimator", "hands", "wins, mbb/h"], rows)


def field() -> list[str]:
    """Return what it and the blueprint win from others, on the same deals."""
    found = data("libratus-field")
    return table(
        ["", *(f"`{name}`" for name in found["challengers"])],
        [[f"`{name}`", *map(whole, rates)] for name, rates in found["won"].items()],
    )


def variants() -> list[str]:
    """Return what parts of it win from one opponent, and how much more than the blueprint."""
    found = data("libratus-variants")
    rows = [
        [f"`{name}`", whole(one["won"]), whole(one["more"]) if one["more"] else ""]
        for name, one in found["variants"].items()
    ]
    title = f"wins from `{found['opponent']}`, mbb/h"
    return table(["", title, "more than `blueprint`, on the same deals"], rows)


def partner() -> list[str]:
    """Return what it wins from a blueprint of another abstraction, beside the article's table 3."""
    found = data("libratus-partner")
    published = found["published"]
    rows = [
        [
            name,
            whole(row["won"]),
            whole(row["more"]) if row["more"] else "",
            whole(published[name]) if name in published else "",
        ]
        for name, row in found["rows"].items()
    ]
    head = ["", "wins, mbb/h", "more than the blueprint"]
    return table([*head, "article, from Baby Tartanian8"], rows)


def variants_figure() -> Figure:
    """Return how the winnings of its parts ran, deal by deal."""
    found = data("libratus-variants")
    every, lines = found["running"]["every_deals"], found["running"]["big_blinds"]
    title = f"What parts of libratus win from {found['opponent']}"
    subtitle = "big blinds won, raw, both seats added"
    figure, [axes] = new_figure(title, subtitle, 1, 1, (8.0, 4.2))
    for colour, (name, row) in zip(COLOURS, lines.items(), strict=True):
        axes.plot([every * at for at in range(len(row))], row, color=colour, label=name)
    axes.set_xlabel("deals")
    figure.legend(loc="outside right upper")
    return figure


def estimates() -> list[str]:
    """Return what wrong estimates cost in Leduc, beside the bound."""
    found = data("libratus-estimates")
    right = found["exploitability"][0][0]
    rows = [
        [f"{delta:g}", f"{min(losses):.3f} to {max(losses):.3f}", f"{right + 2 * delta:.3f}"]
        for delta, losses in zip(found["deltas"], found["exploitability"], strict=True)
        if delta
    ]
    return table(["delta, chips", "exploitability", "at most, by the theorem"], rows)


def rivers() -> list[str]:
    """Return what the best response on the river wins, beside the blueprint."""
    found = data("libratus-rivers")
    rows = [[f"`{one['bot']}`", str(one["boards"]), whole(one)] for one in found["measured"]]
    return table(["", "boards", "best response on the river wins, mbb/h"], rows)


def lbr() -> list[str]:
    """Return what local best response wins from it, beside the blueprint."""
    found, others = data("libratus-lbr"), data("lbr-hunl")
    blueprint = dict(zip(others["settings"], others["measured"]["blueprint"], strict=True))
    deep_stack = dict(
        zip(others["published_settings"], others["published"]["DeepStack"], strict=True)
    )
    rows = [
        [
            one["settings"],
            f"{one['pairs']} of {one['holes']} hands",
            whole(one),
            whole(one.get("blueprint") or blueprint[one["settings"]]),
            str(deep_stack.get(one["settings"], "")),
        ]
        for one in found["measured"]
    ]
    return table(
        ["setting", "pairs", "wins from `libratus`, mbb/h", "from `blueprint`", "from DeepStack"],
        rows,
    )


def lbr_all() -> list[str]:
    """Return what local best response wins with all hands, beside what was found elsewhere."""
    rows = [
        [
            one["settings"],
            f"{one['pairs']}",
            whole(one["libratus"]),
            whole(one["blueprint"]),
            whole(one["elsewhere"]) if "elsewhere" in one else "",
        ]
        for one in data("libratus-lbr")["all_hands"]["measured"]
    ]
    heads = ["setting", "pairs", "wins from `libratus`, mbb/h", "from `blueprint`", "elsewhere"]
    return table(heads, rows)


def flops() -> list[str]:
    """Return what solving flops with little behind takes, and how far from solved they are."""
    found = data("libratus-flops")
    rows = [
        [
            flop["flop"],
            str(flop["nodes"]),
            f"{flop['set_up_seconds']:.1f}",
            f"{flop['iteration_seconds']:.2f}",
            str(flop["megabytes"]),
            *map(percent, flop["of_pot"]),
            percent(flop["blueprint"]),
        ]
        for flop in found["flops"]
    ]
    heads = ["flop", "nodes", "set up, s", "an iteration, s", "MB"]
    heads += [f"after {count}" for count in found["iterations"]]
    return table([*heads, "the blueprint"], rows)


def ways() -> list[str]:
    """Return what local best response wins from ways to search, on the same boards."""
    rows = [
        [name, whole(one["won"]), whole(one["more"]) if one["more"]["ci95"] else ""]
        for name, one in data("libratus-ways")["ways"].items()
    ]
    return table(["way", "LBR wins, mbb/h", "more, on the same boards"], rows)


def few() -> list[str]:
    """Return the exploitability of the smallest tree after few iterations, and the blueprint's."""
    found = data("libratus-turns")
    means = [sum(column) / len(column) for column in zip(*found["smallest"], strict=True)]
    own = sum(found["blueprint"]) / len(found["blueprint"])
    return table(
        ["iterations", *map(str, found["few"]), "the blueprint"],
        [["per cent of the pot", *map(percent, means), percent(own)]],
    )


def turns() -> list[str]:
    """Return the exploitability of searches by algorithm and iterations."""
    found = data("libratus-turns")
    rows = []
    for name, turns in found["of_pot"].items():
        means = [sum(column) / len(column) for column in zip(*turns, strict=True)]
        named, _, portions = name.partition(", ")
        told = f"`{named}`" + (f", {portions}" if portions else "")
        rows.append([told, *map(percent, means)])
    return table(["", *(f"{count} iterations" for count in found["iterations"])], rows)


def drawn() -> list[str]:
    """Return the exploitability of searches of drawn spots, and its ratio to that of the first."""
    kinds = data("libratus-turns-drawn")["kinds"]
    names = [f"`{name}`" for name in kinds["turn"]["of_pot"]]
    rows = []
    for kind, measured in kinds.items():
        for column, iterations in enumerate(measured["iterations"]):
            ends = [[spot[column] for spot in spots] for spots in measured["of_pot"].values()]
            shares = [f"{100 * fmean(end):.2f} %" for end in ends]
            ratios = [_ratio(end, ends[0]) for end in ends[1:]]
            rows.append([kind, number(iterations), *shares, *ratios])
    ratio_names = [f"{name} to {names[0]}" for name in names[1:]]
    return table(["", "iterations", *names, *ratio_names], rows)


def _ratio(above: list[float], below: list[float]) -> str:
    """Return the geometric mean of ratios, and the factor that its 95 % interval is up and down."""
    logs = [math.log(first / second) for first, second in zip(above, below, strict=True)]
    factor = math.exp(half_interval(stdev(logs), len(logs)))
    return f"{math.exp(fmean(logs)):.2f} (times/by {factor:.2f})"


def river_safety() -> list[str]:
    """Return what ways of solving a river lose to ranges of three kinds."""
    spots = data("search-safety-river")["spots"]
    kinds = list(dict.fromkeys(spot["kind"] for spot in spots))
    ranges = list(next(iter(spots[0]["lost"].values())))
    rows = []
    for name in spots[0]["lost"]:
        cells = [
            [100 * spot["lost"][name][known] for spot in spots if spot["kind"] == kind]
            for kind in kinds
            for known in ranges
        ]
        shown = [f"{fmean(c):.1f} ± {half_interval(stdev(c), len(c)):.1f}" for c in cells]
        rows.append([name, *shown])
    head = [f"{kind}: {known}" for kind in kinds for known in ranges]
    return table(["way", *head], rows)
