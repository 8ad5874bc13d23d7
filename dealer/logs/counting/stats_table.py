"""The statistics of players, with all that trackers tell: tables for people, JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from engine.console.output import printable
from engine.console.quantities import UNKNOWN, interval, percent
from engine.console.text_table import aligned

if TYPE_CHECKING:
    from engine.estimates.winrate import WinRate
    from engine.handlogs.counting.hand_stats import PlayerStats
    from engine.handlogs.counting.tracker_stats import (
        CountedFactor,
        CountedShare,
        TrackerStats,
        TrackerStreet,
    )


_RATES: Final = ("raw", "expected", "sets")
COLUMNS_EXPLAINED: Final = """\
columns:
  hands      hands dealt to the player
  mbb/h      thousandths of a big blind won per hand, and half its 95 % interval over hands
  sets       the same over duplicate sets, which have less variance: deals played in every
             seating, each set one sample; only where logs of one game and seed hold such deals
  all-in EV  as mbb/h, hands all-in before the last card at their mean over the boards to come
  VPIP       hands with a call or raise before the flop, blinds apart, per hand dealt
  PFR        hands with a raise before the flop, per hand dealt
  3-bet      second raises before the flop, per hand with the chance of one
  c-bet      bets on the flop by who raised last before it, per hand with the chance of one
  AF         (bets + raises) / calls, from the flop on
  AFq        (bets + raises) / (bets + raises + calls + folds), from the flop on
  WTSD       showdowns per hand in which the player saw the flop, also run out after an all-in
  W$SD       showdowns that won at least part of a contested pot, per showdown
  WWSF       hands in which the player saw the flop and won at least part of a pot, per flop seen
  won        hands that ended with a profit, per hand dealt
docs/tracker.md defines each of them, and what --by street and --all show.
"-" stands for no occasion, "?" for an interval of too few samples: one, or fewer than 100 that are
all alike.  In games with one street AF, AFq, WTSD and WWSF are about that street.

JSON: win rates are "raw", "expected" and "sets", in mbb/h with half the 95 % interval (ci95) and
the standard deviation of a sample (sd), samples and hands counted; all shares are 0..1; what is not
known is null.  "counts" has the whole numbers behind the shares.  vpip_per_decision and
pfr_per_decision leave out hands without a decision before the flop, as when all others fold to the
big blind.  "tracker" has everything of --all, each as count, of, share, low and high, the last two
the ends of Wilson's 95 % interval; street by street in "streets".  "position", "depth", "players"
and "opponent" say which hands a row of --by is about.
"""


def stats_table(stats: Sequence[PlayerStats]) -> list[str]:
    """Return the statistics as lines of a table, and what must be known to read it."""
    part = part_head(stats)
    expectation = any(row.expected is not None for row in stats)
    in_sets = any(row.sets is not None for row in stats)
    tracked = any(row.tracker is not None for row in stats)
    head = ["player", *([part] if part else []), "hands", "mbb/h"]
    head += ["sets"] if in_sets else []
    head += ["all-in EV"] if expectation else []
    head += ["VPIP", "PFR", *(["3-bet", "c-bet"] if tracked else []), "AF", "AFq", "WTSD", "W$SD"]
    head += [*(["WWSF"] if tracked else []), "won"]
    rows = [head]
    for row in stats:
        cells = [*part_cells(row, part), f"{row.hands:,}", _rate(row.raw)]
        cells += [_rate(row.sets)] if in_sets else []
        cells += [_rate(row.expected)] if expectation else []
        cells += [percent(row.vpip), percent(row.pfr)]
        if row.tracker is not None:
            flop = row.tracker.streets["flop"]
            cells += [percent(row.tracker.three_bet.share), percent(flop.cbet.share)]
        cells += ["-" if row.aggression_factor is None else f"{row.aggression_factor:.2f}"]
        cells += [
            percent(share)
            for share in (row.aggression_frequency, row.went_to_showdown, row.won_at_showdown)
        ]
        if row.tracker is not None:
            cells.append(percent(row.tracker.won_second_street.share))
        rows.append([*cells, percent(row.won)])
    lines = aligned(rows, texts=2 if part else 1)
    sets = max((row.sets.samples for row in stats if row.sets is not None), default=0)
    if in_sets:
        lines.append(f"sets: deals played in every seating, up to {sets:,} a player")
    return lines


def stats_as_json(stats: Sequence[PlayerStats]) -> str:
    """Return the statistics as a JSON array; win rates in mbb/h, numbers not known are null."""
    return json.dumps(stats_documents(stats), indent=2)


def stats_documents(stats: Sequence[PlayerStats]) -> list[dict[str, Any]]:
    """Return the statistics as plain values, as in `stats_as_json`."""
    return [_finite(asdict(row)) for row in stats]


def stats_as_csv(stats: Sequence[PlayerStats]) -> str:
    """Return the numbers of `stats_as_json`, a row each; those not known are empty.

    What has parts is a column for each, with its name in front, as in raw_ci95.
    """
    rows = []
    for row in stats:
        cells = asdict(row)
        for name in _RATES:
            if cells[name] is None:
                cells[name] = dict.fromkeys(asdict(row.raw))
        rows.append({name: _finite(value) for name, value in _flat(cells).items()})
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return text.getvalue()


def _flat(parts: Mapping[str, object]) -> dict[str, object]:
    """Return values within values under names joined by an underscore."""
    flat: dict[str, object] = {}
    for name, value in parts.items():
        if isinstance(value, Mapping):
            flat |= {f"{name}_{inner}": inner_value for inner, inner_value in _flat(value).items()}
        else:
            flat[name] = value
    return flat


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _rate(rate: WinRate | None) -> str:
    return UNKNOWN if rate is None else interval(rate.mbb_per_hand, rate.ci95, 0)


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
_SHORT_HEADS: Final = {"fold_to_cbet": "f. c-bet", "donk_bet": "donk", "check_raise": "c-raise"}
_FIRST_STREET_STATS: Final = ("aggression_factor", "aggression_frequency")


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
    names = [_SHORT_HEADS.get(name, title) for name, title in _OF_STREETS.items()]
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
            if name != "preflop" or what in _FIRST_STREET_STATS:
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
    from engine.handlogs.counting.tracker_stats import CountedFactor

    if isinstance(number, CountedFactor):
        return _factor(number.factor)
    return f"{percent(number.share)} of {number.of:,}" if number.of else UNKNOWN


def _full(number: CountedShare | CountedFactor) -> list[str]:
    """Return the cells of a number, its counts and its interval."""
    from engine.handlogs.counting.tracker_stats import CountedFactor

    if isinstance(number, CountedFactor):
        low, high = _factor(number.low), _factor(number.high)
        counts = (number.raises, number.calls)
        value, has_interval = _factor(number.factor), number.low is not None
        ends = f"{low} to {high}" if number.high is not None else f"{low} and more"
    else:
        counts = (number.count, number.of)
        value, has_interval = percent(number.share), number.of > 0
        ends = f"{percent(number.low)} to {percent(number.high)}"
    return [value, *(f"{count:,}" for count in counts), ends if has_interval else UNKNOWN]


def _factor(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.2f}"
