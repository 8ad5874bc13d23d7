"""Ratings as text: a row for each player, one for each group that met, the consistency check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from dealer.ratings.titles import TITLES, quoted_name, saved_text
from dealer.ratings.verdict import player_places, verdict_paragraph, verdict_players
from engine.console.output import printable
from engine.console.quantities import UNKNOWN, interval
from engine.console.text_table import aligned
from engine.estimates.agreement import WARNING_LEVEL
from engine.estimates.estimators import DUPLICATE_SET, HAND_UNIT, RAW
from engine.estimates.places import range_text

if TYPE_CHECKING:
    from engine.estimates.agreement import EstimatorPair
    from engine.estimates.estimators import Estimate
    from engine.estimates.hand_estimates import Rating, Ratings

_LARGEST_CROSSTABLE: Final = 15
EXPLAINED: Final = """\
mbb/h: thousandths of a big blind won per hand; ±: 95 % interval; SD: of the result of one hand
x1.5: without this estimator the same interval takes 1.5 times as many hands"""


def rating_lines(label: str, ratings: Ratings, *, verdict: bool = True) -> list[str]:
    """Return the ratings of one game as lines, with the verdict where the hands allow any."""
    if not ratings.totals:
        return [f"{label}: nobody played against anybody else"]
    lines = [_headline(label, ratings), ""]
    lines += rows_of(ratings.totals, against=False)
    if _says_more(ratings):
        lines += ["", *rows_of(ratings.groups, against=True)]
    lines += _crosstable(ratings)
    lines += ["", *_samples(ratings), *guard_lines(ratings.comparisons)]
    if not verdict:
        return [*lines, "verdict: none from hands chosen by what happened in them or by position"]
    players = verdict_players(ratings)
    return lines if players is None else [*lines, verdict_paragraph(players)]


def rows_of(ratings: Sequence[Rating], *, against: bool) -> list[str]:
    """Return a table of ratings, a column for each estimator that any of them has."""
    names = [
        name for name in TITLES if any(rating.estimate(name) is not None for rating in ratings)
    ]
    names += sorted(
        {estimate.name for rating in ratings for estimate in rating.estimates} - {*TITLES}
    )
    head = ["player", *(["against"] if against else []), "hands", "SD, mbb"]
    rows = [[*head, *(TITLES.get(name, name) for name in names)]]
    for rating in ratings:
        raw = rating.estimate(RAW)
        rows.append(
            [
                printable(rating.player),
                *([printable(", ".join(rating.against))] if against else []),
                f"{rating.hands:,}",
                UNKNOWN if raw is None or raw.rate.samples < 2 else f"{raw.sd_per_hand:,.0f}",
                *(_cell(rating.estimate(name)) for name in names),
            ]
        )
    lines = aligned(rows, texts=2 if against else 1)
    lines.insert(1, "-" * max(map(len, lines)))
    return lines


_TOO_FEW: Final = "the estimators differ in too few hands"


def guard_lines(pairs: Sequence[EstimatorPair]) -> list[str]:
    """Return the consistency check: a line for each two estimators that disagree, else one."""
    if not pairs:
        return []
    if warnings := warning_lines(pairs):
        return warnings
    tested = sum(pair.p_value is not None for pair in pairs)
    if not tested:
        return [f"consistency check inconclusive: {_TOO_FEW}"]
    few = len(pairs) - tested
    rest = f"; {few} more inconclusive: {_TOO_FEW}" if few else ""
    noun = "comparison" if tested == 1 else "comparisons"
    agree = f"estimators agree on the same hands, {tested} {noun} (level {WARNING_LEVEL:g})"
    return [f"consistency check: {agree}{rest}"]


def warning_lines(pairs: Sequence[EstimatorPair]) -> list[str]:
    """Return a line for each two estimators that disagree."""
    return [_warning(pair, len(pairs)) for pair in pairs if pair.warns]


def _warning(pair: EstimatorPair, count: int) -> str:
    """Return in one line how two estimators disagree."""
    whose = f"{pair.player} against {pair.against}" if pair.against else pair.player
    first, second = (TITLES.get(name, name) for name in (pair.estimator, pair.reference))
    p = 0.0 if pair.p_value is None else pair.p_value
    chance = "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"
    difference = interval(pair.mbb_per_hand, pair.ci95)
    return printable(
        f"warning: {whose}: {first} less {second} is {difference} mbb/h on the same {pair.hands:,} "
        f"hands, more than chance allows ({chance}, adjusted for {count} "
        f"{'comparison' if count == 1 else 'comparisons'}; level {WARNING_LEVEL:g})"
    )


def _headline(label: str, ratings: Ratings) -> str:
    players = len(ratings.totals)
    met = {frozenset((group.player, *group.against)) for group in ratings.groups}
    what = "pairings" if all(len(group) == 2 for group in met) else "groups of players"
    noun = "hand" if ratings.hands == 1 else "hands"
    parts = [f"{ratings.hands:,} {noun}", f"{players} players"]
    parts += [f"{len(met):,} {what}"] if len(met) > 1 else []
    return f"{label}: {', '.join(parts)}"


def _says_more(ratings: Ratings) -> bool:
    """Return whether there is a group that is not all of what one of its players played."""
    met: Counter[str] = Counter()
    for players in {frozenset((group.player, *group.against)) for group in ratings.groups}:
        met.update(players)
    return any(
        all(met[player] > 1 for player in (group.player, *group.against))
        for group in ratings.groups
    )


def _samples(ratings: Ratings) -> Iterable[str]:
    """Yield what the intervals count as independent."""
    units = {estimate.unit for rating in ratings.totals for estimate in rating.estimates}
    if units == {HAND_UNIT}:
        yield "samples: hands, one by one"
    elif DUPLICATE_SET in units:
        yield (
            f"samples: hands, one by one; in sets the {ratings.sets:,} deals that the same players "
            "played in every seating, one each"
        )
    else:
        most = max(
            estimate.rate.samples for rating in ratings.totals for estimate in rating.estimates
        )
        yield f"samples: sessions, up to {most:,} a player; those of the same deals count as one"
    if ratings.repeated:
        yield (
            f"{ratings.repeated:,} hands have the cards, players and seats of others: one by one "
            "they are taken for independent, in sets they are one sample"
        )
    if ratings.alone:
        yield f"{ratings.alone:,} hands of players against themselves are left out"


def _cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return UNKNOWN
    text = interval(estimate.rate.mbb_per_hand, estimate.rate.ci95)
    return text if estimate.name == RAW else f"{text} {saved_text(estimate.hands_saved):>6}"


def _crosstable(ratings: Ratings) -> list[str]:
    """Return what each won of each by the estimator to quote; nothing where most never met."""
    players = [total.player for total in ratings.totals]
    places = player_places(ratings)
    if not places or len(players) > _LARGEST_CROSSTABLE:
        return []
    cells = {}
    used = set()
    for rating in ratings.groups:
        name = quoted_name({player.name: player.rate for player in rating.estimates})
        estimate = rating.estimate(name)
        if estimate is None:
            continue
        used.add(TITLES[name])
        for sign, pair in (
            (1, (rating.player, *rating.against)),
            (-1, (*rating.against, rating.player)),
        ):
            cells[pair] = interval(sign * estimate.rate.mbb_per_hand, estimate.rate.ci95, 0)
    rows = [
        ["mbb/h", "place", *map(printable, players)],
        *(
            [
                printable(player),
                range_text(places[player]),
                *(cells.get((player, opponent), "") for opponent in players),
            ]
            for player in players
        ),
    ]
    title = f"crosstable, by {' or '.join(sorted(used))}; place: by the mean over opponents, 95 %:"
    return ["", title, *aligned(rows)]
