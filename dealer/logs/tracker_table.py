"""What trackers tell of players, as tables for people: street by street, or everything there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.console.output import printable
from engine.console.quantities import UNKNOWN, interval, percent
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.handlogs.hand_stats import PlayerStats
    from engine.handlogs.tracker_stats import (
        CountedFactor,
        CountedShare,
        TrackerStats,
        TrackerStreet,
    )

_OF_HANDS: Final = {
    "vpip": "VPIP",
    "pfr": "PFR",
    "three_bet": "3-bet",
    "fold_to_three_bet": "fold to 3-bet",
    "four_bet": "4-bet",
    "fold_to_four_bet": "fold to 4-bet",
    "squeeze": "squeeze",
    "aggression_factor": "AF",
    "aggression_frequency": "AFq",
    "went_to_showdown": "WTSD",
    "showdown_played": "WTSD without run-outs",
    "won_at_showdown": "W$SD",
    "won_second_street": "WWSF",
    "won": "won",
}
_OF_STREETS: Final = {
    "aggression_factor": "AF",
    "aggression_frequency": "AFq",
    "cbet": "c-bet",
    "fold_to_cbet": "fold to c-bet",
    "donk_bet": "donk bet",
    "check_raise": "check-raise",
    "float": "float",
}
_SHORT: Final = {"fold_to_cbet": "f. c-bet", "donk_bet": "donk", "check_raise": "c-raise"}
"""Heads of columns."""
_FIRST_STREET: Final = ("aggression_factor", "aggression_frequency")
"""What there is on the first street too."""


def part_head(stats: Sequence[PlayerStats]) -> str | None:
    """Return the head of a column that says which hands a row is about; None: all are."""
    groups = {
        head
        for row in stats
        for head, part in (
            ("pos", row.position),
            ("depth", row.depth),
            ("players", row.players),
            ("opponent", row.opponent),
        )
        if part
    }
    return (groups.pop() if len(groups) == 1 else "hands of") if groups else None


def part_cells(row: PlayerStats, head: str | None) -> list[str]:
    """Return the first cells of a row: the player, behind whom his parts stand, and the part."""
    player = "" if row.part else printable(row.player)
    part = f"{row.part} players" if row.players and head != "players" else row.part
    return [player, *([printable(part) or "all"] if head else [])]


def street_table(stats: Sequence[PlayerStats]) -> list[str]:
    """Return what was done street by street as lines of a table."""
    head = part_head(stats)
    names = [_SHORT.get(name, title) for name, title in _OF_STREETS.items()]
    rows = [["player", *([head] if head else []), "street", *names]]
    for row in stats:
        labels = part_cells(row, head)
        streets = row.tracker.streets if row.tracker is not None else {}
        for name, street in streets.items():
            cells = [_short(getattr(street, what)) for what in _OF_STREETS]
            if cells != [UNKNOWN] * len(cells):
                rows.append([*labels, name, *cells])
                labels = [""] * len(labels)
    return aligned(rows, texts=3 if head else 2)


def full_lines(row: PlayerStats) -> list[str]:
    """Return everything that was counted of a player, with counts and intervals."""
    whose = f"{printable(row.player)}{', ' * bool(row.part)}{printable(row.part)}"
    lines = [f"{whose}: {row.hands:,} hands"]
    if row.tracker is None:
        return lines
    rows = [["", "", "times", "of", "95 % interval"]]
    for what, title in _OF_HANDS.items():
        rows.append([title, *_full(getattr(row.tracker, what))])
    for name, street in row.tracker.streets.items():
        for what, title in _OF_STREETS.items():
            if name != "preflop" or what in _FIRST_STREET:
                rows.append([f"{title}, {name}", *_full(getattr(street, what))])
    for name, street in row.tracker.streets.items():
        rows += _size_rows(name, street)
    return [*lines, *aligned(rows), *_red_and_blue(row.tracker)]


def _size_rows(name: str, street: TrackerStreet) -> list[list[str]]:
    return [
        [f"bets of {size} % of the pot, {name}", *_full(share)]
        for size, share in street.bet_sizes.items()
        if share.of
    ]


def _red_and_blue(tracker: TrackerStats) -> list[str]:
    rows = [
        [title, f"{interval(rate.mbb_per_hand, rate.ci95, 0)} mbb/h"]
        for title, rate in (
            ("won with showdown (blue line)", tracker.with_showdown),
            ("won without showdown (red line)", tracker.without_showdown),
        )
    ]
    return aligned(rows)


def _short(number: CountedShare | CountedFactor) -> str:
    """Return a share with its occasions, or a factor."""
    from engine.handlogs.tracker_stats import CountedFactor

    if isinstance(number, CountedFactor):
        return _factor(number.factor)
    return f"{percent(number.share)} of {number.of:,}" if number.of else UNKNOWN


def _full(number: CountedShare | CountedFactor) -> list[str]:
    """Return the cells of a number, its counts and its interval."""
    from engine.handlogs.tracker_stats import CountedFactor

    if isinstance(number, CountedFactor):
        low, high = _factor(number.low), _factor(number.high)
        counts = (number.raises, number.calls)
        value, known = _factor(number.factor), number.low is not None
        ends = f"{low} to {high}" if number.high is not None else f"{low} and more"
    else:
        counts = (number.count, number.of)
        value, known = percent(number.share), number.of > 0
        ends = f"{percent(number.low)} to {percent(number.high)}"
    return [value, *(f"{count:,}" for count in counts), ends if known else UNKNOWN]


def _factor(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.2f}"
