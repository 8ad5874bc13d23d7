"""Where the numbers of each information set lie: (betting node, bucket) -> place in flat tables.

An information set of an abstract game is a decision of a betting tree together with the bucket of
the player's cards.  Solvers keep a row of 2 A cells for each, 4 bytes a cell: A regrets, then A
strategy sums.  All that a player can need on a street with one bucket lies together, the decisions
of each subtree next to each other.  So a sampled hand touches few cache lines and pages:

    cell of (node, bucket) = start[player, street] + bucket * width[player, street] + offset[node]

Decisions with a single action need no row.

Kernels follow the tree through `walk` (K,) int64, one number for each decision and each end, with
deals and single actions left out.  Children are neighbours and each subtree is contiguous:

    a decision   bits 0-3 A, 4-5 street, 6 player, 7-34 place of the first child, 35-62 offset
    an end       bits 0-3 zero, 4 whether cards are compared, 5 whether it is LEFT, 32-63 (signed)
                 chips: what the better cards win, or what player 0 wins where somebody folded;
                 of LEFT 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, LEFT, SHOWDOWN, BettingTree
from engine.errors import InvalidGame, OutOfMemory

MAX_STREETS: Final = 4
MAX_ACTIONS: Final = 8
ACTION_BITS: Final = 0xF
STREET_SHIFT: Final = 4
PLAYER_SHIFT: Final = 6
CHILD_SHIFT: Final = 7
OFFSET_SHIFT: Final = 35
CHIPS_SHIFT: Final = 32
PLACE_BITS: Final = (1 << OFFSET_SHIFT - CHILD_SHIFT) - 1
CELL_BYTES: Final = 4

_LINE_CELLS: Final = 16  # a cache line of 64 bytes


@dataclass(frozen=True, slots=True)
class InfoSets:
    """The layout of tables for one abstract game; see the module's text."""

    tree: BettingTree
    buckets: tuple[int, ...]
    """Buckets of each street."""
    walk: NDArray[np.int64]
    offset: NDArray[np.int64]
    """(N,) for each node of the tree; -1 where there is no row."""
    start: NDArray[np.int64]
    """(2, 4) first cell of a player on a street."""
    width: NDArray[np.int64]
    """(2, 4) cells of one bucket: whole cache lines."""
    cells: int
    """Length of a table."""

    @property
    def rows(self) -> int:
        """Number of information sets that have a row."""
        streets = self.tree.street[self.offset >= 0]
        return int(np.array(self.buckets, np.int64)[streets].sum())

    @property
    def table_bytes(self) -> int:
        """Memory of a table."""
        return self.cells * CELL_BYTES

    def cell(self, node: int, bucket: int) -> int:
        """Return the first cell of a row.

        Raises:
            ValueError: the node has no row, or its street no such bucket.
        """
        player, street = self._place(node)
        if not 0 <= bucket < self.buckets[street]:
            raise ValueError(
                f"bucket {bucket}: street {street} has buckets 0..{self.buckets[street] - 1}"
            )
        start, width = self.start[player, street], self.width[player, street]
        return int(start + bucket * width + self.offset[node])

    def rows_of(self, table: NDArray[Any], node: int) -> NDArray[Any]:
        """Return a view (B, 2 A) of the rows of all B buckets at a decision.

        Raises:
            ValueError: the node has no row, or the table is not one of `cells` cells.
        """
        if table.shape != (self.cells,):
            raise ValueError(f"table: want ({self.cells},), got {table.shape}")
        player, street = self._place(node)
        width, first = int(self.width[player, street]), int(self.start[player, street])
        block = table[first : first + self.buckets[street] * width].reshape(-1, width)
        offset = int(self.offset[node])
        return block[:, offset : offset + 2 * int(self.tree.child_count[node])]

    def check_memory(self, tables: int, limit: int) -> None:
        """Refuse tables that do not fit, before anything is allocated.

        Args:
            tables: how many there will be.
            limit: bytes that they may take together.

        Raises:
            OutOfMemory: they would take more; the message says what they would take.
        """
        if tables * self.table_bytes > limit:
            raise OutOfMemory(
                f"{tables} tables of {self.rows} information sets take "
                f"{tables * self.table_bytes / 2**20:.0f} MiB, "
                f"more than the limit of {limit / 2**20:.0f} MiB"
            )

    def memory_report(self) -> str:
        """Return a table of what each street takes, in lines of text."""
        lines = [f"{'street':>6} {'decisions':>10} {'buckets':>8} {'rows':>12} {'MiB':>9}"]
        streets = self.tree.street[self.offset >= 0]
        for street, buckets in enumerate(self.buckets):
            decisions = int((streets == street).sum())
            size = int(self.width[:, street].sum()) * buckets * CELL_BYTES / 2**20
            lines.append(
                f"{street:>6} {decisions:>10} {buckets:>8} {decisions * buckets:>12} {size:>9.1f}"
            )
        total = self.table_bytes / 2**20
        lines.append(f"{'all':>6} {len(streets):>10} {'':>8} {self.rows:>12} {total:>9.1f}")
        return "\n".join(lines)

    def _place(self, node: int) -> tuple[int, int]:
        if not 0 <= node < self.tree.nodes or self.offset[node] < 0:
            raise ValueError(f"node {node} has no row: nothing to choose there")
        return int(self.tree.kind[node]), int(self.tree.street[node])


