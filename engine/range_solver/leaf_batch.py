"""All leaves of a subgame, for one call of `LeafValues` a pass.

Converts between the passes' rows (one per leaf of a street's forest, H hands) and the rows of all
hands that sources of values use.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.compiled.lanes import aligned_zeros
from engine.range_solver.game import RangeGame
from engine.range_solver.leaves import LeafRequest, LeafValues
from engine.range_solver.records import Scratch


class LeafBatch:
    """Ranges that arrive at the leaves, and their values."""

    def __init__(self, game: RangeGame) -> None:
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
        for player in players:
            met = np.asarray(self._reach[:, 1 - player].any(axis=1))
            for level in range(self._game.levels):
                self._answer(level, player, answer[:, player], met)

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
