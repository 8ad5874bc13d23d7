"""Duplicate sets, deals that the same players played in every seating, found in the hands alone.

A deal is known by its number and its hole cards.  N hands of P positions come as rows

    rows  (N, 2 + 2 P) int64   hand id, digest of the hole cards, player index by position, chips
                               won by position in millionths

and a deal makes a set where each player held every position's cards equally often, as rotated seats
give it.  A set is worth to a player the mean of what he won over its arrangements.  An arrangement
that was played more than once, as by two matches of the same seed, counts with its mean: the deal
remains one sample.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.estimates.winrate import WinRate, win_rate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

FIRST_PLAYER = 2
_MILLION = 1e6


@dataclass(frozen=True, slots=True)
class DuplicateSets:
    """What some players won in the sets of one seed."""

    samples: Mapping[int, NDArray[np.float64]]
    """Player index: (sets,) chips per hand."""
    hands: int
    """Hands behind the sets."""
    repeated: int
    """Hands beyond the first with the same cards, players and positions."""


def find_sets(rows: NDArray[np.int64]) -> list[DuplicateSets]:
    """Return the sets among hands of one game and seed, one record for each group of players."""
    players = (rows.shape[1] - FIRST_PLAYER) // 2
    seated = rows[:, FIRST_PLAYER : FIRST_PLAYER + players]
    order = np.argsort(seated, axis=1)
    ranked = np.take_along_axis(seated, order, axis=1)
    apart = (np.diff(ranked, axis=1) > 0).all(axis=1)  # one player in two seats is no duplicate
    groups, group_of = np.unique(ranked, axis=0, return_inverse=True)
    found = []
    for number, group in enumerate(groups):
        mine = apart & (group_of.reshape(-1) == number)
        if mine.any():
            found.append(_sets_of(group.tolist(), rows[mine], order[mine]))
    return found


def _sets_of(
    group: Sequence[int], rows: NDArray[np.int64], order: NDArray[np.int64]
) -> DuplicateSets:
    """Return the sets of one group of players; `order` (N, P) has each one's position."""
    players = len(group)
    printed = rows[:, FIRST_PLAYER + players :]
    chips = np.take_along_axis(printed, order, axis=1) / _MILLION
    deals, deal_of = np.unique(rows[:, :FIRST_PLAYER], axis=0, return_inverse=True)
    seatings, seating_of = np.unique(order, axis=0, return_inverse=True)
    cells = len(deals) * len(seatings)
    cell = deal_of.reshape(-1) * len(seatings) + seating_of.reshape(-1)
    times = np.bincount(cell, minlength=cells)
    shape = (len(deals), len(seatings))
    played = (times > 0).reshape(shape)
    patterns, pattern_of = np.unique(played, axis=0, return_inverse=True)
    balanced = np.array([_is_balanced(seatings[pattern], players) for pattern in patterns])
    complete = balanced[pattern_of.reshape(-1)]
    many = np.maximum(played.sum(axis=1), 1)
    samples = {}
    for rank, player in enumerate(group):
        sums = np.bincount(cell, weights=chips[:, rank], minlength=cells)
        means = (sums / np.maximum(times, 1)).reshape(shape)
        samples[player] = (means.sum(axis=1) / many)[complete]
    return DuplicateSets(
        samples,
        hands=int(times.reshape(shape)[complete].sum()),
        repeated=int((times - 1)[times > 1].sum()),
    )


def _is_balanced(seatings: NDArray[np.int64], players: int) -> bool:
    """Return whether each player has every position equally often in (K, P) `seatings`."""
    if not len(seatings) or len(seatings) % players:
        return False
    counts = [np.bincount(column, minlength=players) for column in seatings.T]
    return all(bool((count == len(seatings) // players).all()) for count in counts)


def set_rates(found: Iterable[tuple[DuplicateSets, int]]) -> dict[int, WinRate]:
    """Return each player's win rate over all sets, given with the game's big blind in chips."""
    samples: dict[int, list[NDArray[np.float64]]] = {}
    hands: dict[int, int] = {}
    for sets, big_blind in found:
        for player, own in sets.samples.items():
            if len(own):
                samples.setdefault(player, []).append(own / big_blind)
                hands[player] = hands.get(player, 0) + sets.hands
    return {
        player: replace(win_rate(np.concatenate(own), 1), hands=hands[player])
        for player, own in samples.items()
    }
