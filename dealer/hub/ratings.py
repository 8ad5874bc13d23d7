"""What the board says of each game: who is strongest, who wins most, and how sure that is.

Pure over what rated matches have shown; nothing is remembered, so a rating is what the ledger says.

Whose matches count.  Those of two bots of one owner do not.  A guest counts who met at least
`fewest` independent opponents that count themselves: owners, however many bots each has, and house
bots.  So nobody gains by accounts that are made to lose to him.  House bots always count.  Only
those who count and met so many have places, and only among bots that matches link.

Three numbers, each with its 95 % interval and its range of places (`engine.estimates.places`):
strength  what a bot wins from the mixture of bots that nobody beats: who is strongest; weak bots
          and copies change nothing (`engine.estimates.nash_average`)
winnings  the mean over the independent opponents that it met, all weighed alike: who wins most
fitted    least squares over all that met, for tables of which most cells are empty, since it does
          not matter whom one met (`engine.estimates.least_squares`); it fills the empty cells for
          `strength`, with their errors
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.estimates.least_squares import LeastSquaresRatings, components, least_squares_ratings
from engine.estimates.nash_average import nash_averages
from engine.estimates.nash_ranking import LEAST_LEAD_MBB, MOST_NASH_BOTS
from engine.estimates.places import PlaceRanges, draws_above, place_ranges, surest_cycles
from engine.estimates.rankings import total_bankroll, won_matrix
from engine.estimates.significance import FEWEST_SAMPLES, SIGNIFICANCE_LEVEL, holm
from engine.estimates.student import two_sided_p
from engine.estimates.winrate import Z95, t95

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST_OPPONENTS: Final = 3
_DRAWS: Final = 200
_TAILS: Final = (2.5, 97.5)
_CLOSE: Final = 1e-6
"""mbb/h; numbers that differ by less are equal, as rounding errors are."""


class RatedVersion(NamedTuple):
    """A version of a bot, which results belong to."""

    version: int
    """Number."""
    bot: str
    owner: int | None
    """Account; None: a house bot."""

    @property
    def unit(self) -> int | str:
        """Whose results are not independent of each other: an owner's, or those of a house bot."""
        return self.bot if self.owner is None else self.owner


class RatedMatch(NamedTuple):
    """What one or more rated matches of two versions have shown."""

    game: str
    versions: tuple[int, int]
    mbb_per_hand: float
    """That the first won."""
    error: float
    """Standard error of that; infinite where samples are too few to tell."""
    samples: int
    """Independent ones: hands, or pairs of hands."""
    hands: int
    ended: float
    """Seconds, of the last one."""


class PairVerdict(NamedTuple):
    """What all rated matches of two versions say."""

    versions: tuple[int, int]
    mbb_per_hand: float
    """That the first won."""
    ci95: float
    hands: int
    p_value: float | None
    """Of a t test, adjusted for all pairs of the game (Holm); None below `FEWEST_SAMPLES`."""

    @property
    def decided(self) -> bool:
        """Whether it is significant who wins."""
        return self.p_value is not None and self.p_value < SIGNIFICANCE_LEVEL


class BoardNumber(NamedTuple):
    """One of the numbers of a bot, mbb/h."""

    mbb_per_hand: float
    low: float
    """Lower end of the 95 % interval."""
    high: float
    place: int | None
    """Among those who have places, 1 is best, equals share it; None: the bot has none."""
    places: tuple[int, int] | None
    """The best and the worst that it may be."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A version in a game."""

    version: int
    hands: int
    """Of all rated matches, those that do not count included."""
    opponents: int
    """Independent ones who count."""
    age: float
    """Seconds since its last match ended."""
    ranked: bool
    """Whether it has places."""
    strength: BoardNumber | None
    """None where it has no place, or more than `MOST_NASH_BOTS` are above it."""
    share: float
    """Of the mixture that nobody beats."""
    winnings: BoardNumber | None
    fitted: BoardNumber | None


@dataclass(frozen=True, slots=True)
class GameBoard:
    """A game."""

    game: str
    rows: tuple[BoardRow, ...]
    """Those with places by strength, then by `fitted`; then others, who played last first."""
    pairs: tuple[PairVerdict, ...]
    """Of bots that count, by their versions."""
    cycles: tuple[tuple[int, ...], ...]
    """Of significant wins, each version winning from the next; the surest first."""
    spread: float
    """How much pairs differ from what `fitted` says, beyond noise: standard deviation, mbb/h."""


