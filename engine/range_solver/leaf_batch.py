"""All leaves of a subgame, for one call of `LeafValues` a pass.

Converts between the passes' rows (one per leaf of a street's forest, H hands) and the rows of all
hands that sources of values use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.cfr.variants import Step
from engine.compiled.lanes import aligned_zeros
from engine.hands.ranges import compatible_reach
from engine.range_solver.game import RangeGame
from engine.range_solver.leaves import LeafRequest, LeafValues
from engine.range_solver.records import Scratch


class LeafBatch:
    """Ranges that arrive at the leaves, and their values."""

    def __init__(self, game: RangeGame, *, averaged: bool = False) -> None:
        self._game = game
        self._reach = np.zeros((len(game.leaves), 2, game.hands.count), np.float32)
        self._leaves = [len(street.leaf_nodes) for street in game.streets]
        sizes = [
            len(boards.boards) * count
            for boards, count in zip(game.boards, self._leaves, strict=True)
        ]
        self._first = np.cumsum([0, *sizes]).tolist()
        self.values: list[tuple[NDArray[np.float32], NDArray[np.float32]]] = [
            (self._room(level, 0), self._room(level, 1)) for level in range(game.levels)
        ]
        """Per street and player, (B, K, H) values of K leaves on each board, for the passes."""
        shape = (2, *self._reach.shape) if averaged else (2, 0, 2, 0)
        self._sums = np.zeros(shape, np.float32)
        """What each hand won, and the reach of the other player's hands: weighted sums."""

    def lie_below(self, level: int) -> bool:
        """Return whether there are leaves on later streets."""
        return any(self._leaves[level + 1 :])

    def collect(self, level: int, board: int, space: tuple[Scratch, Scratch]) -> None:
        """Copy the ranges at a board's leaves after both players have opened it."""
        count = self._leaves[level]
        first = self._first[level] + board * count
        for player, scratch in enumerate(space):
            hands = self._game.boards[level].hands[player]
            hand_count = int(hands.held[board])
            rows = scratch.reach[self._game.streets[level].leaf_rows[player], :hand_count]
            arrived = self._reach[first : first + count, player]
            arrived[:, hands.combo[board, :hand_count]] = rows * hands.weight[board, :hand_count]

    def ask(self, source: LeafValues, players: tuple[int, ...], *, best: bool) -> None:
        """Have the leaves valued; the result is in `values`.

        Raises:
            ValueError: the answer has another shape, or a value that is not finite.
        """
        request = LeafRequest(self._game.leaves, self._reach, players, best)
        answer = np.asarray(source.values(request))
        if answer.shape != self._reach.shape:
            raise ValueError(f"leaf values: want {self._reach.shape}, got {answer.shape}")
        self._answers = answer
        for player in players:
            met = np.asarray(self._reach[:, 1 - player].any(axis=1))
            for level in range(self._game.levels):
                self._answer(level, player, answer[:, player], met)

    def average(self, players: tuple[int, ...], step: Step) -> None:
        """Count the last answer with the weight of an iteration, for the players that asked."""
        for player in players if len(self._sums[0]) else ():
            rival = 1 - player
            for total, new in zip(self._sums, (self._answers, self._reach), strict=True):
                side = player if new is self._answers else rival
                total[:, side] *= np.float32(step.keep)
                total[:, side] += np.float32(step.weight) * new[:, side]

    def averages(self) -> NDArray[np.float64]:
        """Return (L, 2, H) chips that hands won on average per unit of what they can meet."""
        won, reach = self._sums.astype(np.float64)
        met = np.zeros_like(won)
        for leaf, sides in enumerate(reach):
            for player in (0, 1):
                met[leaf, player] = compatible_reach(sides[1 - player], self._game.hands)
        averages: NDArray[np.float64] = np.divide(won, met, out=np.zeros_like(won), where=met > 0)
        return averages

    def _answer(
        self, level: int, player: int, answer: NDArray[np.float32], met: NDArray[np.bool_]
    ) -> None:
        """Write a street's values, 0 in the padding and where no opposing hand is possible."""
        count = self._leaves[level]
        every = slice(self._first[level], self._first[level + 1])
        hands = self._game.boards[level].hands[player]
        boards = len(hands.combo)
        combo_values = np.take_along_axis(
            answer[every].reshape(boards, count, answer.shape[-1]), hands.combo[:, None], axis=2
        )
        real = np.arange(hands.width) < hands.held[:, None, None]
        values = self.values[level][player]
        values[:] = np.where(real & met[every].reshape(boards, count, 1), combo_values, 0)
        if not np.isfinite(values).all():
            raise ValueError(f"leaf values: some of player {player} are not finite")

    def _room(self, level: int, player: int) -> NDArray[np.float32]:
        combo = self._game.boards[level].hands[player].combo
        return aligned_zeros((len(combo), self._leaves[level], combo.shape[1]), np.float32)
