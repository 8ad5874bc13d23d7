"""Open Hand History, the JSON of trackers and sites (version 1.4.6) <-> hands.

Objects stand behind one another, with empty lines between them or one a line.  An amount is what a
player puts in with an action, also where it raises.  Pots may hold an uncalled bet or not.

Money is chips; a hand from a file in dollars and cents goes back to them.  A hand of a log has no
site, table or seats: it gets the same ones always.  What the format has no place for is TOML in a
key of our own, `_phh`.

Source: "Open Hand History", version 1.4.6 of its specification.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import DamagedDocument, UnusableHistory
from engine.histories import beside
from engine.histories.hand import Blind, HandHistory, LeftOut
from engine.histories.play import holdem_game
from engine.histories.table_chips import TableChips, coin_of, table_chips
from engine.histories.table_hand import Seating, TableHand, different_names, given_seats
from engine.histories.toml_text import format_toml, read_entries
from engine.storage.documents import json_document
from protocol.cards import CARD_TEXT
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings

VERSION: Final = "1.4.6"
_NO_DATE: Final = "1970-01-01T00:00:00Z"
_STREETS: Final = ("Preflop", "Flop", "Turn", "River")
_SHOWDOWN: Final = "Showdown"
_CHIPS_CURRENCY: Final = "Chips"
_BESIDE_KEY: Final = "_phh"
"""What the format has no place for stands here, as TOML."""
_USUAL_VALUES: Final[dict[str, Any]] = {
    "spec_version": VERSION,
    "internal_version": VERSION,
    "site_name": "Arena",
    "network_name": "Arena",
    "tournament": False,
    "table_name": "Arena",
    "currency": _CHIPS_CURRENCY,
    "ante_amount": 0,
    "hero_player_id": None,
    "flags": [],
}
"""They are written for hands of logs, which have nothing of the kind."""
_HAND_KEYS: Final = frozenset(
    {
        *("game_number", "start_date_utc", "game_type", "bet_limit", "table_size", "dealer_seat"),
        *("small_blind_amount", "big_blind_amount", "ante_amount", "table_name", "currency"),
        *("players", "rounds", "pots", _BESIDE_KEY),
    }
)
_OBJECT_KEYS: Final[dict[str, frozenset[str]]] = {
    "bet_limit": frozenset({"bet_type"}),
    "players": frozenset({"id", "name", "seat", "starting_stack"}),
    "rounds": frozenset({"id", "street", "cards", "actions"}),
    "actions": frozenset({"action_number", "player_id", "action", "amount", "is_allin", "cards"}),
    "pots": frozenset({"number", "amount", "rake", "jackpot", "player_wins"}),
    "player_wins": frozenset({"player_id", "win_amount"}),
}
_ZERO_KEYS: Final = frozenset({"bet_cap", "player_bounty"})
"""They say nothing where they are 0."""
_OTHERS_FIELD: Final = "_ohh"
_INNER_KEY: Final = "_keys"
"""Keys of objects within the hand or around it stand here, by their path."""
_MOST_HAND_CHARACTERS: Final = 1 << 22
_MOST_DIGITS: Final = 30
_NO_ACTIONS: Final = frozenset({"Added Chips", "Sits Down", "Stands Up"})
_HOLDS: Final = frozenset({"Dealt Cards", "Shows Cards", "Mucks Cards"})
_CARRIED: Final = frozenset({"hand", "table", "seats", "seat_count", "currency", _OTHERS_FIELD})
_NAME: Final = "Open Hand History"
_POST_WORDS: Final = {Blind.SMALL: "Post SB", Blind.BIG: "Post BB", Blind.STRADDLE: "Straddle"}
_POSTS: Final = frozenset(_POST_WORDS.values())


def read_ohh(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a file; see `engine.histories.hand.HistoryReader`."""
    seating = Seating()
    for count, (line, text) in enumerate(_objects(lines)):
        try:
            hand = _told(*_parsed(text), line, count).hand(seating)
        except (UnusableHistory, ProtocolError) as error:
            yield LeftOut(line, str(error))
        else:
            yield hand


