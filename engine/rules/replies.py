"""Judging what an agent answered: is it about the state that was sent, and which action is it.

Agents answer with the state they got plus ":" and an action.  The reference dealer reads that
state leniently: blanks and leading zeros before numbers, stray slashes, card letters in either
case, invented opponent cards.  This module copies that reading, and the repairs of actions the
rules do not allow, so that old agents keep working.

Differences on purpose: numbers never wrap, so a hand or position that would fit only after
wrapping belongs to another state, and a huge raise goes to the nearest legal size; own cards
left out make another state.
"""

import re
from enum import Enum
from typing import Final, NamedTuple

from engine.errors import IllegalAction
from engine.rules.dealing import Deal
from engine.rules.state import HandState
from engine.rules.view import visible_board
from protocol.actions import CALL, FOLD, RAISE, Action, raise_to
from protocol.cards import RANKS, SUITS
from protocol.gamedef import GameDef

_HEAD: Final = re.compile(rb"MATCHSTATE:\s*([+-]?)([0-9]+):\s*([+-]?)([0-9]+):")
_SIZE: Final = re.compile(rb"[ \t\n\v\f\r]*([+-]?)([0-9]+)")
_MAX_DIGITS: Final = 18
"""Numbers are read up to here; one more digit is as good as infinite, and int() stays cheap."""

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


class Problem(Enum):
    """Why a reply could not be taken as it stood."""

    MALFORMED = "malformed"
    """The action text cannot be read."""
    ILLEGAL = "illegal"
    """The rules do not allow the action."""
    SIZE = "size"
    """A raise was possible, but not of this size."""


class Reading(NamedTuple):
    """The action that a reply stands for."""

    action: Action
    """Legal in the state that was asked about."""
    problem: Problem | None = None
    """None when the reply was taken as it stood."""
    warnings: tuple[str, ...] = ()
    """The reference dealer's words for what was changed, without "WARNING: "."""


class Echo(Enum):
    """What the state part of a reply turned out to be."""

    SAME = "same state"
    OTHER = "another state"
    MALFORMED = "no state"


def read_action(state: HandState, text: bytes) -> Reading:
    """Return the legal action that `text`, everything after the state's colon, stands for."""
    if text in _PLAIN_CALLS:
        return _CALLED
    kind = _KINDS.get(text[0]) if text else None
    if kind == "c":
        return _CALLED
    if kind == "f":
        return _FOLDED if state.can_fold else _NOT_POSSIBLE
    if kind != "r":
        return _NO_ACTION
    if not state.game.no_limit:
        return _RAISED if state.can_raise else _refused_raise(state)
    digits = text[1:].rstrip(b"\r\n")
    if len(digits) <= _MAX_DIGITS and digits.isdigit():
        chips = int(digits)
    else:
        size = _read_size(text, 1)
        if size is None:
            return _UNREADABLE
        chips = size[0]
    legal = state.raise_range()
    if legal is None:
        return _refused_raise(state)
    smallest, largest = legal
    if chips < smallest:
        words = f"raise of {chips} increased to {smallest}"
        return Reading(raise_to(smallest), Problem.SIZE, (words,))
    if chips > largest:
        words = f"raise of {chips} decreased to {largest}"
        return Reading(raise_to(largest), Problem.SIZE, (words,))
    return Reading(raise_to(chips))


def split_reply(
    text: bytes, state: HandState, hand_id: int, position: int, deal: Deal
) -> tuple[Echo, bytes | None]:
    """Compare the state part of a reply with the state that was asked about.

    Args:
        text: the line up to its first NUL, terminator included.
        state: what the agent in `position` was asked about.
        hand_id: the hand's number.
        position: the agent's position in this hand.
        deal: the hand's cards.

    Returns:
        What the state part is and, where it is the same state, what follows its colon; None
        in place of that where no colon follows the state.
    """
    game = state.game
    head = _HEAD.match(text)
    if head is None:
        return Echo.MALFORMED, None
    said_position = _bounded(head[1], head[2])
    said_hand = _bounded(head[3], head[4])
    if game.players <= said_position <= 255:
        return Echo.MALFORMED, None
    betting = _read_betting(game, text, head.end())
    if betting is None:
        return Echo.MALFORMED, None
    said, end = betting
    holes = _read_holes(game, text, end)
    if holes is None:
        return Echo.MALFORMED, None
    said_holes, end = holes
    board = _read_board(game, text, end, said.street)
    if board is None:
        return Echo.MALFORMED, None
    said_board, end = board
    same = (
        said_position == position
        and said_hand == hand_id
        and said.betting == state.betting
        and said_board == visible_board(state, deal)
        and said_holes[position] == deal.holes[position]
    )
    if not same:
        return Echo.OTHER, None
    return Echo.SAME, text[end + 1 :] if text[end : end + 1] == b":" else None


