"""AIVAT of a match while it is played, and of the hands that are left after it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dealer.errors import MatchError
from dealer.legs.manifest import Manifest
from dealer.legs.sit_in import SIT_IN_AIVAT_NAME
from dealer.ratings.aivat_options import words_for
from dealer.results.aivat_files import LegEstimates, MatchEstimates
from dealer.results.aivat_program import AivatFollower, estimate_beside
from dealer.results.results import MatchLogs
from engine.console.quantities import interval
from engine.estimates.winrate import win_rate_from_sums


class LiveAivat:
    """Estimates the hands of a match while it is played, and those that are left after it."""

    def __init__(
        self, manifest: Manifest, logs: MatchLogs, folder: Path, words: Sequence[str]
    ) -> None:
        self._logs = logs
        self._words = words
        self._game = folder / manifest.game_name
        self._what = [folder], self._game, words
        self._estimates = MatchEstimates(logs.logs)
        self._follower: AivatFollower | None = None

    def start(self) -> None:
        """Begin to follow the logs."""
        self._follower = AivatFollower(*self._what)

    def stop(self) -> None:
        """Let the program write what it has begun, and end."""
        follower, self._follower = self._follower, None
        if follower is not None:
            follower.stop()

    def standing(self) -> str:
        """Return the win rate of the first bot over the hands estimated so far, in words.

        Where the program has ended by itself, or its files cannot be read, why.
        """
        if self._follower is not None and (trouble := self._follower.trouble()):
            return trouble
        try:
            self._estimates.read_new()
        except MatchError as error:
            return str(error)
        chips = [one[~np.isnan(one[:, 0]), 0] for one in self._estimates.chips]
        count = sum(map(len, chips))
        if not count:
            return "AIVAT: no hand yet"
        total, squares = sum(one.sum() for one in chips), sum(one @ one for one in chips)
        rate = win_rate_from_sums(count, total, squares, self._logs.game.big_blind)
        return f"AIVAT {interval(rate.mbb_per_hand, rate.ci95)} of {count:,}"

    def estimates(self, jobs: int, *, shown: bool) -> list[NDArray[np.float64]] | None:
        """Estimate the hands that are left, and return the estimates of each leg, (H, B) chips.

        None where nothing was played.

        Raises:
            MatchError: it cannot; the message says why.
        """
        self.stop()
        if not self._logs.hands:
            return None
        estimate_beside(*self._what, jobs, shown=shown)
        self._estimates.read_all()
        return self._estimates.chips

    def seat_estimates(self, jobs: int, *, shown: bool) -> LegEstimates | None:
        """Estimate the hands of the log in which the first bot sits in, as many as were played.

        None where nobody sits in, or nothing was played.

        Raises:
            MatchError: it cannot, as where the log hides cards; the message says why.
        """
        seat = self._logs.seat
        if seat is None or not self._logs.hands:
            return None
        seat.read_new()
        hands = max(int(np.flatnonzero(log.played).max(initial=-1)) for log in self._logs.logs) + 1
        words = [*words_for(self._words, seat.names), "--most", str(hands)]
        estimate_beside([seat.path], self._game, words, jobs, shown=shown)
        found = LegEstimates(seat)
        found.read_new()
        if np.isnan(found.chips[:hands]).any():
            raise MatchError(f"no AIVAT: {SIT_IN_AIVAT_NAME} is not of these hands")
        return found

    def facts(self) -> dict[str, Any]:
        """Return which value function, and whose strategies were known."""
        return self._estimates.facts