def _objects(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of the objects of a file.

    An object ends with an empty line, or where it has as many ends as beginnings.
    """
    object_lines: list[str] = []
    start = size = depth = 0
    for number, line in enumerate(lines, 1):
        text = line.strip("\ufeff\r\n\t ")
        if text:
            if not object_lines:
                start = number
            object_lines.append(line)
            size += len(line)
            depth += line.count("{") - line.count("}")
        if object_lines and (
            not text or size > _MOST_HAND_CHARACTERS or (depth <= 0 and text.endswith("}"))
        ):
            yield start, "".join(object_lines)
            object_lines = []
            size = depth = 0
    if object_lines:
        yield start, "".join(object_lines)


def _parsed(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the object of a hand, and the keys of the one around it."""
    if len(text) > _MOST_HAND_CHARACTERS:
        raise UnusableHistory(f"a hand of more than {_MOST_HAND_CHARACTERS:,} characters")
    try:
        document = json_document(text.strip("\ufeff \r\n\t"), _real, _whole)
    except DamagedDocument as error:
        raise UnusableHistory(str(error)) from error
    if not isinstance(document, dict) or not isinstance(document.get("ohh"), dict):
        raise UnusableHistory('no Open Hand History: an object with "ohh"')
    record: dict[str, Any] = document.pop("ohh")
    return record, document


def _real(text: str) -> Decimal:
    if len(text) > _MOST_DIGITS or not re.fullmatch(
        r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?", text
    ):
        raise ValueError(f"no number of chips: {text[:40]}")
    return Decimal(text)


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"no number of chips: {text[:40]}")
    return int(text)


def _told(record: dict[str, Any], around: dict[str, Any], line: int, count: int) -> TableHand:
    number = record.get("game_number")
    is_number = isinstance(number, str) and re.fullmatch("0|[1-9][0-9]{0,17}", number)
    hand = TableHand(
        line,
        count,
        int(number) if is_number and number else None,
        read_entries(_checked(record.get(_BESIDE_KEY, ""), str, _BESIDE_KEY)),
    )
    _read_head(record, hand)
    if not is_number and isinstance(number, str) and number:
        hand.fields["hand"] = number
    for player in _items(record, "players"):
        who = _value(player, "id", int)
        stack = _amount(player, "starting_stack")
        hand.sit(who, _value(player, "name", str), _value(player, "seat", int), stack)
        if cards := _cards(player):
            hand.hold(who, cards)
    for street, betting_round in enumerate(_items(record, "rounds")):
        _read_round(betting_round, street, hand)
    _read_pots(record, hand)
    _keep_others(record, around, hand)
    return hand


def _read_head(record: dict[str, Any], hand: TableHand) -> None:
    if record.get("game_type") != "Holdem":
        raise UnusableHistory(f"{record.get('game_type')!r} is not read; hold'em is")
    limit = _value(record, "bet_limit", dict).get("bet_type")
    if limit not in ("NL", "FL"):
        raise UnusableHistory(f"hold'em with betting {limit!r}; NL and FL are read")
    fields = hand.fields
    if record.get("ante_amount"):
        raise UnusableHistory("antes, which no game definition has")
    if limit == "FL":
        big = _amount(record, "big_blind_amount")
        hand.limits = big, 2 * big
    hand.button = _value(record, "dealer_seat", int)
    if record.get("small_blind_amount") is not None and record.get("big_blind_amount") is not None:
        hand.stakes = _amount(record, "small_blind_amount"), _amount(record, "big_blind_amount")
    stamp = stamp_of_date(record.get("start_date_utc"))
    if stamp is not None and beside.STAMP not in hand.beside:
        fields |= beside.time_fields(stamp)
    for key, name in (("table", "table_name"), ("currency", "currency")):
        value = record.get(name)
        if isinstance(value, str) and value != _USUAL_VALUES[name]:
            fields[key] = _checked(value, str, name)
    if "currency" in fields:
        hand.coins = beside.COINS_PER_UNIT
    size = record.get("table_size")
    if type(size) is int and size != len(_items(record, "players")):
        fields["seat_count"] = size


def _read_round(record: dict[str, Any], street: int, hand: TableHand) -> None:
    name = _value(record, "street", str)
    if name != _SHOWDOWN:
        if name != (_STREETS[street] if street < len(_STREETS) else None):
            raise UnusableHistory(f"round {street} is called {name[:20]!r}")
        cards = _cards(record)
        if street and not cards:
            raise UnusableHistory(f"round {street} has no cards")
        if street:
            hand.deal(cards)
    actions = _items(record, "actions")
    numbers = [action.get("action_number") for action in actions]
    for action, number, previous in zip(actions, numbers, [None, *numbers], strict=False):
        if type(number) is int and type(previous) is int and number > previous + 1:
            raise UnusableHistory(f"round {street} has no action between {previous} and {number}")
        _read_action(action, hand)


