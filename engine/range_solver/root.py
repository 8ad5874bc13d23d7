"""How the players come to the root: by default with the ranges they are given, or by a gadget.

A gadget is a small game before the subgame, as re-solving needs it: the opponent's range is not
known, but the values that it could have had elsewhere are.  In each iteration the gadget decides
how much of every hand enters; docs/sources.md names papers on their kinds.
All that the solver sees is a factor per combo:

    reach    (2, H) float32, not negative: each player's own reach of the root, by which its
             range is multiplied.  1 lets all of it in; it need not be a probability, only the
             product with the range counts.  A player that the gadget leaves alone has ones
    values   (H,) float64: what each combo of one player wins in the subgame under the strategies
             of an iteration, a counterfactual value in chips per unit of the other player's range,
             as if all of that came in; 0 for combos that cannot be held or meet no hand

An iteration asks for the current reach before each of its passes and reports the values after it.
So a gadget's regrets are updated together with those of the player whose choice it is.

`values`, `best_response_values` and `game_value` of the solver are about the ranges that enter: the
current ones for the current profile, the average ones for the average.  `exploitability` is that of
the gadget's whole game, with its alternatives: 0 at an equilibrium, so that a solve knows when to
stop.  The gadget computes what a best response wins there, from

    values   (H,) as above, but of the player's best response in the subgame
    weights  (2, H) float64: the probability that each player holds each combo when two hands of
             the given ranges are dealt that share no card; each sums to 1

Take a gadget where player p enters or takes alternatives, with e the share of each combo that
enters.  It returns weights[p] @ maximum(values, alternatives) for p and, for the other player,
weights[other] @ values - weights[p] @ ((1 - e) * alternatives).

Boards that differ by an exchange of suits are solved once if it changes neither ranges nor what
`identity` holds.  Values of combos that such an exchange maps to each other are reported as exactly
equal, and their factors must be so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Step
from engine.compiled.lanes import aligned_zeros
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach
from engine.hands.suits import ALL_SWAPS, range_symmetries
from engine.range_solver.game import RangeGame
from engine.range_solver.root_kernels import INVALID, UNEQUAL, rows_of_factors


class RootGadget(Protocol):
    """Decides how much of their ranges the players bring to the root; see the module's text."""

    def reach(self, which: StrategyKind) -> NDArray[np.float32]:
        """Return (2, H) factors: for the next pass, or those of the average strategy."""

    def observe(self, player: int, values: NDArray[np.float64], step: Step) -> None:
        """Learn what (H,) the combos of a player won in the subgame in the pass just made."""

    def best_response(
        self,
        player: int,
        values: NDArray[np.float64],
        weights: NDArray[np.float64],
        which: StrategyKind,
    ) -> float:
        """Return what a player wins in the gadget's game when it alone deviates from a profile.

        A mean over the pairs of hands that are dealt, in chips; see the module's text.
        """

    def identity(self) -> dict[str, NDArray[Any]]:
        """Return what the gadget was made with: whose hands it decides on, its alternatives.

        Arrays with a last axis of H are numbers per hand.  Boards are shared only if these are
        the same there, and a checkpoint is resumed only with the same identity.
        """

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that `observe` changes, for checkpoints."""

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Set the state that `state` of an equal gadget returned.

        Raises:
            KeyError, ValueError: the state belongs to another gadget.
        """


class RootRanges(NamedTuple):
    """The ranges that come to the root."""

    weights: NDArray[np.float64]
    """(2, H)."""
    rivals: NDArray[np.float64]
    """(2, H): weight of the other player's range that is possible beside each combo."""
    joint: float
    """Weight of all pairs of hands that can be dealt."""


EntryRows = tuple[NDArray[np.float32], NDArray[np.float32]]
"""(1, H) factors of both players' hands, in the order of the root's board."""


def entry_ranges(game: RangeGame, gadget: RootGadget | None, which: StrategyKind) -> RootRanges:
    """Return the ranges that come to the root of a profile.

    Raises:
        ValueError: the gadget's factors are invalid.
    """
    if gadget is None:
        return RootRanges(game.beliefs, game.rivals, game.joint)
    weights = game.beliefs * _checked(game, gadget.reach(which))
    rivals = np.stack([compatible_reach(side, game.hands) for side in weights[::-1]])
    possible = np.stack([compatible_reach(side > 0, game.hands) > 0 for side in weights[::-1]])
    rivals = np.where(possible, rivals, 0.0)  # where nobody is met, sums leave rounding errors
    return RootRanges(weights, rivals, float(weights[0] @ rivals[0]))


def entry_rows(game: RangeGame, gadget: RootGadget | None, which: StrategyKind) -> EntryRows:
    """Return the factors of the hands that the solver keeps.

    Raises:
        ValueError: the gadget's factors are invalid.
    """
    first, second = game.boards[0].hands
    rows = (
        aligned_zeros((1, first.width), np.float32),
        aligned_zeros((1, second.width), np.float32),
    )
    enter(game, gadget, which, rows)
    return rows


def enter(game: RangeGame, gadget: RootGadget | None, which: StrategyKind, rows: EntryRows) -> None:
    """Write the factors of the hands that the solver keeps.

    Raises:
        ValueError: the gadget's factors are invalid.
    """
    if gadget is None:
        for row in rows:
            row[:] = 1.0
        return
    factors = _shaped(game, gadget.reach(which))
    first, second = game.boards[0].hands
    _refuse(rows_of_factors(factors, _alike(game), (first.combo[0], second.combo[0]), rows))


def allowed_swaps(gadget: RootGadget | None) -> tuple[int, ...]:
    """Return the exchanges of suits that leave a gadget of hold'em as it is."""
    if gadget is None:
        return ALL_SWAPS
    arrays = [np.asarray(array) for array in gadget.identity().values()]
    rows = [array.reshape(-1, COMBOS) for array in arrays if array.shape[-1:] == (COMBOS,)]
    return range_symmetries(ALL_SWAPS, np.concatenate([np.zeros((0, COMBOS)), *rows]))


def _checked(game: RangeGame, reach: NDArray[np.float32]) -> NDArray[np.float32]:
    factors, none = _shaped(game, reach), np.zeros(0, np.int32)
    rows = np.zeros((1, 0), np.float32)
    _refuse(rows_of_factors(factors, _alike(game), (none, none), (rows, rows)))
    return factors


def _alike(game: RangeGame) -> NDArray[np.intp]:
    return game.alike if len(game.swaps) > 1 else game.alike[:0]


def _shaped(game: RangeGame, reach: NDArray[np.float32]) -> NDArray[np.float32]:
    factors = np.asarray(reach, np.float32)
    if factors.shape != (2, game.hands.count):
        raise ValueError(f"root reach: want (2, {game.hands.count}), got {factors.shape}")
    return np.ascontiguousarray(factors)


def _refuse(verdict: int) -> None:
    if verdict == INVALID:
        raise ValueError("root reach has a number that is negative or not finite")
    if verdict == UNEQUAL:
        raise ValueError("root reach tells suits apart that the gadget's identity does not")
