"""What one hand was worth: recomputed from chips and strengths, and as its line prints it.

Arrays as in `engine.handlogs.reading.hand_layout`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.handlogs.reading.hand_layout import (
    ACCEPTED,
    EXACT_VALUE,
    MAX_VALUE,
    MILLION,
    NAMES_AT,
    NOT_A_HAND,
    OTHER_VALUES,
    PRINTED,
    STRENGTH,
)
from engine.rules.fast_state import FOLDED, SPENT, STAYING
from engine.rules.packed_game import PLAYERS

_COLON: Final = ord(":")
_BAR: Final = ord("|")
_MINUS: Final = ord("-")
_POINT: Final = ord(".")
_ZERO: Final = ord("0")

# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def settle_hand(
    game: NDArray[np.int64], hand: NDArray[np.int64], values: NDArray[np.float64]
) -> None:
    """Settle the pot level by level as `engine.rules.pots.payoffs` does, to the same digits."""
    players = game[PLAYERS]
    if hand[STAYING] == 1:
        total = 0
        winner = 0
        for position in range(players):
            spent = hand[SPENT + position]
            values[position] = -float(spent)
            if hand[FOLDED + position]:
                total += spent
            else:
                winner = position
        values[winner] = float(total)
        return
    for position in range(players):
        values[position] = -float(hand[SPENT + position]) if hand[FOLDED + position] else 0.0
    below = np.int64(0)
    while True:
        level = np.int64(0)
        for position in range(players):
            spent = hand[SPENT + position]
            if spent > below and (level == 0 or spent < level):
                level = spent
        if level == 0:
            return
        reached = 0
        winners = 0
        best = np.int64(-1)
        for position in range(players):
            if hand[SPENT + position] < level:
                continue
            reached += 1
            if hand[FOLDED + position]:
                continue
            strength = hand[STRENGTH + position]
            if strength > best:
                best = strength
                winners = 1
            elif strength == best:
                winners += 1
        if winners == 0:
            return
        width = level - below
        won = float(width * (reached - winners)) / float(winners)
        for position in range(players):
            if hand[SPENT + position] >= level and hand[FOLDED + position] == 0:
                if hand[STRENGTH + position] == best:
                    values[position] += won
                else:
                    values[position] -= float(width)
        below = level


@kernel
def read_values(
    data: NDArray[np.uint8],
    at: int,
    game: NDArray[np.int64],
    hand: NDArray[np.int64],
    values: NDArray[np.float64],
) -> int:
    """Read the printed values; return ACCEPTED where they are the recomputed ones as printed."""
    verdict = ACCEPTED
    for position in range(game[PLAYERS]):
        if position:
            if data[at] != _BAR:
                return NOT_A_HAND
            at += 1
        negative = data[at] == _MINUS
        if negative:
            at += 1
        chips = np.int64(data[at]) - _ZERO
        if chips < 0 or chips > 9:
            return NOT_A_HAND
        at += 1
        if chips:
            while True:
                digit = np.int64(data[at]) - _ZERO
                if digit < 0 or digit > 9:
                    break
                chips = 10 * chips + digit
                if chips > MAX_VALUE:
                    return NOT_A_HAND
                at += 1
        if data[at] != _POINT:
            if negative:
                if chips == 0:
                    return NOT_A_HAND
                chips = -chips
            hand[PRINTED + position] = chips * MILLION
            if values[position] != float(chips):
                verdict = OTHER_VALUES
            continue
        at += 1
        unit = MILLION
        fraction = np.int64(0)
        last = np.int64(0)
        while unit > 1:
            digit = np.int64(data[at]) - _ZERO
            if digit < 0 or digit > 9:
                break
            last = digit
            unit //= 10
            fraction += digit * unit
            at += 1
        if last == 0:  # no digit at all, or a zero that should have been trimmed
            return NOT_A_HAND
        millionths = chips * MILLION + fraction
        if negative:
            millionths = -millionths
        hand[PRINTED + position] = millionths
        # What is near a tie is left to the authority, which prints the number and compares texts.
        if chips >= EXACT_VALUE or abs(values[position] * 1e6 - float(millionths)) > 0.49:
            verdict = OTHER_VALUES
    if data[at] != _COLON:
        return NOT_A_HAND
    hand[NAMES_AT] = at + 1
    return verdict
