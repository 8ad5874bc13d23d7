"""A hand as a table tells it, piece by piece -> a hand.

Histories of sites say who sits where, what each action puts in and who gets what.  Readers give
that to a `TableHand` as they find it; it finds the positions, says the hand in fields of PHH, and
refuses what does not fit together: amounts that the rules of a log would not have, a pot that is
not what the players put in.  Payoffs are those of the file, whatever the cards say.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Final

from engine.errors import UnusableHistory
from engine.histories.hand import HandHistory
from engine.histories.holdem_fields import GAME_FIELDS, as_utf8, exact_values
from engine.histories.phh_read import money_scale, phh_hand
from engine.histories.seating import Seating, different_names
from engine.histories.table_chips import money_places

_MOST_SCALE: Final = 10**6
_HEADS_UP: Final = 2


@dataclass(slots=True)
class TableHand:
    """What a file says of a hand; money is as the file has it, players are called by any key."""

    line: int
    """Where the hand begins, 1-based."""
    count: int
    """Hands before it in its file."""
    number: int | None
    """Of the hand, as the file has it."""
    beside: dict[str, Any] = field(default_factory=dict)
    """Fields that were noted beside the hand; they hold against what is read."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Of PHH."""
    button: int = 0
    """Seat, which may be empty."""
    stakes: tuple[int | Decimal, int | Decimal] | None = None
    """Small and big blind of the table; None: the file does not say."""
    names: dict[Any, str] = field(default_factory=dict)
    seats: dict[Any, int] = field(default_factory=dict)
    spent: dict[Any, int | Decimal] = field(default_factory=dict)
    """Of those who are dealt in."""
    notes: list[str] = field(default_factory=list)
    """What a reader of the file should know of it, a sentence each."""
    _stacks: dict[Any, int | Decimal] = field(default_factory=dict)
    _blinds: dict[Any, int | Decimal] = field(default_factory=dict)
    _street_spent: dict[Any, int | Decimal] = field(default_factory=dict)
    _won: dict[Any, int | Decimal] = field(default_factory=dict)
    _holes: dict[Any, str] = field(default_factory=dict)
    _actions: list[tuple[Any, str]] = field(default_factory=list)
    """(player or None, words of PHH)."""
    _paid: list[int | Decimal] = field(default_factory=list)
    """Per action of a player."""
    _order: list[Any] = field(default_factory=list)
    """Players by position."""
    _scale: int = 1

    def sit(self, player: Any, name: str, seat: int, stack: int | Decimal) -> None:
        """Seat a player."""
        self.names[player] = name
        self.seats[player] = seat
        self._stacks[player] = stack

    def post(self, player: Any, chips: int | Decimal) -> None:
        """Post a blind or a straddle.

        Raises:
            UnusableHistory: the player has posted one.
        """
        if player in self._blinds:
            raise UnusableHistory("a dead blind, which no game definition has")
        self._blinds[player] = chips
        self._put(player, chips)

    def fold(self, player: Any) -> None:
        """Fold."""
        self._take(player, "f", 0)

    def call(self, player: Any, chips: int | Decimal) -> None:
        """Put in chips that do not raise, 0 for a check."""
        self._take(player, "cc", chips)

    def bet(self, player: Any, chips: int | Decimal) -> None:
        """Put in chips that raise."""
        to = self._street_spent.get(player, 0) + chips
        self._take(player, f"cbr {to}", chips)

    def raise_to(self, player: Any, chips: int | Decimal) -> None:
        """Raise to a total within the street."""
        self.bet(player, chips - self._street_spent.get(player, 0))

    def hold(self, player: Any, cards: str) -> None:
        """Note hole cards, which were dealt or are shown.

        Raises:
            UnusableHistory: they are others than were noted before.
        """
        self.spent.setdefault(player, 0)
        noted = self._holes.setdefault(player, cards)
        if {noted[:2], noted[2:]} != {cards[:2], cards[2:]}:
            raise UnusableHistory(f"{self.names[player]} shows other cards than were dealt")

    def deal(self, cards: str) -> None:
        """Deal cards to the board, which begins a street."""
        self._actions.append((None, f"d db {cards}"))
        self._street_spent.clear()

    def win(self, player: Any, chips: int | Decimal) -> None:
        """Give chips out of the pot, or back."""
        self._won[player] = self._won.get(player, 0) + chips

    def uncalled(self, player: Any) -> int | Decimal:
        """Return the chips of a player that nobody called, below zero where others put in more."""
        others = (chips for rival, chips in self.spent.items() if rival != player)
        return self.spent.get(player, 0) - max(others, default=0)

    def _take(self, player: Any, action: str, paid: int | Decimal) -> None:
        self._actions.append((player, action))
        self._paid.append(paid)
        self._put(player, paid)

    def _put(self, player: Any, chips: int | Decimal) -> None:
        self.spent[player] = self.spent.get(player, 0) + chips
        self._street_spent[player] = self._street_spent.get(player, 0) + chips

    def settle(self, coins: int | None) -> None:
        """Find the positions and the scale of chips.

        Args:
            coins: chips for one unit of the hand's money; None: the amounts tell.

        Raises:
            UnusableHistory: the scale that is noted is none, or blinds are not where the button
                says.
        """
        seats, button = self.seats, self.button
        order = sorted(self.spent, key=lambda player: (seats[player] <= button, seats[player]))
        self._order = order
        self._check_blinds()
        numbers = {player: number for number, player in enumerate(order, 1)}
        blinds = [self._blinds.get(player, 0) for player in order]
        holes = [
            (numbers[player], self._holes[player]) for player in order if player in self._holes
        ]
        self.fields |= {
            "antes": [0] * len(order),
            "blinds_or_straddles": blinds[::-1] if len(order) == _HEADS_UP else blinds,
            "min_bet": max(blinds, default=0),
            "starting_stacks": [self._stacks[player] for player in order],
            "actions": [
                *(f"d dh p{number} {cards}" for number, cards in holes),
                *(
                    what if player is None else f"p{numbers[player]} {what}"
                    for player, what in self._actions
                ),
            ],
            "players": [self.names[player] for player in order],
        }
        for key, value in self.fields.items():
            if isinstance(value, str):
                self.fields[key] = as_utf8(value)
        if self.number is not None:
            self.fields["hand"] = self.number
        noted = self.beside.pop("_scale", None)
        if noted is not None:
            if type(noted) is not int or not 0 < noted <= _MOST_SCALE:
                raise UnusableHistory(f"no scale of chips: {noted!r}")
            self._scale = noted
        else:
            self._scale = max(money_scale(self.fields), coins or 1)

    def _check_blinds(self) -> None:
        """Refuse blinds that are not paid behind the button, as where one or the button is lost."""
        if self.stakes is None or len(self._order) < _HEADS_UP:
            return
        small, big = self.stakes
        heads_up = len(self._order) == _HEADS_UP
        first, second, *others = self._order[::-1] if heads_up else self._order
        dead_small_blind = self._owes(first, big) and not heads_up
        for player in (second, *others):
            dead_small_blind &= player not in self._blinds or self._blinds[player] > big
        if not dead_small_blind and not (self._owes(first, small) and self._owes(second, big)):
            raise UnusableHistory(f"the blinds behind the button are not {small} and {big}")

    def _owes(self, player: Any, blind: int | Decimal) -> bool:
        """Return whether a player has posted a blind, or all that it has."""
        posted = self._blinds.get(player, 0)
        return posted == blind or 0 < posted == self._stacks[player] < blind

    def hand(self, seating: Seating) -> HandHistory:
        """Return the hand; seats that `seating` would give say nothing.

        Raises:
            UnusableHistory: it does not fit together.
            ProtocolError: it holds cards that are none.
        """
        seats = [self.seats[player] for player in self._order]
        if self._order and seating.seats(different_names(self.fields["players"])) != seats:
            self.fields["seats"] = seats
        self._pay_out()
        self.fields |= self.beside
        hand = phh_hand(self.fields, self.count, self.line, self._scale)
        for (spot, action, after), paid in zip(hand.state.steps(), self._paid, strict=True):
            rules = after.spent[spot.actor] - spot.spent[spot.actor]
            if paid * self._scale != rules and action.kind != "f":
                raise UnusableHistory(
                    f"{self.fields['players'][spot.actor]} puts in {paid}, by the rules "
                    f"of a log it is {Decimal(rules) / self._scale}"
                )
        extra_fields = {key: value for key, value in hand.fields.items() if key not in GAME_FIELDS}
        return replace(hand, fields=extra_fields, notes=(*hand.notes, *self.notes))

    def _pay_out(self) -> None:
        """Say the payoffs in both words of PHH: stacks that have no end cannot be what is left."""
        if any(player not in self.spent for player in self._won):
            raise UnusableHistory("somebody wins who is not dealt in")
        scale, order = self._scale, self._order
        if len(order) < _HEADS_UP:
            raise UnusableHistory("fewer than two players are dealt in")
        values = [
            Decimal(self._won.get(player, 0) - self.spent[player]) * scale for player in order
        ]
        coin = Decimal(scale).scaleb(-money_places(scale))
        values = exact_values(values, self.beside.get("_values"), len(order) * coin)
        money = [value / scale for value in values]
        matched = sorted(self.spent.values())[-2]
        paid = [min(self.spent[player], matched) for player in order]
        stacks = [self._stacks[player] for player in order]
        for key, bases in (("finishing_stacks", stacks), ("winnings", paid)):
            self.fields[key] = [chips + change for chips, change in zip(bases, money, strict=True)]
