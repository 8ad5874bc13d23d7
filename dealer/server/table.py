"""The poker side of one match: cards, chips, seats.  Pure: no sockets, no files, no clock.

A seat is a place for the whole match (its index is the order of the names); a position is a
place in one hand.  The button moves one seat a hand unless the seats are fixed.
"""

from collections.abc import Iterator, Sequence

from engine.rules.dealing import Deal
from engine.rules.keyed_dealing import SeedOrKey, deal_stream
from engine.rules.state import HandState
from engine.rules.view import CardTexts, state_of_betting
from engine.showdown.hand_values import hand_values
from protocol.actions import Action
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord, Score, format_chips, format_score
from protocol.matchstate import format_match_state_head


class Table:
    """One match in progress: the current hand and the totals of the hands before."""

    def __init__(
        self,
        game: GameDef,
        seed: SeedOrKey,
        names: Sequence[str],
        *,
        fixed_seats: bool = False,
        deals: Iterator[Deal] | None = None,
    ) -> None:
        """Deal hand 0.

        Args:
            seed: of the deals, or their key.
            fixed_seats: seat i is position i in every hand.
            deals: without end, one for each hand; None for those of the seed.
        """
        self.game = game
        self.names = tuple(names)
        self.hand_id = 0
        self.totals = [0.0] * game.players
        """Chips won per seat in the hands already settled."""
        self.finished_hands = 0
        self.fixed_seats = fixed_seats
        self.seed = seed if deals is None else None
        """What the deals are made of; None where they are given."""
        self._seeded = deal_stream(game, seed)
        self._deals: Iterator[Deal] = self._seeded if deals is None else deals
        self._start_state = HandState.start(game)
        self.deal: Deal
        """Cards of the current hand."""
        self.state: HandState
        """Betting of the current hand."""
        self.acting_seat: int
        """Seat index to act, -1 when the hand is over."""
        self.values: tuple[float, ...]
        """Chips won per position in the hand whose `result` was asked for last."""
        self._texts: CardTexts
        positions = range(game.players)
        self._rotations = [
            [(position + moved) % game.players for position in positions]
            for moved in ([0] if fixed_seats else positions)
        ]
        self._seats: list[int]
        """Seat index of each position in this hand."""
        self._positions: list[int]
        """Position of each seat index in this hand."""
        self._around: list[tuple[str, str]]
        """What stands before and behind the betting in the match state of each seat."""
        self._deal_hand()

    def seat_of(self, position: int) -> int:
        """Return the seat index that sits in `position` in this hand."""
        return self._seats[position]

    def position_of(self, seat: int) -> int:
        """Return the position of a seat index in this hand."""
        return self._positions[seat]

    def messages(self) -> list[str]:
        """Return the match state for each seat, in seat order, without line end."""
        betting = self.state.betting
        return [f"{head}{betting}:{cards}" for head, cards in self._around]

    def opening(self) -> tuple[Action, ...]:
        """Return the actions that are still to be taken before the hand begins where it was given.

        Only hands that begin at a later point (`Deal.betting`) have any.
        """
        if not self.deal.betting:
            return ()
        done = len(self.state.history)
        history = state_of_betting(self.game, self.deal.betting).history
        return tuple([action for _, action in history[done:]])

    def apply(self, action: Action) -> None:
        """Let the acting seat take an action.  Raises IllegalAction."""
        last_state = self.state
        self.state = state = last_state.apply(action)
        actor = state.actor
        self.acting_seat = -1 if actor < 0 else self._seats[actor]
        if actor < 0 or state.street != last_state.street:
            self._show_cards()

    def result(self) -> HandRecord:
        """Return the finished hand for the match log; the totals wait for `settle`."""
        state = self.state
        self.values = values = hand_values(state, self.deal.holes, self.deal.board)
        return HandRecord(
            self.hand_id,
            state.betting,
            self._texts.log_text(state),
            tuple(map(format_chips, values)),
            tuple([self.names[seat] for seat in self._seats]),
        )

    def hand_in(self, line: str) -> HandRecord:
        """Return a hand of this match, given by its line for the match log."""
        _, number, betting, cards, values, _ = line.split(":", 5)
        hand_id = int(number)
        seats = self._rotations[hand_id % len(self._rotations)]
        names = tuple([self.names[seat] for seat in seats])  # whatever is in them
        return HandRecord(hand_id, betting, cards, tuple(values.split("|")), names)

    def settle(self) -> None:
        """Add the hand whose `result` was asked for to the totals."""
        for seat, value in zip(self._seats, self.values, strict=True):
            self.totals[seat] += value
        self.finished_hands += 1

    def next_hand(self) -> None:
        """Move the button and deal the next hand."""
        self.hand_id += 1
        self._deal_hand()

    def play_on_to(self, hand_id: int, actions: Sequence[Action]) -> None:
        """Jump to where the lane has played to; `finished_hands` and `totals` are the
        caller's.

        Args:
            hand_id: this hand, of which nothing was played here, or one after it; of a match with
                a seed.
            actions: those of that hand.
        """
        if hand_id > self.hand_id:
            self._seeded.skip(hand_id - self.hand_id - 1)
            self.hand_id = hand_id
            self._deal_hand()
        for action in actions:
            self.apply(action)

    def score(self) -> str:
        """Return the SCORE line of the hands settled so far."""
        return format_score(Score(tuple(map(format_chips, self.totals)), self.names))

    def _deal_hand(self) -> None:
        self.deal = next(self._deals)
        self.state = self._start_state
        self._texts = CardTexts(self.game, self.deal)
        rotations = self._rotations
        self._seats = rotations[self.hand_id % len(rotations)]
        self._positions = rotations[-self.hand_id % len(rotations)]
        actor = self.state.actor
        self.acting_seat = -1 if actor < 0 else self._seats[actor]
        self._show_cards()

    def _show_cards(self) -> None:
        hand_id, state, texts = self.hand_id, self.state, self._texts
        self._around = [
            (format_match_state_head(position, hand_id), texts.text(state, position))
            for position in self._positions
        ]
