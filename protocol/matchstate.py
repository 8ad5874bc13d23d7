"""Match-state text <-> MatchState, and the card text inside it <-> cards.

    dealer -> agent   MATCHSTATE:<viewer>:<hand_id>:<betting>:<cards>
    agent -> dealer   the same text, then ":<action>"
    cards = hole *("|" hole) board0 *("/" board)

There is one `hole` per position, empty where the viewer may not see it.  `board0`, the board
cards of the first street, follows the last hole cards without a separator; nearly all games have
none there.  Only the game definition tells the two apart, so reading cards needs it.

Source: ACPC protocol 2.0.0 and the behaviour of the original dealer.  Its own reader cannot read
what it writes for a game with board cards on the first street; this one can.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from protocol.betting import BETTING_PATTERN
from protocol.cards import format_cards, parse_cards
from protocol.errors import MalformedCard, MalformedLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from protocol.gamedef import GameDef

MAX_HAND_ID_DIGITS: Final = 10

CARDS_PATTERN: Final = r"(?:[2-9TJQKA][cdhs]|[|/])*+"
"""How many cards may stand where is the game's affair."""

# Runs of digits are bounded because turning a huge one into a number is expensive.
_MATCH_STATE: Final = re.compile(
    rf"MATCHSTATE:([0-9]{{1,2}}):([0-9]{{1,{MAX_HAND_ID_DIGITS}}})"
    rf":({BETTING_PATTERN}):({CARDS_PATTERN})"
)


class MatchState(NamedTuple):
    """One player's view of one hand, as sent."""

    viewer: int
    """Position this copy is addressed to, 0-based."""
    hand_id: int
    betting: str
    """Streets joined by "/"; "r<n>" raises to n chips, counted over the whole hand."""
    cards: str
    """Hole cards joined by "|", then the board; see `parse_card_text`."""


class CardsShown(NamedTuple):
    """The cards that a card text shows."""

    holes: tuple[tuple[int, ...], ...]
    """Hole cards per position; () where they are hidden."""
    board: tuple[int, ...]
    """Board cards of all streets so far, in deal order."""


def parse_match_state(line: bytes) -> MatchState:
    """Parse one line, terminator already removed.

    Raises:
        MalformedLine: `line` is not exactly one match state.
    """
    match = _MATCH_STATE.fullmatch(line.decode("latin-1"))
    if match is None:
        raise MalformedLine(line)
    viewer, hand_id, betting, cards = match.groups()
    return MatchState(int(viewer), int(hand_id), betting, cards)


def format_match_state(state: MatchState) -> bytes:
    """Inverse of `parse_match_state`; no terminator."""
    head = format_match_state_head(state.viewer, state.hand_id)
    return f"{head}{state.betting}:{state.cards}".encode()


def format_match_state_head(viewer: int, hand_id: int) -> str:
    """Return what all states have in common that one position is sent in one hand."""
    return f"MATCHSTATE:{viewer}:{hand_id}:"


def parse_card_text(text: str, game: GameDef) -> CardsShown:
    """Parse the card text of a match state or a log line of `game`.

    Each position shows all its hole cards or none; each street up to some street shows all its
    board cards.  Whether the cards are in the deck, and different, is not checked.

    Raises:
        MalformedCard: not such a text.
    """
    fields = text.split("|")
    if len(fields) != game.players:
        raise MalformedCard(text, f"not cards of {game.players} positions")
    last, *later_streets = fields.pop().split("/")
    board_cards, characters = game.board_cards, 2 * game.hole_cards
    split_at = len(last) - 2 * board_cards[0]
    if split_at < 0 or len(later_streets) >= game.streets:
        raise MalformedCard(text, "not the board cards of this game")
    fields.append(last[:split_at])
    for field in fields:
        if field and len(field) != characters:
            raise MalformedCard(text, f"not {game.hole_cards} hole cards each")
    board = last[split_at:]
    for street, added in enumerate(later_streets, 1):
        if len(added) != 2 * board_cards[street]:
            raise MalformedCard(text, "not the board cards of this game")
        board += added
    holes = tuple([parse_cards(field) if field else () for field in fields])
    return CardsShown(holes, parse_cards(board) if board else ())


def format_card_text(
    holes: Sequence[Sequence[int]], board: Sequence[int], game: GameDef, street: int
) -> str:
    """Inverse of `parse_card_text`.

    Args:
        holes: hole cards per position, empty where hidden.
        board: board cards in deal order; those of streets after `street` are left out.
        game: says how many board cards each street has.
        street: the street reached, 0-based.
    """
    text = "|".join([format_cards(hole) for hole in holes])
    end = 0
    for reached in range(street + 1):
        start, end = end, game.board_seen(reached)
        text += ("/" if reached else "") + format_cards(board[start:end])
    return text