def _read_action(record: dict[str, Any], hand: TableHand) -> None:
    kind = _value(record, "action", str)
    if kind in _NO_ACTIONS:
        return
    who = _value(record, "player_id", int)
    if who not in hand.seats:
        raise UnusableHistory(f"no player {who}")
    if kind in _HOLDS:
        cards = _cards(record)
        if cards:
            hand.hold(who, cards)
        return
    if kind == "Fold":
        hand.fold(who)
        return
    chips = _amount(record, "amount") if record.get("amount") is not None else 0
    if kind in _POSTS:
        hand.post(who, chips)
    elif kind in ("Check", "Call"):
        hand.call(who, chips)
    elif kind in ("Bet", "Raise"):
        hand.bet(who, chips)
    elif kind == "Post Ante":
        raise UnusableHistory("antes, which no game definition has")
    elif kind in ("Post Dead", "Post Extra Blind"):
        raise UnusableHistory(f"{kind.lower()}: a blind that no game definition has")
    else:
        raise UnusableHistory(f"no action of hold'em: {kind[:40]!r}")


def _read_pots(record: dict[str, Any], hand: TableHand) -> None:
    total: int | Decimal = 0
    for pot in _items(record, "pots"):
        for key in ("rake", "jackpot"):
            if pot.get(key):
                raise UnusableHistory(f"{key}: {pot[key]}, which no log can say")
        total += _amount(pot, "amount")
        for won in _items(pot, "player_wins"):
            who = _value(won, "player_id", int)
            if who not in hand.seats:
                raise UnusableHistory(f"no player {who}")
            hand.win(who, _amount(won, "win_amount"))
    spent = sorted(hand.spent.values(), reverse=True)
    if len(spent) < 2:
        raise UnusableHistory("fewer than two players are dealt in")
    uncalled = spent[0] - spent[1]
    if uncalled and total == sum(spent) - uncalled:
        leader = next(player for player, chips in hand.spent.items() if chips == spent[0])
        hand.win(leader, uncalled)
    elif total != sum(spent):
        raise UnusableHistory(f"pots of {total}, but the players put in {sum(spent)}")


def _keep_others(record: dict[str, Any], around: dict[str, Any], hand: TableHand) -> None:
    others = {
        key: value
        for key, value in record.items()
        if key not in _HAND_KEYS and value != _USUAL_VALUES.get(key)
    }
    hero = others.get("hero_player_id")
    if hero is not None:
        others["hero_player_id"] = hand.seats.get(hero) if type(hero) is int else None
    inner = {f"../{key}": value for key, value in around.items()} | _inner_keys(record)
    if inner:
        given = others.get(_INNER_KEY)
        others[_INNER_KEY] = (given if isinstance(given, dict) else {}) | inner
    others = _without_none(others)
    if others and _is_text(others):
        hand.fields[_OTHERS_FIELD] = others
    elif others:
        hand.notes.append(f"not in UTF-8, and lost: {', '.join(others)!a}")


def _inner_keys(record: dict[str, Any], path: str = "") -> dict[str, Any]:
    """Return the keys of objects within an object that say nothing of the betting, by place."""
    keys: dict[str, Any] = {}
    for name, usual in _OBJECT_KEYS.items():
        value = record.get(name)
        for number, item in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(item, dict):
                continue
            where = f"{path}{name}/{number}/" if isinstance(value, list) else f"{path}{name}/"
            usual_keys = usual | ({"cards"} if name == "players" and item.get("cards") else set())
            keys |= {
                where + key: content
                for key, content in item.items()
                if key not in usual_keys and not (key in _ZERO_KEYS and content == 0)
            }
            keys |= _inner_keys(item, where)
    return keys


def _without_none(value: Any) -> Any:
    """Return a value less what TOML has no place for."""
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_none(item) for item in value if item is not None]
    return value


def _is_text(value: Any) -> bool:
    """Return whether a value can be written in UTF-8: JSON may hold halves of characters."""
    try:
        (value if isinstance(value, str) else format_toml({"value": value})).encode()
    except UnicodeEncodeError:
        return False
    return True


def _checked(value: Any, kind: type, name: str) -> Any:
    if type(value) is not kind or (kind is str and not _is_text(value)):
        raise UnusableHistory(f"{name} is not as the standard has it: {str(value)[:40]!r}")
    return value


def _value(record: dict[str, Any], name: str, kind: type) -> Any:
    return _checked(record.get(name), kind, name)


