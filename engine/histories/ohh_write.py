"""Hands -> Open Hand History, the JSON of trackers and sites (version 1.4.6).

An object a hand with an empty line between them.  Money is chips; a hand from a file in dollars
and cents goes back to them.  A hand of a log has no site, table or seats: it gets the same ones
always.  What the format has no place for is TOML in a key of our own, `_phh`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.histories import ohh_words as words
from engine.histories.holdem_fields import COINS_PER_UNIT, fields_beside, usual_game
from engine.histories.holdem_games import holdem_game
from engine.histories.seating import Seating, different_names, given_seats
from engine.histories.table_chips import TableChips, coin_of, table_chips
from engine.histories.toml_text import format_toml
from protocol.cards import CARD_TEXT

if TYPE_CHECKING:
    from engine.histories.hand import HandHistory

_CARRIED: Final = frozenset(
    {"hand", "table", "seats", "seat_count", "currency", words.OTHERS_FIELD}
)
_NAME: Final = "Open Hand History"
_HEADS_UP: Final = 2


class OhhWriter:
    """Writes hands one behind another."""

    def __init__(self) -> None:
        """Begin a file."""
        self._seating = Seating()
        self._encode = json.JSONEncoder(separators=(",", ":")).encode

    def add(self, hand: HandHistory) -> str:
        """Return the text of the next hand; see `engine.histories.hand.HistoryWriter`."""
        seats = self._seating.seats(different_names(hand.record.names))
        return self._encode({"ohh": _OhhObject(hand, seats).keys()}) + "\n\n"

    def end(self) -> str:
        """Return nothing: there is no end mark."""
        return ""


@dataclass(slots=True)
class _OhhObject:
    """One hand; players are called by their seats."""

    hand: HandHistory
    seats: list[int]
    _beside: dict[str, Any] = field(default_factory=dict)
    _rounds: list[dict[str, Any]] = field(default_factory=list)

    def keys(self) -> dict[str, Any]:
        """Return the keys of the hand with their values."""
        hand, game = self.hand, self.hand.game
        usual = usual_game(game, _NAME)
        if not game.no_limit:
            big = game.big_blind
            usual = holdem_game(game.stacks, game.blinds, (big, big, 2 * big, 2 * big))
        chips = table_chips(hand, coin_of(hand.scale, _NAME))
        self._beside = fields_beside(hand, usual, _CARRIED, exact=chips.exact)
        keys = self._site()
        self._play()
        self._show(chips)
        keys |= {
            "players": self._players(),
            "dealer_seat": self.seats[-1],
            "rounds": self._rounds,
            "pots": self._pots(chips),
        }
        if self._beside:
            keys[words.BESIDE_KEY] = format_toml(self._beside)
        return {key: _plain(value) for key, value in keys.items()}

    def _site(self) -> dict[str, Any]:
        """Return what is said of site, table, time and stakes; find who sits where."""
        game, record, fields = self.hand.game, self.hand.record, self.hand.fields
        given = given_seats(fields.get("seats"), game.players)
        if given is not None:
            self.seats = given
        elif "seats" in fields:
            self._beside["seats"] = fields["seats"]
        others = fields.get(words.OTHERS_FIELD)
        site = words.USUAL_VALUES | (others if isinstance(others, dict) else {})
        for key, name in (("table", "table_name"), ("currency", "currency")):
            value = fields.get(key)
            if isinstance(value, str) and value != words.USUAL_VALUES[name]:
                site[name] = value
            elif value is not None:
                self._beside[key] = value
        if self.hand.scale != (1 if site["currency"] == words.CHIPS_CURRENCY else COINS_PER_UNIT):
            self._beside["_scale"] = self.hand.scale
        date = words.date_of_stamp(record.stamp)
        if date is None:
            self._beside["_stamp"] = record.stamp
        size = fields.get("seat_count")
        small, big = game.blinds[::-1] if game.players == _HEADS_UP else game.blinds[:2]
        return site | {
            "game_number": str(fields.get("hand", record.hand_id)),
            "start_date_utc": date or words.NO_DATE,
            "game_type": "Holdem",
            "bet_limit": {"bet_type": "NL" if game.no_limit else "FL", "bet_cap": 0},
            "table_size": size if type(size) is int and size > 0 else game.players,
            "small_blind_amount": self._money(small),
            "big_blind_amount": self._money(big),
        }

    def _players(self) -> list[dict[str, Any]]:
        names = [name.encode("utf-8", "surrogateescape") for name in self.hand.record.names]
        shown = [name.decode("utf-8", "backslashreplace") for name in names]
        if shown != list(self.hand.record.names):
            self._beside["_names"] = [name.decode("latin-1") for name in names]
        stacks = self.hand.game.stacks
        return [
            {"id": seat, "seat": seat, "name": name, "starting_stack": self._money(stack)}
            for seat, name, stack in sorted(zip(self.seats, shown, stacks, strict=True))
        ]

    def _pots(self, chips: TableChips) -> list[dict[str, Any]]:
        return [
            {
                "number": number,
                "amount": self._money(pot.chips),
                "rake": 0,
                "player_wins": [
                    {"player_id": self.seats[position], "win_amount": self._money(share)}
                    for position, share in pot.shares.items()
                ],
            }
            for number, pot in enumerate(chips.pots)
        ]

    def _money(self, chips: int | Decimal) -> int | float:
        if self.hand.scale == 1 and chips == int(chips):
            return int(chips)
        amount = Decimal(chips) / self.hand.scale
        return int(amount) if amount == int(amount) else float(amount)

    def _begin(self, street: str, cards: list[str]) -> None:
        self._rounds.append(
            {"id": len(self._rounds), "street": street, "cards": cards, "actions": []}
        )

    def _act(
        self, position: int, action: str, chips: int = 0, *, all_in: bool = False
    ) -> dict[str, Any]:
        actions = self._rounds[-1]["actions"]
        record = {
            "action_number": len(actions),
            "player_id": self.seats[position],
            "action": action,
            "amount": self._money(chips),
            "is_allin": all_in,
        }
        actions.append(record)
        return record

    def _play(self) -> None:
        hand, game, state = self.hand, self.hand.game, self.hand.state
        order = list(range(game.players))
        if game.players == _HEADS_UP:
            order.reverse()
        big = order[1] if game.blinds[order[1]] else order[0]
        self._begin(words.STREETS[0], [])
        for position in order:
            chips = game.blinds[position]
            if chips:
                kind = "Post BB" if position == big else "Straddle"
                kind = "Post SB" if position == order[0] and position != big else kind
                self._act(position, kind, chips, all_in=chips == game.stacks[position])
        for position, hole in enumerate(hand.cards.holes):
            if hole:
                self._act(position, "Dealt Cards")["cards"] = [CARD_TEXT[card] for card in hole]
        street = base = 0
        for spot, action, after in state.steps():
            while street < spot.street:
                street += 1
                base = spot.to_match
                self._street(street)
            actor = spot.actor
            paid = after.spent[actor] - spot.spent[actor]
            kind = "Fold"
            if action.kind == "c":
                kind = "Call" if paid else "Check"
            elif action.kind == "r":
                kind = "Bet" if spot.to_match == base else "Raise"
            self._act(
                actor, kind, paid, all_in=bool(paid) and after.spent[actor] == game.stacks[actor]
            )
        while street < state.street and state.showdown:
            street += 1
            self._street(street)

    def _street(self, street: int) -> None:
        game, board = self.hand.game, self.hand.cards.board
        start, new = game.board_seen(street - 1), game.board_seen(street)
        self._begin(words.STREETS[street], [CARD_TEXT[card] for card in board[start:new]])

    def _show(self, chips: TableChips) -> None:
        holes = self.hand.cards.holes
        shown = [
            position for position, strength in enumerate(chips.strengths) if strength is not None
        ]
        if shown:
            self._begin(words.SHOWDOWN, [])
        for position in shown:
            cards = [CARD_TEXT[card] for card in holes[position]]
            self._act(position, "Shows Cards")["cards"] = cards


def _plain(value: Any) -> Any:
    """Return a value of TOML as one of JSON."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value
