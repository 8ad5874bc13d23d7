"""The betting of one street in sequence form: what the vector solver's passes walk over.

A street is a forest with R roots, one for each betting sequence that leads to it, the same for
every board.  A player's reach and values change only where that player acts, so both are kept per
sequence of its own actions:

    row        0 .. R-1: the roots;  R ..: one per action of each own decision, decision by decision

    decisions  of one player, parents first: the row that leads there, its first action's row, its
               number of actions, its node in the betting tree
    leaves     where a depth-limited solve stops, with a row per player; see `.leaves`
    lanes      ends of the hand, from one player's side.  Behind each of its rows there is at most
               one fold and one showdown, either its own or the other player's answer.  Their values
               add up before they are looked at hand by hand, so a row takes one lane for both
    bare       rows of a player without a lane
    deals      ends of the street, with a row per player; the k-th is root k of the next street.  An
               all-in before the last street is a deal whose root is again a deal or a showdown

Lanes come in groups of sixteen.  An empty lane names the last row, whose reach is zero and whose
value nobody reads.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN, BettingTree
from engine.compiled.lanes import LANES


class StreetDecisions(NamedTuple):
    """One player's decisions on a street; (D,) int32 each."""

    parent: NDArray[np.int32]
    first: NDArray[np.int32]
    actions: NDArray[np.int32]
    node: NDArray[np.int32]


class Lanes(NamedTuple):
    """Ends of the hand as one player sees them; (L,) each, L a multiple of sixteen."""

    own: NDArray[np.int32]
    """Row that the value belongs to."""
    fold: NDArray[np.int32]
    """The other player's row where one of them folds."""
    showdown: NDArray[np.int32]
    """The other player's row at the showdown."""
    ratio: NDArray[np.float32]
    """What the fold wins, below 0 where it is the own one, as a multiple of `amount`."""
    amount: NDArray[np.float32]
    """Chips for the winner of the showdown; where there is none, for the fold."""

    @property
    def payoffs(self) -> NDArray[np.float64]:
        """Payoffs of all these ends in chips, and 0."""
        both = np.concatenate((self.amount, -self.amount, self.amount * self.ratio))
        return both.astype(np.float64)


@dataclass(frozen=True, slots=True)
class Street:
    """One street's forest; see the module's text."""

    number: int
    """0-based, as in the game."""
    roots: int
    decisions: tuple[StreetDecisions, StreetDecisions]
    lanes: tuple[Lanes, Lanes]
    only_folds: tuple[int, int]
    """Lanes at the front, a multiple of sixteen, without showdowns."""
    some_folds: tuple[int, int]
    """Lanes up to here, a multiple of sixteen, may have folds."""
    bare: tuple[NDArray[np.int32], NDArray[np.int32]]
    deals: tuple[NDArray[np.int32], NDArray[np.int32]]
    """(K,) int32 rows of each player."""
    leaf_rows: tuple[NDArray[np.int32], NDArray[np.int32]]
    """(K',) int32 rows of each player."""
    leaf_nodes: tuple[int, ...]
    """Their nodes in the betting tree."""
    rows: tuple[int, int]
    """Rows of each player, the one for padding not counted."""


class _End(NamedTuple):
    rows: tuple[int, int]
    amount: float


def streets_of(tree: BettingTree, leaf_nodes: Collection[int] = frozenset()) -> tuple[Street, ...]:
    """Return the streets of a betting tree that are reached before leaves, the root's first."""
    last = tree.game.streets - 1
    first = int(tree.street[0])
    streets = []
    roots = [0]
    for number in range(first, last + 1):
        street, roots = _street(tree, number, roots, leaf_nodes)
        streets.append(street)
        if not roots:
            break
    return tuple(streets)


