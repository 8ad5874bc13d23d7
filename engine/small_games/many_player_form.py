"""The sequence form of a small game for any number of players, as arrays without pairs.

Sequences, sides and plans are those of `engine.small_games.sequence_form`, with an empty sequence
E' + p for each player p.  Payoffs are listed by the sequences of all players,

    sequence  (M, P) int32    a sequence of each player that an end of the game can follow
    payoff    (M, P) float64  chips for each player, weighted by chance's probability and summed
                              over all terminals where these sequences end

so an iteration goes through this list once for each player.  Where two play for one pot, use the
sequence form, which is faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.small_games.game_tree import TERMINAL, GameTree
from engine.small_games.sequence_form import (
    Pairs,
    PlayerSequences,
    chance_reach,
    last_sequences,
    parent_sequences,
    side_of,
)


class Payoffs(NamedTuple):
    """Payoffs by the sequences of all players; see the module's table."""

    sequence: NDArray[np.int32]
    payoff: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ManyPlayerForm:
    """A game as arrays per player; see the module's table."""

    tree: GameTree
    sides: tuple[PlayerSequences, ...]
    """One for each player."""
    ends: Payoffs
    no_pairs: Pairs
    """An empty list, for kernels that expect pairs of sequences."""

    @property
    def sequences(self) -> int:
        """Number of sequences of all players, the empty ones included."""
        return self.tree.flat_actions + self.tree.players


def many_player_form(tree: GameTree) -> ManyPlayerForm:
    """Return a game as arrays per player."""
    last = last_sequences(tree)
    parent = parent_sequences(tree, last)
    sides = tuple(side_of(tree, parent, player) for player in range(tree.players))
    end_nodes = np.flatnonzero((tree.player == TERMINAL) & tree.payoffs.any(axis=1))
    together, group = np.unique(last[:, end_nodes].T, axis=0, return_inverse=True)
    payoff = np.zeros((len(together), tree.players))
    np.add.at(payoff, group.ravel(), chance_reach(tree)[end_nodes, None] * tree.payoffs[end_nodes])
    no_pairs = Pairs(
        np.zeros(tree.flat_actions + tree.players + 1, np.int32),
        np.empty(0, np.int32),
        np.empty(0),
    )
    ends = Payoffs(np.ascontiguousarray(together, np.int32), payoff)
    return ManyPlayerForm(tree, sides, ends, no_pairs)
