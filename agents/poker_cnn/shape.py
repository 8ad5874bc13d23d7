"""The layers of the network, and where their weights lie in a row of float32.

    16 planes of 17 x 17
    conv1    32 of 5 x 5, stride 2        7 x 7
    conv2    64 of 3 x 3, stride 2        3 x 3
    conv3    64 of 2 x 2, stride 1        2 x 2, 256 numbers
    full     256
    actions  fold, call, raise
    sizes    of a raise, for no-limit games
    worth    of the hand, chips above what folding now wins, in pots as they are after calling

All but the last three are rectified.  Weights of a convolution are (inputs, rows, columns,
outputs), of a full layer (inputs, outputs), each followed by its biases; feature maps are stored
cell by cell.  The article's network, all but `sizes` and `worth`, has 114 339 weights.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from agents.poker_cnn.planes import PLANES, SIDE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ACTIONS: Final = 3
RAISE_POTS: Final = (0.33, 0.5, 0.75, 1.0, 1.5, 2.5)
"""The smallest raise comes before these sizes after calling, all-in behind them."""
SIZES: Final = len(RAISE_POTS) + 2
SMALLEST: Final = 0
ALL_IN: Final = SIZES - 1


ACTION: Final = "action"
VALUE: Final = "value"
READINGS: Final = (ACTION, VALUE)
"""What the outputs are trained to be: chances of actions, or what the action taken is worth."""


class Layer(NamedTuple):
    """Where the weights of a layer lie."""

    name: str
    shape: tuple[int, ...]
    first: int
    biases: int
    """Where its biases begin."""
    end: int


def _layers() -> tuple[Layer, ...]:
    shapes = {
        "conv1": (PLANES, 5, 5, 32),
        "conv2": (32, 3, 3, 64),
        "conv3": (64, 2, 2, 64),
        "full": (256, 256),
        "actions": (256, ACTIONS),
        "sizes": (256, SIZES),
        "worth": (256, 1),
    }
    layers: list[Layer] = []
    for name, shape in shapes.items():
        first = layers[-1].end if layers else 0
        biases = first + math.prod(shape)
        layers.append(Layer(name, shape, first, biases, biases + shape[-1]))
    return tuple(layers)


LAYERS: Final = _layers()
CONVOLUTION_STRIDES: Final = (2, 2, 1)
PICTURE_SIDES: Final = (SIDE, 7, 3, 2)
ARTICLE_WEIGHTS: Final = LAYERS[4].end
VALUELESS_WEIGHTS: Final = LAYERS[5].end
"""Of a network that has not learned what hands are worth."""
WEIGHTS: Final = LAYERS[6].end
SCRATCH_SIZE: Final = (
    sum(
        side * side * layer.shape[-1]
        for side, layer in zip(PICTURE_SIDES[1:], LAYERS, strict=False)
    )
    + 256
)


def initial_weights(seed: int) -> NDArray[np.float32]:
    """Return (WEIGHTS,) to begin with: normal, of variance 2 / inputs; biases 0.

    Hands are worth nothing to begin with; a network that is not taught it goes on to say so.

    Source: He, Zhang, Ren, Sun, "Delving deep into rectifiers", ICCV 2015.
    """
    import numpy as np  # the shape alone needs none

    rng = np.random.default_rng(seed)
    row = np.zeros(WEIGHTS, np.float32)
    for layer in LAYERS[:-1]:
        count = layer.biases - layer.first
        spread = math.sqrt(2.0 / math.prod(layer.shape[:-1]))
        row[layer.first : layer.biases] = spread * rng.standard_normal(count, np.float32)
    return row
