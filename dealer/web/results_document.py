"""The results of logs for a page: what `arena rate` and `arena stats` say, curves, biggest pots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from dealer.logs.errors import Complaints, LogError
from dealer.logs.inputs import all_begun, without_copies
from dealer.logs.log_counter import LogCounter
from dealer.logs.stats_table import stats_documents
from dealer.ratings.documents import finite_number, ratings_document
from dealer.ratings.sessions import Sessions, session_ratings
from engine.estimates.rate_curve import rate_curve
from engine.handlogs.detail import Detail
from engine.handlogs.hand_results import lineups
from engine.handlogs.hand_stats import player_stats

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dealer.logs.games import FoundGame
    from dealer.logs.progress import ReadProgress
    from engine.handlogs.hand_results import HandResults
    from engine.handlogs.tally import Tally

POINTS: Final = 150
"""Of a curve, at most."""
POTS: Final = 20
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
) -> dict[str, Any]:
    """Count the hands of logs and return the results as plain values.

    Keys are those of `arena rate --json` and `arena stats --json --by-position`.

    Args:
        logs: those that are shown.
        game: of all of them, where the user names it.
        progress: told while they are read; what it raises ends that.
        hidden_cards: whether cards that nobody was shown may count: without them there are no
            duplicate sets and no all-in expectation.
        expectation: whether all-in hands get their expectation.

    Raises:
        LogError: a log or manifest has gone.
    """
    complaints = Complaints(lambda line: None)
    sessions = Sessions()
    expectation = expectation and hidden_cards
    counter = LogCounter(
        game, str, complaints, sessions, expectation=expectation, keep_expectation=True, threads=1
    )
    counter.detail = Detail.TRACKER
    of_path = {log.path: log for log in logs}
    paths = without_copies(list(of_path), lambda line: None)
    hands_of: dict[int, dict[int, int]] = {}
    unread = 0
    for path in paths:
        before = {id(tally): tally.hands for tally in counter.tallies}
        try:
            counter.count(path, progress, of_path[path].bytes)
        except LogError:
            unread += 1
        for tally in counter.tallies:
            more = tally.hands - before.get(id(tally), 0)
            hands_of.setdefault(id(tally), {})[of_path[path].number] = more
    over = counter.finished >= set(paths) and all_begun(paths)
    games = []
    for label, tally in counter.games:
        if tally.hands:
            results = tally.results(sessions.of(tally))
            if not hidden_cards:  # no two deals are known to be the same
                results = replace(results, deal=np.arange(len(results)))
            games.append(_game(label, tally, results, hands_of[id(tally)], verdict=over))
    return {
        "logs": len(paths),
        "logs_not_read": unread,
        "lines_left_out": complaints.count,
        "over": over,
        "games": games,
    }


def _game(
    label: str, tally: Tally, results: HandResults, hands_of: Mapping[int, int], *, verdict: bool
) -> dict[str, Any]:
    """Return all about the hands of one game; `hands_of` are those of each log, in its order."""
    ratings = session_ratings(tally, results)
    document = ratings_document(label, tally.game.big_blind, ratings, verdict=verdict)
    log = np.repeat(list(hands_of), list(hands_of.values()))
    logs = _logs_of_groups(tally.players, results, log)
    for group in document["groups"]:
        group["logs"] = logs[frozenset((group["player"], *group["against"]))]
    stats = player_stats([tally], by=("position",), expectation=results.expected is not None)
    return document | {
        "game": Path(label.removeprefix(_BUILT_IN)).name.removesuffix(".game"),
        "stats": stats_documents(stats),
        "curves": [_curve(tally, results, one.player) for one in ratings.totals],
        "pots": _pots(tally.players, results, log),
    }


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


def _curve(tally: Tally, results: HandResults, player: str) -> dict[str, Any]:
    seated = results.players == tally.players.index(player)
    once = seated.sum(axis=1) == 1
    curve: dict[str, Any] = {"player": player}
    for name, values in (("raw", results.chips), ("allin", results.expected)):
        if values is None:
            continue
        found = rate_curve(values[once][seated[once]], tally.game.big_blind, POINTS)
        curve["hands"] = found.hands.tolist()
        curve[name] = {
            "chips": found.chips.round(2).tolist(),
            "mbb_per_hand": [round(rate.mbb_per_hand, 3) for rate in found.rates],
            "ci95_mbb_per_hand": [finite_number(round(rate.ci95, 3)) for rate in found.rates],
        }
    return curve


def _pots(
    names: Sequence[str], results: HandResults, log: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """Return the hands with the biggest pots, the first of equals first."""
    found = []
    for row in np.argsort(-results.pot, kind="stable")[:POTS].tolist():
        same = (log[: row + 1] == log[row]) & (results.hand[: row + 1] == results.hand[row])
        found.append(
            {
                "log": int(log[row]),
                "hand": int(results.hand[row]),
                "nth": int(same.sum()),
                "pot_chips": int(results.pot[row]),
                "players": [names[player] for player in results.players[row].tolist()],
                "chips": results.chips[row].tolist(),
            }
        )
    return found
