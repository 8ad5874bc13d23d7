"""Ends of searches with a street: what hands win where its betting is over, as a network says.

    ending = StreetEnds(network, street)
    search(origin, state, settings, budget, ending=ending)

The search goes through the betting up to the street.  Where that is over, both ranges are added up
in the buckets of the board, the network says what each bucket wins over the cards to come, and
hands get that times what they can meet.  Where all is in, nothing is left to be guessed: it is
what the buckets win from each other, which before the flop is exact, or on the flop each hand from
each.

Source: Moravcik et al., "DeepStack: expert-level artificial intelligence in heads-up no-limit
poker", Science 356, 2017.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from engine.abstraction.board_buckets import BUCKETS, BoardBuckets, mass_of
from engine.betting.betting_tree import SHOWDOWN
from engine.equity.allin_matrix import allin_matrix
from engine.errors import ArtifactMismatch
from engine.hands.cards import CARDS
from engine.hands.starting_hands import STARTING_HANDS
from engine.networks.board_network import BoardValueNetwork
from engine.range_solver.leaves import DepthLimit, street_ends
from engine.search.network_leaves_kernels import share_out, spread_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from engine.betting.betting_tree import BettingTree
    from engine.range_solver.leaves import LeafRequest
    from engine.search.subgame_search import SearchRoot

_FLOP_CARDS: Final = 3
_LEAST_SECONDS: Final = (0.1, 0.3, 1.0)
"""With which a search is begun, by the street that ends it; with the turn it begins on the flop."""
_QUICK_EVERY: Final = 3
"""Of so many whole boards of a flop one is looked at, where it is not to be exact.

No multiple of four, so that all suits come.
"""
_MOST_BOARDS: Final = 60
"""Kept of those asked for last: a flop, and all of its turns."""


NETWORK_OF_STREET: Final = ("preflop-end.network", "flop-end.network", "turn-end.network")
"""Files of networks of ends of streets, by street."""
_CARDS_OF_STREET: Final = (0, 3, 4)
_SHIPPED: Final = Path(__file__).with_name("models")


def shipped_network(street: int) -> Path:
    """Return the file of the network of ends of a street, 0-based."""
    return _SHIPPED / NETWORK_OF_STREET[street]


@cache
def street_end_network(street: int, folder: Path = _SHIPPED) -> BoardValueNetwork:
    """Return the network of ends of a street, 0-based, from a folder; else the shipped one.

    Raises:
        ArtifactMismatch: its file is missing or damaged, or it is of other boards, of other
            buckets, or of a street's beginning.
    """
    path = folder / NETWORK_OF_STREET[street]
    network = BoardValueNetwork.load(path, cards=_CARDS_OF_STREET[street])
    wanted = BUCKETS if _CARDS_OF_STREET[street] else STARTING_HANDS
    if network.buckets != wanted:
        raise ArtifactMismatch(f"{path}: of {network.buckets} buckets, not {wanted}")
    if not network.facts.get("over", True):
        raise ArtifactMismatch(f"{path}: of streets that begin, not of their ends")
    return network


class StreetEnds:
    """Ends searches with a street of hold'em; a `SearchEnding`."""

    def __init__(
        self, network: BoardValueNetwork | None, street: int, *, exact: bool = True
    ) -> None:
        """Ask a network.

        Args:
            network: of ends of the street; None: nobody bets after it.
            street: 0-based, that of the search or a later one.
            exact: whether all-ins on a flop are counted hand by hand, 0.1 s for each flop, and its
                buckets on all whole boards, 0.05 s.
        """
        self.network: Final = network
        self.exact = exact
        self._street: Final = street
        self._boards: OrderedDict[tuple[int, ...], BoardBuckets] = OrderedDict()
        self._matrices: dict[tuple[int, ...], NDArray[np.float32]] = {}

    def __call__(self, origin: SearchRoot, tree: BettingTree) -> tuple[BettingTree, DepthLimit]:
        """Return the betting; ends of the street, and all-ins before, are leaves.

        The boards there are made ready, so that all iterations take the same time.
        """
        if self._street == origin.state.street:
            self.make_ready(origin.board)
        else:
            for card in range(CARDS):
                if card not in origin.board:
                    self.buckets((*origin.board, card))
        return tree, self.limit(tree)

    @property
    def least_seconds(self) -> float:
        """A search is begun with so much time."""
        return _LEAST_SECONDS[self._street]

    def limit(self, tree: BettingTree) -> DepthLimit:
        """Return the ends of the street, and all-ins before it, as leaves of a tree."""
        is_allin = (tree.kind == SHOWDOWN) & (tree.street < self._street)
        nodes = (*np.flatnonzero(is_allin).tolist(), *street_ends(tree, self._street))
        return DepthLimit(nodes, _EndValues(self, tree), symmetric=True, averaged=True)

    def make_ready(self, board: tuple[int, ...]) -> None:
        """Work out what all searches that begin on a board of this street need."""
        self.buckets(board)
        if self.exact and len(board) == _FLOP_CARDS:
            self.matrix(board)

    def buckets(self, board: tuple[int, ...]) -> BoardBuckets:
        """Return those of a board, from memory if they were asked for lately."""
        if board not in self._boards:
            some = len(board) == _FLOP_CARDS and not self.exact
            self._boards[board] = BoardBuckets.of(board, every=_QUICK_EVERY if some else 1)
            if len(self._boards) > _MOST_BOARDS:
                self._boards.popitem(last=False)
        self._boards.move_to_end(board)
        return self._boards[board]

    def matrix(self, board: tuple[int, ...]) -> NDArray[np.float32]:
        """Return (1326, 1326) what hands win from each other when all is in on a flop."""
        if board not in self._matrices:
            self._matrices = {board: allin_matrix(board)}
        return self._matrices[board]

    def forget(self) -> None:
        """Keep what is known of boards, 40 MB: the next decision has the same flop."""


