"""The board's ratings, from all rated matches of the store: made anew when a match has ended."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from dealer.hub.documents import best_estimate, known_ci95
from dealer.hub.ratings import (
    FEWEST_OPPONENTS,
    BoardNumber,
    BoardRow,
    GameBoard,
    RatedMatch,
    RatedVersion,
    game_boards,
)
from dealer.hub.store import Store
from dealer.hub.stored_results import stored_result
from engine.estimates.winrate import Z95

if TYPE_CHECKING:
    from pathlib import Path

    from dealer.hub.store import BotVersion, StoredMatch


def rated_matches(records: Iterable[StoredMatch]) -> Iterator[RatedMatch]:
    """Yield what finished rated matches have shown, by the estimate of the shortest interval."""
    for record in records:
        best = best_estimate(stored_result(record)) if record.rated else None
        if best is not None:
            yield RatedMatch(
                record.game,
                (record.first, record.second),
                best["mbb_per_hand"],
                known_ci95(best) / Z95,
                best["samples"],
                best["hands"],
                record.ended or record.started,
            )


def rate_board(folder: Path) -> dict[str, Any]:
    """Return the ratings of each game from the store in a folder.  Raises ServerError."""
    with closing(Store(folder)) as store:
        return rating_documents(store.each_match("finished"), store.versions())


def rating_documents(
    records: Iterable[StoredMatch], versions: Iterable[BotVersion]
) -> dict[str, Any]:
    """Return the ratings of each game as plain values."""
    names = {version.id: version for version in versions}
    rated = [RatedVersion(v.id, v.name, v.account) for v in names.values()]
    boards = game_boards(rated_matches(records), rated, time.time())
    return {game: _board(board, names) for game, board in boards.items()}


def _board(board: GameBoard, versions: Mapping[int, BotVersion]) -> dict[str, Any]:
    return {
        "least_opponents": FEWEST_OPPONENTS,
        "bots": [_row(row, versions[row.version]) for row in board.rows],
        "cycles": [[versions[number].name for number in cycle] for cycle in board.cycles],
    }


def _row(row: BoardRow, version: BotVersion) -> dict[str, Any]:
    return {
        "bot": version.name,
        "version": version.label,
        "digest": version.digest,
        "strength": _number(row.strength),
        "winnings": _number(row.winnings),
        "fitted": _number(row.fitted),
        "opponents": row.opponents,
        "hands": row.hands,
        "age_seconds": row.age,
    }


def _number(number: BoardNumber | None) -> dict[str, Any] | None:
    if number is None:
        return None
    return {
        "mbb_per_hand": number.mbb_per_hand,
        "ci95_mbb_per_hand": [_finite(number.low), _finite(number.high)],
        "place": number.place,
        "places": number.places,
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
