"""Compiled twin of `engine.rules.state` for bulk work: whole logs, simulations, solvers.

A game is packed into one row of int64 (`engine.rules.packed_game`), a hand's betting into another;
kernels change the hand's row in place.  A caller's row may be longer: what follows the first
H = `HAND_WIDTH` columns is the caller's own.  Columns, named and meant as in `HandState`:

    STREET ACTOR TO_MATCH MIN_RAISE_TO RAISES ACTIONS SETTLED
    TAKEN      actions taken over the whole hand
    ABLE       positions neither folded nor all-in
    STAYING    positions not folded
    ACTED_ON   street of the last action: where the betting closed, once the hand is over
    SPENT + p  chips position p has put in over the hand
    FOLDED + p 1 if position p has folded, else 0

Chips are int64 and not int32 because the smallest raise after an unlimited stack's all-in does not
fit 32 bits.  Actions are the bytes of their letters: `FOLD`, `CALL`, `RAISE`.

A text that is played leaves a trace (`MAX_TRACE`,) int64, one entry for each of the TAKEN actions:
position | kind << 4 | street << 8 | raise-to << 16, the kind being one of the TRACE_ codes and the
raise-to, in chips over the hand, 0 but for raises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.rules.packed_game import (
    BIG_BLIND,
    BLINDS,
    FIRST_POSITIONS,
    LARGEST_BLIND,
    MAX_RAISES,
    NO_LIMIT,
    PLAYERS,
    RAISE_SIZES,
    STACKS,
    STREETS,
    pack_game,
)
from engine.rules.state import MAX_ACTIONS_PER_STREET
from protocol.gamedef import MAX_PLAYERS, MAX_STREETS, GameDef

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
TAKEN: Final = 10
SPENT: Final = 11
FOLDED: Final = SPENT + MAX_PLAYERS
HAND_WIDTH: Final = FOLDED + MAX_PLAYERS

FOLD: Final = ord("f")
CALL: Final = ord("c")
RAISE: Final = ord("r")
TRACE_FOLD: Final = 0
TRACE_CHECK: Final = 1
TRACE_CALL: Final = 2
TRACE_RAISE: Final = 3

MAX_TRACE: Final = MAX_STREETS * (MAX_ACTIONS_PER_STREET + MAX_PLAYERS)
"""At least the actions of any hand: from the bound on, each player may call once more."""

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
    trace = np.zeros(MAX_TRACE, np.int64)
    _replay(pack_game(game), read, first, last, trace, found.hands, found.status, found.stopped_at)
    return found


# Kernels: arguments are trusted, nothing is allocated; `game` and `hand` are rows as above, and
# `hand` is what changes.  They are the one compiled copy of the rules: whatever needs legality in
# bulk calls them.  All that `play_betting` calls is inlined: over logs of hunl that was 5 to
# 10 % faster and took no longer to compile.


@inlined_kernel
def trace_actor(entry: int) -> int:
    """Return who took an action of a trace."""
    return entry & 15


@inlined_kernel
def trace_kind(entry: int) -> int:
    """Return its TRACE_ code."""
    return (entry >> 4) & 15


@inlined_kernel
def trace_street(entry: int) -> int:
    """Return its street."""
    return (entry >> 8) & 255


@inlined_kernel
def trace_raise_to(entry: int) -> int:
    """Return the chips that a raise of a trace puts in over the hand; 0 for other actions."""
    return entry >> 16


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


@inlined_kernel
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


@inlined_kernel
def start(game: NDArray[np.int64], hand: NDArray[np.int64]) -> None:
    """Set the hand to the state right after the blinds are posted."""
    players = game[PLAYERS]
    hand[:HAND_WIDTH] = 0
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


@inlined_kernel
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
    hand[TAKEN] += 1
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


@inlined_kernel
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
    trace: NDArray[np.int64],
) -> tuple[int, int]:
    """Start a hand and play text[first:stop], wire betting such as "cr300c/cc/".

    Returns the status (`READ`, `MALFORMED`, `ILLEGAL`, `MISPLACED_SLASH`) and the offset of the
    fault, `stop` where there is none; the hand stands where the reading stopped.  The text may end
    anywhere between actions: `is_over` tells whether it is a whole hand.  What was played is in
    `trace`, hand[TAKEN] entries.
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
        actor = hand[ACTOR]
        street = hand[STREET]
        code = _trace_code(hand, kind)
        if not act(game, hand, kind, size):
            return ILLEGAL, begin
        raised = hand[TO_MATCH] if code == TRACE_RAISE else 0
        trace[hand[TAKEN] - 1] = actor | code << 4 | street << 8 | raised << 16
        for _ in range(hand[STREET] - street):
            if at >= stop or text[at] != _SLASH:
                return MISPLACED_SLASH, at
            at += 1
    return READ, at


@inlined_kernel
def _trace_code(hand: NDArray[np.int64], kind: int) -> int:
    """Return the TRACE_ code of an action that the actor is about to take."""
    if kind == RAISE:
        return TRACE_RAISE
    if kind == FOLD:
        return TRACE_FOLD
    return TRACE_CALL if can_fold(hand) else TRACE_CHECK


@kernel
def _replay(
    game: NDArray[np.int64],
    text: NDArray[np.uint8],
    first: NDArray[np.int64],
    last: NDArray[np.int64],
    trace: NDArray[np.int64],
    hands: NDArray[np.int64],
    status: NDArray[np.uint8],
    stopped_at: NDArray[np.int64],
) -> None:
    for i in range(len(first)):
        status[i], stopped_at[i] = play_betting(game, text, first[i], last[i], hands[i], trace)
