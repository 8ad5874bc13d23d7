"""An agent's answer: the text of a match state, ":" and an action, read leniently.

    agent -> dealer   MATCHSTATE:<viewer>:<hand_id>:<betting>:<cards>:<action>

Like the reference dealer, this module takes blanks, signs and leading zeros before numbers, stray
slashes, card letters in either case, capital letters and poker words ("call", "bet") for actions,
and anything behind them.  Whether the rules allow what was read is checked elsewhere.  How many
board cards belong to an answer depends on the street that its betting leads to, so an answer is
read in two steps, `parse_answer_head` and `parse_answer_cards`.

Numbers never wrap, unlike those of the original: one of too many digits is as good as infinite.
"""

import re
from typing import Final, NamedTuple

from protocol.actions import CALL, FOLD, RAISE, Action
from protocol.cards import RANKS, SUITS
from protocol.gamedef import GameDef

_HEAD: Final = re.compile(rb"MATCHSTATE:\s*([+-]?)([0-9]+):\s*([+-]?)([0-9]+):")
_SIZE: Final = re.compile(rb"[ \t\n\v\f\r]*([+-]?)([0-9]+)")
_MOST_NUMBER_DIGITS: Final = 18
"""Longer numbers would make int() slow."""

_KINDS: Final = {**dict.fromkeys(b"fF", "f"), **dict.fromkeys(b"cCkK", "c")} | dict.fromkeys(
    b"rRbB", "r"
)
_CARD_VALUES: Final = {
    bytes((first, second)): rank * 4 + suit
    for rank, rank_text in enumerate(RANKS)
    for suit, suit_text in enumerate(SUITS)
    for first in {*rank_text.encode(), *rank_text.lower().encode()}
    for second in {*suit_text.encode(), *suit_text.upper().encode()}
}


class AnswerHead(NamedTuple):
    """What stands before the cards."""

    viewer: int
    hand_id: int
    betting: list[Action]
    """Without the ends of streets: slashes do not matter."""
    end: int
    """Where the cards begin."""


class AnswerCards(NamedTuple):
    """The cards, and where they end."""

    holes: tuple[tuple[int, ...], ...]
    """Per position; () where none are given."""
    board: tuple[int, ...]
    end: int
    """A ":" here is followed by the action."""


def action_kind(text: bytes) -> str | None:
    """Return "f", "c" or "r" for the action that `text` begins with, None where it is none."""
    return _KINDS.get(text[0]) if text else None


def raise_size(text: bytes) -> int | None:
    """Return the chips that follow the letter of a raise, None where no number does."""
    digits = text[1:].rstrip(b"\r\n")
    if len(digits) <= _MOST_NUMBER_DIGITS and digits.isdigit():
        return int(digits)
    size = _read_size(text, 1)
    return None if size is None else size[0]


def parse_answer_head(text: bytes, *, no_limit: bool) -> AnswerHead | None:
    """Read an answer up to its cards; None where that is no match state.

    Args:
        text: the line up to its first NUL, terminator included.
        no_limit: whether raises have sizes.
    """
    head = _HEAD.match(text)
    if head is None:
        return None
    betting = _read_betting(text, head.end(), no_limit)
    if betting is None:
        return None
    return AnswerHead(_bounded(head[1], head[2]), _bounded(head[3], head[4]), *betting)


def parse_answer_cards(text: bytes, start: int, game: GameDef, street: int) -> AnswerCards | None:
    """Read an answer's cards from `start` on; None where they are not those of `street`.

    A bar before a position's cards and a slash before a street's may be left out.
    """
    holes = []
    at = start
    for position in range(game.players):
        if position and text[at : at + 1] == b"|":
            at += 1
        hole, at = _read_cards(text, at, game.hole_cards)
        if hole and len(hole) != game.hole_cards:
            return None
        holes.append(hole)
    board: tuple[int, ...] = ()
    for reached in range(street + 1):
        if reached and text[at : at + 1] == b"/":
            at += 1
        wanted = game.board_cards[reached]
        new, at = _read_cards(text, at, wanted)
        if len(new) != wanted:
            return None
        board += new
    return AnswerCards(tuple(holes), board, at)


def _bounded(sign: bytes, digits: bytes) -> int:
    digits = digits.lstrip(b"0")
    value = int(digits or b"0") if len(digits) <= _MOST_NUMBER_DIGITS else 10**_MOST_NUMBER_DIGITS
    return -value if sign == b"-" else value


def _read_size(text: bytes, start: int) -> tuple[int, int] | None:
    """Return the whole number at `start`, blanks and sign allowed, and where it ends."""
    match = _SIZE.match(text, start)
    return None if match is None else (_bounded(match[1], match[2]), match.end())


def _read_betting(text: bytes, start: int, no_limit: bool) -> tuple[list[Action], int] | None:
    """Return the actions from `start` on, and where their colon ends."""
    actions: list[Action] = []
    at = start
    while at < len(text):
        byte = text[at]
        at += 1
        if byte == ord(":"):
            return actions, at
        if byte == ord("/"):
            continue
        kind = _KINDS.get(byte)
        if kind is None:
            return None
        if kind != "r":
            actions.append(CALL if kind == "c" else FOLD)
        elif no_limit:
            size = _read_size(text, at)
            if size is None:
                return None
            actions.append(Action("r", size[0]))
            at = size[1]
        else:
            actions.append(RAISE)
    return None


def _read_cards(text: bytes, start: int, most: int) -> tuple[tuple[int, ...], int]:
    """Return up to `most` cards from `start` on, and where the first non-card stands."""
    cards: list[int] = []
    at = start
    while len(cards) < most and text[at : at + 2] in _CARD_VALUES:
        cards.append(_CARD_VALUES[text[at : at + 2]])
        at += 2
    return tuple(cards), at
