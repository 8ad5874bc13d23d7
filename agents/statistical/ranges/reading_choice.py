"""Which way to read an opponent's actions: the one that foretold best the hands it has shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from agents.statistical.counting.counters import READINGS, OpponentCounters, Way
from agents.statistical.ranges.range_reader import RangeReader, Reading

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agents.statistical.predicting.action_chances import ActionChances
    from agents.statistical.predicting.action_curves import ActionCurves
    from agents.statistical.ranges.range_reader import Deed
    from agents.statistical.ranges.strength import StrengthReader
    from engine.rules.view import PlayerView

MOST_SCORED: Final = 200
"""Shown hands that are read in every way; after them it is settled how this opponent is read."""


class ReadingChoice(NamedTuple):
    """Chooses among `counters.READINGS`."""

    curves: ActionCurves | None
    """Counted from other players, for the way that reads by curves."""
    base: Reading = Reading()
    """What the ways do not say."""

    def reading(self, counters: OpponentCounters) -> Reading:
        """Return how the actions of the opponent with these counters are read."""
        return self._read_as(counters.reading, counters)

    def open(self, counters: OpponentCounters) -> bool:
        """Return whether hands that are shown still have a say."""
        return counters.scored < MOST_SCORED

    def add_scores(
        self,
        counters: OpponentCounters,
        view: PlayerView,
        combo: int,
        chances: ActionChances,
        strengths: StrengthReader,
    ) -> None:
        """Count how likely each way of reading made a hand that was shown.

        Args:
            counters: of the opponent.
            view: the end of the hand, from the other seat.
            combo: what was shown.
            chances: how likely its actions were, by what was known before the hand.
            strengths: of hands on boards.
        """
        scores = []
        for way in READINGS:
            reader = RangeReader(view, strengths, self._read_as(way, counters))
            reader.follow(view, chances)
            scores.append(math.log(reader.weights.belief()[combo]))
        counters.add_scores(scores)

    def _read_as(self, way: Way, counters: OpponentCounters) -> Reading:
        return self.base._replace(
            blur=way.blur,
            shown=counters.shown_ramp if way.by_shown else None,
            curves=self.curves if way.by_curves else None,
        )


def add_shown(
    counters: OpponentCounters,
    view: PlayerView,
    combo: int,
    deeds: Iterable[Deed],
    strengths: StrengthReader,
) -> None:
    """Count the strengths at which a hand that was shown did what it did.

    Args:
        counters: of the opponent.
        view: the end of the hand.
        combo: what was shown.
        deeds: the opponent's, all of the hand.
        strengths: of hands on boards.
    """
    for deed in deeds:
        board = view.board[: view.game.board_seen(deed.street)]
        counters.add_shown(deed.cell, deed.action, float(strengths.read(board)[combo]))
    counters.showdowns += 1
