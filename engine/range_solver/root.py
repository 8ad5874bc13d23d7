"""How the players come to the root: by default with the ranges they are given, or by a gadget.

A gadget is a little game before the subgame.  Re-solving needs one: where the opponent's range is
not known but the values that it could have had elsewhere are, it decides in each iteration how much
of every hand it brings (Burch, Johanson, Bowling 2014: resolve; Moravcik et al. 2016: max-margin).
All that the solver sees of it is a factor per combo:

    reach    (2, 1326) float32, not negative: each player's own reach of the root, by which its
             range is multiplied.  1 lets all of it in; it need not be a probability, only the
             product with the range counts.  A player that the gadget leaves alone has ones
    values   (1326,) float64: what each combo of one player wins in the subgame under the strategies
             of an iteration, a counterfactual value in chips per unit of the other player's range,
             as if all of that came in; 0 for combos that cannot be held or meet nobody

An iteration asks for the current reach before each of its passes and tells the values after it, so
that a gadget's regrets are updated together with those of the player whose choice it is.  What the
solver reports - `values`, `exploitability` and so on - is about the ranges that come in: the
current ones for the current profile, the average ones for the average.  Alternatives that the
gadget offers are no part of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import Which
from engine.cfr.variants import Step
from engine.compiled.lanes import aligned_zeros
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach
from engine.range_solver.game import RangeGame


class RootGadget(Protocol):
    """Decides how much of their ranges the players bring to the root; see the module's text."""

    def reach(self, which: Which) -> NDArray[np.float32]:
        """Return (2, 1326) factors: for the next pass, or those that fit the average strategy."""

    def observe(self, player: int, values: NDArray[np.float64], step: Step) -> None:
        """Learn what (1326,) the combos of a player won in the subgame in the pass just made."""

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that `observe` changes, for checkpoints."""

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take the place of the gadget whose `state` this is.

        Raises:
            KeyError, ValueError: it is another gadget's.
        """


class EntryRanges(NamedTuple):
    """The ranges that come to the root."""

    weights: NDArray[np.float64]
    """(2, 1326)."""
    rivals: NDArray[np.float64]
    """(2, 1326): what of the other player's is possible beside each combo."""
    joint: float
    """Weight of all pairs of hands that can be dealt."""


EntryRows = tuple[NDArray[np.float32], NDArray[np.float32]]
"""(1, H) factors of both players' hands, in the order of the root's board."""


def entry_ranges(game: RangeGame, gadget: RootGadget | None, which: Which) -> EntryRanges:
    """Return the ranges that come to the root of a profile.

    Raises:
        ValueError: the gadget's factors are none.
    """
    if gadget is None:
        return EntryRanges(game.beliefs, game.rivals, game.joint)
    weights = game.beliefs * _checked(gadget.reach(which))
    rivals = np.stack([compatible_reach(weights[1 - player]) for player in (0, 1)])
    rivals = np.where(game.rivals > 0, rivals, 0.0)
    return EntryRanges(weights, rivals, float(weights[0] @ rivals[0]))


def entry_rows(game: RangeGame, gadget: RootGadget | None, which: Which) -> EntryRows:
    """Return the factors of the hands that the solver keeps.

    Raises:
        ValueError: the gadget's factors are none.
    """
    reach = None if gadget is None else _checked(gadget.reach(which))
    rows = []
    for player, hands in enumerate(game.boards[0].hands):
        row = aligned_zeros((1, hands.width), np.float32)
        row[:] = 1.0 if reach is None else reach[player, hands.combo[0]]
        rows.append(row)
    return rows[0], rows[1]


def _checked(reach: NDArray[np.float32]) -> NDArray[np.float32]:
    checked = np.asarray(reach, np.float32)
    if checked.shape != (2, COMBOS):
        raise ValueError(f"root reach: want (2, {COMBOS}), got {checked.shape}")
    if not np.isfinite(checked).all() or (checked < 0).any():
        raise ValueError("root reach has a number that is negative or not finite")
    return checked
