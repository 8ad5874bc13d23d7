"""Figures of the modeller and of the pool: the plane of habits, learning curves, strengths."""

import re
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox, BboxBase

from agents.roster.plane import AGGRESSIVE_ABOVE, LOOSE_ABOVE
from engine.estimates.shares import ShareEstimate
from tests.documents.cells import data
from tests.documents.drawing import COLOURS, DARK, LINES, new_figure, percents

QUADRANTS: Final = (
    (0.02, 0.95, "tight-aggressive"),
    (0.42, 0.95, "loose-aggressive"),
    (0.02, 0.35, "tight-weak"),
    (0.42, 0.35, "loose-weak"),
)
GROUP_SHAPES: Final = "os^"
LABEL_STEP_POINTS: Final = 5.0
"""A name moves up or down by these until it covers nothing."""
MOST_LABEL_STEPS: Final = 60
NAMES_AT_THE_LEFT_ABOVE: Final = 0.8
MARK_RADIUS_PX: Final = 4.0
STUDIES: Final = ("strengths", "strengths-patent")
STREETS: Final = ("before the flop", "flop", "turn", "river")
STREET_COLOURS: Final = (COLOURS[3], COLOURS[0], COLOURS[2], COLOURS[1])
TENTHS: Final = 10
RIVER: Final = 3
TYPE_MARKS: Final = "os^Dv"
BARS: Final = 50
POINTS: Final = 20
LEAST_HANDS: Final = 10
"""Points of fewer hands are left out of the lines by street."""


def kind_of(game: str) -> str:
    """Return "limit" or "no-limit" of a described game."""
    return game.partition(" ")[0]


def plane() -> Figure:
    """Return the plane of tightness and aggression with the measured bots in it.

    Across: share of hands played, tight left, loose right; up: share of raises.  The shapes tell
    the groups apart without colour.  Bots without an occasion to show a habit are left out.
    """
    facts = data("pool")
    (blinds,) = re.findall(r"blinds ([\d/]+)", facts["game"])
    subtitle = (
        f"{kind_of(facts['game'])} hold'em for two, blinds {blinds}; {facts['deals']:,} deals a "
        f"pair, each in both seatings, seed {facts['seed']}"
    )
    figure, [axes] = new_figure("Tightness and aggression", subtitle, 1, 1, (7.6, 5.2))
    axes.axvline(LOOSE_ABOVE, linestyle="--", color=COLOURS[3])
    axes.axhline(AGGRESSIVE_ABOVE, linestyle="--", color=COLOURS[3])
    axes.set(
        xlim=(-0.03, 1.03),
        ylim=(-0.03, 1.03),
        xlabel="hands played against a raise",
        ylabel="raises among actions but folds",
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(percents)
    groups = list(dict.fromkeys(bot["group"] for bot in facts["bots"]))
    marks = [
        (bot["played"], bot["raise_share"], f"{bot['name']} {bot['also']}".strip(), bot["group"])
        for bot in facts["bots"]
        if bot["played"] is not None and bot["raise_share"] is not None
    ]
    for number, group in enumerate(groups):
        points = [mark[:2] for mark in marks if mark[3] == group]
        at = [x for x, _ in points], [y for _, y in points]
        axes.plot(*at, GROUP_SHAPES[number % 3], color=COLOURS[number % 3], label=group)
    if len(groups) > 1:
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(groups))
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # positions in the figure are as they will be
    taken = [_mark_box(axes, across, up) for across, up, _, _ in marks]
    for across, up, word in QUADRANTS:
        taken.append(axes.text(across, up, word, color="#6a6a6a").get_window_extent())
    for across, up, name, _ in marks:
        _label(axes, across, up, name, taken)
    return figure


def _mark_box(axes: Axes, across: float, up: float) -> BboxBase:
    """Return the box of a mark, pixels."""
    x, y = axes.transData.transform((across, up))
    return Bbox.from_extents(
        x - MARK_RADIUS_PX, y - MARK_RADIUS_PX, x + MARK_RADIUS_PX, y + MARK_RADIUS_PX
    )


