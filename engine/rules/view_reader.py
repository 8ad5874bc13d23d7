"""A dealer's messages -> views of one game.

States are immutable and know no cards, so a betting text leads to the same state in every hand:
each is played once, from the state before its last action, and remembered.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from engine.errors import EngineError
from engine.rules.view import PlayerView, replay_betting
from protocol.betting import parse_actions, split_last_action
from protocol.cards import format_cards
from protocol.errors import MalformedLine, ProtocolError
from protocol.matchstate import format_match_state, parse_card_text

if TYPE_CHECKING:
    from engine.rules.state import HandState
    from protocol.gamedef import GameDef
    from protocol.matchstate import CardsShown, MatchState

_MOST_STATES_KEPT: Final = 4096


class ViewReader:
    """Reads match states of one game; what they have in common with earlier ones is read once."""

    def __init__(self, game: GameDef) -> None:
        self.game: Final = game
        self._deck: Final = frozenset(game.deck)
        self._states: Final[dict[str, HandState]] = {}
        self._kept = 0
        """How many states that is, with those on the way to them."""
        self._cards: tuple[str, CardsShown] | None = None
        """The last card text and what it says: most messages have the cards of the one before."""

    def view(self, message: MatchState) -> PlayerView:
        """Return the view that a dealer's message describes.

        Raises:
            MalformedLine: the message does not fit the game.
        """
        viewer, hand_id, betting, text = message
        cards = self._cards
        try:
            state = self._states.get(betting)
            if state is None:
                state = self._play(betting)
            if cards is None or cards[0] != text:
                cards = text, parse_card_text(text, self.game)
        except (EngineError, ProtocolError) as error:
            raise MalformedLine(format_match_state(message), str(error)) from error
        if cards is not self._cards:
            self._check(cards[1], message)
            self._cards = cards
        holes, board = cards[1]
        if not 0 <= viewer < self.game.players:
            raise MalformedLine(format_match_state(message), f"no position {viewer}")
        if len(board) != self.game.board_seen(state.street) or not holes[viewer]:
            raise MalformedLine(format_match_state(message), "cards do not fit the betting")
        return PlayerView(state, hand_id, viewer, holes, board)

    def _play(self, betting: str) -> HandState:
        """Play a betting text that is not remembered.  Raises EngineError, MalformedBetting."""
        earlier, last = split_last_action(betting)
        earlier_state = self._states.get(earlier)
        state = (
            None if earlier_state is None or not last else earlier_state.apply(*parse_actions(last))
        )
        new = 1
        if state is None or state.betting != betting:
            state = replay_betting(self.game, betting)
            new = len(state.history) + 1
        self._kept += new
        if self._kept > _MOST_STATES_KEPT:
            self._states.clear()
            self._kept = new
        self._states[betting] = state
        return state

    def _check(self, shown: CardsShown, message: MatchState) -> None:
        """Raise MalformedLine where cards are not in the deck, or not where they belong."""
        cards = [*chain(*shown.holes), *shown.board]
        if len(set(cards)) != len(cards) or not self._deck.issuperset(cards):
            raise MalformedLine(format_match_state(message), _odd_card(cards, self._deck))
        dealt = zip(self.game.dealt_cards, shown.holes, strict=False)
        for position, (allowed, hole) in enumerate(dealt):
            if not set(hole) <= set(allowed):
                why = f"position {position + 1} does not get {format_cards(hole)}"
                raise MalformedLine(format_match_state(message), why)


def view_from_match_state(game: GameDef, message: MatchState) -> PlayerView:
    """Return the view that a single message describes.

    Raises:
        MalformedLine: the message does not fit the game.
    """
    return ViewReader(game).view(message)


def _odd_card(cards: list[int], deck: frozenset[int]) -> str:
    """Return in words which card is the first that is not in the deck, or was there before."""
    number = next(i for i, card in enumerate(cards) if card not in deck or card in cards[:i])
    text = format_cards(cards[number : number + 1])
    return f"{text} is dealt twice" if cards[number] in deck else f"no {text} in the deck"
