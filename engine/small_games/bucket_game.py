"""An abstract game of hold'em for two as arrays: betting, hands that remember, chance as a table.

N_s hands are told apart on street s; each has as many hands behind it on the next street, its
numbers there following each other (`engine.abstraction.bucket_sequences`).  Chance is

    met   of each street (N_s, N_s) float64  probability of hands i of player 0, j of player 1
    won   of each street (N_s, N_s) float64  the same times who wins at the showdown: 1 player 0, -1
                                             player 1, 0 nobody; a mean over the cards to come

counted over sampled deals, each from both seats.  An information set is a decision of the betting
with a hand; those of a decision follow each other, as do their actions in flat profiles.  The rest
is as in `engine.small_games.sequence_form`, but payoffs are products: for T ends of a kind and
street, with the plan y of the opponent's sequences (T, N_s) there,

    value (T, N_s) = stake * (y @ met) where somebody folded, stake * (y @ won) at a showdown
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, FOLDED, SHOWDOWN, BettingTree
from engine.errors import InvalidGame
from engine.small_games.sequence_form import Pairs, PlayerSequences


class BucketLaw(NamedTuple):
    """Chance; see the module's table."""

    met: tuple[NDArray[np.float64], ...]
    won: tuple[NDArray[np.float64], ...]


def law_of_deals(
    counts: Sequence[int], deals: Iterable[tuple[NDArray[np.integer], NDArray[np.integer]]]
) -> BucketLaw:
    """Count deals.

    Args:
        counts: hands told apart on each street.
        deals: batches of (K, 2) the last street's hands of both players, and (K,) who wins: 1, -1
            or 0.

    Raises:
        ValueError: a street does not part the hands of the one before equally, or there is no deal.
    """
    if any(after % before for before, after in pairwise(counts)):
        raise ValueError(f"hands of {tuple(counts)}: each street parts those of the one before")
    hands, total = counts[-1], 0
    met, won = np.zeros((2, hands * hands))
    for dealt, result in deals:
        pairs = dealt[:, 0].astype(np.int64) * hands + dealt[:, 1]
        met += np.bincount(pairs, minlength=len(met))
        won += np.bincount(pairs, result, minlength=len(won))
        total += len(result)
    if not total:
        raise ValueError("no deals to count")
    met, won = (table.reshape(hands, hands) / total for table in (met, won))
    met, won = (met + met.T) / 2, (won - won.T) / 2
    return BucketLaw(
        tuple(_joined(met, count) for count in counts),
        tuple(_joined(won, count) for count in counts),
    )


class _EndsOfKind(NamedTuple):
    """The T ends of a kind on a street."""

    sequences: tuple[NDArray[np.int64], NDArray[np.int64]]
    """(T, N_s) the latest sequence of each player, for each of its hands."""
    table: NDArray[np.float64]
    """(N_s, N_s) `met` or `won`."""
    stakes: NDArray[np.float64]
    """(T, 1) chips that player 0 wins, or that the better hand wins."""


