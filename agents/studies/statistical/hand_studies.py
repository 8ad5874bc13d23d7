"""What studies of logged hands have in common: hands are read in pieces, by several processes.

A study takes hands one by one; those of pieces are added up in the order of the log, so that the
result does not depend on the number of processes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self, TypeVar

from agents.errors import TrainingError
from agents.training.logs import LoggedHands, hand_of_line
from engine.parallel.processes import in_order
from engine.showdown.evaluator import strength

if TYPE_CHECKING:
    from agents.training.logs import PlayedHand
    from engine.equity.strength import StrengthReader
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord

PLAYERS: Final = 2
PIECE: Final = 500
"""Hands that are read at a time."""


class HandStudy(Protocol):
    """Counts something of hands."""

    def take(self, hand: StudiedHand, strengths: StrengthReader) -> None:
        """Count a hand."""

    def add(self, other: Self) -> None:
        """Count what another one has counted of the hands that follow."""


class StudiedHand(NamedTuple):
    """A hand of a log for two, and how it ended."""

    hand: PlayedHand
    shares: tuple[float, float]
    """Of the pot, 0, 1/2 or 1, by position."""
    mbb: tuple[float, float]
    """What each position won by the log, thousandths of a big blind."""


_Study = TypeVar("_Study", bound=HandStudy)


def study_hands(study: type[_Study], logged: LoggedHands, jobs: int = 1) -> Iterator[_Study]:
    """Yield the study of each piece of the hands, in their order.

    Args:
        study: a new one for each piece.
        logged: hands of hold'em for two.

    Raises:
        TrainingError: a showdown hides a hand; the message says where.
    """
    pieces = [
        (logged.hands[first : first + PIECE], logged.places[first : first + PIECE])
        for first in range(0, len(logged.hands), PIECE)
    ]
    yield from in_order(_PieceReader, (study, logged.game), pieces, min(jobs, len(pieces)))


class _PieceReader:
    """Reads pieces in one process."""

    def __init__(self, study: type[Any], game: GameDef) -> None:
        from engine.equity.strength import StrengthReader

        self._study = study
        self._game = game
        self._strengths = StrengthReader()

    def __call__(self, piece: tuple[list[HandRecord], list[str]]) -> Any:
        made = self._study()
        for record, place in zip(*piece, strict=True):
            made.take(studied(hand_of_line(self._game, record), place), self._strengths)
        return made


def studied(hand: PlayedHand, place: str = "") -> StudiedHand:
    """Return a hand with how it ended.

    Raises:
        TrainingError: a showdown hides a hand, or what was won is no number; the message begins
            with `place`.
    """
    state, (holes, board) = hand.state, (hand.cards.holes, hand.cards.board)
    one, other = (float(not folded) for folded in state.folded)
    if state.showdown:
        if not all(holes):
            raise TrainingError(f"{place}: a showdown hides a hand")
        first, second = (strength((*hole, *board)) for hole in holes)
        one = (float(first > second) + float(first >= second)) / 2
        other = 1 - one
    try:
        won = tuple(1000 * float(value) / state.game.big_blind for value in hand.record.values)
    except ValueError as error:
        raise TrainingError(f"{place}: {error}") from error
    return StudiedHand(hand, (one, other), (won[0], won[1]))
