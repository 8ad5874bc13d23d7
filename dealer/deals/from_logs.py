"""The deals of match logs, so that they can be played again by others.

A log shows the board as far as the hand went.  What came after it is dealt again from the seed in
the header, or from the deals file beside the log, where that deals the cards which the log shows;
else it is left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from engine.console.output import tell_once
from engine.errors import EngineError, LogError
from engine.handlogs.source.complaints import Complaints
from engine.handlogs.source.log_hands import LoggedHand, hands_of
from engine.handlogs.source.logged_deals import deals_again
from engine.rules.view import replay_betting, state_of_betting
from protocol.deals import DealGrammar, GivenDeal
from protocol.errors import ProtocolError
from protocol.matchstate import parse_card_text

if TYPE_CHECKING:
    from pathlib import Path

    from engine.deals.deal_window import DealWindow
    from engine.handlogs.source.log_games import FoundGame
    from protocol.gamedef import GameDef

HOLDEM_STREETS: Final = ("preflop", "flop", "turn", "river")


def hands_of_one_game(
    logs: Sequence[Path], named: FoundGame | None, complaints: Complaints
) -> Iterator[LoggedHand]:
    """Yield the hands of logs in order.

    Args:
        named: the game, where the user names it; else each header's.
        complaints: told of STATE lines that cannot be read.

    Raises:
        LogError: two hands are not of one game, a file cannot be read, or its game is unknown.
    """
    game: GameDef | None = None
    for log in logs:
        for hand in hands_of(log, named, complaints, tell_once):
            game = game or hand.game
            if hand.game is not game and hand.game != game:
                raise LogError(f"{hand.where}: another game than in {logs[0]}")
            yield hand


class LoggedDeals:
    """Turns the hands of logs of one game into deals."""

    def __init__(self, game: GameDef, complaints: Complaints) -> None:
        """Start without a log.

        Args:
            complaints: told of hands whose cards are none of this game.
        """
        self._game = game
        self._complaints = complaints
        self._grammar = DealGrammar(game)
        self._log: object = None
        """Which match of which log `_window` is of."""
        self._window: DealWindow | None = None

    def deals_of(
        self, hands: Iterable[LoggedHand], street: int = 0
    ) -> Iterator[tuple[GivenDeal, LoggedHand]]:
        """Yield each hand's deal with the hand; those that cannot be used are told and left out.

        Args:
            street: 0-based; from the second street on deals are spots, with the betting up to the
                beginning of this street, and hands without a decision there are left out.
        """
        for hand in hands:
            try:
                deal = self._deal(hand)
            except ProtocolError as error:
                self._complaints.add(hand.where, error)
                continue
            if street:
                betting = self._betting(hand, street)
                if not betting:
                    continue
                deal = GivenDeal(deal.holes, deal.board, betting)
            yield deal, hand

    def _deal(self, hand: LoggedHand) -> GivenDeal:
        """Return the cards of a hand.  Raises ProtocolError."""
        game = self._game
        shown = parse_card_text(hand.record.cards, game)
        board: list[tuple[int, ...] | None] = []
        cards = self._whole_board(hand, shown.holes, shown.board)
        at = 0
        for count in game.board_cards:
            new = cards[at : at + count]
            board.append(new if len(new) == count else None)
            at += count
        deal = GivenDeal(tuple(hole or None for hole in shown.holes), tuple(board))
        self._grammar.check(deal)
        return deal

    def _whole_board(
        self, hand: LoggedHand, holes: tuple[tuple[int, ...], ...], board: tuple[int, ...]
    ) -> tuple[int, ...]:
        """Return the board with the cards that the log does not show, where they are known."""
        if len(board) == self._game.board_total:
            return board
        match = hand.log, hand.match
        if match != self._log:
            self._log = match
            self._window = deals_again(hand)
        window = self._window
        hand_id = hand.record.hand_id
        if window is None or not window.move_to(hand_id):
            return board
        shown = [card for hole in holes for card in hole]
        dealt = window.hand(hand_id)
        visible = [*shown, *board]
        return tuple(dealt[len(shown) :]) if dealt[: len(visible)] == visible else board

    def _betting(self, hand: LoggedHand, street: int) -> str:
        """Return the betting before a street, "" where the hand has no decision there."""
        streets = hand.record.betting.split("/")
        if len(streets) <= street:
            return ""
        betting = "/".join([*streets[:street], ""])
        try:
            if state_of_betting(self._game, betting).over:  # all-in: more slashes would follow
                return ""
            replay_betting(self._game, betting)
        except (EngineError, ProtocolError) as error:
            self._complaints.add(hand.where, error)
            return ""
        return betting
