"""The 169 starting hands, and three ways to order them.

A starting hand is a number 0..168, read off the usual chart row by row: rows and columns run from
ace to deuce, pairs lie on the diagonal, suited hands above it and offsuit hands below.  0 is "AA",
1 "AKs", 13 "AKo", 168 "22".

    STARTING_HAND_NAMES   169 texts
    COMBO_STARTING_HAND   (1326,) uint8   the starting hand of each combo
    STARTING_HAND_COMBOS  (169,)  int32   how many combos each has: 6, 4 or 12
    SKLANSKY_GROUPS       (169,)  uint8   1, the best, to 8; 9 is the rest
    CHEN_POINTS           (169,)  int8    20 for aces down to -1, halves rounded up
    STRONGEST_FIRST       169 numbers     by equity against a random hand (`engine.equity.preflop`)

The orders of Sklansky and Chen were made for full tables, and heads-up they are poor.  The arrays
are read-only.  This module is plain numpy.
"""

from __future__ import annotations

import math
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.hands.cards import COMBO_CARDS

STARTING_HANDS: Final = 169
CHART_RANKS: Final = "AKQJT98765432"

_Type = TypeVar("_Type", bound=np.generic)
_SKLANSKY_CHART: Final = """
    1 1 2 2 3 5 5 5 5 5 5 5 5
    2 1 2 3 4 6 7 7 7 7 7 7 7
    3 4 1 3 4 5 7 9 9 9 9 9 9
    4 5 5 1 3 4 6 8 9 9 9 9 9
    6 6 6 5 2 4 5 7 9 9 9 9 9
    8 8 8 7 7 3 4 5 8 9 9 9 9
    9 9 9 8 8 7 4 5 6 8 9 9 9
    9 9 9 9 9 9 8 5 5 6 8 9 9
    9 9 9 9 9 9 9 8 6 5 7 9 9
    9 9 9 9 9 9 9 9 8 6 6 7 9
    9 9 9 9 9 9 9 9 9 8 7 7 8
    9 9 9 9 9 9 9 9 9 9 8 7 8
    9 9 9 9 9 9 9 9 9 9 9 9 7
"""
_BY_EQUITY: Final = """
    AA KK QQ JJ TT 99 88 AKs 77 AQs AJs AKo ATs AQo AJo KQs 66 A9s ATo KJs A8s KTs KQo A7s
    A9o KJo 55 QJs K9s A5s A6s A8o KTo QTs A4s A7o K8s A3s QJo K9o A5o A6o Q9s K7s JTs A2s
    QTo 44 A4o K6s K8o Q8s A3o K5s J9s Q9o JTo K7o A2o K4s Q7s K6o K3s T9s J8s 33 Q6s Q8o
    K5o J9o K2s Q5s T8s K4o J7s Q4s Q7o T9o J8o K3o Q6o Q3s 98s T7s J6s K2o 22 Q2s Q5o J5s
    T8o J7o Q4o 97s J4s T6s J3s Q3o 98o 87s T7o J6o 96s J2s Q2o T5s J5o T4s 97o 86s J4o T6o
    95s T3s 76s J3o 87o T2s 85s 96o J2o T5o 94s 75s T4o 93s 86o 65s 84s 95o T3o 92s 76o 74s
    T2o 54s 85o 64s 83s 94o 75o 82s 73s 93o 65o 53s 63s 84o 92o 43s 74o 72s 54o 64o 52s 62s
    83o 42s 82o 73o 53o 63o 32s 43o 72o 52o 62o 42o 32o
"""


def starting_hand(name: str) -> int:
    """Return the number of a starting hand written as "AKs", "T9o" or "77".

    Raises:
        ValueError: no starting hand is called that.
    """
    try:
        return _NUMBERS[name]
    except KeyError:
        raise ValueError(f"{name!r} is no starting hand: want AKs, T9o, 77") from None


def combos_of_starting_hand(hand: int) -> NDArray[np.int32]:
    """Return the combos of a starting hand, ascending: 6, 4 or 12 int32.

    Raises:
        ValueError: the number is outside 0..168.
    """
    if not 0 <= hand < STARTING_HANDS:
        raise ValueError(f"starting hand {hand}: want 0..{STARTING_HANDS - 1}")
    return np.flatnonzero(hand == COMBO_STARTING_HAND).astype(np.int32)


def chen_points(high: int, low: int, suited: bool) -> float:
    """Return the points of two hole cards by Bill Chen's rule, -1.5 (seven-deuce) to 20 (aces).

    The rule as in several public descriptions, such as Lou Krieger, "Hold'em Excellence", 1995: the
    high card gives 10, 8, 7 or 6 points for A, K, Q, J and half its number below that; a pair
    doubles them, to 5 at least; 2 more if suited; 0, 1, 2, 4 or 5 less for no, one, two, three or
    more ranks between the two; 1 more where two cards below a queen have at most one rank between
    them.  The ace counts high only.  The rule rounds half a point up, as `CHEN_POINTS` does; here
    halves are kept, they break ties.

    Args:
        high: rank of the higher card, 0 (deuce) to 12 (ace).
        low: rank of the lower card.
        suited: whether the two have one suit.
    """
    half_points = {12: 20, 11: 16, 10: 14, 9: 12}.get(high, high + 2)
    if high == low:
        return float(max(half_points, 5))
    apart = high - low
    half_points += 4 * suited - 2 * (0, 1, 2, 4, 5)[min(apart, 5) - 1]
    if apart <= 2 and high < 10:
        half_points += 2
    return half_points / 2


def _names() -> tuple[str, ...]:
    return tuple(
        CHART_RANKS[min(row, column)]
        + CHART_RANKS[max(row, column)]
        + ("s" if row < column else "o" if row > column else "")
        for row in range(13)
        for column in range(13)
    )


def _combo_starting_hand() -> NDArray[np.uint8]:
    high, low = 12 - (COMBO_CARDS >> 2).T.astype(np.int64)
    suited = (COMBO_CARDS[:, 0] & 3) == (COMBO_CARDS[:, 1] & 3)
    return _frozen(np.where(suited, 13 * high + low, 13 * low + high).astype(np.uint8))


def _chen_chart() -> NDArray[np.int8]:
    points = [
        math.ceil(chen_points(12 - min(row, column), 12 - max(row, column), row < column))
        for row in range(13)
        for column in range(13)
    ]
    return _frozen(np.array(points, np.int8))


def _frozen(array: NDArray[_Type]) -> NDArray[_Type]:
    array.flags.writeable = False
    return array


STARTING_HAND_NAMES: Final = _names()
COMBO_STARTING_HAND: Final = _combo_starting_hand()
STARTING_HAND_COMBOS: Final = _frozen(
    np.bincount(COMBO_STARTING_HAND, minlength=STARTING_HANDS).astype(np.int32)
)
SKLANSKY_GROUPS: Final = _frozen(np.array(_SKLANSKY_CHART.split(), np.uint8))
"""Sklansky, Malmuth, "Hold'em poker for advanced players", 1988, as four public copies agree."""
CHEN_POINTS: Final = _chen_chart()
_NUMBERS: Final = {name: hand for hand, name in enumerate(STARTING_HAND_NAMES)}
STRONGEST_FIRST: Final = tuple(_NUMBERS[name] for name in _BY_EQUITY.split())
