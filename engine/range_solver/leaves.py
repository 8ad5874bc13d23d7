"""Where a depth-limited solve stops, and where the values of its leaves come from.

    limit = DepthLimit(street_ends(tree, street=2), values)  # values: LeafValues
    solver = RangeSolver(tree, board, ranges, limit=limit)

A leaf is a node of the betting tree where the walk stops although the hand goes on: a decision, the
end of a street before the next card is dealt, or an all-in before the river.  Nothing behind it is
laid out.  In each pass the solver plays both strategies down to all leaves, passes the ranges there
to one call of `LeafValues.values`, and goes up with the answer.  Rules of that call, for L leaves
and H hands, the 1326 combos of hold'em:

    reach    (L, 2, H) float32: for each player and hand, its weight at the root times the
             probability that the player plays it on to the leaf.  Weights at the root sum to 1, so
             a range sums to at most 1 at a leaf; it is not normalised, and may be all 0.
             Hands that the board blocks or that are not in the range are 0
    values   (L, 2, H) float32: each hand's counterfactual value, in chips won or lost over the
             whole hand and not from the leaf on: the sum, over all hands of the other player that
             can be held beside it, of their reach times what is won against them, a mean over the
             cards to come.  The probability of the cards that lie on the leaf's board is left out

So a value network divides by the sums of the ranges before, and multiplies by the other player's
afterwards.  Where the other player's range is all 0 the solver takes 0 whatever the answer is.
Otherwise it needs the values of all hands in the player's range at the root, also of those that
it never plays to the leaf.  Hands without a possible opponent should be 0; other entries are not
read.

Boards that differ by an exchange of suits are all asked for, each by itself, unless the limit says
that its source is `symmetric`.

The call comes from the thread that called the solver, once a pass, while no other thread of the
solver runs; it may use threads itself.  Where updates alternate, an iteration has two passes and
each needs one player's values; simultaneous updates have one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, SHOWDOWN, BettingTree


class Leaf(NamedTuple):
    """One leaf; one board may stand for those that differ by an exchange of suits only."""

    node: int
    """Node of the betting tree."""
    board: tuple[int, ...]
    """The cards seen there, in the order they came."""


class LeafRequest(NamedTuple):
    """What is known and wanted at all leaves in one pass; see the module's text."""

    leaves: tuple[Leaf, ...]
    """The same in every pass over the same boards; see `engine.range_solver.portions`."""
    reach: NDArray[np.float32]
    """(L, 2, H); copy it to keep it, because the next pass overwrites it."""
    players: tuple[int, ...]
    """Whose values are wanted; others' are not looked at."""
    best: bool
    """False: values of the strategies that both play from the leaf on, for regrets or a profile.

    True: the player's best response to how the other one plays on, for `exploitability` and
    `best_response_values`.  A source that cannot tell the two apart, such as a network, answers the
    same.  The results are then best responses of players who play on from the leaves as the source
    says, to the ranges of the profile.
    """


class LeafValues(Protocol):
    """A source of values at leaves."""

    def values(self, request: LeafRequest) -> NDArray[np.float32]:
        """Return (L, 2, H) counterfactual values; see the module's text.

        The answer should depend on the request only: checkpoints do not save the source's state.
        """


@dataclass(frozen=True, slots=True)
class DepthLimit:
    """The leaves of a depth-limited solve and the source of their values."""

    nodes: Collection[int]
    """Nodes of the betting tree; one that lies behind another is never reached."""
    values: LeafValues
    symmetric: bool = False
    """Whether an exchange of suits in the board and all ranges only exchanges the source's values.

    Only then are boards that differ by an exchange of suits solved once.  This is not checked.
    """
    averaged: bool = False
    """Whether the solver keeps what hands won at the leaves on average; checkpoints do not."""
    name: str | None = None
    """Identifies the source, for example the digest of a network; checkpoints require it."""


def street_ends(tree: BettingTree, street: int) -> tuple[int, ...]:
    """Return the nodes where a street, 0-based, ends and the hand goes on.

    All-ins are among them: left out of a limit, they are dealt to the end.
    """
    ends = ((tree.kind == DEAL) | (tree.kind == SHOWDOWN)) & (tree.street == street)
    if street == tree.game.streets - 1:
        ends[:] = False
    return tuple(np.flatnonzero(ends).tolist())