def game_boards(
    matches: Iterable[RatedMatch],
    versions: Iterable[RatedVersion],
    now: float,
    fewest: int = FEWEST_OPPONENTS,
    seed: int = 1,
) -> dict[str, GameBoard]:
    """Return by game what the board says.

    Args:
        matches: rated ones, in any order; a pair may have many.
        versions: those in the matches, and others.
        now: seconds, of the clock of `RatedMatch.ended`.
        fewest: independent opponents without whom nobody has a place.
    """
    by_number = {version.version: version for version in versions}
    by_game: dict[str, list[RatedMatch]] = defaultdict(list)
    for match in sorted(matches):
        by_game[match.game].append(match)
    return {
        game: _BoardOfGame(game, mine, by_number, now, fewest).board(seed)
        for game, mine in sorted(by_game.items())
    }


class _PairTotal(NamedTuple):
    """What all matches of two versions say, from the view of the one with the lower number."""

    versions: tuple[int, int]
    mbb_per_hand: float
    error: float
    samples: int
    hands: int
    matches: int


def _pooled(matches: Iterable[RatedMatch]) -> list[_PairTotal]:
    """Return the pairs of which there is a standard error; matches weigh by their hands.

    Weights by precision would favour matches in which little happened, whatever was won in them.
    """
    by_pair: dict[tuple[int, int], list[tuple[float, RatedMatch]]] = defaultdict(list)
    for match in matches:
        first, second = match.versions
        if match.hands and math.isfinite(match.error):
            sign = 1.0 if first < second else -1.0
            by_pair[min(first, second), max(first, second)].append((sign, match))
    pairs = []
    for versions, mine in sorted(by_pair.items()):
        hands = sum(match.hands for _, match in mine)
        mean = sum(sign * match.mbb_per_hand * match.hands for sign, match in mine) / hands
        error = math.hypot(*(match.error * match.hands for _, match in mine)) / hands
        samples = sum(match.samples for _, match in mine)
        pairs.append(_PairTotal(versions, mean, error, samples, hands, len(mine)))
    return pairs


def _counting(
    pairs: Iterable[_PairTotal], versions: Mapping[int, RatedVersion], fewest: int
) -> dict[int, set[int | str]]:
    """Return those whose matches count -> their independent opponents among them."""
    met: dict[int, set[int]] = defaultdict(set)
    for pair in pairs:
        for version, opponent in (pair.versions, pair.versions[::-1]):
            met[version].add(opponent)
    open_versions = set(met)
    while open_versions:
        for_sure = open_versions & met.keys()
        open_versions = set()
        for version in for_sure:
            units = {versions[opponent].unit for opponent in met[version]}
            if versions[version].owner is not None and len(units) < fewest:
                for opponent in met.pop(version):
                    met[opponent].discard(version)
                    open_versions.add(opponent)
    return {
        version: {versions[opponent].unit for opponent in opponents}
        for version, opponents in met.items()
        if opponents
    }


