"""Hands -> the text of PokerStars, which trackers and replayers read.

One chip is one dollar, fractions of a chip are cents, and what is left of a share below a cent is
in a comment; a hand from a file in dollars and cents goes back to them.  A hand of a log has no
table, seats or date: it gets the same ones always (`engine.histories.pokerstars_words`), and its
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
from engine.histories import pokerstars_words as words
from engine.histories.acpc_log import NOTE_PREFIX
from engine.histories.holdem_fields import COINS_PER_UNIT, fields_beside, usual_game
from engine.histories.seating import Seating, different_names, given_seats
from engine.histories.table_chips import TableChips, coin_of, money_places, table_chips
from engine.histories.toml_text import format_toml
from engine.showdown.evaluator import (
    FLUSH,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    category,
)
from protocol.cards import CARD_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.histories.hand import HandHistory

_HEADS_UP: Final = 2
_NAME: Final = "PokerStars text"
_MOST_SEATS: Final = 100

_RANK_WORDS: Final = (
    "",
    "Deuce",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Jack",
    "Queen",
    "King",
    "Ace",
)
_ACE: Final = 13
_FIVE: Final = 4
_RUN: Final = 5

_PATTERNS: Final = {
    HIGH_CARD: "high card {0}",
    PAIR: "a pair of {0s}",
    TWO_PAIR: "two pair, {0s} and {1s}",
    TRIPS: "three of a kind, {0s}",
    STRAIGHT: "a straight, {low} to {0}",
    FLUSH: "a flush, {0} high",
    FULL_HOUSE: "a full house, {0s} full of {1s}",
    QUADS: "four of a kind, {0s}",
    STRAIGHT_FLUSH: "a straight flush, {low} to {0}",
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
            hand = replace(hand, scale=self._chips, fields={"currency": "USD", **hand.fields})
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
        usual = usual_game(hand.game, _NAME)
        chips = table_chips(hand, coin_of(hand.scale, _NAME))
        self._places = money_places(hand.scale)
        self._beside = fields_beside(hand, usual, words.CARRIED_FIELDS, exact=chips.exact)
        self._head(number)
        self._blinds()
        self._play(chips)
        self._end(chips)
        self._summary(chips)
        notes = "".join(
            [f"{NOTE_PREFIX}{line}\n" for line in format_toml(self._beside).split("\n")[:-1]]
        )
        return notes + "\n".join(self._lines) + "\n\n\n"

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
        number = hand.fields.get("hand")
        if type(number) is not int or number < 0:
            if number is not None:
                self._beside["hand"] = number
            number = record.hand_id
        if new_number is not None:
            self._beside.setdefault("hand", number)
            number = new_number
        if self.names != record.names:
            self._beside["_names"] = [
                name.encode("utf-8", "surrogateescape").decode("latin-1") for name in record.names
            ]
        kind = "No Limit" if game.no_limit else "Limit"
        self._lines += [
            f"PokerStars Hand #{number}:  Hold'em {kind} ({self._stakes()}) - "
            f"{words.date_text(hand, self._beside)}",
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
        code, symbol = fields.get("currency"), fields.get("currency_symbol")
        behind = ""
        if isinstance(code, str) and code in words.CURRENCY_SYMBOLS:
            self._symbol = words.CURRENCY_SYMBOLS[code]
            behind = f" {code}"
        elif code is not None:
            self._beside["currency"] = code
        if symbol in ("", *words.CURRENCY_SYMBOLS.values()) and not behind:
            self._symbol = str(symbol)
        elif symbol is not None:
            self._beside["currency_symbol"] = symbol
        if hand.scale != (COINS_PER_UNIT if behind else 1):
            self._beside["_scale"] = hand.scale
        if game.no_limit:
            small, big = game.blinds[::-1] if game.players == _HEADS_UP else game.blinds[:2]
        else:
            small, big = game.raise_sizes[0], game.raise_sizes[-1]
        return "/".join(self._alike(small, big)) + behind

    def _table(self) -> str:
        """Return the line of the table; find who sits where."""
        fields, players = self.hand.fields, self.hand.game.players
        given = given_seats(fields.get("seats"), players)
        if given is not None:
            self.seats = given
        elif "seats" in fields:
            self._beside["seats"] = fields["seats"]
        table = self._plain("table", words.DEFAULT_TABLE)
        most = fields.get("seat_count", players)
        if type(most) is not int or not 0 < most < _MOST_SEATS:
            self._beside["seat_count"], most = most, players
        return f"Table '{table}' {most}-max Seat #{self.seats[-1]} is the button"

    def _plain(self, key: str, default: str) -> str:
        value = self.hand.fields.get(key, default)
        if isinstance(value, str) and value and value.isprintable() and "'" not in value:
            return value
        self._beside[key] = value
        return default

    def _seated(self) -> Iterable[int]:
        return sorted(range(len(self.seats)), key=self.seats.__getitem__)

    def _blinds(self) -> None:
        game = self.hand.game
        order = list(range(game.players))
        if game.players == _HEADS_UP:
            order.reverse()
        big = order[1] if game.blinds[order[1]] else order[0]
        for position in order:
            chips = game.blinds[position]
            if not chips:
                continue
            kind = "straddle"
            if position == big:
                kind = "big blind"
            elif position == order[0]:
                kind = "small blind"
            all_in = " and is all-in" if chips == game.stacks[position] else ""
            self._lines.append(f"{self.names[position]}: posts {kind} {self._money(chips)}{all_in}")

    def _play(self, chips: TableChips) -> None:
        hand, state = self.hand, self.hand.state
        self._lines.append("*** HOLE CARDS ***")
        for name, hole in zip(self.names, hand.cards.holes, strict=True):
            if hole and self.hero in (None, name):
                self._lines.append(f"Dealt to {name} {_cards(hole)}")
        street = base = 0
        for spot, action, after in state.steps():
            while street < spot.street:
                street += 1
                base = spot.to_match
                self._street(street)
            actor = spot.actor
            paid = after.spent[actor] - spot.spent[actor]
            if action.kind == "f":
                text = "folds"
                self._folds[actor] = street
            elif action.kind == "c":
                text = f"calls {self._money(paid)}" if paid else "checks"
            elif spot.to_match == base:
                text = f"bets {self._money(paid)}"
            else:
                by = after.spent[actor] - spot.to_match
                to = after.spent[actor] - base
                text = f"raises {self._money(by)} to {self._money(to)}"
            if paid and after.spent[actor] == hand.game.stacks[actor]:
                text += " and is all-in"
            self._lines.append(f"{self.names[actor]}: {text}")
        if chips.returned is not None:
            position, back = chips.returned
            self._lines.append(
                f"Uncalled bet ({self._money(back)}) returned to {self.names[position]}"
            )
        while street < state.street and state.showdown:
            street += 1
            self._street(street)

    def _street(self, street: int) -> None:
        game, board = self.hand.game, self.hand.cards.board
        start, new = game.board_seen(street - 1), game.board_seen(street)
        prefix = f"{_cards(board[:start])} " if start else ""
        self._lines.append(f"*** {words.STREETS[street]} *** {prefix}{_cards(board[start:new])}")

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
        labels = words.pot_labels(len(chips.pots))
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
            labels = words.pot_labels(len(chips.pots))
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
        if players == _HEADS_UP:
            roles = {1: " (button) (small blind)", 0: " (big blind)"}
        elif players > _HEADS_UP:
            roles |= {0: " (small blind)", 1: " (big blind)"}
        return roles.get(position, "")

    def _outcome(self, position: int, won: Decimal | None, chips: TableChips) -> str:
        if position in self._folds:
            street = self._folds[position]
            if street:
                return f"folded on the {words.STREETS[street].capitalize()}"
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


def hand_words(strength: int) -> str:
    """Return what a hand of this strength is called; see `engine.showdown.evaluator`."""
    kind = category(strength)
    first, second = strength >> 16 & 0xF, strength >> 12 & 0xF
    if kind == STRAIGHT_FLUSH and first == _ACE:
        return "a Royal Flush"
    text = _PATTERNS[kind]
    text = text.replace("{0s}", _several(first)).replace("{1s}", _several(second))
    low = _RANK_WORDS[_ACE if first == _FIVE else first - _RUN + 1] if "{low}" in text else ""
    return text.replace("{0}", _RANK_WORDS[first]).replace("{low}", low)


def _several(rank: int) -> str:
    return f"{_RANK_WORDS[rank]}es" if _RANK_WORDS[rank] == "Six" else f"{_RANK_WORDS[rank]}s"