def _items(record: dict[str, Any], name: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = _value(record, name, list)
    for item in items:
        _checked(item, dict, name)
    return items


def _amount(record: dict[str, Any], name: str) -> int | Decimal:
    value = record.get(name)
    if isinstance(value, Decimal):
        value = value.normalize()
        return int(value) if value == value.to_integral_value() else value
    if type(value) is int:
        return value
    raise UnusableHistory(f"{name} is no amount: {str(value)[:40]!r}")


def _cards(record: dict[str, Any]) -> str:
    cards = record.get("cards") or []
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise UnusableHistory("cards are no list")
    return "".join([card[:-1].replace("10", "T") + card[-1:] for card in cards])


def stamp_of_date(text: object) -> str | None:
    """Return the unix time of a date, which is in UTC; None where there is none."""
    if not isinstance(text, str) or text == _NO_DATE or len(text) > 40:
        return None
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    return beside.stamp_text(when) if when.year >= 1970 else None


def date_of_stamp(stamp: str | None) -> str | None:
    """Return the date of a unix time, None where it would not come back the same."""
    if stamp is None:
        return _NO_DATE
    seconds, _, digits = stamp.partition(".")
    try:
        when = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    text = when.replace(microsecond=int(digits[:6].ljust(6, "0")), tzinfo=None).isoformat() + "Z"
    return text if stamp_of_date(text) == stamp else None


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
        usual = beside.usual_game(game, _NAME)
        if not game.no_limit:
            big = game.big_blind
            usual = holdem_game(game.stacks, game.blinds, (big, big, 2 * big, 2 * big))
        chips = table_chips(hand, coin_of(hand.scale, _NAME))
        self._beside = beside.fields_beside(hand, usual, _CARRIED, exact=chips.exact)
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
            keys[_BESIDE_KEY] = format_toml(self._beside)
        return {key: _plain(value) for key, value in keys.items()}

    def _site(self) -> dict[str, Any]:
        """Return what is said of site, table, time and stakes; find who sits where."""
        game, record, fields = self.hand.game, self.hand.record, self.hand.fields
        given = given_seats(fields.seats, game.players)
        if given is not None:
            self.seats = given
        elif "seats" in fields:
            self._beside["seats"] = fields["seats"]
        site = _USUAL_VALUES | fields.of_format(_OTHERS_FIELD)
        for key, name, value in (
            ("table", "table_name", fields.table),
            ("currency", "currency", fields.currency),
        ):
            if value is not None and value != _USUAL_VALUES[name]:
                site[name] = value
            elif key in fields:
                self._beside[key] = fields[key]
        if self.hand.scale != (1 if site["currency"] == _CHIPS_CURRENCY else beside.COINS_PER_UNIT):
            self._beside[beside.SCALE] = self.hand.scale
        date = date_of_stamp(record.stamp)
        if date is None:
            self._beside[beside.STAMP] = record.stamp
        size = fields.seat_count or 0
        small, big = self.hand.blind_pair
        return site | {
            "game_number": str(fields.get("hand", record.hand_id)),
            "start_date_utc": date or _NO_DATE,
            "game_type": "Holdem",
            "bet_limit": {"bet_type": "NL" if game.no_limit else "FL", "bet_cap": 0},
            "table_size": size if size > 0 else game.players,
            "small_blind_amount": self._money(small),
            "big_blind_amount": self._money(big),
        }

    def _players(self) -> list[dict[str, Any]]:
        names = list(self.hand.record.names)
        shown = [beside.utf8_name(name) for name in names]
        if shown != names:
            self._beside[beside.NAMES] = [beside.name_bytes(name) for name in names]
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
        self, position: int, word: str, chips: int = 0, *, all_in: bool = False
    ) -> dict[str, Any]:
        actions = self._rounds[-1]["actions"]
        record = {
            "action_number": len(actions),
            "player_id": self.seats[position],
            "action": word,
            "amount": self._money(chips),
            "is_allin": all_in,
        }
        actions.append(record)
        return record

    def _play(self) -> None:
        hand = self.hand
        for street in hand.streets():
            self._begin(_STREETS[street.number], [CARD_TEXT[card] for card in street.board])
            if not street.number:
                for post in hand.posts():
                    self._act(post.position, _POST_WORDS[post.kind], post.chips, all_in=post.all_in)
                for position, hole in enumerate(hand.cards.holes):
                    if hole:
                        cards = [CARD_TEXT[card] for card in hole]
                        self._act(position, "Dealt Cards")["cards"] = cards
            for action in street.actions:
                self._act(
                    action.position, action.kind.capitalize(), action.paid, all_in=action.all_in
                )

    def _show(self, chips: TableChips) -> None:
        holes = self.hand.cards.holes
        shown = [
            position for position, strength in enumerate(chips.strengths) if strength is not None
        ]
        if shown:
            self._begin(_SHOWDOWN, [])
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