def unreadable() -> Reading:
    """Return the reading of a reply in which no action follows the state: a call."""
    return _UNREADABLE


_CALLED: Final = Reading(CALL)
_FOLDED: Final = Reading(FOLD)
_RAISED: Final = Reading(RAISE)
_PLAIN_CALLS: Final = frozenset((b"c\r\n", b"c\n"))
_CHANGED: Final = "invalid action, changed to call"
_NOT_POSSIBLE: Final = Reading(CALL, Problem.ILLEGAL, (_CHANGED,))
_NO_ACTION: Final = Reading(CALL, Problem.MALFORMED, (_CHANGED,))
_UNREADABLE: Final = Reading(
    CALL, Problem.MALFORMED, ("bad action format in response, changed to call",)
)
_STREET_FULL: Final = Reading(
    CALL,
    Problem.ILLEGAL,
    ("#actions in round is too close to MAX_NUM_ACTIONS, forcing call/fold", _CHANGED),
)


def _refused_raise(state: HandState) -> Reading:
    capped = state.raises >= state.game.max_raises[state.street]
    return _STREET_FULL if state.street_is_full and not capped else _NOT_POSSIBLE


def _bounded(sign: bytes, digits: bytes) -> int:
    digits = digits.lstrip(b"0")
    value = int(digits or b"0") if len(digits) <= _MAX_DIGITS else 10**_MAX_DIGITS
    return -value if sign == b"-" else value


def _read_size(text: bytes, start: int) -> tuple[int, int] | None:
    """Return the whole number at `start`, blanks and sign allowed, and where it ends."""
    match = _SIZE.match(text, start)
    return None if match is None else (_bounded(match[1], match[2]), match.end())


def _read_betting(game: GameDef, text: bytes, start: int) -> tuple[HandState, int] | None:
    """Replay the betting strictly; slashes do not matter.  The end is behind the colon."""
    state = HandState.start(game)
    at = start
    while at < len(text):
        byte = text[at]
        at += 1
        if byte == ord(":"):
            return state, at
        if byte == ord("/"):
            continue
        kind = _KINDS.get(byte)
        if kind == "c":
            action = CALL
        elif kind == "f":
            action = FOLD
        elif kind != "r":
            return None
        elif game.no_limit:
            size = _read_size(text, at)
            if size is None:
                return None
            action, at = Action("r", size[0]), size[1]
        else:
            action = RAISE
        try:
            state = state.apply(action)
        except IllegalAction:
            return None
    return None


def _read_cards(text: bytes, start: int, most: int) -> tuple[tuple[int, ...], int]:
    """Return up to `most` cards from `start` on, and where the first non-card stands."""
    cards: list[int] = []
    at = start
    while len(cards) < most and text[at : at + 2] in _CARD_VALUES:
        cards.append(_CARD_VALUES[text[at : at + 2]])
        at += 2
    return tuple(cards), at


def _read_holes(game: GameDef, text: bytes, start: int) -> tuple[list[tuple[int, ...]], int] | None:
    """Return the hole cards said for each position; a bar before a position's cards may miss."""
    holes = []
    at = start
    for position in range(game.players):
        if position and text[at : at + 1] == b"|":
            at += 1
        hole, at = _read_cards(text, at, game.hole_cards)
        if hole and len(hole) != game.hole_cards:
            return None
        holes.append(hole)
    return holes, at


def _read_board(
    game: GameDef, text: bytes, start: int, street: int
) -> tuple[tuple[int, ...], int] | None:
    """Return the board cards said for the streets up to `street`; slashes may miss."""
    board: tuple[int, ...] = ()
    at = start
    for reached in range(street + 1):
        if reached and text[at : at + 1] == b"/":
            at += 1
        wanted = game.board_cards[reached]
        new, at = _read_cards(text, at, wanted)
        if len(new) != wanted:
            return None
        board += new
    return board, at
