"""All-in expectation of many hands of one game at once, on all cores.

The numbers are those of `engine.equity.allin.allin_expectation`, hand by hand.  N hands of P
positions:

    spent    (N, P)    int64  chips put in over the hand
    folded   (N, P)    bool   whether the position has folded
    holes    (N, P, K) uint8  hole cards of every position, folded ones included
    boards   (N, B)    uint8  board cards; of each hand the first `known` count
    known    (N,)      int64  board cards seen when the betting closed

Nearly all of them are two hands of hold'em.  Before the flop, with no cards folded, those are
looked up; later they are enumerated by compiled code, some microseconds each.  Three and more
contenders, folded cards and other games are computed hand by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.equity.allin import allin_expectation
from engine.equity.preflop import pair_counts
from engine.hands.cards import CARDS, combos_of
from engine.parallel.threads import run_blocks
from engine.showdown import tables

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

_HOLDEM_BOARD: Final = 5
_HANDS_PER_TASK: Final = 64
_WHOLE_DECK: Final = (1 << CARDS) - 1
_EXACT_DOUBLE_BELOW: Final = 2**53


def allin_expectations(
    game: GameDef,
    spent: NDArray[np.int64],
    folded: NDArray[np.bool_],
    holes: NDArray[np.uint8],
    boards: NDArray[np.uint8],
    board_sizes: NDArray[np.int64],
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> NDArray[np.float64]:
    """Return (N, P) float64 the mean payoff in chips over all boards that could still come.

    Args:
        spent: see the module's text, as for `folded`, `holes`, `boards` and `board_sizes`.
        threads: None for one per core.
        progress: called from the calling thread with how many more hands are done.

    Raises:
        ValueError: a hand has fewer than two contenders, or cards that no deal has.
    """
    expected = np.empty(spent.shape, np.float64)
    duels = np.zeros(len(spent), np.bool_)
    if game.is_holdem:
        duels = (~folded).sum(axis=1) == 2
        duels &= spent.sum(axis=1) < _EXACT_DOUBLE_BELOW // (4 * comb(CARDS, _HOLDEM_BOARD))
    for board_size in range(_HOLDEM_BOARD):
        at = np.flatnonzero(duels & (board_sizes == board_size))
        if len(at):
            counts, total = _duel_counts(
                spent[at], folded[at], holes[at], boards[at, :board_size], threads, progress
            )
            expected[at] = _settled(spent[at], folded[at], counts, total)
    others = np.flatnonzero(~(duels & (board_sizes < _HOLDEM_BOARD)))

    def work(first: int, end: int) -> None:
        for hand in others[first:end].tolist():
            expected[hand] = allin_expectation(
                game,
                spent[hand].tolist(),
                folded[hand].tolist(),
                holes[hand].tolist(),
                boards[hand, : board_sizes[hand]].tolist(),
            )

    _share_out(work, len(others), 1, threads, progress)
    return expected


def _duel_counts(
    spent: NDArray[np.int64],
    folded: NDArray[np.bool_],
    holes: NDArray[np.uint8],
    board: NDArray[np.uint8],
    threads: int | None,
    progress: Callable[[int], None] | None,
) -> tuple[NDArray[np.int64], int]:
    """Return (N, 2) boards that the first contender wins and ties, and the number of boards.

    `board` is (N, B), the cards seen by all N hands.
    """
    count, players = spent.shape
    to_come = _HOLDEM_BOARD - board.shape[1]
    decks = _decks(holes, board)
    contenders = np.argsort(folded, axis=1, kind="stable")[:, :2]
    pairs = np.take_along_axis(holes, contenders[:, :, None], axis=1)
    boards = comb(CARDS - 2 * players - board.shape[1], to_come)
    if to_come == _HOLDEM_BOARD and players == 2:
        won, tied = pair_counts(combos_of(pairs[:, 0]), combos_of(pairs[:, 1]))
        if progress is not None:
            progress(count)
        return np.stack((won, tied), axis=1), boards
    from engine.equity.allin_kernels import count_duels

    shared_board = np.broadcast_to(board[:, None, :], (count, 2, board.shape[1]))
    cards = np.concatenate((pairs, shared_board), axis=2)
    sums = np.stack(
        (tables.card_keys()[cards].sum(axis=2), tables.card_masks()[cards].sum(axis=2)), axis=1
    )
    ranked = tables.plain_ranks(2 + _HOLDEM_BOARD)
    counts = np.zeros((count, 2), np.int64)

    def work(first: int, end: int) -> None:
        count_duels(decks[first:end], to_come, sums[first:end], *ranked, counts[first:end])

    _share_out(work, count, _HANDS_PER_TASK if board.shape[1] else 1, threads, progress)
    return counts, boards


def _decks(holes: NDArray[np.uint8], board: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Return (N,) masks of the cards nobody has seen.  Raises ValueError."""
    cards = np.concatenate((holes.reshape(len(holes), -1), board), axis=1).astype(np.uint64)
    if cards.max(initial=np.uint64(0)) >= CARDS:
        raise ValueError("a card is not in the deck")
    dealt = np.bitwise_or.reduce(np.uint64(1) << cards, axis=1)
    if (np.bitwise_count(dealt) != cards.shape[1]).any():
        raise ValueError("a card is held twice")
    decks: NDArray[np.uint64] = np.uint64(_WHOLE_DECK) & ~dealt
    return decks


def _settled(
    spent: NDArray[np.int64], folded: NDArray[np.bool_], counts: NDArray[np.int64], boards: int
) -> NDArray[np.float64]:
    """Turn the boards that the first of two contenders wins and ties into (N, P) chips.

    A bet that nobody called is returned, as in `engine.rules.pots`.
    """
    halves = 2 * boards
    contenders = np.argsort(folded, axis=1, kind="stable")[:, :2]
    stakes = np.take_along_axis(spent, contenders, axis=1)
    contested = np.minimum(spent, stakes.min(axis=1, keepdims=True)).sum(axis=1)
    uncontested = spent.sum(axis=1) - contested
    gains = -spent * halves
    shares = 2 * counts[:, 0] + counts[:, 1]
    won = np.stack((contested * shares, contested * (halves - shares)), axis=1)
    won[np.arange(len(stakes)), stakes.argmax(axis=1)] += uncontested * halves
    np.put_along_axis(gains, contenders, np.take_along_axis(gains, contenders, 1) + won, 1)
    return gains / halves


def _share_out(
    work: Callable[[int, int], None],
    count: int,
    block: int,
    threads: int | None,
    progress: Callable[[int], None] | None,
) -> None:
    reported = 0

    def step(fraction: float) -> None:
        nonlocal reported
        if progress is not None:
            done = round(fraction * count)
            progress(done - reported)
            reported = done

    if count:
        run_blocks(work, count, block, threads=threads, progress=step)
