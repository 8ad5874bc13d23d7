"""What one player may know of a hand.  Redaction lives here and nowhere else.

The rule: own hole cards always; everybody's board cards up to the street reached; when a hand
is over with at least two players in it, the hole cards of those players, for everybody.  Folded
cards stay hidden from the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import trunc
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.rules.state import HandState
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.betting import parse_betting
from protocol.cards import format_cards

if TYPE_CHECKING:
    from engine.rules.dealing import Deal
    from engine.rules.state import PastAction
    from protocol.gamedef import GameDef

NO_CARDS: tuple[int, ...] = ()


def visible_holes(state: HandState, deal: Deal, viewer: int) -> tuple[tuple[int, ...], ...]:
    """Return the hole cards of each position as `viewer` may see them; () where hidden."""
    showdown = state.showdown
    folded = state.folded
    return tuple(
        [
            hole if position == viewer or (showdown and not folded[position]) else NO_CARDS
            for position, hole in enumerate(deal.holes)
        ]
    )


def visible_board(state: HandState, deal: Deal) -> tuple[int, ...]:
    """Return the board cards of the streets reached."""
    return deal.board[: state.game.board_seen(state.street)]


class CardTexts:
    """The card text of one hand's messages, each made once.

    The dealer sends several messages a street; only a new street or the showdown changes the
    text a viewer gets.
    """

    __slots__ = ("_before", "_boards", "_deal", "_game", "_holes")

    def __init__(self, game: GameDef, deal: Deal) -> None:
        self._game = game
        self._deal = deal
        bars = game.players - 1
        self._holes = [format_cards(hole) for hole in deal.holes]
        self._before = [
            "|" * position + hole + "|" * (bars - position)
            for position, hole in enumerate(self._holes)
        ]
        self._boards = [format_cards(deal.board[: game.board_cards[0]])]

    def text(self, state: HandState, viewer: int) -> str:
        """Return hole cards and board as position `viewer` gets them in `state`."""
        boards, street = self._boards, state.street
        if len(boards) <= street:
            self._deal_to(street)
        if state.showdown:
            shown = zip(self._holes, visible_holes(state, self._deal, viewer), strict=True)
            holes = "|".join([text if hole else "" for text, hole in shown])
            return holes + boards[street]
        return self._before[viewer] + boards[street]

    def log_text(self, state: HandState) -> str:
        """Return the text for the match log, which hides no hole card."""
        if len(self._boards) <= state.street:
            self._deal_to(state.street)
        return "|".join(self._holes) + self._boards[state.street]

    def _deal_to(self, street: int) -> None:
        game = self._game
        for reached in range(len(self._boards), street + 1):
            new = self._deal.board[game.board_seen(reached - 1) : game.board_seen(reached)]
            self._boards.append(f"{self._boards[-1]}/{format_cards(new)}")


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One player's knowledge of one hand at one moment: what a bot decides on."""

    state: HandState
    hand_id: int
    position: int
    """The player's own position in this hand, 0-based."""
    shown: tuple[tuple[int, ...], ...]
    """Hole cards per position as far as visible; () where hidden."""
    board: tuple[int, ...]
    _legal: tuple[int, int] | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        state = self.state
        legal = state.raise_range() if state.actor == self.position else None
        object.__setattr__(self, "_legal", legal)

    @classmethod
    def of(cls, state: HandState, deal: Deal, position: int, hand_id: int = 0) -> PlayerView:
        """Return what `position` may know of a hand whose cards are all known to the caller."""
        return cls(
            state,
            hand_id,
            position,
            visible_holes(state, deal, position),
            visible_board(state, deal),
        )

    @property
    def game(self) -> GameDef:
        """The game being played."""
        return self.state.game

    @property
    def history(self) -> tuple[PastAction, ...]:
        """Every action of the hand so far with the state it was taken in, in order.

        The `facts` of each say what was decided on: pot, chips to call, bounds of a raise, stacks.
        """
        return self.state.history

    @property
    def decision(self) -> int:
        """Number of the player's own decision in this hand, 0-based: how many it has taken."""
        return sum(state.actor == self.position for state, _ in self.history)

    def continues(self, earlier: PlayerView) -> bool:
        """Return whether this view is of the hand of `earlier`, at the same point or later.

        What was done in between is `state.steps(since=len(earlier.history))`.
        """
        if self.hand_id != earlier.hand_id or self.position != earlier.position:
            return False
        if self.hole != earlier.hole or self.board[: len(earlier.board)] != earlier.board:
            return False
        state, history, done = self.state, self.state.history, len(earlier.state.history)
        if done < len(history):
            state = history[done][0]
        return state == earlier.state

    @property
    def hole(self) -> tuple[int, ...]:
        """The player's own hole cards, in deal order."""
        return self.shown[self.position]

    @property
    def street(self) -> int:
        """Street reached, 0 is the first."""
        return self.state.street

    @property
    def my_turn(self) -> bool:
        """True when this player is to act."""
        return self.state.actor == self.position

    @property
    def pot(self) -> int:
        """Chips put in by everybody over the hand."""
        return self.state.pot

    @property
    def stack(self) -> int:
        """Chips this player has left to put in."""
        return self.game.stacks[self.position] - self.state.spent[self.position]

    @property
    def to_call(self) -> int:
        """Chips this player must add to continue; 0 when checking is free or not its turn."""
        return self.state.to_call if self.my_turn else 0

    @property
    def can_fold(self) -> bool:
        """True when folding is legal now."""
        return self.my_turn and self.state.can_fold

    @property
    def can_raise(self) -> bool:
        """True when some raise is legal now."""
        return self._legal is not None

    @property
    def min_raise_to(self) -> int:
        """Smallest legal raise-to in chips, 0 where no raise is legal."""
        return self._legal[0] if self._legal else 0

    @property
    def max_raise_to(self) -> int:
        """Largest legal raise-to in chips, 0 where no raise is legal."""
        return self._legal[1] if self._legal else 0

    def fold(self) -> Action:
        """Return a fold, or a check where folding is not legal."""
        return FOLD if self.can_fold else CALL

    def call(self) -> Action:
        """Return a call or check; always legal."""
        return CALL

    def raise_to(self, chips: int) -> Action:
        """Return a raise to the legal total nearest to `chips`; a call where no raise is legal.

        Parts of a chip are cut off.
        """
        if self._legal is None:
            return CALL
        if not self.game.no_limit:
            return RAISE
        smallest, largest = self._legal
        return raise_to(min(max(trunc(chips), smallest), largest))

    def pot_fraction(self, fraction: float) -> int:
        """Return the raise-to that adds `fraction` of the pot (after calling) on top of the call.

        1.0 is a pot-sized raise.  The result may lie outside the legal range; `raise_to` clamps.
        """
        pot_after_call = self.pot + self.to_call
        return self.state.to_match + round(fraction * pot_after_call)


def state_of_betting(game: GameDef, betting: str) -> HandState:
    """Return the state that the actions of a betting text lead to, wherever its slashes stand.

    The way there is in the state's `history` and `steps`.

    Raises:
        IllegalAction: the rules do not allow an action.
        ProtocolError: the text is no betting text.
    """
    state = HandState.start(game)
    for street in parse_betting(betting):
        for action in street:
            state = state.apply(action)
    return state


def replay_betting(game: GameDef, betting: str) -> HandState:
    """Return the state that wire betting text such as "cr300c/" leads to.

    Raises:
        EngineError: an action is illegal, or slashes do not stand where streets end.
        ProtocolError: the text is no betting text.
    """
    state = state_of_betting(game, betting)
    if state.betting != betting:
        raise EngineError(f"betting {betting!r} should read {state.betting!r}")
    return state
