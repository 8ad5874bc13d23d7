"""Any small game, written out as flat arrays.

P players, N nodes in breadth-first order, I information sets:

    player        (N,) int8     0 to P - 1 at a decision, CHANCE, TERMINAL
    parent        (N,) int32    -1 at the root, node 0; always smaller than the node itself
    first_child   (N,) int32    children of a node are neighbours: first_child .. + child_count
    child_count   (N,) int32    0 at terminals
    info_set      (N,) int32    information set of a decision, -1 elsewhere
    chance        (N,) float64  chance's probability of the edge into the node; 1 below a decision
    payoffs       (N, P) float64  chips that each player wins at a terminal; 0 elsewhere
    payoff        (N,) float64  those of player 0, enough where two play for one pot
    owner         (I,) int8     the player who decides
    action_count  (I,) int32    A(i): actions there, the same at each of its nodes
    first_action  (I,) int32    where the actions of an information set start in flat (E',) tables
                                of regrets or probabilities, one entry per set and action

A strategy profile is a flat (E',) float64 array: probabilities of all actions of all sets, in the
order of `first_action`.  Parents come before children, so one pass up the numbers visits a tree
from the root and one pass down visits it from the leaves, without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import InvalidGame

CHANCE: Final = -1
TERMINAL: Final = -2


class Decision(NamedTuple):
    """A node where `player` chooses among `actions`, knowing only `info_set`."""

    player: int
    info_set: Hashable
    """Anything that names what the player knows; equal for nodes it cannot tell apart."""
    actions: Sequence[Hashable]


class Chance(NamedTuple):
    """A node where chance draws among `outcomes` with these probabilities."""

    outcomes: Sequence[Hashable]
    probabilities: Sequence[float]


class Terminal(NamedTuple):
    """An end of a game for two, where player 0 wins `payoff` chips and player 1 loses them."""

    payoff: float


class Settled(NamedTuple):
    """An end of a game for any number of players, where each one wins its part of `payoffs`."""

    payoffs: Sequence[float]
    """(P,) chips."""


Node = Decision | Chance | Terminal | Settled
History = tuple[Hashable, ...]
"""Actions and outcomes from the root on."""


class InformationSets(Protocol):
    """What profiles and solvers need of a game: I information sets with their actions, flat."""

    @property
    def info_sets(self) -> int:
        """Number of information sets."""

    @property
    def flat_actions(self) -> int:
        """Length of a profile."""

    @property
    def action_count(self) -> NDArray[np.int32]:
        """(I,) int32 actions of each information set."""

    @property
    def first_action(self) -> NDArray[np.int32]:
        """(I,) int32 where they begin in profiles."""

    @property
    def spread(self) -> float:
        """Largest difference of two payoffs of one player, in chips."""

    def uniform(self) -> NDArray[np.float64]:
        """Return the profile that plays every action equally often."""


@dataclass(frozen=True, slots=True)
class GameTree:
    """A game as arrays; see the module's table."""

    player: NDArray[np.int8]
    parent: NDArray[np.int32]
    first_child: NDArray[np.int32]
    child_count: NDArray[np.int32]
    info_set: NDArray[np.int32]
    chance: NDArray[np.float64]
    payoffs: NDArray[np.float64]
    owner: NDArray[np.int8]
    action_count: NDArray[np.int32]
    first_action: NDArray[np.int32]
    info_set_names: tuple[Hashable, ...]
    """What `Decision.info_set` was, for each information set."""
    action_names: tuple[tuple[Hashable, ...], ...]
    """What `Decision.actions` was, for each information set."""
    histories: tuple[History, ...]
    """The way to each node."""

    @property
    def players(self) -> int:
        """P, the number of players."""
        return int(self.payoffs.shape[1])

    @property
    def payoff(self) -> NDArray[np.float64]:
        """(N,) float64 chips that player 0 wins at a terminal, 0 elsewhere."""
        return self.payoffs[:, 0]

    @property
    def is_two_player_zero_sum(self) -> bool:
        """Whether there are two players, and one always wins what the other one loses."""
        return self.players == 2 and bool(np.array_equal(self.payoffs[:, 0], -self.payoffs[:, 1]))

    @property
    def spread(self) -> float:
        """Largest difference of two payoffs of one player, in chips; 1 where all are the same."""
        ends = self.payoffs[self.player == TERMINAL]
        return float((ends.max(axis=0) - ends.min(axis=0)).max()) or 1.0

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return len(self.player)

    @property
    def info_sets(self) -> int:
        """Number of information sets of all players."""
        return len(self.owner)

    @property
    def flat_actions(self) -> int:
        """Length of a strategy profile: actions summed over all information sets."""
        return int(self.action_count.sum())

    @property
    def edge_actions(self) -> NDArray[np.int64]:
        """(N,) int64 place in a profile of the action that leads into each node, -1 for others."""
        if not self.info_sets:
            return np.full(self.nodes, -1, np.int64)
        above = np.maximum(self.parent, 0)
        decided = (self.parent >= 0) & (self.player[above] >= 0)
        sets = np.where(decided, self.info_set[above], 0)
        edge = np.arange(self.nodes) - self.first_child[above]
        return np.where(decided, self.first_action[sets].astype(np.int64) + edge, -1)

    def uniform(self) -> NDArray[np.float64]:
        """Return the profile that plays every action equally often."""
        return np.repeat(1.0 / self.action_count, self.action_count)

    def info_set_of(self, name: Hashable) -> int:
        """Return the number of the information set of that name.

        Raises:
            KeyError: no decision of the game has that name.
        """
        try:
            return self.info_set_names.index(name)
        except ValueError:
            raise KeyError(name) from None

    def actions_of(self, info_set: int) -> slice:
        """Return where the actions of an information set lie in a profile."""
        first = int(self.first_action[info_set])
        return slice(first, first + int(self.action_count[info_set]))


