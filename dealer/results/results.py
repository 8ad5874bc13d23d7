"""From the logs of a match to its result: win rates by several estimators on the same hands.

raw          the chips as paid, hand by hand
sets         duplicate sets: the mean over the seatings of each deal
allin        as raw, with all-in expectation in the place of run-out luck
allin_sets   both
aivat        as raw, corrected for the luck that can be computed
aivat_sets   the same in duplicate sets

Another estimator is another entry of the values in `MatchLogs.played`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dealer.legs.manifest import Manifest
from dealer.legs.sit_in import SIT_IN_NAME
from dealer.ratings.titles import prefers_sets
from dealer.results.aivat_files import LegEstimates
from dealer.results.leg_log import LegLog
from dealer.results.played_hands import PlayedHands, played_hands
from dealer.results.seat_result import SeatLog, SeatResult
from engine.console.quantities import UNKNOWN, interval
from engine.estimates.agreement import EstimatorPair, adjusted
from engine.estimates.estimators import AIVAT, ALLIN, RAW, Estimate
from engine.estimates.winrate import WinRate, win_rate_from_sums
from protocol.gamedef import GameDef

Chips = Sequence[NDArray[np.float64]]
"""Of each leg, (H, B)."""


@dataclass(frozen=True, slots=True)
class BotResult:
    """What one bot won."""

    label: str
    chips: float
    """Chips won as paid, over all hands."""
    estimates: tuple[Estimate, ...]
    """Estimators that do not apply are left out."""

    @property
    def rates(self) -> dict[str, WinRate]:
        """Win rate by estimator."""
        return {one.name: one.rate for one in self.estimates}


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What was played and who won it."""

    bots: tuple[BotResult, ...]
    hands: int
    """Hands played, all legs together."""
    hands_planned: int
    sets: int
    """Deals played in every seating; 0 outside duplicate."""
    run_outs: int
    """Hands that all-in expectation changes."""
    big_blind: int
    """Chips."""
    comparisons: tuple[EstimatorPair, ...] = ()
    """Estimators compared on the same hands: do they agree?"""
    fixed: bool = True
    """Whether the number of hands was fixed beforehand."""
    sit_in: SeatResult | None = None
    """Beside the player of the log for whom the first bot sits in, if it does."""

    @property
    def players(self) -> list[tuple[str, dict[str, WinRate]]]:
        """Label and win rates of each bot, for the verdict."""
        return [(bot.label, bot.rates) for bot in self.bots]


class _RunningSets:
    """The duplicate sets of one run, counted as they become complete."""

    def __init__(self, logs: Sequence[LegLog]) -> None:
        self.count = 0
        """Deals that were played in every seating, up to the first that was not."""
        self.total = np.zeros_like(logs[0].total)
        """(B,) sum over sets of the mean chips per hand."""
        self.squares = np.zeros_like(self.total)
        """(B,) the same of its square."""
        self._logs = logs

    @property
    def complete(self) -> bool:
        """Whether there is no more to come."""
        return self.count == len(self._logs[0].played)

    def chips(
        self, bot: int, first: int, expected: Callable[[Sequence[LegLog], range], Chips] | None
    ) -> NDArray[np.float64]:
        """Return what a bot won per hand in those counted, from number `first` on."""
        new = range(first, self.count)
        legs = [log.chips for log in self._logs] if expected is None else expected(self._logs, new)
        chips: NDArray[np.float64] = np.mean([leg[first : self.count, bot] for leg in legs], axis=0)
        return chips

    def count_new(self) -> None:
        """Count what has become complete since the last call."""
        new = slice(self.count, max(self.count, min(log.hands for log in self._logs)))
        complete = np.all([log.played[new] for log in self._logs], axis=0)
        whole = complete.size if complete.all() else int(np.argmin(complete))
        new = slice(self.count, self.count + whole)
        chips = np.mean([log.chips[new] for log in self._logs], axis=0)
        self.total += chips.sum(axis=0)
        self.squares += np.square(chips).sum(axis=0)
        self.count += whole


