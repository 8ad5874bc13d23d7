"""Hands of logs -> decisions.

A log may show all hole cards, those that were folded as well.  They go into strengths only, never
into contexts.  Players keep their counters from hand to hand and from log to log, by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from agents.statistical.counting.habits import habits_of_cell
from agents.statistical.counting.situations import ACTIONS, CELLS, actions_of
from agents.statistical.learning.dataset import (
    DTYPE_OF_COLUMN,
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


class _Row(NamedTuple):
    """A decision without its strength, as `DecisionTable` has it, and the cards."""

    contexts: NDArray[np.float32]
    actions: int
    cells: int
    shown: bool
    raises: float
    stacks: float
    hands: int
    players: int
    hole: tuple[int, ...]
    """() where it is unknown."""
    board: tuple[int, ...]


def collect_decisions(
    hands: Iterable[PlayedHand], progress: Progress | None = None, *, strengths: bool = True
) -> DecisionTable:
    """Return the decisions of some hands, and find the strengths of those that are known.

    Args:
        hands: in the order in which they were played.
        strengths: False leaves them out, nan, which is many times as fast.
    """
    counts: dict[str, NDArray[np.int64]] = {}
    places: dict[str, int] = {}
    rows: list[_Row] = []
    for number, hand in enumerate(hands):
        for action in actions_of(hand.state, hand.cards.board):
            situation, position = action.situation, action.actor
            name = hand.record.names[position]
            cells = counts.setdefault(name, np.zeros((CELLS, ACTIONS), np.int64))
            rows.append(
                _Row(
                    contexts=context_of(situation, habits_of_cell(cells, action.cell)),
                    actions=action.kind,
                    cells=action.cell,
                    shown=hand.state.showdown and not hand.state.folded[position],
                    raises=action.raised,
                    stacks=action.stack,
                    hands=number,
                    players=places.setdefault(name, len(places)),
                    hole=hand.cards.holes[position],
                    board=situation.board,
                )
            )
            cells[action.cell, action.kind] += 1
    columns: dict[str, Any] = {
        name: np.array([getattr(row, name) for row in rows], dtype)
        for name, dtype in DTYPE_OF_COLUMN.items()
        if name != "strengths"
    }
    columns["contexts"] = columns["contexts"].reshape(len(rows), FEATURE_COUNT)
    strength_column = (
        _strengths(rows, progress) if strengths else np.full(len(rows), np.nan, np.float32)
    )
    return DecisionTable(**columns, strengths=strength_column, names=tuple(places))


def _strengths(rows: Sequence[_Row], progress: Progress | None) -> NDArray[np.float32]:
    """Return (N,) the strengths of the actors' hands, nan for those that are not known."""
    reader = StrengthReader()
    strengths = np.full(len(rows), np.nan, np.float32)
    for number, row in enumerate(rows):
        if progress is not None and number % _HANDS_PER_REPORT == 0:
            progress("hand strengths", number / len(rows))
        if row.hole:
            strengths[number] = reader.read(row.board)[combo_of(*row.hole)]
    return strengths


def read_logs(
    logs: Sequence[Path], game: GameDef | None = None, progress: Progress | None = None
) -> DecisionTable:
    """Return the decisions of some logs.

    Args:
        game: of all of them; None: each log's header names a built-in game.

    Raises:
        TrainingError: a log cannot be read, its game is unknown or no hold'em, or a hand breaks
            the rules; the message says where.
    """
    hands = (hand for _, hand in read_hands(logs, game, progress=progress))
    return collect_decisions(hands, progress)


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
        cached = load_decisions(cache, source)
        if cached is not None:
            return cached
    made = read_logs(logs, game, progress)
    save_decisions(cache, made, source)
    return made
