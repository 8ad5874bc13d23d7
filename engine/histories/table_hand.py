"""A hand as a table tells it, piece by piece -> a hand.

Histories of sites say who sits where, what each action puts in and who gets what.  Readers give
that to a `TableHand` as they find it; it finds the positions and refuses what does not fit
together: amounts that the rules of a log would not have, a pot that is not what the players put
in.  FilePayoffs are those of the file, whatever the cards say.

In these formats every player has a seat of his own.  Logs have neither seats nor names that
differ: players get the seats 1, 2, ... in the order of the first hand and keep them as long as the
same players go round, and of two players of one name the second is called "name (2)".  A reader
that gives seats as the writer does knows which ones say nothing about the hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.errors import UnusableHistory
from engine.histories import beside
from engine.histories.hand import HEADS_UP, HandHistory, Move
from engine.histories.play import (
    Play,
    holdem_game,
    money_scale,
    played_hand,
    whole_chips,
    whole_payoffs,
)
from engine.histories.table_chips import money_places

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

_MOST_SCALE: Final = 10**6


class Seating:
    """The seats that players without seats get, hand by hand."""

    def __init__(self) -> None:
        """Begin a table that nobody sits at."""
        self._order: tuple[str, ...] = ()

    def seats(self, names: Sequence[str]) -> list[int]:
        """Return a seat for each position of the next hand, whose names differ."""
        order = self._order
        first = order.index(names[0]) if names[0] in order else -1
        if first < 0 or order[first:] + order[:first] != tuple(names):
            self._order = order = tuple(names)
            first = 0
        players = len(names)
        return [(first + position) % players + 1 for position in range(players)]


def different_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names, changed where one is empty, ends in spaces or stands twice."""
    if len(set(names)) == len(names) and all(name and name == name.strip() for name in names):
        return tuple(names)
    unique_names: list[str] = []
    for number, name in enumerate(names, 1):
        plain = base = name.strip() or f"p{number}"
        count = 1
        while plain in unique_names or (plain != name and plain in names):
            count += 1
            plain = f"{base} ({count})"
        unique_names.append(plain)
    return tuple(unique_names)


def given_seats(seats: Sequence[int] | None, players: int) -> list[int] | None:
    """Return the seats of a hand if players can sit on them as they act."""
    if seats is None or len(seats) != players or not all(0 < seat < 1000 for seat in seats):
        return None
    lowest = seats.index(min(seats))
    around = [*seats[lowest:], *seats[:lowest]]
    return list(seats) if around == sorted(set(around)) else None