class MatchLogs:
    """The logs of all legs of a match."""

    def __init__(self, manifest: Manifest, game: GameDef, folder: Path) -> None:
        self.game = game
        self.labels = manifest.labels
        self.seatings = len(manifest.bots) if manifest.duplicate else 1
        self.hands_planned = 0
        self.logs: list[LegLog] = []
        self.folder = folder
        self.game_file = folder / manifest.game_name
        self._sets: list[_RunningSets] = []
        self.seat: SeatLog | None = None
        """The log in which the first bot sits in, if it does."""
        if manifest.sit_in is not None and manifest.deals is not None:
            self.seat = SeatLog(
                folder / SIT_IN_NAME, manifest.sit_in, game.players, manifest.deals.count
            )
        self.extend(manifest)

    def extend(self, manifest: Manifest) -> None:
        """Take up the legs of the same match with more runs."""
        self.manifest = manifest
        self.legs = manifest.legs()
        self.hands_planned = manifest.hands * len(self.legs)
        self.logs += [
            LegLog(self.folder / f"{leg.name}.log", manifest.labels, manifest.hands)
            for leg in self.legs[len(self.logs) :]
        ]
        if self.seatings > 1:
            self._sets += [_RunningSets(run) for run in self._by_run()[len(self._sets) :]]

    @property
    def hands(self) -> int:
        """Hands read so far."""
        return sum(log.hands for log in self.logs)

    @property
    def run_outs(self) -> int:
        """Hands read so far whose betting closed before the last street."""
        return sum(len(log.run_outs) for log in self.logs)

    def read_new(self) -> int:
        """Read what the dealers have added; return how many hands.  Raises MatchError."""
        hands = sum(log.read_new() for log in self.logs)
        for sets in self._sets:
            sets.count_new()
        return hands

    def running_rate(self, bot: int) -> WinRate:
        """Return the raw win rate of one bot over the hands read so far; cheap."""
        return self._running(self.logs, self.hands, bot, 1)

    def running_sets(self, bot: int) -> WinRate:
        """Return its win rate over the duplicate sets read so far; cheap.

        Deals count in their order, so those after one that is missing count later.
        """
        sets = self._sets
        return self._running(sets, sum(one.count for one in sets), bot, self.seatings)

    def sets_in_order(self, bot: int, first: int, estimator: str = RAW) -> NDArray[np.float64]:
        """Return what a bot won per hand in the duplicate sets read so far, chips.

        They stand in the order of runs and deals, however the runs were played, and end before the
        first that is missing.

        Args:
            bot: its number.
            first: sets to leave out.
            estimator: "raw", or "allin".

        Raises:
            MatchError: a line cannot be read again.
        """
        expected = self._expected if estimator == ALLIN else None
        found = [np.zeros(0)]
        for sets in self._sets:
            if first < sets.count:
                found.append(sets.chips(bot, first, expected))
            first = max(first - sets.count, 0)
            if not sets.complete:
                break
        return np.concatenate(found)

    def _expected(self, legs: Sequence[LegLog], hands: range) -> Chips:
        from dealer.results.run_outs import expected_chips

        return expected_chips(self.game, legs, lambda done: None, hands)

    def standing(self) -> str:
        """Return the win rate of the first bot, in duplicate sets once they are most hands."""
        rate, sets = self.running_rate(0), self.running_sets(0)
        chosen = sets if prefers_sets(sets, rate) else rate
        told = interval(chosen.mbb_per_hand, chosen.ci95) if chosen.samples else UNKNOWN
        return f"{self.labels[0]} {told} mbb/h" + " in sets" * (chosen is sets)

    def _running(
        self, sums: Sequence[LegLog] | Sequence[_RunningSets], count: int, bot: int, hands: int
    ) -> WinRate:
        return win_rate_from_sums(
            count,
            float(sum(one.total[bot] for one in sums)),
            float(sum(one.squares[bot] for one in sums)),
            self.game.big_blind,
            hands_per_sample=hands,
        )

    def result(
        self,
        progress: Callable[[int], None] | None = None,
        aivat: Sequence[NDArray[np.float64]] | None = None,
        seat_aivat: LegEstimates | None = None,
    ) -> MatchResult:
        """Return the result over the hands read so far.

        Args:
            progress: told how many more run-outs have been looked at; None leaves all-in
                expectation out.
            aivat: estimates of each leg, (H, B) chips; None leaves them out.
            seat_aivat: estimates of the log in which the first bot sits in, likewise.

        Raises:
            MatchError: a log cannot be read.
        """
        played = self.played(progress, aivat)
        bots = tuple(
            BotResult(label, float(sum(log.total[bot] for log in self.logs)), played.estimates(bot))
            for bot, label in enumerate(self.labels)
        )
        others = range(1 if len(self.labels) == 2 else len(self.labels))  # of two, one is enough
        return MatchResult(
            bots=bots,
            hands=self.hands,
            hands_planned=self.hands_planned,
            sets=bots[0].rates["sets"].samples if self.seatings > 1 else 0,
            run_outs=self.run_outs,
            big_blind=self.game.big_blind,
            comparisons=tuple(
                adjusted(one for bot in others for one in played.comparisons(bot, self.labels))
            ),
            sit_in=None
            if self.seat is None
            else self.seat.result(self.game, self.labels[0], played, seat_aivat),
        )

    def played(
        self,
        progress: Callable[[int], None] | None = None,
        aivat: Sequence[NDArray[np.float64]] | None = None,
    ) -> PlayedHands:
        """Return the hands read so far with their values.

        Raises:
            MatchError: a log cannot be read.
        """
        values: dict[str, Sequence[NDArray[np.float64]]] = {RAW: [log.chips for log in self.logs]}
        if progress is not None:
            from dealer.results.run_outs import expected_chips

            legs = (expected_chips(self.game, run, progress) for run in self._by_run())
            values[ALLIN] = [chips for run in legs for chips in run]
        if aivat is not None:
            values[AIVAT] = aivat
        return played_hands(self.logs, values, self.seatings, self.game)

    def _by_run(self) -> list[list[LegLog]]:
        starts = range(0, len(self.logs), self.seatings)
        return [self.logs[start : start + self.seatings] for start in starts]
