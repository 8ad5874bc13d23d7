"""The walk over all boards of a subgame that makes a pass out of compiled passes over one board.

Boards of the second street are shared among threads, in any order.  Each writes its own values,
which are added up in the order of the cards, so that results do not depend on the threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import for_types_of, is_compiled
from engine.compiled.lanes import aligned_zeros
from engine.range_solver.boards import CardDeals
from engine.range_solver.game import RangeGame
from engine.range_solver.leaf_batch import LeafBatch
from engine.range_solver.leaves import DepthLimit, LeafValues
from engine.range_solver.passes import (
    NextCards,
    add_deals,
    close_board,
    open_board,
    value_ends,
    visit_boards,
)
from engine.range_solver.portions import Portion, less_often, whole
from engine.range_solver.records import BEST, UPDATE, BothPlayers, Pass, StreetPlayer
from engine.range_solver.tables import Level, Space, workspace

_TASKS_PER_THREAD: Final = 4
"""Boards of one street cost about the same."""

Values = tuple[NDArray[np.float32], NDArray[np.float32]]


class Walk:
    """Workspaces for passes over a game."""

    def __init__(
        self,
        game: RangeGame,
        tables: list[Level],
        storage: str,
        threads: int,
        limit: DepthLimit | None = None,
    ) -> None:
        """Walk with some tables, until others come.

        Args:
            tables: by street; they are read and changed.
            limit: whose values are those at leaves.
        """
        self._game = game
        self._source = limit.values if limit and game.leaves else None
        self._leaves = LeafBatch(game, averaged=bool(limit and limit.averaged))
        self._threads = threads if game.levels > 1 else 1
        self._root = workspace(game, 0, storage)
        levels = range(1, game.levels)
        self._spaces = [
            {0: self._root} | {level: workspace(game, level, storage) for level in levels}
            for _ in range(self._threads)
        ]
        self._returned = [
            {
                level: _returns(game, level)
                for level in range(game.levels)
                if level > 1 or worker == 0
            }
            for worker in range(self._threads)
        ]
        self._pool = ThreadPoolExecutor(self._threads - 1) if self._threads > 1 else None
        self.use(tables)

    def use(self, tables: list[Level]) -> None:
        """Read and change these tables from now on, by street."""
        self._players: list[dict[int, BothPlayers]] = [
            {
                level: self._players_of(level, tables[level], space)
                for level, space in spaces.items()
            }
            for spaces in self._spaces
        ]
        self._visit_boards: Callable[..., None] | None = None
        """Made by the next pass: with the same tables all have arguments of the same types."""

    def run(self, wanted: Pass, entry: Values, part: Portion | None = None) -> None:
        """Make a pass over the whole subgame.

        Args:
            entry: (1, H) reach of the root by each player's hands.
            part: of the second street; None: all of it.
        """
        if self._source is not None:
            self._value_leaves(self._source, wanted, entry, part)
        if self._game.levels == 1:
            self._visit(0, 0, np.arange(1), wanted, entry, self._returned[0][0])
            return
        self._open(0, 0, 0, wanted, entry)
        below = part or whole(self._deals(0), 0)
        rarer = wanted._replace(step=less_often(wanted.step, below.stands_for))
        reach = _reach(self._root)
        target = self._returned[0][1]

        def visit(worker: int, piece: range) -> None:
            boards = below.boards[piece.start : piece.stop]
            self._visit(worker, 1, boards, rarer, reach, _from(target, piece.start))

        self._share(visit, self._pieces(range(len(below.boards))))
        self._close(0, 0, 0, wanted, below, target)

    def _value_leaves(
        self, source: LeafValues, wanted: Pass, entry: Values, part: Portion | None
    ) -> None:
        self._collect(0, 0, np.arange(1), wanted, entry)
        if self._leaves.lie_below(0):
            reach = _reach(self._root)
            boards = (part or whole(self._deals(0), 0)).boards

            def collect(worker: int, piece: range) -> None:
                self._collect(worker, 1, boards[piece.start : piece.stop], wanted, reach)

            self._share(collect, self._pieces(range(len(boards))))
        players = _players(wanted.own)
        self._leaves.ask(source, players, best=wanted.mode == BEST, part=part)
        if wanted.mode == UPDATE:
            self._leaves.average(players, wanted.step, part)

    def _collect(
        self, worker: int, level: int, boards: NDArray[np.intp], wanted: Pass, entry: Values
    ) -> None:
        """Copy the ranges at the leaves of some boards and, but for the root, those below."""
        space = self._spaces[worker][level]
        for board in boards.tolist():
            self._open(worker, level, board, wanted, entry, learns=False)
            self._leaves.collect(level, board, space)
            if level > 0 and self._leaves.lie_below(level):
                below = whole(self._deals(level), board).boards
                self._collect(worker, level + 1, below, wanted, _reach(space))

    def _share(self, task: Callable[[int, range], None], pieces: list[range]) -> None:
        """Call task(worker, piece) for all pieces on all threads, and wait until all have ended."""
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
        for future in others:
            future.result()

    def root_values(self, player: int) -> NDArray[np.float32]:
        """Return (H,) the root's counterfactual values of the last pass, in the board's order."""
        values: NDArray[np.float32] = self._root[player].value[0]
        return values

    def leaf_averages(self) -> NDArray[np.float64]:
        """Return (L, 2, H) chips that hands won at leaves, per unit of what they can meet there."""
        return self._leaves.averages()

    def _visit(
        self,
        worker: int,
        level: int,
        boards: NDArray[np.intp],
        wanted: Pass,
        entry: Values,
        target: Values,
    ) -> None:
        """Make the pass on some boards of a street; target[n] receives the values of the nth."""
        if level == self._game.levels - 1:
            arguments = boards, wanted, self._players[worker][level], entry, target
            if self._visit_boards is None:
                self._visit_boards = for_types_of(visit_boards, *arguments)
            self._visit_boards(*arguments)
            return
        space = self._spaces[worker][level]
        returned = self._returned[worker][level + 1]
        for number, board in enumerate(boards.tolist()):
            self._open(worker, level, board, wanted, entry)
            below = whole(self._deals(level), board)
            self._visit(worker, level + 1, below.boards, wanted, _reach(space), returned)
            self._close(worker, level, board, wanted, below, returned)
            for player in _players(wanted.own):
                target[player][number] = space[player].value[: target[player].shape[1]]

    def _open(
        self,
        worker: int,
        level: int,
        board: int,
        wanted: Pass,
        entry: Values,
        *,
        learns: bool = True,
    ) -> None:
        """Play both strategies down a board; with `learns`, own players add to their average."""
        owners = _players(wanted.own) if learns and wanted.mode == UPDATE else ()
        for player, record in enumerate(self._players[worker][level]):
            averages = player in owners
            open_board(board, averages, wanted.rules[player], wanted, entry[player], record)

    def _close(
        self, worker: int, level: int, board: int, wanted: Pass, below: Portion, returned: Values
    ) -> None:
        players, deals = self._players[worker][level], self._deals(level)
        chance = deals.chance * below.stands_for
        for player in _players(wanted.own):
            record = players[player]
            value_ends(board, record, players[1 - player])
            cards = NextCards(below.standing, deals.place[player][below.ways], chance)
            self._add_deals(level, cards, returned[player], record)
            close_board(board, wanted, record)

    def _add_deals(
        self, level: int, cards: NextCards, returned: NDArray[np.float32], player: StreetPlayer
    ) -> None:
        """Add up what was returned; at the root on all threads, which are idle then."""

        def add(_: int, piece: range) -> None:
            total = np.empty(player.scratch.value.shape[1])
            add_deals(piece.start, piece.stop, cards, returned, player, total)

        every = range(len(player.side.deal_rows))
        if level == 0:
            self._share(add, self._pieces(every))
        else:
            add(0, every)

    def _players_of(self, level: int, tables: Level, space: Space) -> BothPlayers:
        sides, leaf_values = self._game.sides[level], self._leaves.values[level]
        first, second = (
            StreetPlayer(*parts) for parts in zip(sides, tables, space, leaf_values, strict=True)
        )
        return first, second

    def _deals(self, level: int) -> CardDeals:
        deals = self._game.boards[level].deals
        assert deals is not None
        return deals

    def _pieces(self, every: range) -> list[range]:
        """Cut a range into runs of nearly equal length, a few for each of several threads."""
        if self._threads == 1:
            return [every]
        count = min(self._threads * _TASKS_PER_THREAD, len(every))
        cuts = np.linspace(every.start, every.stop, count + 1).astype(int)
        return [range(first, last) for first, last in pairwise(cuts.tolist())]


def compiled_before(*, several: bool) -> bool:
    """Return whether this program or another one has compiled what walks one or several streets."""
    kernels = (visit_boards, open_board, value_ends, close_board, add_deals)
    return all(is_compiled(kernel) for kernel in (kernels if several else kernels[:1]))


def _players(player_bits: int) -> tuple[int, ...]:
    return tuple(player for player in (0, 1) if player_bits >> player & 1)


def _reach(space: Space) -> Values:
    return space[0].reach, space[1].reach


def _from(target: Values, first: int) -> Values:
    return target[0][first:], target[1][first:]


def _returns(game: RangeGame, level: int) -> Values:
    """Return room for the root values of all boards below one board of the street before."""
    most = game.most_boards_below(level - 1) if level else 1
    roots = game.streets[level].roots
    first, second = (
        aligned_zeros((most, roots, hands.width), np.float32) for hands in game.boards[level].hands
    )
    return first, second
