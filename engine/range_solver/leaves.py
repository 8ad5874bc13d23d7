"""Where a depth-limited solve stops, and who says how the hand goes on from there.

    limit = DepthLimit(street_ends(tree, street=2), values)  # values: LeafValues
    solver = RangeSolver(tree, board, ranges, limit=limit)

A leaf is a node of the betting tree where the walk stops although the hand goes on: a decision, the
end of a street before the next card is dealt, or an all-in before the river.  Nothing behind it is
laid out.  In each pass the solver plays both strategies down to all leaves, hands the ranges that
arrive there to one call of `LeafValues.values`, and goes up with the answer.  Rules of that call,
for L leaves:

    reach    (L, 2, 1326) float32: for each player and combo, its weight at the root times the
             probability that the player plays it on to the leaf.  Weights at the root sum to 1, so
             a range sums to at most 1 at a leaf; nobody has normalised it, and it may be all 0.
             Combos that the board blocks or that are not in the range are 0
    values   (L, 2, 1326) float32: each combo's counterfactual value, in chips won or lost over the
             whole hand and not from the leaf on: the sum, over all combos of the other player that
             can be held beside it, of their reach times what is won against them, a mean over the
             cards to come.  The probability of the cards that lie on the leaf's board is left out

So a value network divides by the sums of the ranges before, and multiplies by the other player's
afterwards.  Where the other player's range is all 0 the solver takes 0, whatever the answer says;
else the values of all hands that the player began with are wanted, those that it never plays to the
leaf among them.  For combos that meet nobody they should be 0; other entries are not looked at.

Boards that differ by an exchange of suits are all asked for, each by itself, unless the limit says
that its source is `symmetric`.

The call comes from the thread that called the solver, once a pass, while no other thread of the
solver runs; it may use threads itself.  Where updates alternate, an iteration has two passes and
each wants one player's values; simultaneous updates have one.
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
    """Of the betting tree."""
    board: tuple[int, ...]
    """The cards seen there, in the order they came."""


class LeafRequest(NamedTuple):
    """What is known and wanted at all leaves in one pass; see the module's text."""

    leaves: tuple[Leaf, ...]
    """The same in every pass."""
    reach: NDArray[np.float32]
    """(L, 2, 1326); to be copied where it is kept, the next pass writes over it."""
    players: tuple[int, ...]
    """Whose values are wanted; others' are not looked at."""
    best: bool
    """False: values of what both play on from the leaf, to update regrets or to value a profile.

    True: the player's best against how the other one plays on, for `exploitability` and
    `best_response_values`.  A source that knows only how the hand goes on, such as a network,
    answers the same: those are then best responses of players who play on from the leaves as the
    source says, to the ranges of the profile.
    """


class LeafValues(Protocol):
    """A source of values at leaves."""

    def values(self, request: LeafRequest) -> NDArray[np.float32]:
        """Return (L, 2, 1326) counterfactual values; see the module's text.

        The answer should depend on the request only: a source with a memory of its own is not kept
        in checkpoints.
        """


@dataclass(frozen=True, slots=True)
class DepthLimit:
    """Where to stop, and what comes after."""

    nodes: Collection[int]
    """Of the betting tree; what lies behind another of them is never reached."""
    values: LeafValues
    symmetric: bool = False
    """Whether the source promises that an exchange of suits, in the board and in all ranges, does
    nothing but exchange its values; nobody checks that.

    Only then are boards that differ by an exchange of suits solved once.
    """
    name: str | None = None
    """Tells the source from all others, such as the digest of a network; checkpoints want it."""


def street_ends(tree: BettingTree, street: int) -> tuple[int, ...]:
    """Return the nodes where a street, counted from 0, ends and the hand goes on.

    All-ins are among them: left out of a limit, they are dealt to the end.
    """
    ends = ((tree.kind == DEAL) | (tree.kind == SHOWDOWN)) & (tree.street == street)
    if street == tree.game.streets - 1:
        ends[:] = False
    return tuple(np.flatnonzero(ends).tolist())
