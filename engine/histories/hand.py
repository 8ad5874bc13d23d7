"""A hand as plain data, between the format it came from and the one it goes to.

What every format has to say is typed: the game with its stacks and blinds, the record of a log
with names and payoffs, the betting, cards.  `posts`, `streets` and their `HandAction`s say the
same as a table would.  What some formats have besides, such as the table, seats, the currency or
comments, stands in `HandFields`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from engine.errors import UnusableHistory
from engine.showdown import hand_check
from engine.showdown.hand_check import check_hand, game_of_hand
from protocol.errors import GameDefError

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.rules.state import HandState
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord, Header
    from protocol.matchstate import CardsShown

HEADS_UP: Final = 2

SHOWDOWN: Final = "ended in a showdown"
LAST_BET: Final = "were won by a last bet"
BEFORE_FLOP: Final = "were won before the flop"
_FEWEST_LEFT_OUT: Final = 2
_LEAST_SHARE_GAP: Final = 0.25


class Move:
    """What a position does on its turn."""

    FOLD: Final = "fold"
    CHECK: Final = "check"
    CALL: Final = "call"
    BET: Final = "bet"
    RAISE: Final = "raise"


class Blind:
    """What a position posts."""

    SMALL: Final = "small blind"
    BIG: Final = "big blind"
    STRADDLE: Final = "straddle"


class Post(NamedTuple):
    """A blind or straddle that a position pays before the cards are dealt."""

    position: int
    kind: str
    """As in `Blind`."""
    chips: int
    all_in: bool


class HandAction(NamedTuple):
    """What a position does on its turn."""

    street: int
    position: int
    kind: str
    """As in `Move`."""
    paid: int
    """Chips that go into the pot."""
    to: int
    """Chips of the position within the street behind it."""
    by: int
    """Chips above those that were to match, 0 where it is neither a bet nor a raise."""
    all_in: bool


class DealtStreet(NamedTuple):
    """A street that was dealt."""

    number: int
    board: tuple[int, ...]
    """Its new cards."""
    actions: list[HandAction]


class HandFields(dict[str, Any]):
    """What a file says of a hand besides its play: values of TOML, in the order of the file.

    The names are those of the standard of poker hand histories (Kim, "Recording and Describing
    Poker Hands", 2024); names of nobody's standard have an underscore before them.  A property is
    None where the file does not say, or says something else than the standard has there.
    """

    __slots__ = ()

    @property
    def number(self) -> int | str | None:
        """Of the hand, where a log cannot have it."""
        value = self.get("hand")
        return value if isinstance(value, str) or type(value) is int else None

    @property
    def table(self) -> str | None:
        """Name of the table."""
        return self._text("table")

    @property
    def currency(self) -> str | None:
        """Code of the money."""
        return self._text("currency")

    @property
    def seat_count(self) -> int | None:
        """Of the table, taken or not."""
        value = self.get("seat_count")
        return value if type(value) is int else None

    @property
    def seats(self) -> tuple[int, ...] | None:
        """By position, 1-based."""
        seats = self.get("seats")
        if isinstance(seats, list) and all(type(seat) is int for seat in seats):
            return tuple(seats)
        return None

    def _text(self, name: str) -> str | None:
        value = self.get(name)
        return value if isinstance(value, str) else None

    def of_format(self, name: str) -> dict[str, Any]:
        """Return what only one format knows."""
        value = self.get(name)
        return value if isinstance(value, dict) else {}


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
    fields: HandFields = field(default_factory=HandFields)
    scale: int = 1
    """Chips for one unit of the file's money: 100 where it counts dollars and cents."""
    notes: tuple[str, ...] = ()
    """What a reader of the file should know of it, a sentence each."""

    @property
    def blind_pair(self) -> tuple[int, ...]:
        """Small and big blind."""
        blinds = self.game.blinds
        return blinds[::-1] if self.game.players == HEADS_UP else blinds[:2]

    def posts(self) -> Iterator[Post]:
        """Yield the blinds in the order of a table, small blind first."""
        game = self.game
        order = list(range(game.players))
        if game.players == HEADS_UP:
            order.reverse()
        big = order[1] if game.blinds[order[1]] else order[0]
        for position in order:
            chips = game.blinds[position]
            if chips:
                kind = Blind.SMALL if position == order[0] else Blind.STRADDLE
                kind = Blind.BIG if position == big else kind
                yield Post(position, kind, chips, chips == game.stacks[position])

    def streets(self) -> list[DealtStreet]:
        """Return the streets that were dealt, with the actions on them."""
        game, board = self.game, self.cards.board
        streets: list[DealtStreet] = []
        end = 0
        for number in range(self.state.street + 1):
            start, end = end, game.board_seen(number)
            streets.append(DealtStreet(number, board[start:end], []))
        base = street = 0
        actions, stacks = streets[0].actions, game.stacks
        for spot, action, after in self.state.steps():
            if street != spot.street:
                street = spot.street
                base = spot.to_match
                actions = streets[street].actions
            actor = spot.actor
            spent = after.spent[actor]
            paid = spent - spot.spent[actor]
            kind, by = Move.FOLD, 0
            if action.kind == "c":
                kind = Move.CALL if paid else Move.CHECK
            elif action.kind == "r":
                kind = Move.BET if spot.to_match == base else Move.RAISE
                by = spent - spot.to_match
            all_in = paid > 0 and spent == stacks[actor]
            actions.append(HandAction(street, actor, kind, paid, spent - base, by, all_in))
        return streets


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A hand that could not be read."""

    line: int
    """Where it begins in its file, 1-based."""
    reason: str
    ending: str = ""
    """`SHOWDOWN`, `LAST_BET` or `BEFORE_FLOP`, "" where the file does not tell."""


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
    game: GameDef, record: HandRecord, line: int, fields: HandFields, scale: int = 1
) -> HandHistory:
    """Return a hand after its betting, cards and payoffs were checked.

    FilePayoffs that contradict the betting stand, with a note.

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


class EndingCounts:
    """Counts how the hands of a file end, those left out against the others.

    A reader that misses one kind of line leaves out one kind of hand, such as all that were won
    by a last bet.  What is counted from the others is then no fair sample of the file.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self._read: Counter[str] = Counter()
        self._unread: Counter[str] = Counter()

    def add(self, hand: HandHistory | LeftOut) -> None:
        """Count a hand."""
        if isinstance(hand, LeftOut):
            self._unread[hand.ending] += bool(hand.ending)
        elif hand.state.showdown:
            self._read[SHOWDOWN] += 1
        else:
            self._read[LAST_BET if hand.state.street else BEFORE_FLOP] += 1

    def counting(self, hands: Iterable[HandHistory | LeftOut]) -> Iterator[HandHistory | LeftOut]:
        """Yield hands, and count them."""
        for hand in hands:
            self.add(hand)
            yield hand

    def bias(self) -> str:
        """Return what hands left out have in common that the others have not, "" for nothing."""
        read, unread = self._read.total(), self._unread.total()
        if not read or unread < _FEWEST_LEFT_OUT:
            return ""
        apart = {
            label: self._unread[label] / unread - self._read[label] / read for label in self._unread
        }
        ending = max(apart, key=apart.__getitem__)
        if apart[ending] < _LEAST_SHARE_GAP:
            return ""
        count = self._unread[ending]
        some = f"all {unread:,}" if count == unread else f"{count:,} of {unread:,}"
        return (
            f"{some} hands left out {ending}, {self._read[ending]:,} of the {read:,} others: "
            "what is counted of these is biased"
        )
