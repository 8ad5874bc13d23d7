"""Tables and a figure of techniques of subgame solving."""

from typing import Any, Final

from matplotlib.figure import Figure

from tests.documents.cells import data, rounded, table
from tests.documents.drawing import COLOURS, DARK, new_figure

_BLUE, _ORANGE, _GREEN, _GREY = COLOURS
_LINES: Final = {
    "blueprint": (DARK, "-"),
    "unsafe": (_ORANGE, "-"),
    "resolve": (_GREY, "-"),
    "max-margin": (_GREEN, "-"),
    "reach-max-margin": (_GREEN, "--"),
    "reach-max-margin, not split": (_GREEN, ":"),
    "estimate": (_BLUE, "-"),
    "estimate + distributional": (_BLUE, "--"),
    "reach-estimate + distributional": (_BLUE, "-."),
    "reach-estimate + distributional, not split": (_BLUE, ":"),
}
"""Colour and line by technique."""
_LEDUC: Final = ("blueprint", "unsafe", "resolve", "max-margin")


def techniques(name: str) -> list[str]:
    """Return the exploitability by technique and number of buckets, beside what was published."""
    found = data(name)
    published = found["published"]
    measured = found["exploitability_mbb_per_hand"]
    buckets = list(measured["blueprint"])
    rows = [
        [
            name,
            *(f"{row[one]:.1f}" for one in buckets),
            *(f"{value:g}" for value in published["mbb_per_hand"][name]),
        ]
        for name, row in measured.items()
    ]
    return table(
        [
            "technique",
            *(f"{one} buckets" for one in buckets),
            *(f"article, {one}" for one in published["buckets"]),
        ],
        rows,
    )


def nested() -> list[str]:
    """Return what nested solving and translation lose in two games, beside what was published."""
    games = data("nested"), data("nested-one-bet")
    published = games[0]["published_mbb_per_hand"]
    own = [game["blueprint_mbb_per_hand"] for game in games]
    rows = [["blueprint, nobody bets .75", f"{own[0]:.1f}", "", f"{own[1]:.1f}", "", "", ""]]
    for name in games[0]["exploitability_mbb_per_hand"]:
        cells = [name]
        for game, before in zip(games, own, strict=True):
            lost = game["exploitability_mbb_per_hand"][name]
            cells += [f"{lost:.1f}", f"{lost - before:.1f}"]
        cells.append(f"{games[0]['processor_seconds'][name] / 60:.1f}")
        rows.append([*cells, f"{published[name]:g}" if name in published else ""])
    sizes = [
        f"{game['bets']} bet{'s' * (game['bets'] > 1)}, {game['flops']} "
        f"flop{'s' * (game['flops'] > 1)}"
        for game in games
    ]
    head = ["", sizes[0], "added", sizes[1], "added", "minutes", "article"]
    return table(head, rows)


def nested_flops() -> list[str]:
    """Return how many times less nested solving loses than translation, over more flops."""
    found = data("nested-flops")
    own, published = found["blueprint_mbb_per_hand"], found["published_mbb_per_hand"]
    translated = published["translation, randomised"]
    rows = [["blueprint, nobody bets .75", f"{own:.1f}", "", "", "", "", ""]]
    for name, lost in found["exploitability_mbb_per_hand"].items():
        cells = [name, f"{lost:.1f}", f"{lost - own:.1f}"]
        ratios = found["times_less"].get(name)
        for kind in ("whole", "added"):
            ratio = ratios and ratios[kind]
            cells.append(f"{ratio['times']:.1f} ± {ratio['ci95']:.1f}" if ratio else "")
        less = f"{translated / published[name]:.1f}" if ratios else ""
        rows.append([*cells, f"{published[name]:g}", less])
    head = [
        f"3 bets, {found['flops']} flops",
        "mbb/h",
        "added",
        "times less",
        "times less is added",
    ]
    return table([*head, "article", "times less"], rows)


def leduc() -> list[str]:
    """Return what blueprints of Leduc lose before and after, thousandths of an ante."""
    rows = []
    for row in data("subgames-leduc")["blueprints"]:
        lost = row["exploitability"]
        processed = ", post-processed" if row["post_processed"] else ""
        rows.append(_row(f"{row['iterations']} iterations{processed}", lost, 1000.0))
    article = data("subgames-large")["published"]["mbb_per_hand"]
    last = {name: article[name][-1] for name in _LEDUC}
    rows.append(_row("article, large game, 30000 buckets", last, 1.0))
    return table(["blueprint", *_LEDUC, "unsafe over none"], rows)


def _row(name: str, lost: dict[str, float], scale: float) -> list[str]:
    cells = [rounded(scale * lost[technique]) for technique in _LEDUC]
    return [name, *cells, f"{lost['unsafe'] / lost['blueprint']:.1f}"]


def nested_trees() -> list[str]:
    """Return how large both games are, and how long they were solved."""
    rows = [
        [
            f"{game['bets']}",
            f"{game['flops']}",
            f"{game['decisions']}",
            f"{game['abstraction_decisions']}",
            f"{game['iterations']}",
            f"{game['solved']}",
            f"{game['processor_seconds']['blueprint'] / 60:.1f}",
        ]
        for game in (data("nested"), data("nested-one-bet"))
    ]
    return table(
        [
            "bets on the flop",
            "flops",
            "decisions of the betting",
            "without .75",
            "iterations",
            "of each new solution",
            "minutes of the blueprint",
        ],
        rows,
    )


def techniques_figure(name: str) -> Figure:
    """Return the figure of both tables: exploitability by buckets, measured and published."""
    facts = data(name)
    published = facts["published"]
    rows = facts["exploitability_mbb_per_hand"]
    measured = {name: {int(count): row[count] for count in row} for name, row in rows.items()}
    articles = {
        name: dict(zip(published["buckets"], row, strict=True))
        for name, row in published["mbb_per_hand"].items()
    }
    subtitle = (
        f"{facts['tree']} game, {facts['flops']} classes of boards, blueprints of "
        f"{facts['iterations']} iterations, boards solved again in {facts['solved']}"
    )
    figure, panels = new_figure("Techniques of subgame solving", subtitle, 2, 2, (4.2, 3.6))
    handles: dict[str, Any] = {}
    titled = zip(panels, ("measured", "published"), (measured, articles), strict=True)
    for axes, title, lines in titled:
        axes.set_title(title, loc="left")
        for technique, row in lines.items():
            colour, line = _LINES[technique]
            points = list(row), list(row.values())
            (handles[technique],) = axes.plot(
                *points, line, color=colour, marker=".", label=technique
            )
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xticks(sorted(lines["blueprint"]), minor=False)
        axes.set_xticks([], minor=True)
        axes.xaxis.set_major_formatter("{x:g}")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.set_xlabel("buckets")
    panels[0].set_ylabel("exploitability, mbb per hand")
    figure.legend(handles.values(), handles.keys(), loc="outside lower left", ncols=3)
    return figure
