"""The network's forward pass, one state at a time, in float32; see `shape` for the weights.

Only inputs that are not 0 are multiplied with their rows of weights: most cells of planes are 0,
and so is half of the activations after a rectifier.  All feature maps lie in flat arrays, so that
one compiled copy of a convolution serves all three layers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.poker_cnn.planes import SIDE
from agents.poker_cnn.shape import CONVOLUTION_STRIDES, LAYERS, PICTURE_SIDES
from engine.compiled.jit import kernel
from engine.networks.dense_kernels import rectify, run_layer

_CONV1, _CONV2, _CONV3, _FULL, _ACTIONS, _SIZES, _WORTH = LAYERS
_ONE = 0
_TWO = _ONE + PICTURE_SIDES[1] * PICTURE_SIDES[1] * _CONV1.shape[3]
_THREE = _TWO + PICTURE_SIDES[2] * PICTURE_SIDES[2] * _CONV2.shape[3]
_WIDE = _THREE + PICTURE_SIDES[3] * PICTURE_SIDES[3] * _CONV3.shape[3]
_END = _WIDE + _FULL.shape[1]
FIRST_OUTPUTS = _TWO
_ZERO: Any = np.float32(0.0)


@kernel
def _convolve(
    row: NDArray[np.float32],
    weights: int,
    biases: int,
    inputs: int,
    size: int,
    outputs: int,
    stride: int,
    x: NDArray[np.float32],
    channel_step: int,
    cell_step: int,
    side: int,
    y: NDArray[np.float32],
    to_side: int,
) -> None:
    """Write y, to_side x to_side cells of `outputs` numbers, not yet rectified.

    x has side x side cells of `inputs` numbers; those of a channel lie cell_step apart, those of a
    cell channel_step.  Weights and biases lie in the row, from there on.
    """
    for cell in range(to_side * to_side):
        for i in range(outputs):
            y[cell * outputs + i] = row[biases + i]
    for channel in range(inputs):
        for down_cell in range(side):
            for across_cell in range(side):
                place = channel * channel_step + (down_cell * side + across_cell) * cell_step
                value = x[place]
                if value == _ZERO:
                    continue
                for down in range(down_cell % stride, size, stride):
                    to_row = (down_cell - down) // stride
                    if to_row < 0 or to_row >= to_side:
                        continue
                    for across in range(across_cell % stride, size, stride):
                        to_column = (across_cell - across) // stride
                        if to_column < 0 or to_column >= to_side:
                            continue
                        to = (to_row * to_side + to_column) * outputs
                        of = weights + ((channel * size + down) * size + across) * outputs
                        out, part = y[to : to + outputs], row[of : of + outputs]
                        for i in range(len(out)):
                            out[i] += value * part[i]


@kernel
def run_cnn(
    row: NDArray[np.float32],
    planes: NDArray[np.float32],
    work: NDArray[np.float32],
    actions: NDArray[np.float32],
    sizes: NDArray[np.float32],
) -> None:
    """Write (3,) scores of actions and (SIZES,) of raise sizes, before any softmax.

    Args:
        row: (WEIGHTS,).
        planes: (PLANES * SIDE * SIDE,), plane by plane.
        work: (SCRATCH_SIZE,) scratch.
    """
    run_first_layer(row, planes, work[:FIRST_OUTPUTS])
    run_later_layers(row, work, actions, sizes)


@kernel
def run_first_layer(
    row: NDArray[np.float32], planes: NDArray[np.float32], first: NDArray[np.float32]
) -> None:
    """Write (FIRST_OUTPUTS,) the outputs of the first layer, not yet rectified."""
    inputs, size, _, outputs = _CONV1.shape
    _convolve(
        row, _CONV1.first, _CONV1.biases, inputs, size, outputs, CONVOLUTION_STRIDES[0],
        planes, SIDE * SIDE, 1, PICTURE_SIDES[0], first, PICTURE_SIDES[1],
    )  # fmt: skip


@kernel
def run_later_layers(
    row: NDArray[np.float32],
    work: NDArray[np.float32],
    actions: NDArray[np.float32],
    sizes: NDArray[np.float32],
) -> None:
    """Do what `run_cnn` does, with the outputs of the first layer at the start of `work`."""
    one, two, three, full = work[:_TWO], work[_TWO:_THREE], work[_THREE:_WIDE], work[_WIDE:_END]
    rectify(one)
    inputs, size, _, outputs = _CONV2.shape
    _convolve(
        row, _CONV2.first, _CONV2.biases, inputs, size, outputs, CONVOLUTION_STRIDES[1],
        one, 1, inputs, PICTURE_SIDES[1], two, PICTURE_SIDES[2],
    )  # fmt: skip
    rectify(two)
    inputs, size, _, outputs = _CONV3.shape
    _convolve(
        row, _CONV3.first, _CONV3.biases, inputs, size, outputs, CONVOLUTION_STRIDES[2],
        two, 1, inputs, PICTURE_SIDES[2], three, PICTURE_SIDES[3],
    )  # fmt: skip
    rectify(three)
    run_layer(row, _FULL.first, three, full)
    rectify(full)
    run_layer(row, _ACTIONS.first, full, actions)
    run_layer(row, _SIZES.first, full, sizes)


@kernel
def worth_of(row: NDArray[np.float32], work: NDArray[np.float32]) -> float:
    """Return what the hand of the state is worth that `run_cnn` has just left in `work`.

    Chips above those of folding now, in pots as they are after calling.
    """
    worth = np.empty(1, np.float32)
    run_layer(row, _WORTH.first, work[_WIDE:_END], worth)
    return float(worth[0])
