"""All finished hands of a match, and what each was worth to each bot by each estimator.

N hands, B bots, D deals (runs times hands of a leg), S seatings of each deal:

    values   name -> (N, B) float64  chips by bot; "raw", and "allin" where it was computed
    deal     (N,) int64              number of the deal, run after run
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dealer.results.leg_log import LegLog
from engine.estimates.agreement import EstimatorPair, comparisons
from engine.estimates.estimators import (
    DUPLICATE_SET,
    Estimate,
    HandValues,
    SampleUnits,
    estimates,
    with_sets,
)
from engine.rules.pots import hand_bounds
from protocol.gamedef import GameDef


@dataclass(frozen=True, slots=True, eq=False)
class PlayedHands:
    """See the head of this file."""

    values: Mapping[str, NDArray[np.float64]]
    deal: NDArray[np.int64]
    deals: int
    """D."""
    seatings: int
    """S; 1 where deals are played in one seating only."""
    big_blind: int
    """Chips."""
    bounds: tuple[float, float]
    """See `engine.rules.pots.hand_bounds`."""

    def estimates(self, bot: int) -> tuple[Estimate, ...]:
        """Return the win rates of one bot by every estimator."""
        table = self._hand_values(bot)
        return estimates(self._in_sets(table), self.big_blind, self.bounds)

    def comparisons(self, bot: int, labels: Sequence[str]) -> list[EstimatorPair]:
        """Return each two estimators of one bot compared; probabilities not yet adjusted."""
        others = [label for other, label in enumerate(labels) if other != bot]
        return comparisons(
            self._hand_values(bot),
            self.big_blind,
            labels[bot],
            ", ".join(others),
            self.deal if self.seatings > 1 else None,
        )

    @property
    def sets(self) -> int:
        """Deals that were played in every seating."""
        return int((np.bincount(self.deal, minlength=self.deals) == self.seatings).sum())

    def set_means(self, name: str, bot: int) -> NDArray[np.float64]:
        """Return (D,) chips per hand of one bot in each deal, nan where a seating is missing."""
        played = np.bincount(self.deal, minlength=self.deals)
        sums = np.bincount(self.deal, self.values[name][:, bot], self.deals)
        return np.where(played == self.seatings, sums / self.seatings, np.nan)

    def _hand_values(self, bot: int) -> list[HandValues]:
        return [HandValues(name, chips[:, bot]) for name, chips in self.values.items()]

    def _in_sets(self, table: list[HandValues]) -> list[HandValues]:
        if self.seatings == 1:
            return table
        played = np.bincount(self.deal, minlength=self.deals)
        unit = np.where((played == self.seatings)[self.deal], self.deal, -1)
        share = np.full(len(unit), 1.0 / self.seatings)
        return with_sets(table, SampleUnits(DUPLICATE_SET, unit, share, whole=True))


def played_hands(
    logs: Sequence[LegLog],
    values: Mapping[str, Sequence[NDArray[np.float64]]],
    seatings: int,
    game: GameDef,
) -> PlayedHands:
    """Return the finished hands of all legs.

    Args:
        logs: of all legs, run by run, as far as they are read.
        values: estimator -> chips of each leg (H, B).
        seatings: legs of a run.
    """
    hands = len(logs[0].played)
    deal = [leg // seatings * hands + np.flatnonzero(log.played) for leg, log in enumerate(logs)]
    return PlayedHands(
        {
            name: np.concatenate([chips[log.played] for chips, log in zip(own, logs, strict=True)])
            for name, own in values.items()
        },
        np.concatenate(deal),
        hands * (len(logs) // seatings),
        seatings,
        game.big_blind,
        hand_bounds(game),
    )
