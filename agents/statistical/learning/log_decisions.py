"""Hands of logs -> decisions.

A log may show all hole cards, those that were folded as well.  They go into strengths only, never
into contexts.  Players keep their counters from hand to hand and from log to log, by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from agents.statistical.counting.habits import habits_of
from agents.statistical.counting.situations import ACTIONS, CELLS, actions_of
from agents.statistical.learning.dataset import (
    COLUMNS,
    DecisionTable,
    load_decisions,
    save_decisions,
)
from agents.statistical.predicting.contexts import FEATURE_COUNT, context_of
from agents.training.logs import PlayedHand, Progress, read_hands, source_of
from engine.equity.strength import StrengthReader
from engine.hands.cards import combo_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

_HANDS_PER_REPORT: Final = 1000


class DecisionReader:
    """Collects the decisions of hands."""

    def __init__(self) -> None:
        """Start with nobody known."""
        self.hands = 0
        self._counts: dict[str, NDArray[np.int64]] = {}
        self._contexts: list[NDArray[np.float32]] = []
        self._rows: list[_Row] = []

    def add(self, hand: PlayedHand) -> None:
        """Take the decisions of one hand."""
        for action in actions_of(hand.state, hand.cards.board):
            situation, position = action.situation, action.actor
            name = hand.record.names[position]
            counts = self._counts.setdefault(name, np.zeros((CELLS, ACTIONS), np.int64))
            self._contexts.append(context_of(situation, habits_of(counts, action.cell)))
            counts[action.cell, action.kind] += 1
            self._rows.append(
                _Row(
                    actions=action.kind,
                    cells=action.cell,
                    raises=action.raised,
                    stacks=action.stack,
                    shown=hand.state.showdown and not hand.state.folded[position],
                    hands=self.hands,
                    name=name,
                    hole=hand.cards.holes[position],
                    board=situation.board,
                )
            )
        self.hands += 1

    def decisions(self, progress: Progress | None = None) -> DecisionTable:
        """Return all that was read, and find the strengths of the hands that are known."""
        rows, places = self._rows, {name: place for place, name in enumerate(self._counts)}
        contexts = np.zeros((len(rows), FEATURE_COUNT), np.float32)
        if rows:
            np.stack(self._contexts, out=contexts)
        columns = {
            name: np.array([getattr(row, name) for row in rows], COLUMNS[name])
            for name in ("actions", "cells", "raises", "stacks", "shown", "hands")
        }
        return DecisionTable(
            contexts=contexts,
            strengths=_strengths(rows, progress),
            players=np.array([places[row.name] for row in rows], np.int32),
            names=tuple(places),
            **columns,
        )


class _Row(NamedTuple):
    """A decision but for its context; fields are those of `DecisionTable`."""

    actions: int
    cells: int
    raises: float
    stacks: float
    shown: bool
    hands: int
    name: str
    hole: tuple[int, ...]
    """() where it is unknown."""
    board: tuple[int, ...]


def _strengths(rows: Sequence[_Row], progress: Progress | None) -> NDArray[np.float32]:
    """Return (N,) the strengths of the actors' hands, nan for those that are not known."""
    reader = StrengthReader()
    found = np.full(len(rows), np.nan, np.float32)
    for number, row in enumerate(rows):
        if progress is not None and number % _HANDS_PER_REPORT == 0:
            progress("hand strengths", number / len(rows))
        if row.hole:
            found[number] = reader.read(row.board)[combo_of(*row.hole)]
    return found


def read_logs(
    logs: Sequence[Path], game: GameDef | None = None, progress: Progress | None = None
) -> DecisionTable:
    """Return the decisions of some logs.

    Args:
        logs: their files.
        game: of all of them; None: each log's header names a built-in game.
        progress: told how far it is.

    Raises:
        TrainingError: a log cannot be read, its game is unknown or no hold'em, or a hand breaks
            the rules; the message says where.
    """
    reader = DecisionReader()
    for _, hand in read_hands(logs, game, progress=progress):
        reader.add(hand)
    return reader.decisions(progress)


def cached_decisions(
    cache: Path,
    logs: Sequence[Path],
    game: GameDef | None = None,
    progress: Progress | None = None,
) -> DecisionTable:
    """Return the decisions of logs: from the file `cache` if it was made of them, else made anew.

    Raises:
        TrainingError: as for `read_logs`.
        ArtifactMismatch: the file is damaged.
        OSError: it cannot be written.
    """
    source = source_of(logs, game)
    if cache.exists():
        found = load_decisions(cache, source)
        if found is not None:
            return found
    made = read_logs(logs, game, progress)
    save_decisions(cache, made, source)
    return made
