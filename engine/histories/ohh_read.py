"""Open Hand History, the JSON of trackers and sites (version 1.4.6) -> hands.

Objects stand behind one another, with empty lines between them or one a line.  An amount is what a
player puts in with an action, also where it raises.  Pots may hold an uncalled bet or not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import DamagedDocument, UnusableHistory
from engine.histories import ohh_words as words
from engine.histories.hand import HandHistory, LeftOut
from engine.histories.holdem_fields import COINS_PER_UNIT
from engine.histories.phh_write import LIMIT, NO_LIMIT, time_fields
from engine.histories.seating import Seating
from engine.histories.table_hand import TableHand
from engine.histories.toml_text import format_toml, read_entries
from engine.storage.documents import json_document
from protocol.errors import ProtocolError

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings

_MOST_HAND_CHARACTERS: Final = 1 << 22
_MOST_DIGITS: Final = 30
_VARIANTS: Final = {"NL": NO_LIMIT, "FL": LIMIT}
_NO_ACTIONS: Final = frozenset({"Added Chips", "Sits Down", "Stands Up"})
_HOLDS: Final = frozenset({"Dealt Cards", "Shows Cards", "Mucks Cards"})
_POSTS: Final = frozenset({"Post SB", "Post BB", "Straddle"})


def read_ohh(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a file; see `engine.histories.hand.HistoryReader`."""
    seating = Seating()
    for count, (line, text) in enumerate(_objects(lines)):
        try:
            table_hand = _told(*_parsed(text), line, count)
            in_currency = (
                table_hand.fields.get("currency", words.CHIPS_CURRENCY) != words.CHIPS_CURRENCY
            )
            table_hand.settle(COINS_PER_UNIT if in_currency else None)
            hand = table_hand.hand(seating)
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
    beside = record.get(words.BESIDE_KEY, "")
    hand = TableHand(
        line,
        count,
        int(number) if is_number and number else None,
        read_entries(_checked(beside, str, words.BESIDE_KEY)),
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
    if limit not in _VARIANTS:
        raise UnusableHistory(f"hold'em with betting {limit!r}; NL and FL are read")
    fields = hand.fields
    fields["variant"] = _VARIANTS[limit]
    if record.get("ante_amount"):
        raise UnusableHistory("antes, which no game definition has")
    if limit == "FL":
        big = _amount(record, "big_blind_amount")
        fields["small_bet"], fields["big_bet"] = big, 2 * big
    hand.button = _value(record, "dealer_seat", int)
    if record.get("small_blind_amount") is not None and record.get("big_blind_amount") is not None:
        hand.stakes = _amount(record, "small_blind_amount"), _amount(record, "big_blind_amount")
    stamp = words.stamp_of_date(record.get("start_date_utc"))
    if stamp is not None and "_stamp" not in hand.beside:
        fields |= time_fields(stamp)
    for key, name in (("table", "table_name"), ("currency", "currency")):
        value = record.get(name)
        if isinstance(value, str) and value != words.USUAL_VALUES[name]:
            fields[key] = _checked(value, str, name)
    size = record.get("table_size")
    if type(size) is int and size != len(_items(record, "players")):
        fields["seat_count"] = size


def _read_round(record: dict[str, Any], street: int, hand: TableHand) -> None:
    name = _value(record, "street", str)
    if name != words.SHOWDOWN:
        if name != (words.STREETS[street] if street < len(words.STREETS) else None):
            raise UnusableHistory(f"round {street} is called {name[:20]!r}")
        cards = _cards(record)
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
    takes: dict[str, Callable[[Any, int | Decimal], None]] = {
        "Check": hand.call,
        "Call": hand.call,
        "Bet": hand.bet,
        "Raise": hand.bet,
    }
    if kind in _POSTS:
        hand.post(who, chips)
    elif kind in takes:
        takes[kind](who, chips)
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
        if key not in words.HAND_KEYS and value != words.USUAL_VALUES.get(key)
    }
    hero = others.get("hero_player_id")
    if hero is not None:
        others["hero_player_id"] = hand.seats.get(hero) if type(hero) is int else None
    inner = {f"../{key}": value for key, value in around.items()} | _inner_keys(record)
    if inner:
        given = others.get(words.INNER_KEY)
        others[words.INNER_KEY] = (given if isinstance(given, dict) else {}) | inner
    others = _without_none(others)
    if others and _is_text(others):
        hand.fields[words.OTHERS_FIELD] = others
    elif others:
        hand.notes.append(f"not in UTF-8, and lost: {', '.join(others)!a}")


def _inner_keys(record: dict[str, Any], path: str = "") -> dict[str, Any]:
    """Return the keys of objects within an object that say nothing of the betting, by place."""
    keys: dict[str, Any] = {}
    for name, usual in words.OBJECT_KEYS.items():
        value = record.get(name)
        for number, item in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(item, dict):
                continue
            where = f"{path}{name}/{number}/" if isinstance(value, list) else f"{path}{name}/"
            usual_keys = usual | ({"cards"} if name == "players" and item.get("cards") else set())
            keys |= {
                where + key: content
                for key, content in item.items()
                if key not in usual_keys and not (key in words.ZERO_KEYS and content == 0)
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
