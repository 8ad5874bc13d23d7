"""A hand as plain data, between the format it came from and the one it goes to.

What every format has to say, the log's record and the game say: betting, cards, chips, names.
What some formats have besides, such as the table, seats, the currency or comments, stands in
`fields` under the names of the standard of poker hand histories (Kim, "Recording and Describing
Poker Hands", 2024), names of nobody's standard with an underscore before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

from engine.errors import UnusableHistory
from engine.handlogs.reading import hand_check
from engine.handlogs.reading.hand_check import check_hand, game_of_hand
from protocol.errors import GameDefError

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.rules.state import HandState
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord, Header
    from protocol.matchstate import CardsShown


@dataclass(frozen=True, slots=True)
class HandHistory:
    """One finished hand; positions and streets are 0-based."""

    game: GameDef
    """With the stacks and the blinds of this hand."""
    record: HandRecord
    """Without stakes.  The values are those of the file, whatever the betting says."""
    state: HandState
    """The finished betting, and in its history the way there."""
    cards: CardsShown
    """Hole cards per position, () where they are not known, and the board."""
    line: int
    """Where it begins in its file, 1-based."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """What the record does not say; values are those of TOML, reals are `Decimal`."""
    scale: int = 1
    """Chips for one unit of the file's money: 100 where it counts dollars and cents."""
    notes: tuple[str, ...] = ()
    """What a reader of the file should know of it, a sentence each."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A hand that could not be read."""

    line: int
    """Where it begins in its file, 1-based."""
    reason: str
    ending: str = ""
    """How the hand ended, as far as the file tells; see `engine.histories.hand_endings`."""


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """What a file does not say by itself."""

    game_of: Callable[[Header | None, HandRecord], GameDef] | None = None
    """For logs: the game of a hand behind a header; None: none is known."""


class HistoryReader(Protocol):
    """Reads a format."""

    def __call__(
        self, lines: Iterable[str], settings: ReadSettings
    ) -> Iterator[HandHistory | LeftOut]:
        """Yield the hands of a file in order.

        Args:
            lines: with their ends; bytes that are not UTF-8 are surrogates.
            settings: what else is known.
        """


class HistoryWriter(Protocol):
    """Writes one file of a format."""

    def add(self, hand: HandHistory) -> str:
        """Return what is to be written for the next hand.

        Raises:
            UnusableHistory: the format cannot carry it; nothing of it is written.
        """

    def end(self) -> str:
        """Return what is to be written behind the last hand."""


def settled_hand(
    game: GameDef, record: HandRecord, line: int, fields: Mapping[str, Any], scale: int = 1
) -> HandHistory:
    """Return a hand after its betting, cards and payoffs were checked.

    Payoffs that contradict the betting stand, with a note.

    Args:
        game: that of the file; the record's stakes hold where it has them.
        record: as the file has it.
        line: where it begins.
        fields: what else the file says.
        scale: chips for one unit of the file's money.

    Raises:
        UnusableHistory: betting or cards are wrong.
    """
    try:
        game = game_of_hand(game, record)
    except GameDefError as error:
        raise UnusableHistory(str(error)) from error
    if record.stakes is not None:
        record = replace(record, stakes=None)
    report = check_hand(game, record, hidden=True)
    state, cards = report.state, report.cards
    if state is None or cards is None or set(report.kinds) - {hand_check.VALUES}:
        raise UnusableHistory(report.faults[0])
    note = f"the payoffs of the file count: {'; '.join(report.faults)}"
    notes = (note,) if report.faults else ()
    return HandHistory(game, record, state, cards, line, fields, scale, notes)


def decimal_text(value: Decimal) -> str:
    """Return a number in digits, without zeros behind and never "-0"."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
