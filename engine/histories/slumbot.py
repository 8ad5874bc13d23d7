"""Records of the interface of slumbot.com, a JSON object a line <-> hands.

    {"action": "b200c/kk/kb400f", "client_pos": 0, "hole_cards": ["Ac", "9d"], "winnings": 200, ...}

`action` is the betting: k checks, c calls, f folds, b<n> bets or raises to n chips within the
street, "/" begins a street.  `client_pos` is the position of the player that asks, 0 for the big
blind; `hole_cards` are its cards, `winnings` its chips, `bot_hole_cards` the cards of the other.
`board` is the board.  The answer to each action is a record: those before the last of a hand, which
have no winnings, are passed over.  The game is no-limit hold'em for two, blinds 50 and 100,
20 000 chips each.

Records say nothing of names: they are "client" and "slumbot".  Those of other hands, and what else
a hand has, stand in keys of our own: `hand`, `client`, `bot`, and `_phh`, which is TOML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from engine.errors import DamagedDocument, UnusableHistory
from engine.histories.beside import GAME, STAMP, VALUES, fields_beside, hand_number
from engine.histories.hand import (
    HandFields,
    HandHistory,
    LeftOut,
    Move,
    decimal_text,
    settled_hand,
)
from engine.histories.play import holdem_game, whole_payoffs
from engine.histories.toml_text import format_toml, read_entries
from engine.storage.documents import json_document
from protocol.cards import CARD_TEXT
from protocol.errors import ProtocolError
from protocol.gamedef import parse_gamedef
from protocol.handlog import HandRecord

if TYPE_CHECKING:
    from engine.histories.hand import ReadSettings
    from protocol.gamedef import GameDef

_STACK: Final = 20_000
_GAME: Final = holdem_game((_STACK, _STACK), (100, 50))
_ACTION: Final = re.compile(r"(?:[kcf/]|b[0-9]{1,5}){0,200}")
_PARTS: Final = re.compile(r"[kcf/]|b[0-9]{1,5}")
_LETTERS: Final = {Move.FOLD: "f", Move.CHECK: "k", Move.CALL: "c"}
_CLIENT: Final = "client"
_BOT: Final = "slumbot"
_STREETS: Final = 4
_BESIDE: Final = "_phh"
_OTHERS_FIELD: Final = "_slumbot"
_OF_HAND: Final = frozenset(
    {
        *("hand", "client", "bot", "action", "old_action", "client_pos", "token", _BESIDE),
        *("hole_cards", "bot_hole_cards", "board", "winnings"),
    }
)


def read_slumbot(lines: Iterable[str], settings: ReadSettings) -> Iterator[HandHistory | LeftOut]:
    """Yield the hands of a file; see `engine.histories.hand.HistoryReader`."""
    open_hand: tuple[int, str, object] | None = None
    count = 0
    for number, line in enumerate(lines, 1):
        text = line.strip("\ufeff\r\n\t ")
        if not text:
            continue
        try:
            entry = _parsed(text)
            action, cards = _action(entry), entry.get("hole_cards")
            if open_hand is not None and not (
                action.startswith(open_hand[1]) and cards == open_hand[2]
            ):
                yield LeftOut(open_hand[0], "unfinished: no record of it has winnings")
            open_hand = None
            if entry.get("winnings") is None:
                open_hand = (number, action, cards)
                continue
            hand = _hand(entry, action, number, count)
        except (UnusableHistory, ProtocolError) as error:
            yield LeftOut(number, str(error))
        else:
            yield hand
        count += 1
    if open_hand is not None:
        yield LeftOut(open_hand[0], "unfinished: no record of it has winnings")


def _parsed(text: str) -> dict[str, Any]:
    try:
        document = json_document(text)
    except DamagedDocument as error:
        raise UnusableHistory(str(error)) from error
    if not isinstance(document, dict):
        raise UnusableHistory("no JSON object")
    return document


def _action(entry: dict[str, Any]) -> str:
    action = entry.get("action")
    if not isinstance(action, str) or not _ACTION.fullmatch(action):
        raise UnusableHistory(f"action is no betting: {str(action)[:40]!r}")
    return action


def _hand(entry: dict[str, Any], action: str, line: int, count: int) -> HandHistory:
    client = entry.get("client_pos")
    if client not in (0, 1) or type(client) is not int:
        raise UnusableHistory(f"client_pos is neither 0 nor 1: {str(client)[:40]!r}")
    won = entry["winnings"]
    if type(won) is not int or abs(won) > _STACK:
        raise UnusableHistory(f"winnings are no chips: {str(won)[:40]!r}")
    beside = entry.get(_BESIDE, "")
    if not isinstance(beside, str):
        raise UnusableHistory(f"{_BESIDE} is no text")
    fields = HandFields(read_entries(beside))
    others = {
        key: value
        for key, value in entry.items()
        if key not in _OF_HAND and isinstance(value, int | str) and f"{key}{value}".isprintable()
    }
    if others:
        fields[_OTHERS_FIELD] = others
    betting = _betting(action)
    holes, board = ["", ""], _cards(entry, "board")
    holes[client], holes[1 - client] = _cards(entry, "hole_cards"), _cards(entry, "bot_hole_cards")
    streets = betting.count("/") + 1
    board_parts = [board[start:end] for start, end in ((0, 6), (6, 8), (8, 10))][: streets - 1]
    texts = [f"{holes[0]}|{holes[1]}", *board_parts]
    if len(board) != sum(map(len, board_parts)):
        raise UnusableHistory("more cards on the board than the betting has streets")
    names = ["", ""]
    names[client], names[1 - client] = _name(entry, "client", _CLIENT), _name(entry, "bot", _BOT)
    values = [Decimal(won if position == client else -won) for position in (0, 1)]
    paid = whole_payoffs(values, fields.pop(VALUES, None), 1)
    stamp = fields.pop(STAMP, None)
    record = HandRecord(
        hand_id=hand_number(entry, count),
        betting=betting,
        cards="/".join(texts),
        values=paid.values or (),
        names=tuple(names),
        stamp=stamp if isinstance(stamp, str) else None,
    )
    hand = settled_hand(_game(fields), record, line, fields)
    parts = [part for part in _PARTS.findall(action) if part != "/"]
    for (spot, _), part in zip(hand.state.history, parts, strict=True):
        if part in "kc" and (part == "c") != bool(spot.to_call):
            raise UnusableHistory(
                f"{part!r} where the player can {'check' if part == 'c' else 'call'}"
            )
    return hand


def _game(fields: dict[str, Any]) -> GameDef:
    noted_game = fields.pop(GAME, None)
    if not isinstance(noted_game, str):
        return _GAME
    named = parse_gamedef(noted_game)
    if replace(named, max_raises=_GAME.max_raises) != _GAME:
        raise UnusableHistory("a game that is not that of slumbot")
    return named


def _betting(action: str) -> str:
    """Return the betting as a log has it, with all its streets where nobody can act any more."""
    texts: list[str] = []
    base = to_match = 0
    for part in _PARTS.findall(action):
        if part == "/":
            base = to_match or _GAME.big_blind
            texts.append("/")
        elif part[0] == "b":
            to_match = base + int(part[1:])
            texts.append(f"r{to_match}")
        else:
            texts.append("c" if part == "k" else part)
    streets = texts.count("/") + 1
    if to_match == _STACK and texts[-1] == "c":
        texts += "/" * (_STREETS - streets)
    return "".join(texts)


def _cards(entry: dict[str, Any], name: str) -> str:
    cards = entry.get(name) or []
    if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise UnusableHistory(f"{name} are no list of cards")
    return "".join(cards)


def _name(entry: dict[str, Any], key: str, default: str) -> str:
    name = entry.get(key, default)
    if (
        not isinstance(name, str)
        or not name
        or not re.fullmatch(r"[^|\r\n\ud800-\udc7f\udd00-\udfff]*", name)
    ):
        raise UnusableHistory(f"{key} is no name")
    return name


class SlumbotWriter:
    """Writes hands, a record each; the client is who has the first hand's big blind."""

    def __init__(self) -> None:
        """Begin a file."""
        self._client: str | None = None

    def add(self, hand: HandHistory) -> str:
        """Return the record of the next hand; see `engine.histories.hand.HistoryWriter`."""
        game, record = hand.game, hand.record
        if replace(game, max_raises=_GAME.max_raises) != _GAME or hand.scale != 1:
            raise UnusableHistory(
                "slumbot plays no-limit hold'em for two, blinds 50 and 100, 20,000 chips each"
            )
        if self._client is None:
            self._client = record.names[0]
            if _BOT in self._client.lower():
                self._client = record.names[1]
        client = record.names.index(self._client) if self._client in record.names else 0
        values = [Decimal(text) for text in record.values]
        if sum(values) or values[0] != int(values[0]):
            raise UnusableHistory("slumbot has no word for payoffs that are not whole or not even")
        entry: dict[str, Any] = {
            "hand": record.hand_id,
            "client": record.names[client],
            "bot": record.names[1 - client],
            "action": _action_text(hand),
            "client_pos": client,
            "hole_cards": _card_list(hand.cards.holes[client]),
            "bot_hole_cards": _card_list(hand.cards.holes[1 - client]),
            "board": _card_list(hand.cards.board),
            "winnings": int(values[client]),
        }
        exact = [decimal_text(value) for value in values] == list(record.values)
        entry |= hand.fields.of_format(_OTHERS_FIELD)
        beside = fields_beside(hand, _GAME, (_OTHERS_FIELD,), exact=exact)
        if record.stamp is not None:
            beside[STAMP] = record.stamp
        if beside:
            entry[_BESIDE] = format_toml(beside)
        return json.dumps(entry) + "\n"

    def end(self) -> str:
        """Return nothing: there is no end mark."""
        return ""


def _card_list(cards: Iterable[int]) -> list[str]:
    return [CARD_TEXT[card] for card in cards]


def _action_text(hand: HandHistory) -> str:
    words = [
        [f"b{action.to}" if action.by else _LETTERS[action.kind] for action in street.actions]
        for street in hand.streets()
    ]
    return "/".join(map("".join, words))
