"""Compiled steps between the solver's rows of hands and the 1326 combos at the root."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import raw_kernel

FINE, INVALID, UNEQUAL = 0, 1, 2
"""What `rows_of_factors` returns."""

# Kernels: arguments are trusted, nothing is allocated, results go to the last argument.


@raw_kernel
def rows_of_factors(
    factors: NDArray[np.float32],
    alike: NDArray[np.intp],
    combos: tuple[NDArray[np.int32], NDArray[np.int32]],
    rows: tuple[NDArray[np.float32], NDArray[np.float32]],
) -> int:
    """Write each player's (1, H) of (2, 1326) factors, valid or not.

    Args:
        alike: (1326,) a combo that must have the same factor; (0,) where each is by itself.
        combos: (H,) of the hands, by player.

    Returns:
        `FINE`; `INVALID` for a factor that is negative or not finite; `UNEQUAL` for combos that are
        alike and have different ones.
    """
    valid = equal = True
    for player in range(2):
        own, row, hands = factors[player], rows[player][0], combos[player]
        for combo in range(len(own)):
            valid &= (own[combo] >= 0) & (own[combo] < np.inf)  # nan is neither
        for combo in range(len(alike)):
            equal &= own[combo] == own[alike[combo]]
        for hand in range(len(hands)):
            row[hand] = own[hands[hand]]
    return INVALID if not valid else FINE if equal else UNEQUAL


@raw_kernel
def values_of_combos(
    won: NDArray[np.float32],
    combos: NDArray[np.int32],
    rivals: NDArray[np.float64],
    alike: NDArray[np.intp],
    unknown: float,
    values: NDArray[np.float64],
) -> None:
    """Write (1326,) what combos win per unit of the other player's weight beside them.

    Args:
        won: (H,) the root's counterfactual values.
        combos: (N,) of the first hands.
        rivals: (1326,) weight of the other player's range that is possible beside each combo.
        alike: (1326,) the combo whose value each one gets, itself a combo that keeps its own.
        unknown: the value of combos that meet nobody, or have no hand.
    """
    values[:] = unknown
    for hand in range(len(combos)):
        met = rivals[combos[hand]]
        if met > 0:
            values[combos[hand]] = won[hand] / met
    for combo in range(len(values)):
        values[combo] = values[alike[combo]]
