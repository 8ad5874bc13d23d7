"""Hand strength and potential: where a hand stands now and what the next cards may make of it.

    weights   (1326,) a range, by combo, as in `engine.equity.equity`: what an opponent may hold
    board     3 or 4 cards for potential; hand strength also on 5
    matrix    (..., 3, 3) weight of the opponent's hands times boards to come, by the standing now
              (row) and then (column): `AHEAD`, `TIED` or `BEHIND`

With T the sum of a row, and one or two cards ahead (on the flop, two are all there will be):

    HS    = (T_ahead + T_tied / 2) / (T_ahead + T_tied + T_behind)
    PPot  = (m[behind, ahead] + m[behind, tied] / 2 + m[tied, ahead] / 2) / (T_behind + T_tied / 2)
    NPot  = (m[ahead, behind] + m[ahead, tied] / 2 + m[tied, behind] / 2) / (T_ahead + T_tied / 2)
    EHS   = HS (1 - NPot) + (1 - HS) PPot
    EHS'  = HS + (1 - HS) PPot                                     here `ehs_optimistic`

Where nothing can get better (worse), because the hand is never behind (ahead), PPot (NPot) is 0.
Against n opponents with the same range HS is raised to the power of n, as if they were independent.
Source: Papp, "Dealing with imperfect information in poker", MSc thesis, University of Alberta 1998;
Billings, Papp, Schaeffer, Szafron, "Opponent modeling in poker", AAAI 1998.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.equity.equity import held_combos, range_on_board, weight_met
from engine.equity.runouts import BOARD_CARDS, list_runouts
from engine.hands.cards import CARDS, COMBOS, card_bits, combo_of, live_combos
from engine.showdown.board_ranks import board_ranks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

AHEAD: Final = 0
TIED: Final = 1
BEHIND: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Potential:
    """Strength and potential of one hand."""

    matrix: NDArray[np.float64]
    """(3, 3)"""
    hs: float
    ppot: float
    npot: float
    ehs: float
    ehs_optimistic: float


@dataclass(frozen=True, slots=True, eq=False)
class Potentials:
    """Strength and potential of all hands; nan where the board or every opponent blocks a combo."""

    matrix: NDArray[np.float64]
    """(1326, 3, 3)"""
    hs: NDArray[np.float64]
    """(1326,) like all that follow."""
    ppot: NDArray[np.float64]
    npot: NDArray[np.float64]
    ehs: NDArray[np.float64]
    ehs_optimistic: NDArray[np.float64]


def hand_strengths(
    board: Sequence[int], weights: ArrayLike, opponents: int = 1
) -> NDArray[np.float64]:
    """Return (1326,) the HS of every hand on a board of 3 to 5 cards, nan for blocked ones.

    Raises:
        ValueError: the board or the range is invalid, or there is no opponent.
    """
    from engine.equity.equity_kernels import add_showdowns

    if not 3 <= len(board) <= BOARD_CARDS:
        raise ValueError(f"hand strength on a board of {len(board)}")
    _check_opponents(opponents)
    range_ = range_on_board(weights, board)
    hero = held_combos(live_combos(card_bits(board)))
    now = list_runouts(board, 0)
    sums = np.zeros((2, COMBOS))
    add_showdowns(*now, hero, held_combos(range_ > 0), range_, sums[0], sums[1])
    strength: NDArray[np.float64] = (sums[0] + sums[1] / 2) / weight_met(range_, hero)
    strength **= opponents
    return strength


def hand_potential(
    hole: Sequence[int],
    board: Sequence[int],
    weights: ArrayLike,
    cards_ahead: int,
    opponents: int = 1,
) -> Potential:
    """Return strength and potential of one hand.

    Args:
        board: 3 or 4 cards.
        weights: what each opponent may hold.
        cards_ahead: 1, or 2 on the flop.

    Raises:
        ValueError: cards or range are invalid, no hand of the range can be met, too few cards are
            to come, or there is no opponent.
    """
    _check(board, cards_ahead, opponents)
    if len(hole) != 2:
        raise ValueError(f"{len(hole)} hole cards")
    range_ = range_on_board(weights, (*board, *hole))
    combo = combo_of(*hole)
    matrix = _matrix(board, range_, np.array([combo], np.int32), cards_ahead)[combo]
    return Potential(matrix, *(float(value) for value in _measures(matrix, opponents)))


def hand_potentials(
    board: Sequence[int],
    weights: ArrayLike,
    cards_ahead: int,
    opponents: int = 1,
) -> Potentials:
    """Return strength and potential of all hands; arguments and errors as of `hand_potential`."""
    _check(board, cards_ahead, opponents)
    hero = held_combos(live_combos(card_bits(board)))
    matrix = _matrix(board, range_on_board(weights, board), hero, cards_ahead)
    return Potentials(matrix, *_measures(matrix, opponents))


def _check(board: Sequence[int], cards_ahead: int, opponents: int) -> None:
    if cards_ahead not in (1, 2) or not 3 <= len(board) <= BOARD_CARDS - cards_ahead:
        raise ValueError(f"{cards_ahead} cards ahead on a board of {len(board)}")
    _check_opponents(opponents)


def _check_opponents(opponents: int) -> None:
    if opponents < 1:
        raise ValueError(f"{opponents} opponents")


def _matrix(
    board: Sequence[int],
    range_: NDArray[np.float64],
    hero: NDArray[np.int32],
    cards_ahead: int,
) -> NDArray[np.float64]:
    """Return (1326, 3, 3) the matrices of some combos, zeros for the others."""
    from engine.equity.equity_kernels import add_transitions
    from engine.showdown.board_kernels import ranks_of_boards

    now = board_ranks(board)
    boards = list_runouts(board, cards_ahead).boards
    then = np.empty((len(boards), COMBOS), np.uint16)
    ranks_of_boards(boards, then)
    villain = held_combos(range_ > 0)
    villain = villain[np.argsort(now[villain], kind="stable")]
    possible = math.comb(CARDS - 4 - len(board), cards_ahead)
    matrix = np.zeros((COMBOS, 3, 3))
    add_transitions(now, then, hero, villain, range_, possible, matrix)
    return matrix


def _measures(matrix: NDArray[np.float64], opponents: int) -> tuple[NDArray[np.float64], ...]:
    """Return HS, PPot, NPot, EHS and EHS' of (..., 3, 3) matrices."""
    rows = matrix.sum(axis=-1)
    ahead, behind = (rows[..., outcome] + rows[..., TIED] / 2 for outcome in (AHEAD, BEHIND))
    better = (
        matrix[..., BEHIND, AHEAD] + matrix[..., BEHIND, TIED] / 2 + matrix[..., TIED, AHEAD] / 2
    )
    worse = (
        matrix[..., AHEAD, BEHIND] + matrix[..., AHEAD, TIED] / 2 + matrix[..., TIED, BEHIND] / 2
    )
    total = rows.sum(axis=-1)
    base = np.where(total > 0, 0.0, np.nan)
    hs = _ratio(ahead, total, base) ** opponents
    ppot = _ratio(better, behind, base)
    npot = _ratio(worse, ahead, base)
    return hs, ppot, npot, hs * (1 - npot) + (1 - hs) * ppot, hs + (1 - hs) * ppot


def _ratio(
    part: NDArray[np.float64], whole: NDArray[np.float64], otherwise: NDArray[np.float64]
) -> NDArray[np.float64]:
    ratio: NDArray[np.float64] = np.divide(part, whole, out=otherwise.copy(), where=whole > 0)
    return ratio