class _Step(NamedTuple):
    """What a player does, or what is dealt, where there is no kind."""

    player: Any
    kind: str | None
    paid: int | Decimal = 0
    to: int | Decimal = 0
    """Money of the player within the street behind a bet."""
    cards: str = ""


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
    """What the file says besides the play, as of `HandFields`."""
    button: int = 0
    """Seat, which may be empty."""
    coins: int = 1
    """Chips for one unit of the money, at least."""
    stakes: tuple[int | Decimal, int | Decimal] | None = None
    """Small and big blind of the table; None: the file does not say."""
    limits: tuple[int | Decimal, int | Decimal] | None = None
    """Small and big bet; None is no-limit."""
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
    _steps: list[_Step] = field(default_factory=list)
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
        self._take(_Step(player, Move.FOLD))

    def call(self, player: Any, chips: int | Decimal) -> None:
        """Put in chips that do not raise, 0 for a check."""
        self._take(_Step(player, Move.CALL, chips))

    def bet(self, player: Any, chips: int | Decimal) -> None:
        """Put in chips that raise."""
        self._take(_Step(player, Move.BET, chips, self._street_spent.get(player, 0) + chips))

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
        self._steps.append(_Step(None, None, cards=cards))
        self._street_spent.clear()

    def win(self, player: Any, chips: int | Decimal) -> None:
        """Give chips out of the pot, or back."""
        self._won[player] = self._won.get(player, 0) + chips

    def uncalled(self, player: Any) -> int | Decimal:
        """Return the chips of a player that nobody called, below zero where others put in more."""
        others = (chips for rival, chips in self.spent.items() if rival != player)
        return self.spent.get(player, 0) - max(others, default=0)

    def _take(self, step: _Step) -> None:
        self._steps.append(step)
        self._put(step.player, step.paid)

    def _put(self, player: Any, chips: int | Decimal) -> None:
        self.spent[player] = self.spent.get(player, 0) + chips
        self._street_spent[player] = self._street_spent.get(player, 0) + chips

    def _settle(self) -> None:
        """Find the positions and the scale of chips."""
        seats, button = self.seats, self.button
        self._order = sorted(
            self.spent, key=lambda player: (seats[player] <= button, seats[player])
        )
        self._check_blinds()
        for key, value in self.fields.items():
            if isinstance(value, str):
                self.fields[key] = beside.as_utf8(value)
        if self.number is not None:
            self.fields["hand"] = self.number
        noted = self.beside.get(beside.SCALE)
        if noted is not None:
            if type(noted) is not int or not 0 < noted <= _MOST_SCALE:
                raise UnusableHistory(f"no scale of chips: {noted!r}")
            self._scale = noted
            return
        amounts = [*self._blinds.values(), *(self.limits or ())]
        amounts += [self._stacks[player] for player in self._order]
        amounts += [step.to for step in self._steps]
        self._scale = max(money_scale(amounts), self.coins)

    def _check_blinds(self) -> None:
        """Refuse blinds that are not paid behind the button, as where one or the button is lost."""
        if self.stakes is None or len(self._order) < HEADS_UP:
            return
        small, big = self.stakes
        heads_up = len(self._order) == HEADS_UP
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
        self._settle()
        names = [self.names[player] for player in self._order]
        seats = [self.seats[player] for player in self._order]
        if self._order and seating.seats(different_names(names)) != seats:
            self.fields["seats"] = seats
        values = self._values()
        fields = self.fields | self.beside
        play = self._play(self._game())
        record = beside.record_of(fields, self.count, names)
        printed, scale = self.beside.get(beside.VALUES), self._scale
        hand = played_hand(
            play, record, lambda: whole_payoffs(values, printed, scale), self.line, scale
        )
        self._compare(hand, names)
        said = {"hand": record.hand_id}
        if record.stamp is not None:
            said |= beside.time_fields(record.stamp)
        return replace(
            hand,
            fields=beside.unsaid(fields, said, {*beside.GAME_FIELDS, *beside.OURS, beside.SCALE}),
            notes=(*hand.notes, *self.notes),
        )

    def _values(self) -> list[Decimal]:
        """Return chips won by position, to the last digit."""
        if any(player not in self.spent for player in self._won):
            raise UnusableHistory("somebody wins who is not dealt in")
        scale, order = self._scale, self._order
        if len(order) < HEADS_UP:
            raise UnusableHistory("fewer than two players are dealt in")
        values = [
            Decimal(self._won.get(player, 0) - self.spent[player]) * scale for player in order
        ]
        coin = Decimal(scale).scaleb(-money_places(scale))
        return beside.exact_values(values, self.beside.get(beside.VALUES), len(order) * coin)

    def _game(self) -> GameDef:
        scale = self._scale
        stacks = tuple([whole_chips(self._stacks[player], scale) for player in self._order])
        blinds = tuple([whole_chips(self._blinds.get(player, 0), scale) for player in self._order])
        sizes: tuple[int, ...] = ()
        if self.limits is not None:
            small, big = (whole_chips(size, scale) for size in self.limits)
            sizes = (small, small, big, big)
        return beside.noted_game(self.beside, holdem_game(stacks, blinds, sizes))

    def _play(self, game: GameDef) -> Play:
        play = Play(game)
        positions = {player: position for position, player in enumerate(self._order)}
        for player in self._order:
            if player in self._holes:
                play.hold(positions[player], self._holes[player])
        for step in self._steps:
            if step.kind is None:
                play.deal(step.cards)
            elif step.kind == Move.FOLD:
                play.fold(positions[step.player])
            elif step.kind == Move.CALL:
                play.call(positions[step.player])
            else:
                play.raise_to(positions[step.player], whole_chips(step.to, self._scale))
        return play

    def _compare(self, hand: HandHistory, names: list[str]) -> None:
        """Refuse a hand in which somebody puts in another amount than the rules say."""
        steps = [step for step in self._steps if step.kind is not None]
        for (spot, action, after), step in zip(hand.state.steps(), steps, strict=True):
            rules = after.spent[spot.actor] - spot.spent[spot.actor]
            if step.paid * self._scale != rules and action.kind != "f":
                raise UnusableHistory(
                    f"{names[spot.actor]} puts in {step.paid}, by the rules "
                    f"of a log it is {Decimal(rules) / self._scale}"
                )
