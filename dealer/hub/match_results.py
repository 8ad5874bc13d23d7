"""What a match between two bots says: every estimator of `arena rate`, of its logs.

It is counted in a process of its own, which stays: compiled counts are loaded once.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from engine.parallel.process_pool import deaf_children

BETTING_ESTIMATORS: Final = ("allin_sets", "sets", "allin", "raw")
"""The first that a match has is chosen, whatever came of it."""
_DIGITS: Final = 6


def rate_match(
    logs: Sequence[str], game: str, first: str, estimates: str | None = None
) -> dict[str, Any]:
    """Return what is known of a match from the view of its first bot.

    Args:
        logs: paths of the legs' logs.
        game: path of the game's definition.
        first: the bot's name in the logs.
        estimates: file of what AIVAT says of the hands, None where there is none.

    Returns:
        "hands", and "estimates": by name of the estimator, see
        `dealer.ratings.rating_documents.estimate_document`; win rates in mbb per hand.  "betting":
        logarithms of the wealths of a betting test, see `engine.estimates.betting`, by the
        estimator that takes the fewest samples of those with bounds.

    Raises:
        LogError: a log cannot be read, or the estimates are of other hands.
    """
    from dealer.logs.log_session import Counting, LogSession
    from dealer.ratings.corrected_hands import read_corrected
    from dealer.ratings.rating_documents import estimates_document
    from dealer.ratings.tally_ratings import tally_ratings
    from engine.handlogs.source.complaints import Complaints
    from engine.handlogs.source.log_games import game_from_argument

    lines: list[str] = []
    what = Counting(game_from_argument(game))
    counted = LogSession([Path(log) for log in logs], what, Complaints(lines.append)).count()
    if not counted.games:
        return {"hands": 0, "estimates": {}}
    ((_, tally, _),) = counted.games
    corrected = None if estimates is None else read_corrected(Path(estimates))
    ratings = tally_ratings(tally, tally.results(), corrected=corrected)
    rating = next(rating for rating in ratings.totals if rating.player == first)
    result = {"hands": ratings.hands, "estimates": estimates_document(rating.estimates)}
    rates = {estimate.name: estimate.rate for estimate in rating.estimates}
    for name in BETTING_ESTIMATORS:
        if name in rates and (wealths := rates[name].wealths) is not None:
            sides = {"ahead": wealths.ahead, "behind": wealths.behind}
            rounded = {side: [round(x, _DIGITS) for x in logs] for side, logs in sides.items()}
            return {**result, "betting": {"estimator": name, **rounded}}
    return result


class CountingProcess:
    """Context manager around the process in which results are counted."""

    def __init__(self) -> None:
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, get_context("spawn"), _leave_with_parent)

    def __enter__(self) -> CountingProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(self, count: Callable[[], dict[str, Any]]) -> Future[dict[str, Any]]:
        """Have something counted; where the process was lost before, by another one.

        It never hears of Ctrl-C, which a terminal sends to all processes at once.
        """
        with deaf_children():
            try:
                return self._pool.submit(count)
            except BrokenProcessPool:
                self._pool.shutdown(wait=False)
                self._pool = self._new_pool()
                return self._pool.submit(count)


def _leave_with_parent() -> None:
    """Have this process end where its parent is gone, however that was: it would wait for ever."""

    def watch() -> None:
        parent = parent_process()
        assert parent is not None
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def digest_of(log: Path) -> str:
    """Return the SHA-256 of a log, as hexadecimal digits."""
    with log.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
