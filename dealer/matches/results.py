"""From the logs of a match to its result: win rates by several estimators on the same hands.

raw          the chips as paid, hand by hand
sets         duplicate sets: the mean over the seatings of each deal
allin        as raw, with all-in expectation in the place of run-out luck
allin_sets   both
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dealer.matches.leg_log import LegLog
from dealer.matches.manifest import Manifest
from engine.estimates.winrate import (
    WinRate,
    duplicate_sets,
    win_rate,
    win_rate_from_sums,
)
from protocol.gamedef import GameDef

ESTIMATORS: Final = ("raw", "sets", "allin", "allin_sets")


@dataclass(frozen=True, slots=True)
class BotResult:
    """What one bot won."""

    label: str
    chips: float
    """Chips won as paid, over all hands."""
    rates: tuple[tuple[str, WinRate], ...]
    """(estimator, win rate); estimators that do not apply are left out."""


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


class MatchLogs:
    """The logs of all legs of a match."""

    def __init__(self, manifest: Manifest, game: GameDef, folder: Path) -> None:
        self.game = game
        self.labels = manifest.labels
        self.seatings = len(manifest.bots) if manifest.duplicate else 1
        legs = manifest.legs()
        self.hands_planned = manifest.hands * len(legs)
        self.logs = [
            LegLog(folder / f"{leg.name}.log", manifest.labels, manifest.hands) for leg in legs
        ]
        self._runs = [leg.run for leg in legs]

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
        return sum(log.read_new() for log in self.logs)

    def running_rate(self, bot: int) -> WinRate:
        """Return the raw win rate of one bot over the hands read so far; cheap."""
        return win_rate_from_sums(
            self.hands,
            float(sum(log.total[bot] for log in self.logs)),
            float(sum(log.squares[bot] for log in self.logs)),
            self.game.big_blind,
        )

    def result(self, progress: Callable[[int], None] | None = None) -> MatchResult:
        """Return the result over the hands read so far.

        Args:
            progress: told how many more run-outs have been looked at; None leaves all-in
                expectation out.

        Raises:
            MatchError: a log cannot be read.
        """
        estimates: dict[str, list[list[NDArray[np.float64]]]] = {
            "raw": [[log.chips for log in run] for run in self._by_run()]
        }
        if progress is not None:
            from dealer.matches.run_outs import expected_chips

            estimates["allin"] = [
                expected_chips(self.game, run, progress) for run in self._by_run()
            ]
        rates: list[dict[str, WinRate]] = [{} for _ in self.labels]
        for name, runs in estimates.items():
            for bot, rate in enumerate(rates):
                rate[name] = self._hand_by_hand(runs, bot)
                if self.seatings > 1:
                    rate[name.replace("raw", "sets").replace("allin", "allin_sets")] = (
                        self._set_by_set(runs, bot)
                    )
        bots = tuple(
            BotResult(
                label,
                float(sum(log.total[bot] for log in self.logs)),
                tuple((name, rates[bot][name]) for name in ESTIMATORS if name in rates[bot]),
            )
            for bot, label in enumerate(self.labels)
        )
        return MatchResult(
            bots=bots,
            hands=self.hands,
            hands_planned=self.hands_planned,
            sets=rates[0]["sets"].samples if self.seatings > 1 else 0,
            run_outs=self.run_outs,
            big_blind=self.game.big_blind,
        )

    def _by_run(self) -> list[list[LegLog]]:
        pairs = zip(self._runs, self.logs, strict=True)
        return [[log for _, log in group] for _, group in groupby(pairs, key=lambda pair: pair[0])]

    def _hand_by_hand(self, runs: Sequence[Sequence[NDArray[np.float64]]], bot: int) -> WinRate:
        played = [
            chips[log.played, bot]
            for run, logs in zip(runs, self._by_run(), strict=True)
            for chips, log in zip(run, logs, strict=True)
        ]
        return win_rate(np.concatenate(played), self.game.big_blind)

    def _set_by_set(self, runs: Sequence[Sequence[NDArray[np.float64]]], bot: int) -> WinRate:
        sets = [
            duplicate_sets(
                np.stack([chips[:, bot] for chips in run]),
                np.stack([log.played for log in logs]),
            )
            for run, logs in zip(runs, self._by_run(), strict=True)
        ]
        return win_rate(np.concatenate(sets), self.game.big_blind, hands_per_sample=self.seatings)