def _label(axes: Axes, across: float, up: float, name: str, taken: list[BboxBase]) -> None:
    """Write a name beside its mark, at the side and height nearest to it where it covers nothing.

    Names of marks at the right stand at the left.
    """
    label = axes.annotate(name, (across, up), (0, 0), textcoords="offset points", va="center")
    for attempt in range(2 * MOST_LABEL_STEPS):
        step = attempt // 2
        left = across > NAMES_AT_THE_LEFT_ABOVE or attempt % 2 == 1
        label.set_horizontalalignment("right" if left else "left")
        label.xyann = (-7 if left else 7, (step + 1) // 2 * LABEL_STEP_POINTS * (-1) ** step)
        box = label.get_window_extent()
        if not any(box.overlaps(other) for other in taken):
            break
    taken.append(box)


def curves() -> Figure:
    """Return what modelling wins, block of deals by block of deals, a panel for each opponent.

    A line through the blocks' means and a band of their 95 % intervals for the bot with a model and
    without; no band where blocks are single samples, without an interval.
    """
    facts = data("curve")
    block, deals = facts["block"], facts["deals"]
    subtitle = f"{facts['game']}; matches of {deals:,} deals, each in both seatings; "
    title = f"What modelling wins, by blocks of {block} deals"
    figure, panels = new_figure(
        title, subtitle + f"seed {facts['seed']}", len(facts["opponents"]), 3, (4.0, 2.9)
    )
    for axes, met in zip(panels, facts["opponents"], strict=True):
        axes.set_title(met["opponent"], loc="left")
        axes.set_xlabel("deals")
        axes.set_ylabel("mbb/h")
        axes.axhline(0, color=DARK, linewidth=0.8)
        for name, colour, line in zip(facts["settings"], COLOURS[:2], ("-", "--"), strict=True):
            rates = met["blocks"][name]
            at = [(number + 0.5) * block for number in range(len(rates))]
            means = [rate["mbb_per_hand"] for rate in rates]
            axes.plot(at, means, line, color=colour, label=name)
            if all(rate["ci95"] is not None for rate in rates):
                low = [rate["mbb_per_hand"] - rate["ci95"] for rate in rates]
                high = [rate["mbb_per_hand"] + rate["ci95"] for rate in rates]
                axes.fill_between(at, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.set_xlim(0, len(rates) * block)
    panels[0].legend()
    return figure


def strengths(name: str) -> Figure:
    """Return the figure of a study of strengths: three panels, one above the other.

    Hands by strength, the four streets on top of each other; the share of hands that won by
    strength, all streets, with 95 % intervals; the same for each street.
    """
    facts = data(name)
    drawn = f"seed {facts['seed']}" + (f", preset {facts['preset']}" if facts.get("preset") else "")
    subtitle = f"{kind_of(facts['game'])} hold'em for two, {facts['deals']:,} deals, {drawn}"
    title = "Hand strengths of two modellers who play each other"
    figure, panels = new_figure(title, subtitle, 3, 1, (7.6, 3.2))
    _histogram(panels[0], np.array(facts["hands"]))
    points = [_merged(facts[name], POINTS) for name in ("hands", "wins", "ties")]
    _win_chance(panels[1], *(counts.sum(axis=0) for counts in points))
    _by_street(panels[2], *points)
    for axes in panels:
        axes.set_xlim(0, 1)
        axes.set_xticks(np.arange(11) / 10)
    panels[2].set_xlabel("effective hand strength")
    return figure


def types() -> Figure:
    """Return what the five types of players bet with hands of each strength, as in the patent.

    Two panels: the streets before the last, and the last, on which trappers bet what they held
    back.  Marks tell the types apart without colour.
    """
    facts = data("bets")
    windows = ", ".join(f"{count} {name}" for name, count in facts["windows"].items())
    subtitle = f"{facts['hands']:,} hands; windows of 100 hands: {windows}"
    figure, panels = new_figure(
        "Bets by strength, five types of players", subtitle, 2, 2, (4.6, 3.6)
    )
    at = (np.arange(TENTHS) + 0.5) / TENTHS
    parts = {"before the river": slice(0, RIVER), "on the river": slice(RIVER, None)}
    for axes, (title, streets) in zip(panels, parts.items(), strict=True):
        for (name, found), mark, colour in zip(
            facts["types"].items(), TYPE_MARKS, LINES, strict=False
        ):
            counts = np.array(found["decisions"])[streets]
            means = np.array([[bet or 0.0 for bet in row] for row in found["mean_bet"]])[streets]
            bets = (counts * means).sum(axis=0) / np.maximum(counts.sum(axis=0), 1)
            axes.plot(at, bets, marker=mark, markersize=4, color=colour, label=name)
        axes.set_title(title, loc="left")
        axes.set(
            xlim=(0, 1), ylim=(0, 1), xlabel="effective hand strength", ylabel="mean bet, pots"
        )
    panels[0].legend()
    return figure


def _merged(counts: Sequence[Sequence[int]], bins: int) -> Any:
    """Return (4, bins) sums of neighbouring bins."""
    return np.array(counts).reshape(len(STREETS), bins, -1).sum(axis=2)


def _histogram(axes: Axes, hands: Any) -> None:
    bars = _merged(hands, BARS)
    under = np.zeros(BARS)
    at = (np.arange(BARS) + 0.5) / BARS
    for street, name in enumerate(STREETS):
        axes.bar(at, bars[street], 0.9 / BARS, under, color=STREET_COLOURS[street], label=name)
        under += bars[street]
    axes.set_title("hands that reached a street", loc="left", fontsize=9)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    axes.margins(y=0.2)
    axes.legend(ncols=len(STREETS))


def _win_chance(axes: Axes, hands: Any, wins: Any, ties: Any) -> None:
    filled = np.flatnonzero(hands)
    won = (wins + ties / 2)[filled]
    pairs = zip(won.tolist(), hands[filled].tolist(), strict=True)
    shares = [ShareEstimate.of(*pair) for pair in pairs]
    at, chance = (filled + 0.5) / POINTS, [share.value for share in shares]
    around = [[one.value - one.low for one in shares], [one.high - one.value for one in shares]]
    axes.errorbar(at, chance, around, color=DARK, marker="o", markersize=4)
    for number, count in enumerate(hands.tolist()):
        above = ((number + 0.5) / POINTS, 1.02)
        axes.annotate(_short(count), above, ha="center", fontsize=7, annotation_clip=False)
    label = "share that won, all streets, 95 % intervals; hands per point above"
    axes.set_title(label, loc="left", fontsize=9, pad=14)
    _shares(axes)


def _by_street(axes: Axes, hands: Any, wins: Any, ties: Any) -> None:
    for street, name in enumerate(STREETS):
        filled = np.flatnonzero(hands[street] >= LEAST_HANDS)
        chance = (wins + ties / 2)[street, filled] / hands[street, filled]
        axes.plot((filled + 0.5) / POINTS, chance, color=STREET_COLOURS[street], label=name)
    label = f"share that won, by street; points of {LEAST_HANDS} hands or more"
    axes.set_title(label, loc="left", fontsize=9)
    axes.legend()
    _shares(axes)


def _shares(axes: Axes) -> None:
    axes.set_ylim(0, 1)
    axes.yaxis.set_major_formatter(percents)


def _short(count: int) -> str:
    """Return a count in few letters: 999, 1.2k, 45k."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.1f}k" if count < 9950 else f"{count / 1000:.0f}k"
