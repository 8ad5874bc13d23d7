"""One logged hand, checked action by action and card by card: the authority on a STATE line.

Readable rather than fast; `read_hand` accepts most lines in bulk and everything else comes here.
A fault is a sentence that says what is written and what a dealer would have written.  Positions
are counted from 0, as on the wire.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from engine.errors import IllegalAction
from engine.rules.state import HandState
from engine.showdown.hand_values import hand_values
from protocol.betting import parse_betting
from protocol.cards import CARD_TEXT
from protocol.errors import GameDefError, ProtocolError
from protocol.gamedef import UNLIMITED_STACK
from protocol.handlog import format_chips
from protocol.matchstate import CardsShown, format_card_text, parse_card_text

if TYPE_CHECKING:
    from protocol.gamedef import GameDef
    from protocol.handlog import HandRecord

# What can be wrong with a hand, as indices of an array of counts.
UNREADABLE: Final = 0
"""The line is no STATE line, or has not one name and value for each position."""
BETTING: Final = 1
"""An action is not allowed, the betting stops too early, or is written otherwise."""
CARDS: Final = 2
"""Cards that no deal of the game has, or not as many as the betting shows."""
VALUES: Final = 3
"""Chips won are not those recomputed."""
DEALS: Final = 4
"""Cards are not those that the seed deals."""
NAMES: Final = 5
"""Players are not those of the match, or sit elsewhere."""
IDS: Final = 6
"""The number does not follow that of the hand before, or is one too many."""
KINDS: Final = 7

KIND_NAMES: Final = ("unreadable", "betting", "cards", "values", "deals", "names", "ids")


@dataclass(frozen=True, slots=True)
class HandReport:
    """What came out of checking one hand."""

    faults: tuple[str, ...]
    state: HandState | None
    """The finished betting, None where it is not legal to its end."""
    cards: CardsShown | None
    """Hole cards and board, None where they cannot be read or do not fit the betting."""
    values: tuple[float, ...] | None
    """Chips won per position, recomputed; None where betting or cards do not allow it."""
    kinds: tuple[int, ...]
    """What is wrong, as in `engine.showdown.hand_check`, each kind once."""


def game_of_hand(game: GameDef, record: HandRecord) -> GameDef:
    """Return the game with the chips that a hand was played with.

    Raises:
        GameDefError: there are too few or too many of them, or no hand can be played with them.
    """
    if record.stakes is None:
        return game
    stacks, blinds = record.stakes.stacks, record.stakes.blinds
    if len(stacks) != game.players or len(blinds) != game.players:
        counted = f"{len(stacks)} stacks and {len(blinds)} blinds"
        raise GameDefError(f"{counted} in a game of {game.players}")
    for stack, blind in zip(stacks, blinds, strict=True):
        if not 0 < stack <= UNLIMITED_STACK or blind > stack:
            raise GameDefError(f"no stack of {stack} plays with a blind of {blind}")
    return replace(game, stacks=stacks, blinds=blinds)


def check_hand(game: GameDef, record: HandRecord, *, hidden: bool = False) -> HandReport:
    """Check stakes, betting, cards and values of one logged hand.

    Args:
        game: that of the log.
        record: the hand.
        hidden: whether hole cards may be missing, as where somebody wrote down what he saw.
    """
    faults: list[str] = []
    try:
        game = game_of_hand(game, record)
    except GameDefError as error:
        return HandReport((str(error),), None, None, None, (UNREADABLE,))
    if len(record.values) != game.players or len(record.names) != game.players:
        counted = f"{len(record.values)} values and {len(record.names)} names"
        fault = f"{counted} in a game of {game.players}"
        return HandReport((fault,), None, None, None, (UNREADABLE,))
    state = _check_betting(game, record.betting, faults)
    fault_counts = [len(faults)]
    cards = _check_cards(game, record.cards, state, faults, hidden)
    fault_counts.append(len(faults))
    values = None
    if state is not None and cards is not None and not _is_secret(state, cards):
        values = hand_values(state, cards.holes, cards.board)
    if values is not None:
        for position, (printed, value) in enumerate(zip(record.values, values, strict=True)):
            text = format_chips(value)
            if printed != text:
                faults.append(f"value of position {position} is {printed}, recomputed {text}")
    fault_counts.append(len(faults))
    wrong = [
        kind
        for kind, previous, after in zip(
            (BETTING, CARDS, VALUES), (0, *fault_counts), fault_counts, strict=False
        )
        if after > previous
    ]
    return HandReport(tuple(faults), state, cards, values, tuple(wrong))


def _check_betting(game: GameDef, betting: str, faults: list[str]) -> HandState | None:
    try:
        streets = parse_betting(betting)
    except ProtocolError as error:
        faults.append(str(error))
        return None
    state = HandState.start(game)
    number = 0
    for street in streets:
        for action in street:
            number += 1
            try:
                state = state.apply(action)
            except IllegalAction as error:
                actor = f" of position {state.actor}" if not state.over else ""
                faults.append(f"illegal action {number}{actor}: {error}")
                return None
    if not state.over:
        faults.append(f"the betting stops while position {state.actor} is to act")
        return None
    if state.betting != betting:
        faults.append(f"betting {betting!r} should be written {state.betting!r}")
    return state


def _is_secret(state: HandState, cards: CardsShown) -> bool:
    """Return whether cards that decide a showdown are not known."""
    shown = zip(cards.holes, state.folded, strict=True)
    return state.showdown and any(not hole and not folded for hole, folded in shown)


def _check_cards(
    game: GameDef, text: str, state: HandState | None, faults: list[str], hidden: bool
) -> CardsShown | None:
    """Read the cards and compare them with the street reached; None after noting a fault."""
    try:
        cards = parse_card_text(text, game)
    except ProtocolError as error:
        faults.append(str(error))
        return None
    fault_count = len(faults)
    for position, hole in enumerate(cards.holes):
        if len(hole) != game.hole_cards and not (hidden and not hole):
            faults.append(f"{len(hole)} of {game.hole_cards} hole cards at position {position}")
    every = [card for hole in cards.holes for card in hole] + list(cards.board)
    for card, times in Counter(every).items():
        if times > 1:
            faults.append(f"card {CARD_TEXT[card]} appears {times} times")
    strange = sorted(set(every).difference(game.deck))
    faults.extend(f"card {CARD_TEXT[card]} is not in the deck of this game" for card in strange)
    if state is not None:
        board_size = game.board_seen(state.street)
        if len(cards.board) != board_size:
            faults.append(f"{len(cards.board)} board cards, the betting shows {board_size}")
        elif len(faults) == fault_count:
            written = format_card_text(cards.holes, cards.board, game, state.street)
            if written != text:
                faults.append(f"cards {text!r} should be written {written!r}")
    return cards if len(faults) == fault_count else None
