"""How long players took for their answers, from the lines that a dealer writes of each action.

    <action> <hand> <sent> <received>      seconds since 1970; see `protocol.transcript`

A line does not say who acted.  That the log says, which has the same actions in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import kernel
from engine.rules import fast_state as fast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.handlogs.counting.hand_actions import HandActions

QUANTILES: Final = (0.5, 0.95, 0.99)
"""Of times, that are told of each player."""
_NEWLINE: Final = ord("\n")
_BLANK: Final = ord(" ")
_POINT: Final = ord(".")
_ZERO: Final = ord("0")
_MOST_DIGITS: Final = 10
"""Of the number of a hand, and of seconds."""
_BILLIONTHS: Final = 9
"""Digits behind the point, at most."""


@dataclass(frozen=True, slots=True, eq=False)
class TimedActions:
    """L lines, as far as they can be read."""

    kind: NDArray[np.uint8]
    """(L,) the letter of the action."""
    hand: NDArray[np.int64]
    """(L,) number of the hand."""
    seconds: NDArray[np.float64]
    """(L,) from the sending of the state to its answer."""


@dataclass(frozen=True, slots=True)
class AnswerTimes:
    """The times of one player in seconds, over all streets or on one."""

    player: str
    street: int | None
    """From 0; None: all streets."""
    answers: int
    mean: float
    quantiles: tuple[float, ...]
    """As `QUANTILES`."""
    longest: float
    longest_hand: int
    """Index of the hand with the longest one."""


def read_times(data: bytes) -> TimedActions:
    """Return what the lines of a text say, up to the first that is none or has no end."""
    lines = data.count(b"\n")
    found = TimedActions(np.zeros(lines, np.uint8), np.zeros(lines, np.int64), np.zeros(lines))
    text = np.frombuffer(data + b"\n", np.uint8)
    count = _read_times(text, len(data), found.kind, found.hand, found.seconds)
    return TimedActions(found.kind[:count], found.hand[:count], found.seconds[:count])


def times_of_actions(
    numbers: NDArray[np.int64], actions: HandActions, timed: TimedActions
) -> NDArray[np.float64]:
    """Return (A,) seconds of each action of N hands of one match; nan where they are not known.

    They are known of hands all of whose actions have a line of that kind.  Where a number stands
    for several hands, in either, nothing is known: these are several matches.

    Args:
        numbers: (N,) of the hands in the log.
        actions: of these hands.
    """
    seconds = np.full(len(actions.hand), np.nan)
    if np.any(np.diff(numbers) <= 0) or np.any(np.diff(timed.hand) < 0):
        return seconds
    count = np.bincount(actions.hand, minlength=len(numbers))
    first = np.cumsum(count) - count
    begin = np.searchsorted(timed.hand, numbers)
    whole = np.searchsorted(timed.hand, numbers, "right") - begin == count
    rows = np.flatnonzero(whole[actions.hand])
    hand = actions.hand[rows]
    lines = begin[hand] + rows - first[hand]
    letters = np.zeros(4, np.uint8)
    letters[[fast.TRACE_FOLD, fast.TRACE_RAISE]] = fast.FOLD, fast.RAISE
    letters[[fast.TRACE_CHECK, fast.TRACE_CALL]] = fast.CALL
    same = timed.kind[lines] == letters[actions.kind[rows]]
    other = np.bincount(hand[~same], minlength=len(numbers)) > 0
    rows, lines = rows[~other[hand]], lines[~other[hand]]
    seconds[rows] = timed.seconds[lines]
    return seconds


def answer_times(
    players: NDArray[np.int32],
    actions: HandActions,
    seconds: NDArray[np.float64],
    names: Sequence[str],
) -> list[AnswerTimes]:
    """Return the times of each player over all streets, then on each street; slowest first.

    Args:
        players: (N, P) index of the player in each position.
        actions: of these hands.
        seconds: (A,) of each action, nan where not known.
        names: the players by index.
    """
    known = np.flatnonzero(~np.isnan(seconds))
    actor = players[actions.hand[known], actions.position[known]]
    found = []
    for player in np.unique(actor).tolist():
        own = known[actor == player]
        streets = np.unique(actions.street[own]).tolist()
        for street in (None, *streets) if len(streets) > 1 else (None,):
            rows = own if street is None else own[actions.street[own] == street]
            longest = rows[np.argmax(seconds[rows])]
            quantiles = np.quantile(seconds[rows], QUANTILES)
            found.append(
                AnswerTimes(
                    names[player],
                    street,
                    len(rows),
                    float(seconds[rows].mean()),
                    tuple(quantiles.tolist()),
                    float(seconds[longest]),
                    int(actions.hand[longest]),
                )
            )
    means = {one.player: one.mean for one in found if one.street is None}
    return sorted(found, key=lambda one: (-means[one.player], one.player))


# Kernels: arguments are trusted, nothing is allocated, results go to the last arguments.


@kernel
def _read_times(
    text: NDArray[np.uint8],
    size: int,
    kinds: NDArray[np.uint8],
    hands: NDArray[np.int64],
    seconds: NDArray[np.float64],
) -> int:
    """Read whole lines of text[:size], whose end is a newline; return how many were right."""
    at = 0
    count = 0
    while at < size and count < len(kinds):
        kind = text[at]
        if kind != fast.FOLD and kind != fast.CALL and kind != fast.RAISE:
            break
        at += 1
        if kind == fast.RAISE:
            at, _, _ = _read_number(text, at)
        if text[at] != _BLANK:
            break
        at, hand, digits = _read_number(text, at + 1)
        if digits == 0 or digits > _MOST_DIGITS or text[at] != _BLANK:
            break
        at, sent, billionths_sent = _read_time(text, at + 1)
        if sent < 0 or text[at] != _BLANK:
            break
        at, received, billionths = _read_time(text, at + 1)
        if received < 0 or text[at] != _NEWLINE:
            break
        at += 1
        kinds[count] = kind
        hands[count] = hand
        took = received - sent + 1e-9 * (billionths - billionths_sent)
        seconds[count] = max(took, 0.0)  # a clock may be put back
        count += 1
    return count


@kernel
def _read_number(text: NDArray[np.uint8], at: int) -> tuple[int, int, int]:
    """Return the index behind some digits, their number and how many they are."""
    number = 0
    digits = 0
    while _ZERO <= text[at] <= _ZERO + 9:
        number = min(10 * number + int(text[at]) - _ZERO, 1 << 40)
        digits += 1
        at += 1
    return at, number, digits


@kernel
def _read_time(text: NDArray[np.uint8], at: int) -> tuple[int, int, int]:
    """Return the index behind a time, its seconds and billionths; seconds of -1: it is none."""
    at, seconds, digits = _read_number(text, at)
    if digits == 0 or digits > _MOST_DIGITS:
        return at, -1, 0
    if text[at] != _POINT:
        return at, seconds, 0
    at, part, digits = _read_number(text, at + 1)
    if digits == 0 or digits > _BILLIONTHS:
        return at, -1, 0
    for _ in range(_BILLIONTHS - digits):
        part *= 10
    return at, seconds, part