def build_info_sets(tree: BettingTree, buckets: Sequence[int]) -> InfoSets:
    """Lay out the tables; nothing of their size is allocated here.

    Args:
        tree: the abstract betting of a whole hand or of a subgame.
        buckets: how many there are on each street of the game.

    Raises:
        InvalidGame: buckets do not fit the game, a decision has over 8 actions, nobody has a
            choice, or the tree has more than 2**28 places.
    """
    counts = tuple(index(count) for count in buckets)
    _check(tree, counts)
    order, first_child = _family_order(tree)
    offset, width = _row_offsets(tree, order)
    width = -(-width // _LINE_CELLS) * _LINE_CELLS
    rows = np.zeros(MAX_STREETS, np.int64)
    rows[: len(counts)] = counts
    blocks = (width * rows).T.ravel()  # street by street, player 0 first
    ends = np.cumsum(blocks)
    info_sets = InfoSets(
        tree=tree,
        buckets=counts,
        walk=_walk(tree, order, first_child, offset),
        offset=offset,
        start=np.ascontiguousarray((ends - blocks).reshape(MAX_STREETS, 2).T),
        width=width,
        cells=int(ends[-1]),
    )
    if not info_sets.rows:
        raise InvalidGame("nobody has a choice in this betting tree")
    return info_sets


def _check(tree: BettingTree, buckets: tuple[int, ...]) -> None:
    if len(buckets) != tree.game.streets or min(buckets, default=0) < 1:
        raise InvalidGame(
            f"buckets {buckets}: want a positive number for each of {tree.game.streets} streets"
        )
    if int(tree.child_count.max()) > MAX_ACTIONS:
        raise InvalidGame(
            f"{tree.child_count.max()} actions at a decision: want at most {MAX_ACTIONS}"
        )
    if tree.nodes > PLACE_BITS:
        raise InvalidGame(f"a tree of {tree.nodes} nodes is too large to be walked")


def _family_order(tree: BettingTree) -> tuple[list[int], list[int]]:
    """Return the nodes of the walk in order, and where each one's children start in it."""
    child_count, children = tree.child_count.tolist(), tree.first_child.tolist()

    def settled(node: int) -> int:
        """Return the first node from here on that is an end or has a choice."""
        while child_count[node] == 1:
            node = children[node]
        return node

    order = [settled(0)]
    places = [0]  # still to be given children, last one first
    first_child = [0]
    while places:
        slot = places.pop()
        node = order[slot]
        count = child_count[node]
        if count:
            first = len(order)
            first_child[slot] = first
            order += [settled(children[node] + action) for action in range(count)]
            first_child += [0] * count
            places += range(first + count - 1, first - 1, -1)
    return order, first_child


def _row_offsets(
    tree: BettingTree, order: list[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (N,) offsets of rows and (2, 4) cells for each player and street."""
    nodes = np.array(order)
    cells = 2 * tree.child_count[nodes].astype(np.int64)
    offset = np.full(tree.nodes, -1, np.int64)
    width = np.zeros((2, MAX_STREETS), np.int64)
    for player in range(2):
        for street in range(MAX_STREETS):
            here = (cells > 0) & (tree.kind[nodes] == player) & (tree.street[nodes] == street)
            ends = np.cumsum(cells[here])
            offset[nodes[here]] = ends - cells[here]
            width[player, street] = ends[-1] if len(ends) else 0
    return offset, width


def _walk(
    tree: BettingTree, order: list[int], first_child: list[int], offset: NDArray[np.int64]
) -> NDArray[np.int64]:
    nodes = np.array(order)
    kind = tree.kind[nodes].astype(np.int64)
    if (offset[nodes] > PLACE_BITS).any():
        raise InvalidGame("a tree with so many decisions is too large to be walked")
    decisions = (
        tree.child_count[nodes].astype(np.int64)
        | tree.street[nodes].astype(np.int64) << STREET_SHIFT
        | kind << PLAYER_SHIFT
        | np.array(first_child, np.int64) << CHILD_SHIFT
        | offset[nodes] << OFFSET_SHIFT
    )
    at_stake = tree.spent[nodes].min(axis=1).astype(np.int64)
    folder = tree.kind[tree.parent[nodes]]
    shown = kind == SHOWDOWN
    chips = np.where(shown | (folder == 1), at_stake, -at_stake)
    chips = np.where(kind == LEFT, 1, chips)
    ends = (shown + 2 * (kind == LEFT)).astype(np.int64) << STREET_SHIFT | chips << CHIPS_SHIFT
    walk: NDArray[np.int64] = np.where(kind < DEAL, decisions, ends)
    return walk
