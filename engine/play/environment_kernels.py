"""Hands by numbered actions, and what a player sees of them as a vector.

    game    packed game (`engine.rules.packed_game`)
    hand    (TABLE_WIDTH,) int64   the betting as in `engine.rules.fast_state`, then
            PUT + s * MAX_PLAYERS + p   chips that position p put in on street s
            RAISED + s                  raises on street s
    pots    (N,) float64           raises to choose from, in pots as they are after calling
    sizes   (A,) int64             `NOT_LEGAL`, or what the action raises to, 0 if it is no raise
    cards   (P, K) and (B,) uint8  hole cards by position; the whole board

Actions: 0 folds, 1 checks or calls, 2 is the smallest raise.  In no-limit games N raises follow, of
so many pots each, where they lie between the smallest and all-in, and at last all-in.

The vector of a player, float32, all numbers from 0 to 1.  Chips are log(1 + chips in big blinds) /
log(401), so 1 stands for 400 big blinds and more.

    0    52 cards     own hole cards, as `protocol.cards` numbers them
    52   52 cards     the board as far as it is seen
    104  4 streets    1 for the street reached
    108  4 streets    raises on it, in quarters, 1 for four and more
    112  4 numbers    pot; to call; smallest and largest raise-to, 0 where there is none
    116  8 numbers a player, the viewer first, then by position: chips left; chips put in on each of
         four streets; 1 if folded; 1 if all-in; 1 if in the last position, that of the button
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import inlined_kernel, kernel
from engine.rules.fast_state import (
    ACTOR,
    CALL,
    FOLD,
    FOLDED,
    HAND_WIDTH,
    RAISE,
    SPENT,
    STREET,
    TO_MATCH,
    act,
    can_fold,
    raise_range,
    start,
)
from engine.rules.packed_game import BIG_BLIND, BLINDS, HOLE_CARDS, NEW_BOARD, PLAYERS, STACKS
from protocol.gamedef import MAX_PLAYERS, MAX_STREETS

PUT: Final = HAND_WIDTH
RAISED: Final = PUT + MAX_STREETS * MAX_PLAYERS
TABLE_WIDTH: Final = RAISED + MAX_STREETS

NOT_LEGAL: Final = -1
FOLDS: Final = 0
CALLS: Final = 1
SMALLEST: Final = 2

BOARD_AT: Final = 52
STREETS_AT: Final = 104
RAISES_AT: Final = STREETS_AT + MAX_STREETS
CHIPS_AT: Final = RAISES_AT + MAX_STREETS
PLAYERS_AT: Final = CHIPS_AT + 4
EACH: Final = MAX_STREETS + 4
"""Numbers of a player."""

_WHOLE: Final = math.log(401.0)
_MOST_RAISES: Final = 4.0


@kernel
def begin_table_hand(
    game: NDArray[np.int64], hand: NDArray[np.int64], pots: NDArray[np.float64],
    sizes: NDArray[np.int64],
) -> None:  # fmt: skip
    """Post the blinds, and fill `sizes`."""
    hand[:] = 0
    start(game, hand)
    for p in range(game[PLAYERS]):
        hand[PUT + p] = game[BLINDS + p]
    _fill_sizes(game, hand, pots, sizes)


@kernel
def take_action(
    game: NDArray[np.int64], hand: NDArray[np.int64], pots: NDArray[np.float64],
    sizes: NDArray[np.int64], kind: int, chips: int,
) -> bool:  # fmt: skip
    """Take an action as `act` does, and fill `sizes` for the next; False if it is illegal."""
    actor, street = hand[ACTOR], hand[STREET]
    before = hand[SPENT + actor]
    if not act(game, hand, kind, chips):
        return False
    hand[PUT + street * MAX_PLAYERS + actor] += hand[SPENT + actor] - before
    hand[RAISED + street] += kind == RAISE
    _fill_sizes(game, hand, pots, sizes)
    return True


@kernel
def step_rows(
    game: NDArray[np.int64], hands: NDArray[np.int64], pots: NDArray[np.float64],
    sizes: NDArray[np.int64], actions: NDArray[np.int64],
) -> None:  # fmt: skip
    """Take a numbered action in each of N hands, a call where it is not legal.

    hands (N, TABLE_WIDTH), sizes (N, A), actions (N,); hands that are over stay as they are.
    """
    for row in range(len(hands)):
        number = actions[row]
        chips = sizes[row, number]
        kind = RAISE
        if number == CALLS or chips == NOT_LEGAL:
            kind = CALL
        elif number == FOLDS:
            kind = FOLD
        take_action(game, hands[row], pots, sizes[row], kind, chips)


@kernel
def observe_rows(
    game: NDArray[np.int64],
    hands: NDArray[np.int64],
    holes: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    out: NDArray[np.float32],
) -> None:
    """Write what whoever acts sees of each of N hands to `out`, (N, width); nothing of others."""
    for row in range(len(hands)):
        actor = hands[row, ACTOR]
        if actor >= 0:
            fill_vector(game, hands[row], holes[row], boards[row], actor, out[row])


@inlined_kernel
def _fill_sizes(
    game: NDArray[np.int64], hand: NDArray[np.int64], pots: NDArray[np.float64],
    sizes: NDArray[np.int64],
) -> None:  # fmt: skip
    sizes[:] = NOT_LEGAL
    if hand[ACTOR] < 0:
        return
    sizes[CALLS] = 0
    if can_fold(hand):
        sizes[FOLDS] = 0
    low, high = raise_range(game, hand)
    if low > high:
        return
    sizes[SMALLEST] = low
    if len(sizes) == SMALLEST + 1:
        return
    after_call = _pot(game, hand) + _to_call(game, hand)
    for i in range(len(pots)):
        chips = hand[TO_MATCH] + int(pots[i] * after_call + 0.5)
        if low < chips < high:
            sizes[SMALLEST + 1 + i] = chips
    sizes[len(sizes) - 1] = high


@inlined_kernel
def _pot(game: NDArray[np.int64], hand: NDArray[np.int64]) -> int:
    pot = 0
    for p in range(game[PLAYERS]):
        pot += hand[SPENT + p]
    return pot


@inlined_kernel
def _to_call(game: NDArray[np.int64], hand: NDArray[np.int64]) -> int:
    actor = hand[ACTOR]
    return int(min(hand[TO_MATCH], game[STACKS + actor]) - hand[SPENT + actor])


@kernel
def fill_vector(
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    holes: NDArray[np.uint8],
    board: NDArray[np.uint8],
    viewer: int,
    out: NDArray[np.float32],
) -> None:
    """Write what position `viewer` sees to `out`, (PLAYERS_AT + EACH * P,)."""
    out[:] = 0.0
    players, street, blind = game[PLAYERS], hand[STREET], game[BIG_BLIND]
    for i in range(game[HOLE_CARDS]):
        out[holes[viewer, i]] = 1.0
    seen = 0
    for s in range(street + 1):
        seen += game[NEW_BOARD + s]
    for i in range(seen):
        out[BOARD_AT + board[i]] = 1.0
    out[STREETS_AT + street] = 1.0
    for s in range(MAX_STREETS):
        out[RAISES_AT + s] = min(hand[RAISED + s] / _MOST_RAISES, 1.0)
    out[CHIPS_AT] = _scaled(_pot(game, hand), blind)
    if hand[ACTOR] >= 0:
        low, high = raise_range(game, hand)
        out[CHIPS_AT + 1] = _scaled(_to_call(game, hand), blind)
        if low <= high:
            out[CHIPS_AT + 2] = _scaled(low, blind)
            out[CHIPS_AT + 3] = _scaled(high, blind)
    for i in range(players):
        p = (viewer + i) % players
        at = PLAYERS_AT + EACH * i
        left = game[STACKS + p] - hand[SPENT + p]
        out[at] = _scaled(left, blind)
        for s in range(MAX_STREETS):
            out[at + 1 + s] = _scaled(hand[PUT + s * MAX_PLAYERS + p], blind)
        out[at + 1 + MAX_STREETS] = hand[FOLDED + p]
        out[at + 2 + MAX_STREETS] = left == 0
        out[at + 3 + MAX_STREETS] = p == players - 1


@inlined_kernel
def _scaled(chips: int, blind: int) -> float:
    return min(math.log1p(chips / blind) / _WHOLE, 1.0)
