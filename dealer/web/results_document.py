"""The results of logs for a page: what `arena rate` and `arena stats` say, and what they do not.

That is curves, the biggest pots, how hands went street by street, and how long answers took.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dealer.logs.answer_lines import answers_beside
from dealer.logs.counting.stats_table import stats_documents
from dealer.logs.log_session import NO_LOG, Counting, LogSession, without_copies
from dealer.ratings.rating_documents import estimates_document, finite_number, ratings_document
from dealer.ratings.tally_ratings import tally_ratings
from dealer.web.results_estimates import estimates_beside
from engine.estimates.duplicate_deals import find_sets, set_rates
from engine.estimates.estimators import AIVAT
from engine.estimates.hand_results import lineups
from engine.estimates.rate_curve import rate_curve
from engine.handlogs.counting.answer_times import QUANTILES, answer_times, times_of_actions
from engine.handlogs.counting.detail import Detail
from engine.handlogs.counting.hand_stats import player_stats
from engine.handlogs.counting.street_stats import StreetEnd, StreetStats, street_stats
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.folders import all_begun
from engine.handlogs.source.opening import file_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dealer.logs.progress import ReadProgress
    from dealer.ratings.corrected_hands import CorrectedHands
    from engine.estimates.hand_estimates import Ratings
    from engine.estimates.hand_results import HandResults
    from engine.estimates.winrate import WinRate
    from engine.handlogs.counting.hand_actions import HandActions
    from engine.handlogs.counting.hand_stats import PlayerStats
    from engine.handlogs.counting.tally import Tally
    from engine.handlogs.source.log_games import FoundGame

POINTS: Final = 150
"""Of a curve, at most."""
_ALL_POINTS: Final = 6000
"""Of all curves together, about; each has a tenth of `POINTS` at least."""
POTS: Final = 20
_AIVAT_PLAYERS: Final = 2
_COPY: Final = "the same as another log, counted once"
_NO_LOG_BYTES: Final = 4 << 20
"""A file in which nothing of a log stands by then is not read on."""
_UNREADABLE: Final = "cannot be read"
_BUILT_IN: Final = "built-in "
"""Before the name of a game that is not a file of the user's."""


@dataclass(frozen=True, slots=True)
class WrittenLog:
    """A log as far as it may be read."""

    number: int
    path: Path
    bytes: int


def results_document(
    logs: Sequence[WrittenLog],
    game: FoundGame | None,
    progress: ReadProgress,
    *,
    hidden_cards: bool,
    expectation: bool,
    reasons: bool,
) -> dict[str, Any]:
    """Count the hands of logs and return the results as plain values.

    Keys are those of `arena rate --json` and `arena stats --json --by position --by depth`.

    Args:
        logs: those that are shown.
        game: of all of them, where the user names it.
        progress: told while they are read; what it raises ends that.
        hidden_cards: whether cards that nobody was shown may count: without them there are no
            duplicate sets, no all-in expectation and no AIVAT.
        expectation: whether all-in hands get their expectation.
        reasons: whether it is told why a log cannot be read, which may name its path.

    Raises:
        LogError: a log or manifest has gone.
    """
    number_of = {log.path: log.number for log in logs}
    paths = without_copies(list(number_of), lambda line: None)
    left_out = {number: _COPY for path, number in number_of.items() if path not in paths}
    what = Counting(
        game=game,
        detail=Detail.TRACKER,
        expectation=expectation and hidden_cards,
        actions=True,
        threads=1,
        begins_within=_NO_LOG_BYTES,
    )
    end_of = {log.path: log.bytes for log in logs}
    session = LogSession(paths, what, Complaints(lambda line: None), progress)
    counted = session.count(lambda log: None, [end_of[path] for path in paths])
    for log in counted.logs:
        number = number_of[log.path]
        if log.error is not None:
            why = str(log.error).replace(f"{log.path}", "").lstrip(": ")
            left_out[number] = why if reasons or why == NO_LOG else _UNREADABLE
        elif not log.begun and min(file_size(log.path), end_of[log.path]):
            left_out[number] = NO_LOG
    read = [log for log in counted.logs if left_out.get(number_of[log.path]) != NO_LOG]
    over = bool(read) and all(log.ended for log in read) and all_begun([log.path for log in read])
    games = []
    for label, tally, hands in counted.games:
        results = tally.results()
        if not hidden_cards:  # no two deals are known to be the same
            results = replace(results, deal=np.arange(len(results)))
        log_of_hand = np.repeat([number_of[path] for path in hands], list(hands.values()))
        files = {number_of[log.path]: log.path for log in read}
        shown = GameResults(label, tally, results, log_of_hand, files)
        games.append(shown.document(verdict=over, hidden_cards=hidden_cards))
    return {
        "logs": len(read),
        "logs_left_out": [{"log": log, "why": why} for log, why in sorted(left_out.items())],
        "lines_left_out": counted.complaints.count,
        "notes": [*counted.repeats.warnings(), *_doubts(counted.contradicted)],
        "over": over,
        "games": games,
    }


