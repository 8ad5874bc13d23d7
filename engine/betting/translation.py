"""Understand a bet that the menu does not have: the pseudo-harmonic mapping to one that it has.

A bet of x pots between the menu's sizes A < B is taken for A with probability

    P = (B - x) (1 + A) / ((B - A) (1 + x))

which is 1 at A and 0 at B, falls in between without a jump, and depends on pot fractions only.  A
player who must not randomise takes A up to x* = (A + B + 2 A B) / (A + B + 2), where P is 1/2.
Source: Ganzfried, Sandholm, "Action translation in extensive-form games with large action spaces",
IJCAI 2013.

Sizes are raises as fractions of the pot after calling, as in `bet_menu`; checking and calling is
the size 0.  Below the smallest raise the neighbours are the call and that raise, above the largest
one the largest alone.

The result says which action of the menu to look up in a strategy, nothing else.  The pot goes on as
it was really bet: sizes and translations further on are fractions of the true pot, and the chips of
the translated history are never mixed with it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.rules.state import HandState


class Translated(NamedTuple):
    """The size or raise of the menu that a bet was taken for."""

    choice: int
    """Index into the sizes of the menu; -1 for the call."""
    probability: float
    """Of this choice, above 0."""


def lower_probability(lower: float, upper: float, size: float) -> float:
    """Return the probability that a bet is taken for the smaller of two neighbouring sizes.

    Args:
        lower: A, pots, at least 0.
        upper: B, pots, above A.
        size: x, pots, A to B.

    Raises:
        ValueError: not 0 <= A <= x <= B < infinity with A < B.
    """
    if not 0 <= lower <= size <= upper < np.inf or lower == upper:
        raise ValueError(f"a bet of {size} pots between {lower} and {upper}")
    return (upper - size) * (1 + lower) / ((upper - lower) * (1 + size))


def threshold(lower: float, upper: float) -> float:
    """Return the size, pots, that is taken for either of two neighbours equally often.

    Raises:
        ValueError: not 0 <= lower < upper < infinity.
    """
    if not 0 <= lower < upper < np.inf:
        raise ValueError(f"neighbouring sizes {lower} and {upper}")
    return (lower + upper + 2 * lower * upper) / (lower + upper + 2)


def translate_size(
    size: float, sizes: Sequence[float], rng: np.random.Generator | None
) -> Translated:
    """Choose one of the menu's sizes for a raise.

    Args:
        size: the raise, in pots, above 0.
        sizes: the menu's raises in pots, ascending, finite: the all-in as the fraction that it is.
        rng: draws the choice; None: the threshold decides, with probability 1, for the smaller one
            if it is met.

    Raises:
        ValueError: the sizes are not positive and ascending, or the raise is not positive.
    """
    if not 0 < size < np.inf:
        raise ValueError(f"a raise of {size} pots")
    if any(not 0 < fraction < np.inf for fraction in sizes) or list(sizes) != sorted(set(sizes)):
        raise ValueError(f"sizes {tuple(sizes)} must be positive, finite, ascending and different")
    above = bisect_right(sizes, size)
    if above == len(sizes):
        return Translated(above - 1, 1.0)
    lower = sizes[above - 1] if above else 0.0
    if rng is None:
        return Translated(above - int(size <= threshold(lower, sizes[above])), 1.0)
    chance = lower_probability(lower, sizes[above], size)
    if rng.random() < chance:
        return Translated(above - 1, chance)
    return Translated(above, 1 - chance)


def pot_fraction(state: HandState, raise_to: int) -> float:
    """Return a raise as a fraction of the pot after calling, the true one; 0 for the call.

    Args:
        state: the true state in which somebody raises.
        raise_to: chips over the hand.

    Raises:
        ValueError: the raise is below what a call puts in.
    """
    if raise_to < state.to_match:
        raise ValueError(f"a raise to {raise_to} where {state.to_match} is matched")
    return (raise_to - state.to_match) / (state.pot + state.to_call)


def translate_raise(
    state: HandState,
    raise_to: int,
    raise_tos: Sequence[int],
    rng: np.random.Generator | None,
) -> Translated:
    """Choose one of the menu's raises for a raise that was made.

    Args:
        state: the true state in which it was made.
        raise_to: chips over the hand, above what a call puts in.
        raise_tos: the menu's raises in chips at that same state, ascending, as
            `BetMenu.raise_tos(state)` has them; empty: it can only be taken for the call.
        rng: as for `translate_size`.

    Raises:
        ValueError: a raise is not above what a call puts in, or they do not ascend.
    """
    sizes = [pot_fraction(state, total) for total in raise_tos]
    return translate_size(pot_fraction(state, raise_to), sizes, rng)
