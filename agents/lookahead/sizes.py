"""Sizes of the estimators' inputs and outputs, and of the scratch that a choice takes.

scratch  float32: inputs, the state of both stacks, the same once more for a look ahead, work
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from agents.recurrent.shape import NetShape

WIN_INPUTS: Final = 6
"""Numbers of a node for the estimator of wins."""
FOLD_INPUTS: Final = 4
"""Numbers of a node for the estimator of folds."""
INPUTS: Final = WIN_INPUTS + FOLD_INPUTS
OUTPUTS: Final = 2
"""Of the network: how far to trust the hand, and the odds."""


def scratch_size(shape: NetShape) -> int:
    """Return the numbers of scratch for a network of a shape, in float64, two float32 to one."""
    floats = INPUTS + 2 * shape.state + shape.work
    return (floats + 1) // 2
