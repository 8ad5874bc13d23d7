"""Exact equities of hold'em hands against each other before the flop, from a shipped table.

Every matchup of two hands has been played out on all C(48, 5) = 1 712 304 boards, and the counts
are shipped (`preflop_file`).  They are read on the first use, in a few milliseconds.  Equity is the
share of the pot: boards won and half the boards tied, over all.

    preflop_counts(first, second)    two combos: boards won, tied, lost
    preflop_equity(first, second)    two combos
    pair_counts(first, second)       many pairs of combos at once
    combo_equities()                 (1326, 1326) float32, combo against combo
    starting_hand_equities()         (169, 169)   float64, starting hand against starting hand
    equities_against_random()        (169,)       float64, starting hand against any two cards

Combos are numbered as in `engine.hands.cards`, starting hands as in `engine.hands.starting_hands`.
For 1326 equities against a random hand, index the last with COMBO_STARTING_HAND.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.equity.preflop_file import read_counts
from engine.equity.preflop_matchups import KEYS, matchup_deals, matchup_hands, matchup_keys
from engine.hands.cards import COMBO_MASKS, COMBOS
from engine.hands.starting_hands import STARTING_HANDS

BOARDS: Final = 1_712_304
"""Boards of five cards that two known hands leave."""


class BoardCounts(NamedTuple):
    """On how many of the `BOARDS` boards the first hand wins, ties and loses."""

    won: int
    tied: int
    lost: int


class _Matchups(NamedTuple):
    """M matchups, and where to find them."""

    keys: NDArray[np.int32]
    """(M,) ascending, as in `preflop_matchups`."""
    won: NDArray[np.int64]
    """(M,) boards on which the first hand wins; tied likewise."""
    tied: NDArray[np.int64]
    row_of_key: NDArray[np.int32]
    """(KEYS,) the row of a key; -1 where there is no such matchup."""


def preflop_counts(first: int, second: int) -> BoardCounts:
    """Return on how many boards the first of two combos wins, ties and loses.

    Raises:
        ValueError: not two combos, or they share a card.
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    (won,), (tied,) = pair_counts(np.array([first]), np.array([second]))
    if COMBO_MASKS[first] & COMBO_MASKS[second]:
        raise ValueError(f"combos {first} and {second} share a card")
    return BoardCounts(int(won), int(tied), BOARDS - int(won) - int(tied))


def preflop_equity(first: int, second: int) -> float:
    """Return the equity, 0 to 1, of the first of two combos against the second.

    Raises:
        ValueError: not two combos, or they share a card.
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    counts = preflop_counts(first, second)
    return (2 * counts.won + counts.tied) / (2 * BOARDS)


def pair_counts(
    first: NDArray[np.integer], second: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return on how many boards the first of each pair of combos wins, and on how many it ties.

    Args:
        first: (N,) combos, as `second`.

    Returns:
        (N,) boards won and (N,) boards tied; both 0 for combos that share a card.

    Raises:
        ValueError: shapes differ, or a number is not a combo.
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(f"want (N,) combos twice, got {first.shape} and {second.shape}")
    for combos in (first, second):
        if len(combos) and not 0 <= combos.min() <= combos.max() < COMBOS:
            raise ValueError(f"combos {combos.min()}..{combos.max()}: want 0..{COMBOS - 1}")
    matchups = _matchups()
    won, tied = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
    possible = (COMBO_MASKS[first] & COMBO_MASKS[second]) == 0
    keys, swapped = matchup_keys(first[possible], second[possible])
    rows = matchups.row_of_key[keys]
    wins, ties = matchups.won[rows], matchups.tied[rows]
    won[possible] = np.where(swapped, BOARDS - wins - ties, wins)
    tied[possible] = ties
    return won, tied


def combo_equities() -> NDArray[np.float32]:
    """Return a new (1326, 1326) float32: the equity of each combo against each other.

    Entries of combos that share a card are 0, so that `combo_equities() @ belief` sums over the
    hands that are possible.

    Raises:
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    first, second = np.triu_indices(COMBOS, 1)
    possible = (COMBO_MASKS[first] & COMBO_MASKS[second]) == 0
    first, second = first[possible], second[possible]
    won, tied = pair_counts(first, second)
    share = (2 * won + tied) / (2 * BOARDS)
    result = np.zeros((COMBOS, COMBOS), np.float32)
    result[first, second] = share
    result[second, first] = 1 - share
    return result


def starting_hand_equities() -> NDArray[np.float64]:
    """Return (169, 169) float64: the equity of each starting hand against each, suits at random.

    All pairs of combos that share no card count alike.

    Raises:
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    halves, pairs = _starting_hand_halves()
    equities: NDArray[np.float64] = halves / (2 * BOARDS * pairs)
    return equities


def starting_hand_pairs() -> NDArray[np.int64]:
    """Return (169, 169) int64: ways to deal a combo of one starting hand, then one of the other.

    Raises:
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    return _starting_hand_halves()[1]


def equities_against_random() -> NDArray[np.float64]:
    """Return (169,) float64: the equity of each starting hand against any other two cards.

    Raises:
        ArtifactMismatch: the shipped counts are missing or damaged.
    """
    halves, pairs = _starting_hand_halves()
    equities: NDArray[np.float64] = halves.sum(axis=1) / (2 * BOARDS * pairs.sum(axis=1))
    return equities


@cache
def _matchups() -> _Matchups:
    keys, won, tied = read_counts()
    row_of_key = np.full(KEYS, -1, np.int32)
    row_of_key[keys] = np.arange(len(keys), dtype=np.int32)
    return _Matchups(keys, won.astype(np.int64), tied.astype(np.int64), row_of_key)


def _starting_hand_halves() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return what starting hands win of each other, in half boards, and the pairs of combos."""
    keys, won, tied, _ = _matchups()
    hand, other_hand = matchup_hands(keys)
    deals = matchup_deals(keys)
    shape = (STARTING_HANDS, STARTING_HANDS)
    halves, pairs = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    np.add.at(halves, (hand, other_hand), deals * (2 * won + tied))
    np.add.at(pairs, (hand, other_hand), deals)
    below = np.tril_indices(STARTING_HANDS, -1)
    pairs[below] = pairs.T[below]
    halves[below] = (2 * BOARDS * pairs - halves.T)[below]
    np.fill_diagonal(halves, BOARDS * pairs.diagonal())  # whichever of the two is the first
    return halves, pairs
