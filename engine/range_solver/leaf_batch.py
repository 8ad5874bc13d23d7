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
from engine.range_solver.leaf_batch_kernels import add_weighted, copy_ranges, place_answers
from engine.range_solver.leaves import LeafRequest, LeafValues
from engine.range_solver.portions import Portion, less_often
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
            copy_ranges(
                scratch.reach,
                self._game.streets[level].leaf_rows[player],
                hands.combo[board],
                hands.weight[board],
                int(hands.held[board]),
                self._reach[first : first + count, player],
            )

    def ask(
        self,
        source: LeafValues,
        players: tuple[int, ...],
        *,
        best: bool,
        part: Portion | None = None,
    ) -> None:
        """Have the leaves valued; the result is in `values`.

        Args:
            part: of the second street; None: all boards.

        Raises:
            ValueError: the answer has another shape, or a value that is not finite.
        """
        visited = self._visited(part)
        rows = np.concatenate([self._rows(level, boards) for level, boards in enumerate(visited)])
        reach = self._reach if part is None else self._reach[rows]
        leaves = (
            self._game.leaves if part is None else tuple(self._game.leaves[row] for row in rows)
        )
        answer = np.asarray(source.values(LeafRequest(leaves, reach, players, best)))
        if answer.shape != reach.shape:
            raise ValueError(f"leaf values: want {reach.shape}, got {answer.shape}")
        self._answers, self._asked = answer, visited
        for player in players:
            met = np.asarray(reach[:, 1 - player].any(axis=1))
            first = 0
            for level, boards in enumerate(visited):
                every = slice(first, first + len(boards) * self._leaves[level])
                self._answer(level, player, boards, answer[every, player], met[every])
                first = every.stop

    def average(self, players: tuple[int, ...], step: Step, part: Portion | None = None) -> None:
        """Count the last answer with the weight of an iteration, for the players that asked."""
        if not len(self._sums[0]):
            return
        first = 0
        for level, boards in enumerate(self._asked):
            rows = self._rows(level, boards)
            every = slice(first, first + len(rows))
            first = every.stop
            taken = less_often(step, part.stands_for) if level and part else step
            keep, weight = float(taken.keep), float(taken.weight)
            for player in players:
                won, reach = self._sums[0, :, player], self._sums[1, :, 1 - player]
                add_weighted(rows, self._answers[every, player], keep, weight, won)
                add_weighted(rows, self._reach[rows, 1 - player], keep, weight, reach)

    def averages(self) -> NDArray[np.float64]:
        """Return (L, 2, H) chips that hands won on average per unit of what they can meet."""
        won, reach = self._sums.astype(np.float64)
        met = np.zeros_like(won)
        for leaf, sides in enumerate(reach):
            for player in (0, 1):
                met[leaf, player] = compatible_reach(sides[1 - player], self._game.hands)
        averages: NDArray[np.float64] = np.divide(won, met, out=np.zeros_like(won), where=met > 0)
        return averages

    def _visited(self, part: Portion | None) -> list[NDArray[np.intp]]:
        """Return the boards of each street that a pass visits."""
        if part is None:
            return [np.arange(len(boards.boards)) for boards in self._game.boards]
        visited = [np.arange(1), part.boards]
        for level in range(1, self._game.levels - 1):
            deals = self._game.boards[level].deals
            assert deals is not None
            below = [deals.below(board) for board in visited[level].tolist()]
            visited.append(np.concatenate([np.arange(run.start, run.stop) for run in below]))
        return visited

    def _rows(self, level: int, boards: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return where the leaves of some boards are among all, board by board."""
        count = self._leaves[level]
        rows: NDArray[np.intp] = self._first[level] + boards[:, None] * count + np.arange(count)
        return rows.ravel()

    def _answer(
        self,
        level: int,
        player: int,
        boards: NDArray[np.intp],
        answer: NDArray[np.float32],
        met: NDArray[np.bool_],
    ) -> None:
        """Write values of boards, 0 in the padding and where no opposing hand is possible."""
        hands = self._game.boards[level].hands[player]
        values = self.values[level][player]
        if not place_answers(answer, met, boards, hands.combo, hands.held, values):
            raise ValueError(f"leaf values: some of player {player} are not finite")

    def _room(self, level: int, player: int) -> NDArray[np.float32]:
        combo = self._game.boards[level].hands[player].combo
        return aligned_zeros((len(combo), self._leaves[level], combo.shape[1]), np.float32)