@dataclass(frozen=True, slots=True)
class BucketGame:
    """The game; information sets and actions by decision, ascending, then by hand."""

    tree: BettingTree
    counts: tuple[int, ...]
    action_count: NDArray[np.int32]
    """(I,) of each information set."""
    first_action: NDArray[np.int32]
    """(I,) where its actions begin in profiles."""
    first_set: dict[int, int]
    """Decision -> its first information set."""
    largest_reach: NDArray[np.float64]
    """(I,) how often chance brings the hand, the largest counterfactual reach there can be."""
    sides: tuple[PlayerSequences, PlayerSequences]
    ends: tuple[_EndsOfKind, ...]
    no_pairs: Pairs
    """An empty list, for kernels that expect pairs of sequences."""

    @property
    def info_sets(self) -> int:
        """Number of information sets."""
        return len(self.action_count)

    @property
    def flat_actions(self) -> int:
        """Length of a profile."""
        return int(self.action_count.sum())

    @property
    def sequences(self) -> int:
        """Number of sequences of both players, the two empty ones included."""
        return self.flat_actions + 2

    @property
    def nodes(self) -> int:
        """Number of pairs of a betting node with a hand of one player."""
        return int(np.array(self.counts)[self.tree.street].sum())

    @property
    def spread(self) -> float:
        """Largest payoff of the game less the smallest, in chips."""
        return 2.0 * max(float(np.abs(ends.stakes).max()) for ends in self.ends)

    def uniform(self) -> NDArray[np.float64]:
        """Return the profile that plays every action equally often."""
        return np.repeat(1.0 / self.action_count, self.action_count)

    def rows_of(self, profile: NDArray[np.float64], node: int) -> NDArray[np.float64]:
        """Return a view (N_s, A) of the part of a profile at a decision."""
        info_set, actions = self.first_set[node], int(self.tree.child_count[node])
        hands = self.counts[int(self.tree.street[node])]
        first = int(self.first_action[info_set])
        return profile[first : first + hands * actions].reshape(hands, actions)

    def values(
        self, player: int, plan: NDArray[np.float64], value: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Write into `value` (S,) what a player wins right behind each of its sequences; chips."""
        value[:] = 0.0
        for ends in self.ends:
            theirs = plan[ends.sequences[1 - player]] * ends.stakes
            won = theirs @ (ends.table.T if player == 0 else -ends.table)
            mine = ends.sequences[player].ravel()
            value += np.bincount(mine, won.ravel(), minlength=len(value))
        return value


def bucket_game(tree: BettingTree, counts: Sequence[int], law: BucketLaw) -> BucketGame:
    """Lay a game out.

    Raises:
        InvalidGame: there is no decision, or the counts are not those of the law or the streets.
    """
    if tuple(map(len, law.met)) != tuple(counts) or len(counts) != tree.game.streets:
        raise InvalidGame(f"hands of {tuple(counts)} do not fit the game or its law")
    decisions = tree.decisions.tolist()
    if not decisions:
        raise InvalidGame("a game without decisions: nothing to solve")
    hands = np.array(counts)[tree.street[tree.decisions]]
    first_set = np.cumsum(hands) - hands
    actions = np.repeat(tree.child_count[tree.decisions], hands).astype(np.int32)
    first_action = (np.cumsum(actions) - actions).astype(np.int32)
    sets = dict(zip(decisions, first_set.tolist(), strict=True))
    latest = _Latest(tree, tuple(counts), sets, first_action, int(actions.sum()))
    return BucketGame(
        tree,
        tuple(counts),
        actions,
        first_action,
        sets,
        np.concatenate([law.met[int(tree.street[node])].sum(axis=1) for node in decisions]),
        (latest.side(0), latest.side(1)),
        tuple(_ends(tree, law, latest)),
        Pairs(np.zeros(int(actions.sum()) + 3, np.int32), np.empty(0, np.int32), np.empty(0)),
    )


class _Latest:
    """What each player did last before each node of the betting, as sequences of its hands."""

    def __init__(
        self,
        tree: BettingTree,
        counts: tuple[int, ...],
        first_set: dict[int, int],
        first_action: NDArray[np.int32],
        flat_actions: int,
    ) -> None:
        self._tree, self._counts, self._first_set = tree, counts, first_set
        self._first_action, self._flat = first_action, flat_actions
        self._edges = np.full((2, tree.nodes), -1, np.int64)
        for node in range(1, tree.nodes):
            above = int(tree.parent[node])
            self._edges[:, node] = self._edges[:, above]
            if tree.kind[above] < DEAL:
                self._edges[tree.kind[above], node] = node

    def at(self, node: int, player: int) -> NDArray[np.int64]:
        """Return (N_s,) the sequences of a player's hands at a node."""
        hands = self._counts[int(self._tree.street[node])]
        edge = int(self._edges[player, node])
        if edge < 0:
            return np.full(hands, self._flat + player)
        above = int(self._tree.parent[edge])
        behind = hands // self._counts[int(self._tree.street[above])]
        sets = self._first_set[above] + np.arange(hands) // behind
        return self._first_action[sets].astype(np.int64) + edge - int(self._tree.first_child[above])

    def side(self, player: int) -> PlayerSequences:
        """Return the information sets of a player, those above others first."""
        nodes = np.flatnonzero(self._tree.kind == player).tolist()
        counts = [self._counts[int(self._tree.street[node])] for node in nodes]
        sets = [
            np.arange(count, dtype=np.int32) + self._first_set[node]
            for node, count in zip(nodes, counts, strict=True)
        ]
        none = [np.empty(0, np.int32)]
        info_set = np.concatenate(sets or none)
        parent = np.concatenate([self.at(node, player) for node in nodes] or none)
        widths = np.repeat(self._tree.child_count[nodes], counts) if nodes else none[0]
        return PlayerSequences(
            info_set,
            self._first_action[info_set],
            widths.astype(np.int32),
            parent.astype(np.int32),
            self._flat + player,
        )


def _ends(tree: BettingTree, law: BucketLaw, latest: _Latest) -> Iterable[_EndsOfKind]:
    for street in range(tree.game.streets):
        for kind, tables in ((FOLDED, law.met), (SHOWDOWN, law.won)):
            nodes = np.flatnonzero((tree.kind == kind) & (tree.street == street))
            if not len(nodes):
                continue
            spent = tree.spent[nodes]
            stakes = spent.min(axis=1)
            if kind == FOLDED:
                folder = tree.kind[tree.parent[nodes]]
                stakes = np.where(folder == 0, -spent[:, 0], spent[:, 1])
            sequences = [
                np.stack([latest.at(node, player) for node in nodes.tolist()]) for player in (0, 1)
            ]
            yield _EndsOfKind(
                (sequences[0], sequences[1]), tables[street], stakes[:, None].astype(np.float64)
            )


def _joined(table: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return (count, count) the sums of a table over the hands behind each hand."""
    behind = len(table) // count
    return np.ascontiguousarray(table.reshape(count, behind, count, behind).sum(axis=(1, 3)))
