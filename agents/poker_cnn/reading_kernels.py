"""STATE lines of a match log, packed as records in one pass over the bytes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.poker_cnn.hand_kernels import CODE_BITS, CODE_CALL, CODE_FOLD, CODE_RAISE, UNKNOWN
from engine.compiled.jit import inlined_kernel, kernel
from engine.handlogs.reading.hand_layout import (
    ACCEPTED,
    CARD_COUNT,
    NAMES_AT,
    OTHER_VALUES,
    HandScratch,
)
from engine.handlogs.reading.read_hand import read_hand
from engine.rules.fast_state import CALL, FOLD, RAISE, TAKEN
from engine.rules.packed_game import PLAYERS

AT_END: Final = 0
"""All lines were read."""
LOOK_HERE: Final = 1
"""A line is no hand as a dealer writes it."""
FULL: Final = 2
"""There is no room for another hand."""
AT: Final = 0
HANDS: Final = 1
ACTIONS: Final = 2
LINES: Final = 3
REVALUED: Final = 4
"""Hands whose printed values are not those that betting and cards give."""
STATE_SIZE: Final = 5

_NEWLINE: Final = ord("\n")
_COLON: Final = ord(":")
_int: Any = np.int64


@kernel
def read_log_lines(
    data: NDArray[np.uint8],
    game: NDArray[np.int64],
    scratch: HandScratch,
    state: NDArray[np.int64],
    cards: NDArray[np.uint8],
    actions: NDArray[np.uint32],
    ends: NDArray[np.int64],
    won: NDArray[np.float32],
    names: NDArray[np.int64],
    lines: NDArray[np.int64],
) -> int:
    """Read lines from state[AT] on, and pack their hands behind those that are there.

    Args:
        data: text that ends in a newline.
        state: AT, HANDS, ACTIONS and LINES so far, changed.
        cards, actions, ends: as `hand_kernels` has them.
        won: (H, P) chips by position.
        names: (H, 2) where the names stand in the text.
        lines: (H,) number of each hand's line, 0-based.

    Returns:
        AT_END, LOOK_HERE or FULL.
    """
    hand, trace, seen, values = scratch
    players = game[PLAYERS]
    at = state[AT]
    while at < len(data):
        if data[at] == _NEWLINE:
            at += 1
            state[LINES] += 1
            state[AT] = at
            continue
        number, used = state[HANDS], state[ACTIONS]
        if number == len(ends) or used + len(trace) > len(actions):
            return FULL
        verdict = read_hand(data, at, game, hand, trace, seen, values)
        if verdict != ACCEPTED and verdict != OTHER_VALUES:
            return LOOK_HERE
        state[REVALUED] += verdict == OTHER_VALUES
        cards[number] = UNKNOWN
        for i in range(hand[CARD_COUNT]):
            cards[number, i] = seen[i]
        for position in range(players):
            won[number, position] = values[position]
        _pack_betting(data, at, actions[used : used + hand[TAKEN]])
        state[ACTIONS] += hand[TAKEN]
        ends[number] = state[ACTIONS]
        end = hand[NAMES_AT]
        names[number, 0] = end
        while data[end] != _NEWLINE:
            end += 1
        names[number, 1] = end
        lines[number] = state[LINES]
        state[HANDS] += 1
        state[LINES] += 1
        at = end + 1
        state[AT] = at
    return AT_END


@inlined_kernel
def _pack_betting(data: NDArray[np.uint8], at: int, actions: NDArray[np.uint32]) -> None:
    """Write the actions of a line that is known to be right."""
    for _ in range(2):
        while data[at] != _COLON:
            at += 1
        at += 1
    taken = -1
    while data[at] != _COLON:
        letter = data[at]
        if letter in (FOLD, CALL, RAISE):
            taken += 1
            code = CODE_RAISE if letter == RAISE else (CODE_CALL if letter == CALL else CODE_FOLD)
            actions[taken] = code
        elif letter >= 48:  # a digit
            chips = 10 * _int(actions[taken] >> CODE_BITS) + _int(letter) - 48
            actions[taken] = chips << CODE_BITS | _int(actions[taken]) & 3
        at += 1