class _BoardOfGame:
    """The board of one game."""

    def __init__(
        self,
        game: str,
        matches: list[RatedMatch],
        versions: Mapping[int, RatedVersion],
        now: float,
        fewest: int,
    ) -> None:
        self._game, self._versions, self._now = game, versions, now
        self._hands: dict[int, int] = defaultdict(int)
        self._ended: dict[int, float] = defaultdict(lambda: -math.inf)
        for match in matches:
            for version in match.versions:
                self._hands[version] += match.hands
                self._ended[version] = max(self._ended[version], match.ended)
        pairs = [
            pair
            for pair in _pooled(matches)
            if versions[pair.versions[0]].unit != versions[pair.versions[1]].unit
        ]
        self._met: dict[int, set[int | str]] = defaultdict(set)
        for pair in pairs:
            for version, opponent in (pair.versions, pair.versions[::-1]):
                self._met[version].add(versions[opponent].unit)
        self._units = _counting(pairs, versions, fewest)
        self._bots = sorted(self._units)
        self._pairs = [pair for pair in pairs if self._units.keys() >= {*pair.versions}]
        self._ranked = {version for version, units in self._units.items() if len(units) >= fewest}

    def board(self, seed: int) -> GameBoard:
        """Return what is said of the game."""
        verdicts = self._verdicts()
        table = _LinkedTable.of(self._bots, self._pairs)
        fit = least_squares_ratings(len(table.bots), table.pairs, table.rates, table.errors)
        ranked = np.array([bot in self._ranked for bot in table.bots], np.bool_)
        order = np.argsort(-fit.ratings, kind="stable")[:MOST_NASH_BOTS]
        strengths, shares = _strengths(table, fit, np.sort(order), ranked, seed)
        fitted = _numbers(fit.ratings, fit.covariance, ranked)
        winnings = self._winnings(table, ranked)
        at = {bot: index for index, bot in enumerate(table.bots)}
        rows = [
            BoardRow(
                version,
                self._hands[version],
                len(self._met.get(version, ())),
                self._now - self._ended[version],
                version in self._ranked and version in at,
                strengths.get(at.get(version, -1)),
                shares.get(at.get(version, -1), 0.0),
                winnings[at[version]] if version in at else None,
                fitted[at[version]] if version in at else None,
            )
            for version in sorted(self._hands)
        ]
        cycles = surest_cycles(
            {
                verdict.versions if verdict.mbb_per_hand > 0 else verdict.versions[::-1]: abs(
                    verdict.mbb_per_hand
                )
                for verdict in verdicts
                if verdict.decided
                and {at.get(version, -1) for version in verdict.versions} <= strengths.keys()
            }
        )
        return GameBoard(
            self._game, tuple(sorted(rows, key=_order)), verdicts, tuple(cycles), fit.spread
        )

    def _verdicts(self) -> tuple[PairVerdict, ...]:
        chances = holm([_p_value(pair) for pair in self._pairs])
        return tuple(
            PairVerdict(
                pair.versions,
                pair.mbb_per_hand,
                t95(max(pair.samples - pair.matches, 1)) * pair.error,
                pair.hands,
                chance,
            )
            for pair, chance in zip(self._pairs, chances, strict=True)
        )

    def _winnings(self, table: _LinkedTable, ranked: NDArray[np.bool_]) -> list[BoardNumber]:
        """Return what each bot won from its independent opponents on average."""
        bots = len(table.bots)
        units: dict[int | str, int] = {}
        unit = np.array(
            [units.setdefault(self._versions[bot].unit, len(units)) for bot in table.bots], np.int64
        )
        won = won_matrix(bots, table.pairs, table.rates)
        met = ~np.isnan(won)
        alike = np.zeros((len(units), bots))
        np.add.at(alike, unit, met.T.astype(np.float64))
        weights = met / np.maximum(alike[unit].T, 1.0)  # bots of one unit share its weight
        shares = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1.0)
        variances = np.zeros((bots, bots))
        first, second = table.pairs[:, 0], table.pairs[:, 1]
        variances[first, second] = variances[second, first] = np.square(table.errors)
        covariance = -shares * shares.T * variances  # two bots share the noise of their pair
        covariance[np.diag_indices(bots)] = (np.square(shares) * variances).sum(axis=1)
        return _numbers(np.nan_to_num(total_bankroll(won, weights)), covariance, ranked)


def _order(row: BoardRow) -> tuple[bool, bool, float, float, float, int]:
    strength, fitted = row.strength, row.fitted
    return (
        not row.ranked,
        strength is None,
        0.0 if strength is None else -strength.mbb_per_hand,
        math.inf if fitted is None else -fitted.mbb_per_hand,
        row.age,
        row.version,
    )


def _p_value(pair: _PairTotal) -> float | None:
    """Return that of a t test of a true rate of 0."""
    freedom = pair.samples - pair.matches
    if pair.samples < FEWEST_SAMPLES or freedom < 1:
        return None
    if not pair.error:
        return 0.0 if pair.mbb_per_hand else 1.0
    return two_sided_p(pair.mbb_per_hand / pair.error, freedom)


@dataclass(frozen=True, slots=True, eq=False)
class _LinkedTable:
    """The largest group of N bots that P pairs link."""

    bots: list[int]
    """Numbers of versions."""
    pairs: NDArray[np.int64]
    """(P, 2) places in the list."""
    rates: NDArray[np.float64]
    """(P,) mbb/h that the first won."""
    errors: NDArray[np.float64]
    """(P,) standard errors."""

    @classmethod
    def of(cls, bots: list[int], pairs: list[_PairTotal]) -> _LinkedTable:
        """Return it; of groups of one size that with the lowest number."""
        at = {bot: index for index, bot in enumerate(bots)}
        ends = np.array([[at[bot] for bot in pair.versions] for pair in pairs], np.int64)
        groups = components(len(bots), ends.reshape(-1, 2))
        largest = np.argmax(np.bincount(groups)) if len(bots) else 0
        linked = [bot for bot, group in zip(bots, groups.tolist(), strict=True) if group == largest]
        at = {bot: index for index, bot in enumerate(linked)}
        mine = [pair for pair in pairs if pair.versions[0] in at]
        return cls(
            linked,
            np.array([[at[bot] for bot in pair.versions] for pair in mine], np.int64).reshape(
                -1, 2
            ),
            np.array([pair.mbb_per_hand for pair in mine]),
            np.array([pair.error for pair in mine]),
        )


