"""The walk over all boards of a subgame that makes a pass out of compiled passes over one board.

Boards of the second street are shared among threads, in any order: each writes values of its own,
which are added up in the order of the cards, so that results do not depend on the threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.cfr.variants import Step
from engine.compiled.lanes import aligned_zeros
from engine.range_solver.game import RangeGame
from engine.range_solver.passes import (
    Work,
    add_deals,
    close_board,
    open_board,
    value_ends,
    visit_boards,
)
from engine.range_solver.play import Play
from engine.range_solver.tables import Level, Space, workspace
from engine.range_solver.values import UPDATE

_SHARES: Final = 4
"""Pieces of work per thread: boards of one street cost about the same."""

Values = tuple[NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Pass:
    """What one pass is for."""

    own: int
    """Players whose values are wanted: bit 0 for player 0, bit 1 for player 1."""
    mode: int
    """`UPDATE`, `EXPECT` or `BEST`."""
    plays: tuple[Play, Play]
    step: Step
    seen: int
    """Iterations that looked at variances, this one included."""


class Walk:
    """Workspaces for passes over a game."""

    def __init__(self, game: RangeGame, storage: str, threads: int) -> None:
        """Allocate scratch.

        Args:
            game: what is walked.
            storage: of the tables, `range_tables.FLOAT32` or `INT16`.
            threads: workers that share the boards of the second street.
        """
        self._game = game
        self._threads = threads if game.levels > 1 else 1
        self._root = workspace(game, 0, storage)
        levels = range(1, game.levels)
        self._spaces = [
            {0: self._root} | {level: workspace(game, level, storage) for level in levels}
            for _ in range(self._threads)
        ]
        self._returned = [
            {level: _returns(game, level) for level in levels if level > 1 or worker == 0}
            for worker in range(self._threads)
        ]
        ones = np.ones((1, 1), np.float32)
        self._entry: Values = ones, ones
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None

    def run(self, tables: list[Level], wanted: Pass) -> None:
        """Make a pass over the whole subgame."""
        if self._game.levels == 1:
            target = _returns(self._game, 0)
            self._visit(0, 0, range(1), 0, tables, wanted, self._entry, target)
            return
        self._open(0, 0, tables, wanted, self._entry, self._root)
        children = self._below(0, 0)
        entry = _reach(self._root)
        target = self._returned[0][1]

        def visit(worker: int, piece: range) -> None:
            self._visit(worker, 1, piece, children.start, tables, wanted, entry, target)

        self._share(visit, _pieces(children, self._threads * _SHARES))
        self._close(0, 0, tables, wanted, self._root, target, shared=True)

    def _share(self, task: Callable[[int, range], None], pieces: list[range]) -> None:
        """Call task(worker, piece) for all pieces, on all threads; nothing runs on afterwards."""
        waiting = iter(pieces)  # next() is atomic

        def work(worker: int) -> None:
            for piece in waiting:
                task(worker, piece)

        others = [self._pool.submit(work, w) for w in range(1, self._threads)] if self._pool else []
        try:
            work(0)
        finally:
            for _ in waiting:  # in an ordinary end there are none left
                pass
            wait(others)
        for other in others:
            other.result()

    def root_values(self, player: int) -> NDArray[np.float32]:
        """Return (H,) the root's counterfactual values of the last pass, in the board's order."""
        values: NDArray[np.float32] = self._root[player].value[0]
        return values

    def _visit(
        self,
        worker: int,
        level: int,
        boards: range,
        base: int,
        tables: list[Level],
        wanted: Pass,
        entry: Values,
        target: Values,
    ) -> None:
        """Make the pass on some boards of a street; target[board - base] receives their values."""
        space = self._spaces[worker][level]
        if level == self._game.levels - 1:
            visit_boards(
                boards.start,
                boards.stop,
                base,
                wanted.own,
                wanted.mode,
                wanted.plays,
                wanted.step,
                wanted.seen,
                entry,
                self._game.sides[level],
                tables[level],
                space,
                target,
            )
            return
        for board in boards:
            self._open(level, board, tables, wanted, entry, space)
            children = self._below(level, board)
            returned = self._returned[worker][level + 1]
            self._visit(
                worker, level + 1, children, children.start, tables, wanted, _reach(space), returned
            )
            self._close(level, board, tables, wanted, space, returned)
            for player in _players(wanted.own):
                target[player][board - base] = space[player].value[: target[player].shape[1]]

    def _open(
        self,
        level: int,
        board: int,
        tables: list[Level],
        wanted: Pass,
        entry: Values,
        space: Space,
    ) -> None:
        learns = _players(wanted.own) if wanted.mode == UPDATE else ()
        for player in (0, 1):
            open_board(
                board,
                player in learns,
                wanted.plays[player],
                wanted.step,
                entry[player],
                self._game.sides[level][player],
                tables[level][player],
                space[player],
            )

    def _close(
        self,
        level: int,
        board: int,
        tables: list[Level],
        wanted: Pass,
        space: Space,
        returned: Values,
        *,
        shared: bool = False,
    ) -> None:
        sides = self._game.sides[level]
        deals = self._game.boards[level].deals
        assert deals is not None
        ways = deals.of(board)
        stands_for = deals.board[ways] - np.int32(deals.below(board).start)
        for player in _players(wanted.own):
            own, other = space[player], space[1 - player]
            value_ends(board, sides[player], sides[1 - player], own, other)
            self._add_deals(
                sides[player].deal_rows,
                stands_for,
                deals.place[player][ways],
                deals.chance,
                returned[player],
                own,
                shared=shared,
            )
            close_board(
                board,
                wanted.mode,
                wanted.step,
                wanted.seen,
                sides[player],
                tables[level][player],
                own,
            )

    def _add_deals(
        self,
        deal_rows: NDArray[np.int32],
        stands_for: NDArray[np.int32],
        place: NDArray[np.int32],
        chance: float,
        returned: NDArray[np.float32],
        own: Work,
        *,
        shared: bool,
    ) -> None:
        def add(_: int, piece: range) -> None:
            add_deals(
                piece.start,
                piece.stop,
                deal_rows,
                stands_for,
                place,
                chance,
                returned,
                own.value,
                np.empty(own.value.shape[1]),
            )

        every = range(len(deal_rows))
        if shared:
            self._share(add, _pieces(every, 2 * self._threads))
        else:
            add(0, every)

    def _below(self, level: int, board: int) -> range:
        deals = self._game.boards[level].deals
        assert deals is not None
        return deals.below(board)


def _players(own: int) -> tuple[int, ...]:
    return tuple(player for player in (0, 1) if own >> player & 1)


def _reach(space: Space) -> Values:
    return space[0].reach, space[1].reach


def _pieces(boards: range, count: int) -> list[range]:
    """Cut boards into at most `count` runs of nearly equal length."""
    cuts = np.linspace(boards.start, boards.stop, min(count, len(boards)) + 1).astype(int).tolist()
    return [range(first, last) for first, last in pairwise(cuts)]


def _returns(game: RangeGame, level: int) -> Values:
    """Return room for the root values of all boards below one board of the street before."""
    most = game.most_boards_below(level - 1) if level else 1
    roots = game.streets[level].roots
    first, second = (
        aligned_zeros((most, roots, hands.width), np.float32) for hands in game.boards[level].hands
    )
    return first, second