class _EndValues:
    """An `engine.range_solver.leaves.LeafValues` of one tree."""

    def __init__(self, ending: StreetEnds, tree: BettingTree) -> None:
        self._ending: Final = ending
        self._pots: Final = 2 * tree.spent.min(axis=1).astype(np.float32)
        behind = min(tree.game.stacks) - tree.spent.max(axis=1)
        behind[tree.kind == SHOWDOWN] = 0
        self._stacks: Final = (behind / np.maximum(self._pots, 1)).astype(np.float32)
        """In pots."""

    def values(self, request: LeafRequest) -> NDArray[np.float32]:
        """Return (L, 2, 1326); see `engine.range_solver.leaves`."""
        chips = np.zeros(request.reach.shape, np.float32)
        asked = []
        first = 0
        for board, leaves in groupby(request.leaves, lambda leaf: leaf.board):
            nodes = np.array([leaf.node for leaf in leaves])
            rows = np.arange(first, first + len(nodes))
            first += len(nodes)
            is_flop = self._ending.exact and len(board) == _FLOP_CARDS
            known = (self._stacks[nodes] == 0) & is_flop
            if known.any():
                reach = request.reach[rows[known]]
                chips[rows[known]] = self._all_in(board, nodes[known], reach)
            if not known.all():
                asked.append(_BoardLeaves(rows[~known], nodes[~known], self._ending.buckets(board)))
        if asked:
            self._by_buckets(asked, request, chips)
        return chips

    def _all_in(
        self, board: tuple[int, ...], nodes: NDArray[np.intp], reach: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return (N, 2, 1326) chips that hands win when all is in."""
        won, stakes = self._ending.matrix(board), self._pots[nodes, None] / 2
        return np.stack((stakes * (reach[:, 1] @ won.T), -stakes * (reach[:, 0] @ won)), axis=1)

    def _by_buckets(
        self, asked: Sequence[_BoardLeaves], request: LeafRequest, chips: NDArray[np.float32]
    ) -> None:
        """Write what hands win at leaves of some boards, all asked at once."""
        ranges = [_ranges_at(ends, request.reach) for ends in asked]
        shares, mass, equity, hands, moments = map(np.concatenate, zip(*ranges, strict=True))
        stacks = self._stacks[np.concatenate([ends.nodes for ends in asked])]
        values, goes_on = equity.copy(), stacks > 0
        if self._ending.network is not None and goes_on.any():
            known = shares, mass, equity, hands, moments, stacks
            values[goes_on] = self._ending.network.values(*(part[goes_on] for part in known))
        first = 0
        for ends in asked:
            told = values[first : first + len(ends.rows)]
            first += len(ends.rows)
            whole = slice(ends.rows[0], ends.rows[-1] + 1)
            at = whole if whole.stop - whole.start == len(ends.rows) else ends.rows
            won = chips[at]
            pots, players = self._pots[ends.nodes], request.players
            spread_out(request.reach[at], ends.buckets.bucket, told, pots, players, won)
            chips[at] = won


class _BoardLeaves(NamedTuple):
    """Leaves of one board."""

    rows: NDArray[np.intp]
    """(N,) in the request, ascending."""
    nodes: NDArray[np.intp]
    """(N,)"""
    buckets: BoardBuckets


def _ranges_at(ends: _BoardLeaves, reach: NDArray[np.float32]) -> tuple[NDArray[np.float32], ...]:
    """Return shares, mass and equity (N, 2, B), hands (N, B) and moments (N, 2, B)."""
    buckets, count = ends.buckets, len(ends.rows)
    shares = np.empty((count, 2, len(buckets.hands)), np.float32)
    share_out(reach[ends.rows], buckets.bucket, shares)
    met = buckets.met(shares)
    equity = buckets.equity_values(shares, met)
    hands = np.broadcast_to(buckets.hands, (count, len(buckets.hands)))
    moments = np.broadcast_to(buckets.moments, (count, *buckets.moments.shape))
    return shares, mass_of(shares, met), equity, hands, moments
