"""Kernels in the forms that `engine.compiled.jit` gives them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled.jit import for_types_of, raw_kernel


class Side(NamedTuple):
    """A record of arrays and numbers, as kernels take them."""

    numbers: NDArray[np.float32]
    factor: float
    turned: bool


@raw_kernel
def weigh(sides: tuple[Side, Side], total: NDArray[np.float64]) -> float:
    """Write each side's sum times its factor, and return what the second has more."""
    for which in range(2):
        total[which] = 0.0
        for number in sides[which].numbers:
            total[which] += number
        total[which] *= -sides[which].factor if sides[which].turned else sides[which].factor
    return total[1] - total[0]


def test_a_kernel_for_types_is_the_kernel():
    """Of other records and lengths than those that told the types; an int may stand for a float."""
    total = np.zeros(2)
    first = Side(np.ones(3, np.float32), 2.0, False), Side(np.ones(4, np.float32), 3.0, True)
    bound = for_types_of(weigh, first, total)
    assert bound(first, total) == weigh(first, total) == -12.0 - 6.0
    other = first[1]._replace(factor=np.float64(0.5)), Side(np.zeros(0, np.float32), 7, np.True_)
    assert bound(other, total) == 2.0
    assert total.tolist() == [-2.0, 0.0]