def _numbers(
    values: NDArray[np.float64], covariance: NDArray[np.float64], ranked: NDArray[np.bool_]
) -> list[BoardNumber]:
    """Return the numbers of N bots that are normal with a covariance; places of the ranked."""
    variances = np.maximum(np.diag(covariance), 0.0)
    widths = Z95 * np.sqrt(variances)
    apart = np.sqrt(np.maximum(variances[:, None] + variances - 2 * covariance, 1e-12))
    above = _normal_shares((values[:, None] - values) / apart)
    return _placed(values, values - widths, values + widths, above, ranked, _CLOSE)


def _placed(
    values: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    above: NDArray[np.float64],
    ranked: NDArray[np.bool_],
    least_lead: float,
) -> list[BoardNumber]:
    """Return the numbers of N bots, with places of the ranked.

    Args:
        above: (N, N) see `engine.estimates.places`.
        least_lead: difference without which bots share a place.
    """
    mine = np.flatnonzero(ranked)
    ranges: PlaceRanges = place_ranges(above[np.ix_(mine, mine)])
    numbers = [BoardNumber(*ends, None, None) for ends in zip(values, low, high, strict=True)]
    for at, bot in enumerate(mine.tolist()):
        place = 1 + int((values[mine] > values[bot] + least_lead).sum())
        numbers[bot] = numbers[bot]._replace(
            place=place, places=(int(ranges.best[at]), int(ranges.worst[at]))
        )
    return numbers


def _normal_shares(z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares of a normal distribution below z."""
    shares: NDArray[np.float64] = np.vectorize(math.erfc, otypes=[np.float64])(-z / math.sqrt(2))
    return shares / 2


def _strengths(
    table: _LinkedTable,
    fit: LeastSquaresRatings,
    bots: NDArray[np.int64],
    ranked: NDArray[np.bool_],
    seed: int,
) -> tuple[dict[int, BoardNumber], dict[int, float]]:
    """Return for some bots what each wins from the mixture that nobody beats, and its share of it.

    Where two have not met, it is what `fit` says; in draws of the noise with its error.
    """
    if not len(bots):
        return {}, {}
    rng = np.random.default_rng(seed)
    rates = table.rates + table.errors * rng.standard_normal((_DRAWS, len(table.rates)))
    draws = _cells(table, bots, rates, fit.response(table.pairs, table.errors, rates))
    unmet = np.triu(np.isnan(won_matrix(len(table.bots), table.pairs, table.rates)))[
        np.ix_(bots, bots)
    ]
    peculiar = np.where(unmet, fit.spread * rng.standard_normal(draws.shape), 0.0)
    draws += np.triu(peculiar, 1) - np.triu(peculiar, 1).swapaxes(1, 2)
    averages = nash_averages(_cells(table, bots, table.rates[None], fit.ratings[None]))
    drawn = nash_averages(draws).ratings
    low, high = np.percentile(drawn, _TAILS, axis=0)
    values = averages.ratings[0]
    numbers = _placed(
        values,
        np.minimum(low, values),
        np.maximum(high, values),
        draws_above(drawn, LEAST_LEAD_MBB),
        ranked[bots],
        LEAST_LEAD_MBB,
    )
    named = bots.tolist()
    return (
        dict(zip(named, numbers, strict=True)),
        dict(zip(named, averages.shares[0].tolist(), strict=True)),
    )


def _cells(
    table: _LinkedTable,
    bots: NDArray[np.int64],
    rates: NDArray[np.float64],
    ratings: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return (R, B, B) what some bots win of each other: as played, else as rated.

    Args:
        rates: (R, P).
        ratings: (R, N).
    """
    cells = ratings[:, bots, None] - ratings[:, None, bots]
    at = np.full(len(table.bots), -1)
    at[bots] = np.arange(len(bots))
    first, second = at[table.pairs].T
    inside = (first >= 0) & (second >= 0)
    first, second = first[inside], second[inside]
    cells[:, first, second] = rates[:, inside]
    cells[:, second, first] = -rates[:, inside]
    return cells