def _street(
    tree: BettingTree, number: int, roots: list[int], leaf_nodes: Collection[int]
) -> tuple[Street, list[int]]:
    """Return the forest below some nodes, and the nodes where the next street begins."""
    is_last = number == tree.game.streets - 1
    rows = [len(roots), len(roots)]
    decisions: tuple[list[tuple[int, ...]], ...] = ([], [])
    folds: list[_End] = []
    showdowns: list[_End] = []
    deals: list[tuple[int, int]] = []
    leaves: list[tuple[int, int]] = []
    onwards, stops = [], []
    queue = [(node, root, root) for root, node in enumerate(roots)]
    for node, row0, row1 in queue:  # grows while it is walked: breadth first
        kind = int(tree.kind[node])
        first = int(tree.first_child[node])
        count = int(tree.child_count[node])
        if node in leaf_nodes:
            leaves.append((row0, row1))
            stops.append(node)
        elif kind < DEAL:
            decisions[kind].append(((row0, row1)[kind], rows[kind], count, node))
            for child in range(count):
                moved = rows[kind] + child
                queue.append((first + child, *((row0, moved) if kind else (moved, row1))))
            rows[kind] += count
        elif kind == FOLDED:
            folder = int(tree.kind[tree.parent[node]])
            lost = float(tree.spent[node, folder])
            folds.append(_End((row0, row1), lost if folder else -lost))
        elif kind == SHOWDOWN and is_last:
            showdowns.append(_End((row0, row1), float(tree.spent[node].min())))
        else:
            deals.append((row0, row1))
            onwards.append(first if kind == DEAL else node)
    ends0, ends1 = (_lanes(player, folds, showdowns, rows) for player in (0, 1))
    street = Street(
        number,
        len(roots),
        (_decisions(decisions[0]), _decisions(decisions[1])),
        (ends0.lanes, ends1.lanes),
        (ends0.only_folds, ends1.only_folds),
        (ends0.some_folds, ends1.some_folds),
        (_bare(ends0.lanes, rows[0]), _bare(ends1.lanes, rows[1])),
        _rows_of(deals),
        _rows_of(leaves),
        tuple(stops),
        (rows[0], rows[1]),
    )
    return street, onwards


def _rows_of(pairs: list[tuple[int, int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    first, second = np.array(pairs, np.int32).reshape(-1, 2).T
    return np.ascontiguousarray(first), np.ascontiguousarray(second)


def _decisions(entries: list[tuple[int, ...]]) -> StreetDecisions:
    table = np.array(entries, np.int32).reshape(-1, 4).T
    return StreetDecisions(*(np.ascontiguousarray(column) for column in table))


_Lane = tuple[int, int, int, float, float]


class _Sorted(NamedTuple):
    lanes: Lanes
    only_folds: int
    some_folds: int


def _lanes(player: int, folds: list[_End], showdowns: list[_End], rows: list[int]) -> _Sorted:
    """Return a player's lanes: folds alone, folds with showdowns, showdowns alone."""
    opponent = 1 - player
    sign = -1.0 if player else 1.0
    waiting = {end.rows[player]: end for end in folds}
    both: list[_Lane] = []
    shown: list[_Lane] = []
    for end in showdowns:
        fold = waiting.pop(end.rows[player], None)
        value_row, down = end.rows[player], end.rows[opponent]
        if fold is None:
            shown.append((value_row, rows[opponent], down, 0.0, end.amount))
        else:
            ratio = sign * fold.amount / end.amount
            both.append((value_row, fold.rows[opponent], down, ratio, end.amount))
    alone = [
        (row, fold.rows[opponent], rows[opponent], 1.0, sign * fold.amount)
        for row, fold in waiting.items()
    ]
    nothing = (rows[player], rows[opponent], rows[opponent], 0.0, 0.0)
    for section, fillers in ((both, (shown, alone)), (shown, ()), (alone, ())):
        for filler in fillers:
            while filler and len(section) % LANES:
                section.append(filler.pop())
        section += [nothing] * (-len(section) % LANES)
    every = alone + both + shown
    columns = list(zip(*every, strict=True)) or [()] * len(nothing)
    lanes = Lanes(
        np.array(columns[0], np.int32),
        np.array(columns[1], np.int32),
        np.array(columns[2], np.int32),
        np.array(columns[3], np.float32),
        np.array(columns[4], np.float32),
    )
    return _Sorted(lanes, len(alone), len(alone) + len(both))


def _bare(lanes: Lanes, rows: int) -> NDArray[np.int32]:
    return np.setdiff1d(np.arange(rows, dtype=np.int32), lanes.own)
