"""Compiled twin of `engine.rules.state` for bulk work: whole logs, simulations, solvers.

A game is packed into one row of int64, a hand's betting into another; kernels change the hand's
row in place.  Columns of a hand (H = `HAND_WIDTH`), named and meant as in `HandState`:

    STREET ACTOR TO_MATCH MIN_RAISE_TO RAISES ACTIONS SETTLED
    ABLE       positions neither folded nor all-in
    STAYING    positions not folded
    ACTED_ON   street of the last action: where the betting closed, once the hand is over
    SPENT + p  chips position p has put in over the hand
    FOLDED + p 1 if position p has folded, else 0

Chips are int64 and not int32 because the smallest raise after an unlimited stack's all-in does not
fit 32 bits.  Actions are the bytes of their letters: `FOLD`, `CALL`, `RAISE`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import inlined_kernel, kernel
from engine.rules.state import MAX_ACTIONS_PER_STREET
from protocol.gamedef import MAX_PLAYERS, MAX_STREETS, GameDef

# Columns of a packed game.
NO_LIMIT: Final = 0
PLAYERS: Final = 1
STREETS: Final = 2
BIG_BLIND: Final = 3
LARGEST_BLIND: Final = 4
FIRST_POSITIONS: Final = 5
MAX_RAISES: Final = FIRST_POSITIONS + MAX_STREETS
RAISE_SIZES: Final = MAX_RAISES + MAX_STREETS
STACKS: Final = RAISE_SIZES + MAX_STREETS
BLINDS: Final = STACKS + MAX_PLAYERS
GAME_WIDTH: Final = BLINDS + MAX_PLAYERS

# Columns of a hand.
STREET: Final = 0
ACTOR: Final = 1
TO_MATCH: Final = 2
MIN_RAISE_TO: Final = 3
RAISES: Final = 4
ACTIONS: Final = 5
SETTLED: Final = 6
ABLE: Final = 7
STAYING: Final = 8
ACTED_ON: Final = 9
SPENT: Final = 10
FOLDED: Final = SPENT + MAX_PLAYERS
HAND_WIDTH: Final = FOLDED + MAX_PLAYERS

FOLD: Final = ord("f")
CALL: Final = ord("c")
RAISE: Final = ord("r")
_SLASH: Final = ord("/")
_ZERO: Final = ord("0")

# What reading a betting text came to.
READ: Final = 0
"""Every byte was read and legal; the hand may or may not be over."""
MALFORMED: Final = 1
"""A byte that belongs to no action, or a raise size that is missing, padded or not wanted."""
ILLEGAL: Final = 2
"""An action the rules do not allow there, also any action after the end of the hand."""
MISPLACED_SLASH: Final = 3
"""A slash that is missing where a street ends, or stands elsewhere."""


@dataclass(frozen=True, slots=True)
class Replays:
    """Betting of N hands read by `replay`."""

    hands: NDArray[np.int64]
    """(N, H): where each hand stands when the reading stops."""
    status: NDArray[np.uint8]
    """(N,): `READ`, `MALFORMED`, `ILLEGAL` or `MISPLACED_SLASH`."""
    stopped_at: NDArray[np.int64]
    """(N,): offset in the text of the faulty action, size or slash; the end where none is."""


def pack_game(game: GameDef) -> NDArray[np.int64]:
    """Return the game as one row for the kernels, (`GAME_WIDTH`,) int64."""
    packed = np.zeros(GAME_WIDTH, np.int64)
    packed[NO_LIMIT] = game.no_limit
    packed[PLAYERS] = game.players
    packed[STREETS] = game.streets
    packed[BIG_BLIND] = game.big_blind
    packed[LARGEST_BLIND] = max(game.blinds)
    for column, values in (
        (FIRST_POSITIONS, game.first_positions),
        (MAX_RAISES, game.max_raises),
        (RAISE_SIZES, game.raise_sizes),
        (STACKS, game.stacks),
        (BLINDS, game.blinds),
    ):
        packed[column : column + len(values)] = values
    return packed


def replay(
    game: GameDef,
    text: bytes,
    starts: Sequence[int] | NDArray[np.int64],
    stops: Sequence[int] | NDArray[np.int64],
) -> Replays:
    """Play N betting texts, hand i being text[starts[i]:stops[i]], with strict legality.

    Raises:
        ValueError: a span does not lie within the text, or there are not as many starts as stops.
    """
    first = np.ascontiguousarray(starts, np.int64)
    last = np.ascontiguousarray(stops, np.int64)
    if first.shape != last.shape or first.ndim != 1:
        raise ValueError(f"{first.shape} starts but {last.shape} stops")
    if np.any(first < 0) or np.any(last < first) or np.any(last > len(text)):
        raise ValueError(f"spans must lie within the {len(text)} bytes of the text")
    found = Replays(
        np.zeros((len(first), HAND_WIDTH), np.int64),
        np.zeros(len(first), np.uint8),
        np.zeros(len(first), np.int64),
    )
    read = np.frombuffer(text, np.uint8)
    _replay(pack_game(game), read, first, last, found.hands, found.status, found.stopped_at)
    return found


# Kernels: arguments are trusted, nothing is allocated; `game` and `hand` are rows as above, and
# `hand` is what changes.


@inlined_kernel
def is_over(hand: NDArray[np.int64]) -> bool:
    """Return whether no action is left."""
    return bool(hand[ACTOR] < 0)


@inlined_kernel
def is_showdown(hand: NDArray[np.int64]) -> bool:
    """Return whether the hand is over with at least two positions not folded."""
    return bool(hand[ACTOR] < 0 and hand[STAYING] > 1)


@inlined_kernel
def can_fold(hand: NDArray[np.int64]) -> bool:
    """Return whether the actor faces chips to call."""
    return bool(hand[ACTOR] >= 0 and hand[SPENT + hand[ACTOR]] != hand[TO_MATCH])


@kernel
def raise_range(game: NDArray[np.int64], hand: NDArray[np.int64]) -> tuple[int, int]:
    """Return the smallest and largest legal raise-to; where none is legal, (1, 0)."""
    actor = hand[ACTOR]
    street = hand[STREET]
    if actor < 0 or hand[ABLE] < 2 or hand[RAISES] >= game[MAX_RAISES + street]:
        return 1, 0
    if hand[ACTIONS] + game[PLAYERS] > MAX_ACTIONS_PER_STREET:
        return 1, 0
    stack = game[STACKS + actor]
    if stack <= hand[TO_MATCH]:
        return 1, 0
    if game[NO_LIMIT]:
        return min(hand[MIN_RAISE_TO], stack), stack
    raised = min(hand[TO_MATCH] + game[RAISE_SIZES + street], stack)
    return raised, raised


@kernel
def start(game: NDArray[np.int64], hand: NDArray[np.int64]) -> None:
    """Set the hand to the state right after the blinds are posted."""
    players = game[PLAYERS]
    hand[:] = 0
    for p in range(players):
        hand[SPENT + p] = game[BLINDS + p]
        hand[ABLE] += game[BLINDS + p] < game[STACKS + p]
    hand[STAYING] = players
    hand[TO_MATCH] = game[LARGEST_BLIND]
    hand[MIN_RAISE_TO] = max(2 * game[LARGEST_BLIND], 1)
    if hand[ABLE]:
        hand[ACTOR] = _next_able(game, hand, game[FIRST_POSITIONS])
    else:
        hand[ACTOR] = -1
        hand[STREET] = game[STREETS] - 1


@kernel
def act(game: NDArray[np.int64], hand: NDArray[np.int64], kind: int, raise_to: int) -> bool:
    """Apply the actor's action; return False, and change nothing, if it is illegal.

    kind is `FOLD`, `CALL` or `RAISE`; raise_to counts for no-limit raises only.
    """
    actor = hand[ACTOR]
    if actor < 0:
        return False
    stack = game[STACKS + actor]
    if kind == CALL:
        paid = min(hand[TO_MATCH], stack)
        hand[SPENT + actor] = paid
        if paid < stack:
            hand[SETTLED] += 1
        else:
            hand[ABLE] -= 1
    elif kind == FOLD:
        if not can_fold(hand):
            return False
        hand[FOLDED + actor] = 1
        hand[STAYING] -= 1
        hand[ABLE] -= 1
    elif kind == RAISE:
        smallest, largest = raise_range(game, hand)
        paid = raise_to if game[NO_LIMIT] else largest
        if not smallest <= paid <= largest:
            return False
        if game[NO_LIMIT]:
            hand[MIN_RAISE_TO] = max(hand[MIN_RAISE_TO], 2 * paid - hand[TO_MATCH])
        hand[TO_MATCH] = paid
        hand[SPENT + actor] = paid
        hand[RAISES] += 1
        hand[SETTLED] = paid < stack
        hand[ABLE] -= paid == stack
    else:
        return False
    hand[ACTED_ON] = hand[STREET]
    hand[ACTIONS] += 1
    _move_on(game, hand)
    return True


@inlined_kernel
def _move_on(game: NDArray[np.int64], hand: NDArray[np.int64]) -> None:
    """Find who acts next, on this street or the next, if anybody."""
    if hand[STAYING] == 1:
        hand[ACTOR] = -1
    elif hand[SETTLED] < hand[ABLE]:
        hand[ACTOR] = _next_able(game, hand, hand[ACTOR] + 1)
    elif hand[ABLE] > 1 and hand[STREET] + 1 < game[STREETS]:
        hand[STREET] += 1
        hand[MIN_RAISE_TO] = hand[TO_MATCH] + game[BIG_BLIND]
        hand[RAISES] = 0
        hand[ACTIONS] = 0
        hand[SETTLED] = 0
        hand[ACTOR] = _next_able(game, hand, game[FIRST_POSITIONS + hand[STREET]])
    else:
        hand[STREET] = game[STREETS] - 1
        hand[ACTOR] = -1


@kernel
def _next_able(game: NDArray[np.int64], hand: NDArray[np.int64], position: int) -> int:
    """Return the first position from `position` on that can act; there must be one."""
    players = game[PLAYERS]
    while True:
        if position >= players:
            position -= players
        if hand[FOLDED + position] == 0 and hand[SPENT + position] < game[STACKS + position]:
            return position
        position += 1


@kernel
def play_betting(
    game: NDArray[np.int64],
    text: NDArray[np.uint8],
    first: int,
    stop: int,
    hand: NDArray[np.int64],
) -> tuple[int, int]:
    """Start a hand and play text[first:stop], wire betting such as "cr300c/cc/".

    Returns the status (`READ`, `MALFORMED`, `ILLEGAL`, `MISPLACED_SLASH`) and the offset of the
    fault, `stop` where there is none; the hand stands where the reading stopped.  The text may end
    anywhere between actions: `is_over` tells whether it is a whole hand.
    """
    start(game, hand)
    at = first
    for _ in range(hand[STREET]):  # all all-in by blinds
        if at >= stop or text[at] != _SLASH:
            return MISPLACED_SLASH, at
        at += 1
    while at < stop:
        begin = at
        kind = int(text[at])
        at += 1
        if kind == _SLASH:
            return MISPLACED_SLASH, begin
        if kind != FOLD and kind != CALL and kind != RAISE:
            return MALFORMED, begin
        size = 0
        digits = 0
        while kind == RAISE and at < stop and _ZERO <= text[at] <= _ZERO + 9:
            size = min(10 * size + int(text[at]) - _ZERO, 1 << 40)  # too large either way
            digits += 1
            at += 1
        if kind == RAISE and (digits > 0) != (game[NO_LIMIT] != 0):
            return MALFORMED, begin + 1
        if digits > 0 and text[begin + 1] == _ZERO:
            return MALFORMED, begin + 1
        street = hand[STREET]
        if not act(game, hand, kind, size):
            return ILLEGAL, begin
        for _ in range(hand[STREET] - street):
            if at >= stop or text[at] != _SLASH:
                return MISPLACED_SLASH, at
            at += 1
    return READ, at


@kernel
def _replay(
    game: NDArray[np.int64],
    text: NDArray[np.uint8],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    hands: NDArray[np.int64],
    status: NDArray[np.uint8],
    stopped_at: NDArray[np.int64],
) -> None:
    for i in range(len(first)):
        status[i], stopped_at[i] = play_betting(game, text, first[i], last[i], hands[i])