def _doubts(contradicted: int) -> list[str]:
    words = "hands have payoffs that contradict betting and cards; they are counted as printed"
    return [f"{contradicted:,} {words}"] * (contradicted > 0)


@dataclass(frozen=True, slots=True, eq=False)
class GameResults:
    """The N hands of one game."""

    label: str
    tally: Tally
    results: HandResults
    log: NDArray[np.int64]
    """(N,) number of the log of each hand."""
    logs: Mapping[int, Path]
    """By number."""

    def document(self, *, verdict: bool, hidden_cards: bool) -> dict[str, Any]:
        """Return all about them, see `results_document`.

        Args:
            verdict: whether it is time for one.
        """
        tally, results, label = self.tally, self.results, self.label
        big_blind = tally.game.big_blind
        aivat = None
        if hidden_cards and tally.game.players == _AIVAT_PLAYERS:
            aivat = estimates_beside(self.logs, self.log, results, big_blind)
        whole = aivat if aivat is not None and not np.isnan(aivat.value).any() else None
        ratings = tally_ratings(tally, results, corrected=whole)
        document = ratings_document(label, big_blind, ratings, verdict=verdict)
        if aivat is not None and whole is None:
            self._add_part(document, aivat)
        logs = _logs_of_groups(tally.players, results, self.log)
        for group in document["groups"]:
            group["logs"] = logs[frozenset((group["player"], *group["against"]))]
        actions = tally.actions()
        streets = street_stats(results, actions, tally.players, tally.game.streets, big_blind)
        return document | {
            "game": Path(label.removeprefix(_BUILT_IN)).name.removesuffix(".game"),
            "board_cards": list(tally.game.board_cards),
            "aivat": None if aivat is None else _aivat(aivat),
            "stats": stats_documents(self._stats()),
            "streets": [_street(one) for one in streets],
            "latency": self._latency(actions),
            "curves": self._curves(ratings, whole),
            "pots": self._pots(),
            "logs": self._logs(),
        }

    def _add_part(self, document: dict[str, Any], aivat: CorrectedHands) -> None:
        """Add what AIVAT says of some of the hands; what is quoted is of all of them."""
        ratings = tally_ratings(self.tally, self.results, corrected=aivat)
        told = [*document["players"], *document["groups"]]
        for one, rating in zip(told, (*ratings.totals, *ratings.groups), strict=True):
            part = (found for found in rating.estimates if found.name.startswith(AIVAT))
            one["estimators"] |= estimates_document(part)

    def _stats(self) -> list[PlayerStats]:
        played = lineups(self.results.players)
        sets = find_sets(self.results, played)
        rates = set_rates([(self.results, played, sets, self.tally.game.big_blind)])
        return player_stats(
            [self.tally],
            by=("position", "depth"),
            expectation=self.results.expected is not None,
            sets={self.tally.players[player]: rate for player, rate in rates.items()},
        )

    def _curves(self, ratings: Ratings, aivat: CorrectedHands | None) -> list[dict[str, Any]]:
        """Return a curve for each group of players that met, as they are rated."""
        results, names = self.results, self.tally.players
        played = lineups(results.players)
        number_of = {
            frozenset(names[player] for player in group): number
            for number, group in enumerate(played.groups.tolist())
        }
        tables = {"raw": results.chips, "allin": results.expected}
        tables[AIVAT] = None if aivat is None else aivat.by_position(results.chips)
        points = _ALL_POINTS // max(len(ratings.groups), 1)
        points = min(max(points, POINTS // 10), POINTS)
        curves = []
        for one in ratings.groups:
            rows = np.flatnonzero(played.group == number_of[frozenset((one.player, *one.against))])
            seat = results.players[rows] == names.index(one.player)
            values = {name: each[rows][seat] for name, each in tables.items() if each is not None}
            curve = self._curve(values, points)
            curves.append({"player": one.player, "against": list(one.against), **curve})
        return curves

    def _curve(self, values: Mapping[str, NDArray[np.float64]], points: int) -> dict[str, Any]:
        """Return a curve of the chips won hand by hand by each estimator."""
        curve: dict[str, Any] = {}
        for name, chips in values.items():
            found = rate_curve(chips, self.tally.game.big_blind, points)
            curve["hands"] = found.hands.tolist()
            curve[name] = {
                "chips": found.chips.round(2).tolist(),
                "mbb_per_hand": [round(rate.mbb_per_hand, 3) for rate in found.rates],
                "ci95_mbb_per_hand": [finite_number(round(rate.ci95, 3)) for rate in found.rates],
            }
        return curve

    def _place(self, row: int) -> dict[str, int]:
        """Return where a hand stands; `nth` counts hands of its number in its log."""
        log, hand = self.log[row], self.results.hand[row]
        same = (self.log[: row + 1] == log) & (self.results.hand[: row + 1] == hand)
        return {"log": int(log), "hand": int(hand), "nth": int(same.sum())}

    def _pots(self) -> list[dict[str, Any]]:
        """Return the largest sizes of pots, how many each, and the first hand of it."""
        results, names = self.results, self.tally.players
        sizes, first, hands = np.unique(results.pot, return_index=True, return_counts=True)
        return [
            self._place(row)
            | {
                "pot_chips": int(size),
                "hands": int(count),
                "players": [names[player] for player in results.players[row].tolist()],
                "chips": results.chips[row].tolist(),
            }
            for size, row, count in [*zip(sizes, first, hands, strict=True)][: -POTS - 1 : -1]
        ]

    def _logs(self) -> list[dict[str, Any]]:
        """Return of each log its hands, and what each of its players won in all."""
        found = []
        for log in np.unique(self.log).tolist():
            rows = self.log == log
            players, chips = self.results.players[rows].ravel(), self.results.chips[rows].ravel()
            won = np.bincount(players, chips)
            met = np.unique(players).tolist()
            found.append(
                {
                    "log": log,
                    "hands": int(rows.sum()),
                    "won": {self.tally.players[player]: float(won[player]) for player in met},
                }
            )
        return found

    def _latency(self, actions: HandActions) -> list[dict[str, Any]]:
        seconds = np.full(len(actions.hand), np.nan)
        for number, path in self.logs.items():
            rows = np.flatnonzero(self.log == number)
            timed = answers_beside(path) if len(rows) else None
            if timed is not None:  # the hands of a log lie together
                own = actions.part(int(rows[0]), int(rows[-1]) + 1)
                numbers = self.results.hand[rows]
                begin = int(np.searchsorted(actions.hand, rows[0]))
                found = times_of_actions(numbers, own, timed)
                seconds[begin : begin + len(found)] = found
        return [
            {
                "player": one.player,
                "street": one.street,
                "answers": one.answers,
                "mean_seconds": one.mean,
                "quantiles_seconds": dict(zip(map(str, QUANTILES), one.quantiles, strict=True)),
                "longest": {"seconds": one.longest, **self._place(one.longest_hand)},
            }
            for one in answer_times(self.results.players, actions, seconds, self.tally.players)
        ]


def _aivat(aivat: CorrectedHands) -> dict[str, Any]:
    return {"hands": int(np.count_nonzero(~np.isnan(aivat.value))), **aivat.facts}


def _street(one: StreetStats) -> dict[str, Any]:
    """Return what a player did on a street; shares of win rates add up to that of the player."""
    return {
        "player": one.player,
        "street": one.street,
        "hands": one.hands,
        "reached": one.reached,
        "folded": _street_end(one.folded),
        "uncontested": _street_end(one.uncontested),
        "shown_down": _street_end(one.shown_down),
        "won": _rate(one.won),
        "actions": {
            "raises": one.raises,
            "calls": one.calls,
            "checks": one.checks,
            "folds": one.folds,
        },
    }


def _street_end(end: StreetEnd) -> dict[str, Any]:
    return {"hands": end.hands, **_rate(end.won)}


def _rate(rate: WinRate) -> dict[str, float | None]:
    return {"mbb_per_hand": rate.mbb_per_hand, "ci95_mbb_per_hand": finite_number(rate.ci95)}


def _logs_of_groups(
    names: Sequence[str], results: HandResults, log: NDArray[np.int64]
) -> dict[frozenset[str], list[int]]:
    """Return the numbers of the logs in which some players played with each other."""
    played = lineups(results.players)
    found: dict[frozenset[str], list[int]] = {}
    for group, number in np.unique(np.column_stack([played.group, log]), axis=0).tolist():
        members = frozenset(names[player] for player in played.groups[group].tolist())
        found.setdefault(members, []).append(number)
    return found
