"""What ASHE 2.0 remembers: the trees of `agents.patterns.memory`, and scratch for its estimators.

nets    float32, two to a number: inputs, the state of both stacks, the same once more for a
        look ahead, scratch
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.patterns.memory import END

if TYPE_CHECKING:
    from agents.recurrent.shape import NetShape

NETS: Final = END
WIN_INPUTS: Final = 6
"""Numbers of a node for the estimator of wins."""
FOLD_INPUTS: Final = 4
"""Numbers of a node for the estimator of folds."""
INPUTS: Final = WIN_INPUTS + FOLD_INPUTS
OUTPUTS: Final = 2
"""Of the network: how far to trust the hand, and the odds."""


def memory_size(shape: NetShape) -> int:
    """Return the numbers that a player with a network of a shape remembers."""
    floats = INPUTS + 2 * shape.state + shape.work
    return NETS + (floats + 1) // 2
