"""Duplicate sets, deals that the same players played in every seating, found in the hands alone.

Hands are of one deal where they have the same number and hole cards and, as far as two of them saw
it, the same board.  A deal makes a set where each player held every position's cards equally often,
as rotated seats give it.  A set is worth to a player the mean of what he won over its arrangements.
An arrangement that was played more than once, as by two matches of the same seed, counts with its
mean: the deal remains one sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.estimates.hand_results import BOARD_BITS
from engine.estimates.winrate import WinRate, win_rate_of_units

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from engine.estimates.hand_results import HandResults, Lineups


@dataclass(frozen=True, slots=True, eq=False)
class DuplicateSets:
    """The sets among N hands of one game."""

    set: NDArray[np.int64]
    """(N,) number of the set that a hand is part of, -1 for none."""
    weight: NDArray[np.float64]
    """(N,) its share in the set; those of a set add up to 1."""
    deal: NDArray[np.int64]
    """(N,) number of the deal, that of other players as well, with or without a set."""
    count: int
    """Sets."""
    repeated: int
    """Hands beyond the first with the same cards, players and positions."""

    def means(self, chips: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (sets,) the mean of (N,) chips in each set."""
        mine = self.set >= 0
        means: NDArray[np.float64] = np.bincount(
            self.set[mine], (self.weight * chips)[mine], self.count
        ).astype(np.float64)
        return means


def find_sets(results: HandResults, played: Lineups) -> DuplicateSets:
    """Return the sets among hands of one game."""
    hands, players = results.players.shape
    _, deal = np.unique(results.deal, return_inverse=True)
    groups, both = np.unique(played.group * (deal.max(initial=0) + 1) + deal, return_inverse=True)
    arrangement = np.zeros(hands, np.int64)
    for column in played.order.T:
        arrangement = arrangement * players + column
    # A cell is one arrangement of one deal of one group; its hands are repetitions.
    _, arrangement = np.unique(arrangement, return_inverse=True)
    width = arrangement.max(initial=0) + 1
    _, first, cell, times = np.unique(
        both * width + arrangement, return_index=True, return_inverse=True, return_counts=True
    )
    cells = np.bincount(both[first], minlength=len(groups))  # arrangements of each deal
    complete = _balanced(played.order[first], both[first], cells)
    complete &= _one_board(results.board, both, len(groups))
    alone = played.groups[played.group]  # one player in two seats is no duplicate
    complete[both[(np.diff(alone, axis=1) == 0).any(axis=1)]] = False
    number = np.where(complete, np.cumsum(complete) - 1, -1)
    return DuplicateSets(
        set=number[both],
        weight=1.0 / (cells[both] * times[cell]),
        deal=deal,
        count=int(complete.sum()),
        repeated=int((times - 1).sum()),
    )


def _balanced(
    order: NDArray[np.int64], deal_of: NDArray[np.int64], cells: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Return for each deal whether its players have every position equally often.

    Args:
        order: (C, P) position of each player, arrangement by arrangement.
        deal_of: (C,) the deal of each.
    """
    players = order.shape[1]
    possible: NDArray[np.bool_] = (cells > 0) & (cells % players == 0)
    number = np.cumsum(possible) - 1
    in_possible = possible[deal_of]
    mine, order = number[deal_of[in_possible]], order[in_possible]
    wanted = cells[possible] // players
    balanced = np.ones(len(wanted), np.bool_)
    for player in range(players):
        counts = np.bincount(mine * players + order[:, player], minlength=len(wanted) * players)
        balanced &= (counts.reshape(-1, players) == wanted[:, None]).all(axis=1)
    possible[possible] = balanced
    return possible


def _one_board(
    board: NDArray[np.int64], deal_of: NDArray[np.int64], deals: int
) -> NDArray[np.bool_]:
    """Return for each deal whether all its hands may have had one board."""
    longest = np.zeros(deals, np.int64)
    np.maximum.at(longest, deal_of, board)  # more cards are a larger number
    shift = np.zeros(len(board), np.int64)
    while ((board >> shift) > 0).any():
        shift[(board >> shift) > 0] += BOARD_BITS
    agrees = board == longest[deal_of] & ((np.int64(1) << shift) - 1)
    agreeing: NDArray[np.bool_] = np.bincount(deal_of[~agrees], minlength=deals) == 0
    return agreeing


def set_rates(
    games: Iterable[tuple[HandResults, Lineups, DuplicateSets, int]],
) -> dict[int, WinRate]:
    """Return each player's win rate over all sets; a sample is a deal.

    Sets of a player against several others share their deals, so they are not independent.

    Args:
        games: the hands of each game, who played them, their sets, and the big blind in chips.
            Players have the same numbers in all games.
    """
    samples: dict[int, list[tuple[NDArray[np.float64], NDArray[np.int64]]]] = {}
    hands: dict[int, int] = {}
    dealt = 0
    for results, played, sets, big_blind in games:
        chips = played.by_player(results.chips)
        group_of, deal_of = np.zeros((2, sets.count), np.int64)
        mine = sets.set >= 0
        group_of[sets.set[mine]] = played.group[mine]
        deal_of[sets.set[mine]] = dealt + sets.deal[mine]
        dealt += int(sets.deal.max(initial=-1)) + 1
        counted = np.bincount(played.group[mine], minlength=len(played.groups))
        for rank in range(chips.shape[1]):
            means = sets.means(chips[:, rank]) / big_blind
            for group in np.unique(group_of).tolist():
                player = int(played.groups[group, rank])
                group_rows = group_of == group
                samples.setdefault(player, []).append((means[group_rows], deal_of[group_rows]))
                hands[player] = hands.get(player, 0) + int(counted[group])
    return {
        player: _by_deal(player_samples, hands[player])
        for player, player_samples in samples.items()
    }


def _by_deal(sets: list[tuple[NDArray[np.float64], NDArray[np.int64]]], hands: int) -> WinRate:
    """Return the win rate of a player's sets, each with its deal; big blinds."""
    means, deals = (np.concatenate(column) for column in zip(*sets, strict=True))
    _, deal = np.unique(deals, return_inverse=True)
    totals = np.bincount(deal, means).astype(np.float64)
    return win_rate_of_units(totals, np.bincount(deal).astype(np.float64), 1, hands=hands)
