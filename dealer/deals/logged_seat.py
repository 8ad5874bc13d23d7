"""The hands of one player of match logs, for somebody else to sit in.

At a table of n, seat s is in position (s - h) mod n in hand h, so the positions that a player
had must come in that order for another player of one seat to get them.  In the log of one match
they do; hands of several matches, of one that was resumed, or with hands missing, are taken in
their order as far as that goes, and a hand whose position is not due waits.
"""

from __future__ import annotations

import difflib
import io
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final

from dealer.deals.from_logs import LoggedDeals, hands_of_one_game
from engine.console.output import printable, tell_once
from engine.errors import EngineError, LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_games import FoundGame, game_from_header
from engine.handlogs.source.log_hands import LoggedHand, hands_of
from engine.handlogs.source.opening import no_hands
from engine.rules.view import state_of_betting
from engine.showdown.hand_values import hand_values
from protocol.deals import DealGrammar, GivenDeal
from protocol.errors import ProtocolError
from protocol.handlog import format_chips, format_hand
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from pathlib import Path

    from engine.rules.state import HandState
    from protocol.gamedef import GameDef

_MOST_PLAYERS_NAMED: Final = 6
_ROUNDING_CHIPS: Final = 0.01


@dataclass(frozen=True, slots=True)
class LoggedSeat:
    """The hands of a player, in the order in which somebody else is to play them."""

    player: str
    seat: int
    """0-based, from which the hands' positions come in their order."""
    hands: int
    waiting: int
    """Hands whose position was never due; they are not among `hands`."""
    damaged: tuple[str, ...]
    """What is wrong with lines that were left out: the first ones, then how many more."""
    deals: bytes = field(repr=False)
    """Lines of a deals file (`protocol.deals`), one a hand."""
    log: bytes = field(repr=False)
    """The same hands as STATE lines, numbered from 0 on."""


def game_of_header(logs: Sequence[Path]) -> FoundGame:
    """Return the game that the header before the first hand of logs names.

    Raises:
        LogError: it names none that can be found, or there is no hand.
    """
    for log in logs:
        first = next(hands_of(log, None, Complaints(lambda line: None), tell_once), None)
        if first is not None and first.header is not None:
            return game_from_header(first.header, first.log)
    raise LogError(no_hands(logs))


def logged_seat(
    logs: Sequence[Path],
    named: FoundGame | None,
    game: GameDef,
    player: str,
    progress: Callable[[Callable[[], str]], None] = lambda text: None,
) -> LoggedSeat:
    """Return the hands of one player of logs.

    Args:
        logs: their files, in order.
        named: the game that the user says they are of; None for that in their headers.
        game: the same.
        progress: told what to say of how far this is, often.

    Raises:
        LogError: the player has no hand that can be played again, sits at two seats of one, most
            hands are of another game, or a log cannot be read.
    """
    damaged: list[str] = []
    complaints = Complaints(damaged.append)
    read = _OwnHands(game, player, complaints)
    hands = hands_of_one_game(logs, named, complaints)
    queue = _Positions(game.players)
    deals, log = io.BytesIO(), io.BytesIO()
    grammar = DealGrammar(game)
    count = 0
    for deal, hand in LoggedDeals(game, complaints).deals_of(read.of(hands)):
        for due_deal, due in queue.add(hand.record.names.index(player), (deal, hand)):
            source = printable(f"{due.log.name}:{due.line}")
            deals.write(f"{grammar.format(due_deal)}  # {source}\n".encode())
            line = format_hand(replace(due.record, hand_id=count, stamp=None))
            log.write(f"{line}\n".encode("utf-8", "surrogateescape"))
            count += 1
        progress(partial("{:,} hands of {}".format, count, player))
    complaints.finish()
    if not count and player not in read.names:
        raise LogError(_nobody(logs, player, list(read.names)))
    if read.faults > count:
        raise LogError(f"most hands of {player} are none of this game: {read.first_fault}")
    if not count:
        raise LogError(f"no hand of {player} can be played again: {damaged[0]}")
    seat = queue.first
    return LoggedSeat(
        player, seat, count, queue.waiting, tuple(damaged), deals.getvalue(), log.getvalue()
    )


