"""Buckets of the hands that a board leaves, in which value networks see ranges.

    buckets = BoardBuckets.of(board)
    met = buckets.met(shares)           how likely each bucket is, when two hands are dealt
    buckets.equity_values(shares, met)  pots that buckets win when nobody bets any more

On a whole board hands are ordered by their rank, before it by how many others they beat on average
over the cards to come, and cut into `MEANS` parts of equal size; each of these by how much that
differs from board to board, into `SPREADS`.  Hands of one strength are in one bucket on the river.
Before the flop buckets are the 169 starting hands, and moments are over the hands of the opponent.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.abstraction.board_buckets_kernels import add_moments, add_wins, take_blocked_wins
from engine.equity.allin_matrix import allin_matrix, apart
from engine.equity.river_rows_kernels import HALVES, board_scratch, halves_of_boards
from engine.hands.cards import CARDS, COMBO_CARDS, COMBOS, card_bits, live_combos
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HANDS
from engine.showdown.board_kernels import ranks_of_boards
from engine.showdown.board_ranks import board_ranks, whole_boards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

FLOP_CARDS: Final = 3
RIVER_CARDS: Final = 5
MEANS: Final = 32
SPREADS: Final = 8
BUCKETS: Final = MEANS * SPREADS


class BoardBuckets(NamedTuple):
    """The B buckets of a board; see the module's text."""

    bucket: NDArray[np.int16]
    """(1326,) of each hand; -1 where the board blocks it."""
    hands: NDArray[np.float32]
    """(B,) hands in each."""
    moments: NDArray[np.float32]
    """(2, B) mean and deviation over the boards to come of the share of hands that a hand beats."""
    apart: NDArray[np.float32]
    """(B, B) share of the pairs of the row's and the column's hands that have no card in common."""
    won: NDArray[np.float32]
    """(B, B) pots that the row's hands win from the column's when nobody bets any more, -0.5 to
    0.5: a mean over all pairs, of which those that share a card win nothing, and all cards to come.
    """

    @classmethod
    def of(
        cls, board: Sequence[int], means: int = MEANS, spreads: int = SPREADS, every: int = 1
    ) -> BoardBuckets:
        """Return the buckets of a board of no card, or of 3 to 5, in 10 ms for a turn.

        Args:
            every: of how many whole boards to come one is looked at.

        Raises:
            ValueError: a card is none or named twice, or their number differs.
        """
        live = np.flatnonzero(live_combos(card_bits(board)))
        if not board:
            return _before_the_flop()
        if not FLOP_CARDS <= len(board) <= RIVER_CARDS:
            raise ValueError(f"a board of {len(board)} cards: want none, or 3 to 5")
        count = means * spreads
        bucket = np.full(COMBOS, -1, np.int16)
        strengths, moments = _ranks_and_moments(board, every)
        if len(board) == RIVER_CARDS:
            ranks = board_ranks(board).astype(np.int64)
            ordered = np.sort(ranks[live])
            low, high = (np.searchsorted(ordered, ranks[live], side) for side in ("left", "right"))
            bucket[live] = (low + high - 1) * count // (2 * len(live))
        else:
            bucket[live] = _cut(moments[0, live], moments[1, live], means, spreads)
        return _pooled(bucket, count, moments, _wins(board, strengths, bucket, count))

    def met(self, shares: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (N, 2, B) how much of the other range the average hand of a bucket can meet.

        Args:
            shares: (N, 2, B) of both ranges, each summing to 1.
        """
        return _against(shares, self.apart)

    def equity_values(
        self, shares: NDArray[np.float32], met: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return (N, 2, B) pots that buckets win when nobody bets any more; 0 of empty buckets.

        Args:
            shares: (N, 2, B) of both ranges, each summing to 1.
            met: (N, 2, B) as from `met`.
        """
        values = _against(shares, self.won)
        values /= np.maximum(met, np.float32(1e-9))
        return values


def _against(shares: NDArray[np.float32], pairs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (N, 2, B) what rows of pairs (B, B) add up to over the other range, in one product."""
    others = np.ascontiguousarray(shares[:, ::-1])
    sums: NDArray[np.float32] = others.reshape(-1, len(pairs)) @ pairs.T
    return sums.reshape(shares.shape)


@cache
def _before_the_flop() -> BoardBuckets:
    """Return the starting hands as buckets."""
    won, together = allin_matrix(()).astype(np.float64), apart()
    beaten = np.where(together, (won + 1) / 2, 0)
    met = together.sum(axis=1)
    mean = beaten.sum(axis=1) / met
    square = (beaten * beaten).sum(axis=1) / met
    moments = np.stack((mean, np.sqrt(square - mean * mean)))
    bucket = COMBO_STARTING_HAND.astype(np.int16)
    inside = (bucket[:, None] == np.arange(STARTING_HANDS)).astype(np.float64)
    return _pooled(bucket, STARTING_HANDS, moments, inside.T @ won @ inside)


def _pooled(
    bucket: NDArray[np.int16], count: int, moments: NDArray[np.float64], wins: NDArray[np.float64]
) -> BoardBuckets:
    """Return buckets of hands.

    Args:
        bucket: (1326,) of each hand, -1 for none.
        count: B
        moments: (2, 1326) of hands.
        wins: (B, B) pairs of hands that win less those that lose, a mean over cards to come.
    """
    live = np.flatnonzero(bucket >= 0)
    hands = np.bincount(bucket[live], minlength=count)
    sums = np.stack([np.bincount(bucket[live], moment[live], count) for moment in moments])
    pairs = np.maximum(np.outer(hands, hands), 1)
    return BoardBuckets(
        bucket,
        hands.astype(np.float32),
        (sums / np.maximum(hands, 1)).astype(np.float32),
        (_pairs_apart(bucket, live, hands) / pairs).astype(np.float32),
        (wins / (2 * pairs)).astype(np.float32),
    )


def mass_of(shares: NDArray[np.float32], met: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (N, 2, B) how likely buckets are where two hands are dealt; each player's sum to 1.

    Args:
        shares: (N, 2, B), and so is `met`: see `BoardBuckets.met`.
    """
    mass = shares * met
    mass /= np.maximum(mass.sum(axis=2, keepdims=True), np.float32(1e-9))
    return mass


def hand_moments(board: Sequence[int]) -> NDArray[np.float64]:
    """Return (2, 1326) mean and deviation of the share of hands that a hand beats, ties as halves.

    Over all cards to come; 0 for hands that the board blocks.
    """
    return _ranks_and_moments(board)[1]


def _ranks_and_moments(
    board: Sequence[int], every: int = 1
) -> tuple[NDArray[np.uint16], NDArray[np.float64]]:
    """Return ranks (R, 1326) on the whole boards to come, or some of them, and `hand_moments`."""
    boards = np.ascontiguousarray(whole_boards(board)[::every])
    strengths, halves = np.empty((2, len(boards), COMBOS), np.uint16)
    ranks_of_boards(boards, strengths)
    halves_of_boards(boards, board_scratch(), halves)
    moments = np.zeros((3, COMBOS), np.int64)
    add_moments(halves, moments)
    boards_held = np.maximum(moments[0], 1)
    mean, square = moments[1] / (HALVES * boards_held), moments[2] / (HALVES**2 * boards_held)
    return strengths, np.stack((mean, np.sqrt(np.maximum(square - mean * mean, 0))))


def _cut(
    mean: NDArray[np.float64], deviation: NDArray[np.float64], means: int, spreads: int
) -> NDArray[np.int64]:
    """Return the bucket of each hand: parts of equal size by mean, each by deviation."""
    order = np.argsort(mean, kind="stable")
    part = np.empty(len(mean), np.int64)
    part[order] = np.arange(len(mean)) * means // len(mean)
    order = np.lexsort((deviation, part))
    first = np.searchsorted(part[order], np.arange(means + 1))
    within = np.arange(len(mean)) - first[part[order]]
    number = np.empty(len(mean), np.int64)
    number[order] = part[order] * spreads + within * spreads // np.diff(first)[part[order]]
    return number


def _pairs_apart(
    bucket: NDArray[np.int16], live: NDArray[np.intp], hands: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return (B, B) pairs of hands that have no card in common."""
    held = np.zeros((len(hands), CARDS), np.float32)
    np.add.at(held, (np.repeat(bucket[live], 2), COMBO_CARDS[live].ravel()), 1)
    pairs: NDArray[np.float64] = np.outer(hands, hands) - held @ held.T + np.diag(hands)
    return pairs


def _wins(
    board: Sequence[int], strengths: NDArray[np.uint16], bucket: NDArray[np.int16], count: int
) -> NDArray[np.float64]:
    """Return (B, B) pairs of hands that win less those that lose, a mean over cards to come."""
    wins = np.zeros((count, count), np.int32)
    most = int(np.bincount(bucket[bucket >= 0]).max()) ** 2
    kind = np.int16 if most <= np.iinfo(np.int16).max else np.int32
    at_once = int(np.iinfo(kind).max) // most  # whole boards of which no sum is too large
    for first in range(0, len(strengths), at_once):
        part = np.zeros(wins.shape, kind)
        add_wins(strengths[first : first + at_once], bucket, board_scratch(), part)
        wins += part
    take_blocked_wins(np.ascontiguousarray(strengths.T), bucket, wins)
    to_come = RIVER_CARDS - len(board)
    left = CARDS - len(board)
    met_on = comb(left - 4, to_come) * len(strengths) / comb(left, to_come)
    mean: NDArray[np.float64] = (wins - wins.T) / met_on
    return mean
