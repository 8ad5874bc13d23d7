"""What spectators see of a match: lines of its log, and the hand that is being played.

The open hand is told as a line of the log without values, cut where the hand stands.  So a page
draws it like any other:

    STATE:17:r300c/r450:|/9c8c2d::ann|bob

Its actions are in the transaction file; its cards come from the seed in the log's header.  Which
hole cards may be seen is decided by `engine.rules.view`, here as for players.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from dealer.server.observers import MatchObserver
from dealer.web.event_channel import EventChannel, LinesEvent
from dealer.web.events import format_event
from engine.errors import EngineError
from engine.rules.dealing import MAX_SEED, Deal, DealStream
from engine.rules.state import HandState
from engine.rules.view import visible_board, visible_holes
from engine.showdown.hand_check import check_hand
from protocol.deals import parse_deals_note
from protocol.errors import ProtocolError
from protocol.handlog import (
    Comment,
    HandRecord,
    Header,
    Score,
    format_log_line,
    parse_log_line,
)
from protocol.matchstate import format_card_text
from protocol.transcript import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dealer.server.endings import MatchEnd
    from dealer.server.observers import (
        AppliedAction,
        HandOver,
        HandStart,
        MatchResumed,
        MatchStart,
    )
    from protocol.gamedef import GameDef
    from protocol.handlog import LogLine

_COMMENT: Final = re.compile(rb"^#.*\n", re.MULTILINE)
"""A whole line; other characters than LF, which end lines elsewhere, end none here."""
_NOBODY: Final = -1
"""A viewer without a seat."""
_MOST_LEFT_OUT: Final = 10**8
"""Hands between two that are looked up: those of no match; they take seconds."""


class SeenCards(Enum):
    """Whose hole cards spectators see."""

    SHOWN = "shown"
    """Those that everybody at the table sees: at a showdown, of players who have not folded."""
    ALL = "all"
    """Everybody's, of the open hand too."""


def shown_line(game: GameDef, line: str, cards: SeenCards) -> str | None:
    """Return a line of a log as spectators see it; None where they may not see it.

    With `SeenCards.SHOWN` a hand that breaks the rules is withheld, since who folded in it is not
    known.  So are comments, and the header: its seed deals all cards.
    """
    if cards is SeenCards.ALL:
        return line
    try:
        record = parse_log_line(line)
    except ProtocolError:
        return None
    if isinstance(record, Score):
        return line
    if not isinstance(record, HandRecord):
        return None
    report = check_hand(game, record)
    if report.faults or report.state is None or report.cards is None:
        return None
    text = _card_text(report.state, Deal(*report.cards), cards)
    return format_log_line(replace(record, cards=text))


def shown_lines(game: GameDef, cards: SeenCards, lines: bytes) -> bytes:
    """Return whole lines of a log as spectators see them; see `shown_line`."""
    if cards is SeenCards.ALL:
        return lines
    texts = lines.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")
    shown = (shown_line(game, text, cards) for text in texts)
    found = "".join(f"{text}\n" for text in shown if text is not None)
    return found.encode("utf-8", "surrogateescape")


def without_comments(lines: bytes) -> bytes:
    """Return whole lines of a log without its header, whose seed deals the hands to come."""
    return _COMMENT.sub(b"", lines)


def _card_text(state: HandState, deal: Deal, cards: SeenCards) -> str:
    holes = deal.holes if cards is SeenCards.ALL else visible_holes(state, deal, _NOBODY)
    return format_card_text(holes, visible_board(state, deal), state.game, state.street)


def _open_line(number: int, state: HandState, cards: str, names: Sequence[str]) -> str:
    return f"STATE:{number}:{state.betting}:{cards}::{'|'.join(names)}"


