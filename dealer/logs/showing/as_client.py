"""What one seat received: the dealer's messages, made again from a log.

Every action and the start of a hand is one message to each seat.  What a seat may see is decided
in `engine.rules.view` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

from engine.errors import EngineError, LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.logged_deals import deals_again
from engine.handlogs.verifying.streams import ROTATING, Streams
from engine.rules.dealing import Deal
from engine.rules.state import HandState
from engine.rules.view import CardTexts, state_of_betting
from protocol.deals import DealsNote
from protocol.errors import ProtocolError
from protocol.matchstate import MatchState, format_match_state, parse_card_text

if TYPE_CHECKING:
    from engine.deals.deal_window import DealWindow
    from engine.handlogs.source.log_hands import LoggedHand


def client_lines(hands: Iterable[LoggedHand], seat: str, complaints: Complaints) -> Iterator[bytes]:
    """Yield the lines a seat received, CRLF included.

    Args:
        hands: the hands of one log.
        seat: seat number from 1 on, or a player's name; hands without that player are left out.
        complaints: told of hands that are not legal.

    Raises:
        LogError: there is no such seat or player.
    """
    met = False
    for _, match in groupby(hands, key=lambda hand: hand.match):
        given = GivenBeginnings()
        for hand, position in _positions(match, seat):
            met = True
            try:
                states, texts = _play(hand)
                states = states[given.actions(hand) :]
            except LogError:
                raise
            except (ProtocolError, EngineError) as error:
                complaints.add(hand.where, error)
                continue
            for state in states:
                text = texts.text(state, position)
                message = MatchState(position, hand.record.hand_id, state.betting, text)
                yield format_match_state(message) + b"\r\n"
    if not met:
        raise LogError(f"no hand has a seat or player {seat!r}")


class GivenBeginnings:
    """With how many actions the hands of one match were given; nobody was shown those states."""

    def __init__(self) -> None:
        self._window: DealWindow | None = None

    def actions(self, hand: LoggedHand) -> int:
        """Return the number of actions that were taken before the first state was sent.

        Raises:
            LogError: the log speaks of a deals file that is not there.
        """
        if not isinstance(hand.note, DealsNote):
            return 0
        if self._window is None:
            self._window = deals_again(hand)
        if self._window is None:
            raise LogError(
                f"{hand.log}: {hand.note.file}, whose deals were played, is not there as it was; "
                "so nobody knows with which states the hands began"
            )
        hand_id = hand.record.hand_id
        betting = self._window.betting(hand_id) if self._window.move_to(hand_id) else ""
        return len(state_of_betting(hand.game, betting).history) if betting else 0


def _positions(match: Iterator[LoggedHand], seat: str) -> Iterator[tuple[LoggedHand, int]]:
    """Yield each hand of one match with the position that the seat plays in it."""
    first = next(match)
    players = first.game.players
    if not (seat.isascii() and seat.isdigit() and len(seat) <= 2):
        for hand in chain([first], match):
            names = hand.record.names
            if names.count(seat) > 1:
                raise LogError(f"{hand.where}: several seats are called {seat!r}, give a number")
            if seat in names:
                yield hand, names.index(seat)
        return
    index = int(seat) - 1
    if not 0 <= index < players:
        raise LogError(f"{first.where}: no seat {seat}, seats are 1 to {players}")
    head = [first, *islice(match, 2 * players)]
    rotating = _rotates(head)
    for hand in chain(head, match):
        yield hand, (index - hand.record.hand_id) % players if rotating else index


def _rotates(hands: list[LoggedHand]) -> bool:
    """Return whether the names move by one position a hand, as they do unless seats are fixed."""
    first = hands[0]
    streams = Streams(first.game.players)
    stream = streams.open(first.record.hand_id, first.record.names)
    possible = streams.modes(stream)
    for hand in hands[1:]:
        matched = streams.match_names(stream, hand.record.hand_id, hand.record.names)
        possible = [mode for mode in possible if matched & mode]
    return ROTATING in possible or not possible


def _play(hand: LoggedHand) -> tuple[list[HandState], CardTexts]:
    """Return every state of one hand and the texts of its cards.

    Raises:
        ProtocolError: betting or cards cannot be read.
        EngineError: they are not a finished hand.
    """
    game = hand.game
    cards = parse_card_text(hand.record.cards, game)
    state = state_of_betting(game, hand.record.betting)
    if not state.over or len(cards.board) != game.board_seen(state.street):
        raise EngineError("cards and betting do not make a finished hand")
    states = [*(earlier for earlier, _ in state.history), state]
    return states, CardTexts(game, Deal(cards.holes, cards.board))