def build_tree(describe: Callable[[History], Node], players: int = 2) -> GameTree:
    """Build the tree of a game from a function that describes the node after each history.

    Raises:
        InvalidGame: an information set has two owners or two lists of actions, a decision or a
            chance node has no way on or names one twice, there is no such player, probabilities are
            not positive or do not sum to 1, payoffs are not finite or not one for each player, or a
            player forgets what it did or knew.
    """
    histories: list[History] = [()]
    parent, player, first_child, child_count = [-1], [], [], []
    info_set, chance, payoffs = [], [1.0], []
    nothing = (0.0,) * players
    sets: dict[Hashable, int] = {}
    described: list[Decision] = []
    at = 0
    while at < len(histories):
        history = histories[at]
        node = describe(history)
        player.append(_player(node, history, players))
        payoffs.append(_payoffs(node, history, players) or nothing)
        set_number = -1
        onwards: Sequence[Hashable] = ()
        shares: Sequence[float] = ()
        if isinstance(node, Decision):
            onwards, shares = node.actions, [1.0] * len(node.actions)
            set_number = sets.setdefault(node.info_set, len(sets))
            if set_number == len(described):
                described.append(node)
            _check_same(described[set_number], node)
        elif isinstance(node, Chance):
            onwards, shares = node.outcomes, node.probabilities
            _check_chance(node, history)
        if len(set(onwards)) < len(onwards):
            raise InvalidGame(f"{history}: {onwards} name a way on twice")
        info_set.append(set_number)
        first_child.append(len(histories))
        child_count.append(len(onwards))
        histories += [(*history, step) for step in onwards]
        parent += [at] * len(onwards)
        chance += shares
        at += 1
    counts = np.array([len(node.actions) for node in described], np.int32)
    tree = GameTree(
        np.array(player, np.int8),
        np.array(parent, np.int32),
        np.array(first_child, np.int32),
        np.array(child_count, np.int32),
        np.array(info_set, np.int32),
        np.array(chance, np.float64),
        np.array(payoffs, np.float64),
        np.array([node.player for node in described], np.int8),
        counts,
        (np.cumsum(counts) - counts).astype(np.int32),
        tuple(sets),
        tuple(tuple(node.actions) for node in described),
        tuple(histories),
    )
    check_perfect_recall(tree)
    return tree


def check_perfect_recall(tree: GameTree) -> None:
    """Check that all nodes of an information set share their owner's earlier sets and actions.

    Raises:
        InvalidGame: a player forgets what it did or knew.
    """
    last = np.full(
        (tree.nodes, tree.players), -1, np.int64
    )  # flat index of each player's latest action
    sequence_of: dict[int, int] = {}
    for node in range(tree.nodes):
        if node:
            above = int(tree.parent[node])
            last[node] = last[above]
            if tree.player[above] >= 0:
                edge = node - int(tree.first_child[above])
                first = int(tree.first_action[tree.info_set[above]])
                last[node, tree.player[above]] = first + edge
        if tree.player[node] >= 0:
            here = int(last[node, tree.player[node]])
            if sequence_of.setdefault(int(tree.info_set[node]), here) != here:
                name = tree.info_set_names[tree.info_set[node]]
                raise InvalidGame(f"information set {name!r}: its owner forgets what it did")


def _player(node: Node, history: History, players: int) -> int:
    if isinstance(node, Terminal | Settled):
        return TERMINAL
    if isinstance(node, Chance):
        return CHANCE
    if node.player not in range(players):
        raise InvalidGame(f"{history}: player {node.player} is none of 0 to {players - 1}")
    if not node.actions:
        raise InvalidGame(f"{history}: a decision without actions")
    return node.player


def _payoffs(node: Node, history: History, players: int) -> Sequence[float] | None:
    """Return what each player wins at a node, None where the game goes on."""
    if isinstance(node, Terminal):
        payoffs: Sequence[float] = (node.payoff, -node.payoff)
    elif isinstance(node, Settled):
        payoffs = node.payoffs
    else:
        return None
    if len(payoffs) != players:
        raise InvalidGame(f"{history}: {len(payoffs)} payoffs for {players} players")
    if not all(map(isfinite, payoffs)):
        raise InvalidGame(f"{history}: a payoff in {tuple(payoffs)} is no number of chips")
    return payoffs


def _check_same(first: Decision, node: Decision) -> None:
    if first.player != node.player or tuple(first.actions) != tuple(node.actions):
        raise InvalidGame(
            f"information set {node.info_set!r}: player {first.player} with {first.actions} "
            f"and player {node.player} with {node.actions}"
        )


def _check_chance(node: Chance, history: History) -> None:
    shares = np.asarray(node.probabilities, np.float64)
    if len(shares) != len(node.outcomes) or not len(shares):
        raise InvalidGame(f"{history}: {len(node.outcomes)} outcomes, {len(shares)} probabilities")
    if not (shares > 0).all() or abs(float(shares.sum()) - 1) > 1e-9:
        raise InvalidGame(f"{history}: chance's probabilities {node.probabilities} do not add to 1")