class _OwnHands:
    """Picks the hands of one player that are whole and legal."""

    def __init__(self, game: GameDef, player: str, complaints: Complaints) -> None:
        self.names: dict[str, None] = {}
        """Of all players."""
        self.faults = 0
        """Hands left out."""
        self.first_fault = ""
        self._game = game
        self._player = player
        self._complaints = complaints

    def of(self, hands: Iterable[LoggedHand]) -> Iterator[LoggedHand]:
        for hand in hands:
            names = hand.record.names
            self.names.update(dict.fromkeys(names))
            if self._player not in names:
                continue
            if names.count(self._player) > 1:
                raise LogError(f"{hand.where}: {self._player} sits at two seats; in which of them "
                    "to sit is not known")  # fmt: skip
            if reason := self._fault(hand):
                self.first_fault = self.first_fault or f"{hand.where}: {reason}"
                self.faults += 1
                self._complaints.add(hand.where, reason)
            else:
                yield hand

    def _fault(self, hand: LoggedHand) -> str:
        """Return what keeps a hand from being compared with another one, "" for nothing."""
        record, game = hand.record, self._game
        if len(record.names) != game.players:
            return f"a hand of {len(record.names)} players, the game is for {game.players}"
        try:
            state = _played(game, record.betting)
            shown = parse_card_text(record.cards, game)
        except (EngineError, ProtocolError) as error:
            return str(error)
        if not state.over:
            return "the betting stops before the hand is over"
        if state.showdown and not (all(shown.holes) and len(shown.board) == game.board_total):
            return ""
        worth = hand_values(state, shown.holes, shown.board)
        if all(
            abs(float(a) - b) < _ROUNDING_CHIPS for a, b in zip(record.values, worth, strict=True)
        ):
            return ""
        return f"it is worth {'|'.join(map(format_chips, worth))}, not {'|'.join(record.values)}"


@lru_cache(maxsize=1 << 14)
def _played(game: GameDef, betting: str) -> HandState:
    return state_of_betting(game, betting)


class _Positions:
    """Hands that wait until their position is due."""

    def __init__(self, players: int) -> None:
        self.first = -1
        """Position of the first hand, which is the seat whose turn it then is; -1 before."""
        self._queues: list[deque[tuple[GivenDeal, LoggedHand]]] = [deque() for _ in range(players)]
        self._due = -1

    def add(
        self, position: int, hand: tuple[GivenDeal, LoggedHand]
    ) -> Iterator[tuple[GivenDeal, LoggedHand]]:
        """Take a hand; yield those that are due by now."""
        if self.first < 0:
            self.first = self._due = position
        self._queues[position].append(hand)
        while self._queues[self._due]:
            yield self._queues[self._due].popleft()
            self._due = (self._due - 1) % len(self._queues)

    @property
    def waiting(self) -> int:
        """How many hands are left."""
        return sum(map(len, self._queues))


def _nobody(logs: Sequence[Path], player: str, names: Sequence[str]) -> str:
    """Return that nobody in the logs has the name, and who has others."""
    if not names:
        return no_hands(logs)
    where = str(logs[0]) if len(logs) == 1 else f"{len(logs)} logs"
    lower = {name.lower(): name for name in names}
    near = difflib.get_close_matches(player.lower(), lower, 1, 0.7)
    if near:
        return f"{where}: nobody is called {player}; did you mean {lower[near[0]]}?"
    shown, rest = ", ".join(names[:_MOST_PLAYERS_NAMED]), len(names) - _MOST_PLAYERS_NAMED
    more = f" and {rest:,} more" if rest > 0 else ""
    return f"{where}: nobody is called {player}; there sat {shown}{more}"