class MatchWatcher(MatchObserver):
    """Tells a channel of a match that is played in this process, action by action.

    Nothing is read of any file, and nothing waits: see `EventChannel` for readers who are slow.
    Offsets are lines; a match that is resumed begins behind the hands that were played before.
    Single steps keep the match out of the fast lane, see `dealer.server.observers`.
    """

    def __init__(self, channel: EventChannel, cards: SeenCards) -> None:
        self._channel: Final = channel
        self._cards: Final = cards
        self._names: Sequence[str] = ()
        self._hand: HandStart | None = None
        self._state: HandState | None = None

    def match_started(self, start: MatchStart) -> None:
        """Begin with the first hand."""
        self._names = start.names
        self._channel.begin(0)

    def match_resumed(self, resumed: MatchResumed) -> None:
        """Begin with a later one."""
        self._channel.begin(resumed.hands)

    def hand_started(self, hand: HandStart) -> None:
        """Show the hand."""
        self._hand = hand
        self._show(hand.state)

    def action_applied(self, applied: AppliedAction) -> None:
        """Show the hand after an action."""
        self._show(applied.state)

    def hand_over(self, hand: HandOver) -> None:
        """Tell the hand's line, with the cards that may be seen."""
        record = parse_log_line(hand.line)
        assert isinstance(record, HandRecord)
        assert self._hand is not None
        assert self._state is not None
        cards = _card_text(self._state, self._hand.deal, self._cards)
        self._tell(format_log_line(replace(record, cards=cards)))

    def match_scored(self, line: str) -> None:
        """Tell the score."""
        self._tell(line)

    def match_over(self, end: MatchEnd) -> None:
        """Tell that nothing comes any more."""
        self._channel.show(None)
        self._channel.end()

    def _show(self, state: HandState) -> None:
        assert self._hand is not None
        self._state, hand = state, self._hand
        names = [self._names[seat] for seat in hand.seats]
        cards = _card_text(state, hand.deal, self._cards)
        self._channel.show(_open_line(hand.hand_id, state, cards, names))

    def _tell(self, line: str) -> None:
        start = self._channel.offset
        event = format_event("lines", line.encode("utf-8", "surrogateescape"), start + 1)
        self._channel.tell(LinesEvent(start, event, start + 1))


class OpenHand:
    """The hand of a match that is being played, as far as its files say."""

    def __init__(self, game: GameDef, cards: SeenCards) -> None:
        """Begin before the first line of a log."""
        self._game: Final = game
        self._cards: Final = cards
        self._deals: DealStream | None = None
        self._dealt = 0
        self._deal: Deal | None = None
        self._number = 0
        self._seated: tuple[str, ...] = ()
        """Names of the last hand, by position: where they stay, so do those of the next."""
        self._names = tuple(f"seat {seat + 1}" for seat in range(game.players))
        self._actions: list[Transaction] = []
        """Of this hand, and of hands that are not in the log yet."""
        self._over = False

    def read_log(self, lines: Iterable[str]) -> None:
        """Take notice of lines of the log: its header, and the last hands or more of it."""
        for line in lines:
            with contextlib.suppress(ProtocolError):
                self._read(parse_log_line(line))

    def _read(self, record: LogLine) -> None:
        match record:
            case Header(seed=int(seed)) if seed <= MAX_SEED:  # the first, or of a resumed match
                self._deals, self._dealt = DealStream(self._game, seed), 0
            case Comment(text) if parse_deals_note(text) is not None:
                self._deals = None
            case Score():
                self._over = True
            case HandRecord(hand_id=number, names=names) if len(names) == self._game.players:
                fixed = names == self._seated
                self._seated, self._number = names, number + 1
                self._names = names if fixed else (*names[1:], names[0])
                self._deal = None
                self._actions = [one for one in self._actions if one.hand_id > number]

    def read_actions(self, lines: Sequence[str]) -> None:
        """Take notice of lines of the transaction file, of those of the last hands."""
        found: list[Transaction] = []
        for line in reversed(lines):
            with contextlib.suppress(ProtocolError):
                record = parse_log_line(line)
                if isinstance(record, Transaction):
                    if record.hand_id < self._number:
                        break
                    found.append(record)
        self._actions.extend(reversed(found))

    def line(self) -> str | None:
        """Return the hand as a line of the log without values; None once the match is over."""
        if self._over:
            return None
        if self._deal is None and not 0 <= self._number - self._dealt <= _MOST_LEFT_OUT:
            self._deals = None  # hands of several matches: nobody knows of which this one is
        if self._deal is None and self._deals is not None:
            self._deals.skip(self._number - self._dealt)
            self._deal, self._dealt = next(self._deals), self._number + 1
        state = self._state()
        bars = "|" * (self._game.players - 1)
        text = bars if self._deal is None else _card_text(state, self._deal, self._cards)
        return _open_line(self._number, state, text, self._names)

    def _state(self) -> HandState:
        """Return the hand as far as its actions are legal: behind the truth, never before it."""
        state = HandState.start(self._game)
        with contextlib.suppress(EngineError):
            for one in self._actions:
                if one.hand_id == self._number:
                    state = state.apply(one.action)
        return state
