"""Hands -> the text of PokerStars, which trackers and replayers read.

One chip is one dollar, fractions of a chip are cents, and what is left of a share below a cent is
in a comment; a hand from a file in dollars and cents goes back to them.  A hand of a log has no
table, seats or date: it gets the same ones always (`engine.histories.pokerstars_read`), and its
time, in UTC, where the log has one.  All hole cards that are known are dealt face up.  Other
things that the text has no words for stand in comments before the hand, a field each, as TOML:

    # phh: _stamp = "1478520223.88075"
    PokerStars Hand #1:  Hold'em No Limit ($50/$100) - 2016/11/07 12:17:03 UTC
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import UnusableHistory
from engine.histories import beside
from engine.histories.hand import HEADS_UP, HandAction, HandFields, Move
from engine.histories.pokerstars_read import (
    CURRENCY_SYMBOLS,
    DATE_FIELDS,
    DEFAULT_TABLE,
    date_text,
)
from engine.histories.table_chips import TableChips, coin_of, money_places, table_chips
from engine.histories.table_hand import Seating, different_names, given_seats
from engine.showdown import evaluator
from protocol.cards import CARD_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.histories.hand import HandHistory

_STREETS: Final = ("PREFLOP", "FLOP", "TURN", "RIVER")
_CARRIED: Final = frozenset(
    {
        *("hand", "table", "seats", "seat_count", "currency", "currency_symbol"),
        *DATE_FIELDS,
    }
)
_NAME: Final = "PokerStars text"
_MOST_SEATS: Final = 100
_ALL_IN: Final = " and is all-in"

_RANK_WORDS: Final = (
    *("", "Deuce", "Three", "Four", "Five", "Six", "Seven"),
    *("Eight", "Nine", "Ten", "Jack", "Queen", "King", "Ace"),
)
_ACE: Final = 13
_FIVE: Final = 4
_RUN: Final = 5

_PATTERNS: Final = {
    evaluator.HIGH_CARD: "high card {0}",
    evaluator.PAIR: "a pair of {0s}",
    evaluator.TWO_PAIR: "two pair, {0s} and {1s}",
    evaluator.TRIPS: "three of a kind, {0s}",
    evaluator.STRAIGHT: "a straight, {low} to {0}",
    evaluator.FLUSH: "a flush, {0} high",
    evaluator.FULL_HOUSE: "a full house, {0s} full of {1s}",
    evaluator.QUADS: "four of a kind, {0s}",
    evaluator.STRAIGHT_FLUSH: "a straight flush, {low} to {0}",
}


class PokerStarsWriter:
    """Writes hands one behind another."""

    def __init__(
        self,
        chips_per_dollar: int = 1,
        numbers: Iterator[int] | None = None,
        hero: str | None = None,
    ) -> None:
        """Begin a file.

        Args:
            chips_per_dollar: hands of logs are in dollars and cents where a dollar is more chips.
            numbers: of the hands, in their order; None: those that they have.
            hero: whose cards are dealt face up; those of others are lost unless they are shown.
                Hands that it does not play are refused.  None: all that are known.
        """
        self._chips = chips_per_dollar
        self._numbers = numbers
        self._hero = hero
        self._seating = Seating()

    def add(self, hand: HandHistory) -> str:
        """Return the text of the next hand; see `engine.histories.hand.HistoryWriter`."""
        if self._chips != 1 and hand.scale == 1:
            hand = replace(
                hand, scale=self._chips, fields=HandFields({"currency": "USD"} | hand.fields)
            )
        names = different_names(hand.record.names)
        if self._hero is not None and self._hero not in names:
            raise UnusableHistory(f"{self._hero} does not play in it")
        page = _WrittenPage(hand, names, self._seating.seats(names), self._hero)
        return page.text(None if self._numbers is None else next(self._numbers))

    def end(self) -> str:
        """Return nothing: there is no end mark."""
        return ""


@dataclass(slots=True)
class _WrittenPage:
    """The text of one hand."""

    hand: HandHistory
    names: tuple[str, ...]
    seats: list[int]
    hero: str | None
    _symbol: str = "$"
    _places: int = 0
    _beside: dict[str, Any] = field(default_factory=dict)
    _lines: list[str] = field(default_factory=list)
    _folds: dict[int, int] = field(default_factory=dict)
    """Position -> street that it folded on."""

    def text(self, number: int | None) -> str:
        """Return it, with comments before it; the hand gets another number if there is one."""
        hand = self.hand
        usual = beside.usual_game(hand.game, _NAME)
        chips = table_chips(hand, coin_of(hand.scale, _NAME))
        self._places = money_places(hand.scale)
        self._beside = beside.fields_beside(hand, usual, _CARRIED, exact=chips.exact)
        self._head(number)
        self._blinds()
        self._play(chips)
        self._end(chips)
        self._summary(chips)
        return beside.comments(self._beside) + "\n".join(self._lines) + "\n\n\n"

    def _money(self, chips: int | Decimal) -> str:
        scale = self.hand.scale
        if scale == 1 and chips == int(chips):
            return f"{self._symbol}{int(chips)}"
        amount = Decimal(chips) / scale
        if amount == int(amount):
            return f"{self._symbol}{int(amount)}"
        return f"{self._symbol}{amount:.{self._places}f}"

    def _alike(self, *chips: int) -> list[str]:
        """Return amounts that have decimals all or none."""
        texts = [self._money(amount) for amount in chips]
        if not any("." in text for text in texts):
            return texts
        return [text if "." in text else f"{text}.{'0' * self._places}" for text in texts]

    def _head(self, new_number: int | None) -> None:
        hand, record, game = self.hand, self.hand.record, self.hand.game
        number = hand.fields.number
        if not isinstance(number, int) or number < 0:
            if "hand" in hand.fields:
                self._beside["hand"] = hand.fields["hand"]
            number = record.hand_id
        if new_number is not None:
            self._beside.setdefault("hand", number)
            number = new_number
        if self.names != record.names:
            self._beside[beside.NAMES] = [beside.name_bytes(name) for name in record.names]
        kind = "No Limit" if game.no_limit else "Limit"
        self._lines += [
            f"PokerStars Hand #{number}:  Hold'em {kind} ({self._stakes()}) - "
            f"{date_text(hand, self._beside)}",
            self._table(),
        ]
        self._lines += [
            f"Seat {self.seats[seat]}: {self.names[seat]} "
            f"({self._money(game.stacks[seat])} in chips)"
            for seat in self._seated()
        ]

    def _stakes(self) -> str:
        """Return blinds or bets, with the currency if it has a code; find how money is written."""
        hand, game, fields = self.hand, self.hand.game, self.hand.fields
        code, symbol = fields.currency, fields.get("currency_symbol")
        behind = ""
        if code in CURRENCY_SYMBOLS:
            self._symbol = CURRENCY_SYMBOLS[code]
            behind = f" {code}"
        elif "currency" in fields:
            self._beside["currency"] = fields["currency"]
        if symbol in ("", *CURRENCY_SYMBOLS.values()) and not behind:
            self._symbol = str(symbol)
        elif symbol is not None:
            self._beside["currency_symbol"] = symbol
        if hand.scale != (beside.COINS_PER_UNIT if behind else 1):
            self._beside[beside.SCALE] = hand.scale
        if game.no_limit:
            small, big = hand.blind_pair
        else:
            small, big = game.raise_sizes[0], game.raise_sizes[-1]
        return "/".join(self._alike(small, big)) + behind

    def _table(self) -> str:
        """Return the line of the table; find who sits where."""
        fields, players = self.hand.fields, self.hand.game.players
        given = given_seats(fields.seats, players)
        if given is not None:
            self.seats = given
        elif "seats" in fields:
            self._beside["seats"] = fields["seats"]
        table = fields.table or ""
        if not table or not table.isprintable() or "'" in table:
            table = DEFAULT_TABLE
            if "table" in fields:
                self._beside["table"] = fields["table"]
        most = fields.seat_count if "seat_count" in fields else players
        if most is None or not 0 < most < _MOST_SEATS:
            self._beside["seat_count"], most = fields["seat_count"], players
        return f"Table '{table}' {most}-max Seat #{self.seats[-1]} is the button"

    def _seated(self) -> Iterable[int]:
        return sorted(range(len(self.seats)), key=self.seats.__getitem__)

    def _blinds(self) -> None:
        for post in self.hand.posts():
            text = f"{self.names[post.position]}: posts {post.kind} {self._money(post.chips)}"
            self._lines.append(text + (_ALL_IN if post.all_in else ""))

    def _play(self, chips: TableChips) -> None:
        hand = self.hand
        self._lines.append("*** HOLE CARDS ***")
        for name, hole in zip(self.names, hand.cards.holes, strict=True):
            if hole and self.hero in (None, name):
                self._lines.append(f"Dealt to {name} {_cards(hole)}")
        streets = hand.streets()
        last = max(street.number for street in streets if street.actions or not street.number)
        for number, board, actions in streets:
            if number:
                known = hand.cards.board[: hand.game.board_seen(number - 1)]
                prefix = f"{_cards(known)} " if known else ""
                self._lines.append(f"*** {_STREETS[number]} *** {prefix}{_cards(board)}")
            for action in actions:
                self._act(action)
            if number == last and chips.returned is not None:
                position, back = chips.returned
                self._lines.append(
                    f"Uncalled bet ({self._money(back)}) returned to {self.names[position]}"
                )

    def _act(self, action: HandAction) -> None:
        if action.kind == Move.FOLD:
            self._folds[action.position] = action.street
            text = "folds"
        elif action.kind == Move.CALL:
            text = f"calls {self._money(action.paid)}"
        elif action.kind == Move.BET:
            text = f"bets {self._money(action.paid)}"
        elif action.kind == Move.RAISE:
            text = f"raises {self._money(action.by)} to {self._money(action.to)}"
        else:
            text = "checks"
        self._lines.append(
            f"{self.names[action.position]}: {text}{_ALL_IN if action.all_in else ''}"
        )

    def _end(self, chips: TableChips) -> None:
        hand, state = self.hand, self.hand.state
        if state.showdown:
            self._lines.append("*** SHOW DOWN ***")
            for position, folded in enumerate(state.folded):
                strength = chips.strengths[position]
                if folded:
                    continue
                text = "mucks hand"
                if strength is not None:
                    text = f"shows {_cards(hand.cards.holes[position])} ({hand_words(strength)})"
                self._lines.append(f"{self.names[position]}: {text}")
        labels = _pot_labels(len(chips.pots))
        for label, pot in reversed(list(zip(labels, chips.pots, strict=True))):
            for position, share in pot.shares.items():
                self._lines.append(
                    f"{self.names[position]} collected {self._money(share)} from {label.lower()}"
                )
        if not state.showdown:
            self._lines.append(f"{self.names[state.folded.index(False)]}: doesn't show hand")

    def _summary(self, chips: TableChips) -> None:
        hand = self.hand
        total = self._money(sum([pot.chips for pot in chips.pots]))
        if len(chips.pots) > 1:
            labels = _pot_labels(len(chips.pots))
            several = [
                f"{label} {self._money(pot.chips)}."
                for label, pot in zip(labels, chips.pots, strict=True)
            ]
            total = f"{total} {' '.join(several)}"
        self._lines += ["*** SUMMARY ***", f"Total pot {total} | Rake {self._money(0)}"]
        board = hand.cards.board
        if board:
            self._lines.append(f"Board {_cards(board)}")
        won: dict[int, Decimal] = {}
        for pot in chips.pots:
            for position, share in pot.shares.items():
                won[position] = won.get(position, Decimal(0)) + share
        for position in self._seated():
            text = f"Seat {self.seats[position]}: {self.names[position]}{self._role(position)}"
            self._lines.append(f"{text} {self._outcome(position, won.get(position), chips)}")

    def _role(self, position: int) -> str:
        players = len(self.seats)
        roles = {players - 1: " (button)"}
        if players == HEADS_UP:
            roles = {1: " (button) (small blind)", 0: " (big blind)"}
        elif players > HEADS_UP:
            roles |= {0: " (small blind)", 1: " (big blind)"}
        return roles.get(position, "")

    def _outcome(self, position: int, won: Decimal | None, chips: TableChips) -> str:
        if position in self._folds:
            street = self._folds[position]
            if street:
                return f"folded on the {_STREETS[street].capitalize()}"
            return "folded before Flop" + (
                "" if self.hand.state.spent[position] else " (didn't bet)"
            )
        strength = chips.strengths[position]
        if strength is None:
            return "mucked" if won is None else f"collected ({self._money(won)})"
        result = "lost" if won is None else f"won ({self._money(won)})"
        cards = _cards(self.hand.cards.holes[position])
        return f"showed {cards} and {result} with {hand_words(strength)}"


def _cards(cards: Iterable[int]) -> str:
    return f"[{' '.join([CARD_TEXT[card] for card in cards])}]"


def _pot_labels(pots: int) -> list[str]:
    """Return what pots are called, the main pot first."""
    if pots == 1:
        return ["Pot"]
    if pots == 2:
        return ["Main pot", "Side pot"]
    return ["Main pot", *(f"Side pot-{number}" for number in range(1, pots))]


def hand_words(strength: int) -> str:
    """Return what a hand of this strength is called; see `engine.showdown.evaluator`."""
    kind = evaluator.category(strength)
    first, second = strength >> 16 & 0xF, strength >> 12 & 0xF
    if kind == evaluator.STRAIGHT_FLUSH and first == _ACE:
        return "a Royal Flush"
    text = _PATTERNS[kind]
    text = text.replace("{0s}", _several(first)).replace("{1s}", _several(second))
    low = _RANK_WORDS[_ACE if first == _FIVE else first - _RUN + 1] if "{low}" in text else ""
    return text.replace("{0}", _RANK_WORDS[first]).replace("{low}", low)


def _several(rank: int) -> str:
    return f"{_RANK_WORDS[rank]}es" if _RANK_WORDS[rank] == "Six" else f"{_RANK_WORDS[rank]}s"
