"""Sixteen numbers side by side in vector registers, for kernels that LLVM does not vectorise.

Prefix sums over hands are serial in the hands, but many of them run over the same hands: sixteen go
together, one per lane, stored as (hand, lane).  LLVM does not find these vectors itself: it cannot
know that the arrays involved do not overlap (2.9 us a sum instead of 0.5, measured).

    load(array, at)           the 16 elements from flat index `at` on, as float64 whatever is stored
    store(array, at, lanes)   the other way round; float32 arrays are rounded
    spread(x)                 x, a float64, in every lane
    a + b, a - b, a * b       lane by lane
    magnitude(a)              without signs
    cleared(a, bound)         a, with 0 in lanes of no greater magnitude than the bound's

    rows_to_lanes(source, weight, rows, lane, hand, target)
        copy hand .. hand + 15 of the rows rows[lane] .. rows[lane + 15] of `source` (R, H) float32,
        times their `weight` (H,), to `target` (H, 16)
    lanes_to_rows(source, target, rows, lane, hand)
        copy hand .. hand + 15 of `source` (H, 16) to the rows so named of `target` (R, H)

Arrays are C-contiguous, of any shape, and indexed as if flat; they should be `aligned_zeros`.
Nothing is checked.  Outside compiled code (NUMBA_DISABLE_JIT) lanes are arrays of 16 elements and
everything else is the same.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import models, register_model
from numpy.typing import DTypeLike, NDArray

from engine.compiled.vectors import define_operators, operation

LANES: Final = 16

_LINE: Final = 64
"""Bytes of a cache line."""


def aligned_zeros(shape: int | tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """Return zeros that begin on a cache line: prefix sums in such arrays take half the time."""
    kind = np.dtype(dtype)
    size = int(np.prod(shape)) * kind.itemsize
    room = np.zeros(size + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    return room[first : first + size].view(kind).reshape(shape)


# What runs without compilation.


def _load_slice(array: NDArray[Any], at: int) -> NDArray[np.float64]:
    return array.reshape(-1)[at : at + LANES].astype(np.float64)


def _store_slice(array: NDArray[Any], at: int, lanes: NDArray[np.float64]) -> None:
    array.reshape(-1)[at : at + LANES] = lanes


def _fill(number: float) -> NDArray[np.float64]:
    return np.full(LANES, number)


def _clear(lanes: NDArray[np.float64], bound: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.abs(lanes) > bound, lanes, 0.0)


def _rows_transposed(
    source: NDArray[np.float32],
    weight: NDArray[np.float32],
    rows: NDArray[np.int32],
    lane: int,
    hand: int,
    target: NDArray[np.float32],
) -> None:
    hands = slice(hand, hand + LANES)
    target[hands] = (source[rows[lane : lane + LANES], hands] * weight[hands]).T


def _lanes_transposed(
    source: NDArray[np.float32],
    target: NDArray[np.float32],
    rows: NDArray[np.int32],
    lane: int,
    hand: int,
) -> None:
    hands = slice(hand, hand + LANES)
    for row, values in zip(rows[lane : lane + LANES], source[hands].T, strict=True):
        target[row, hands] = values


# What is compiled: each function below tells Numba a result type and how to generate the code.

_DOUBLES: Final = ir.VectorType(ir.DoubleType(), LANES)
_FLOATS: Final = ir.VectorType(ir.FloatType(), LANES)
_INT32: Final = ir.IntType(32)


class _LanesType(types.Type):
    """The type of 16 float64 lanes."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Any) -> None:
        super().__init__(manager, lanes, _DOUBLES)  # type: ignore[no-untyped-call]


_LANES: Final = _LanesType()


def _load_code(typing_context: Any, array: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, vector = _pointer(context, builder, signature.args[0], *arguments)
        loaded = _load_vector(builder, pointer)
        return loaded if vector is _DOUBLES else builder.fpext(loaded, _DOUBLES)

    return _LANES(array, types.intp), generate


def _store_code(typing_context: Any, array: Any, at: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        *place, value = arguments
        pointer, vector = _pointer(context, builder, signature.args[0], *place)
        rounded = value if vector is _DOUBLES else builder.fptrunc(value, _FLOATS)
        _store_vector(builder, rounded, pointer)
        return context.get_dummy_value()

    return types.none(array, types.intp, _LANES), generate


def _spread_code(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        empty = ir.Constant(_DOUBLES, ir.Undefined)
        first = builder.insert_element(empty, arguments[0], ir.Constant(_INT32, 0))
        zeros = ir.Constant(ir.VectorType(_INT32, LANES), [0] * LANES)
        return builder.shuffle_vector(first, empty, zeros)

    return _LANES(types.float64), generate


def _magnitude_code(typing_context: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _without_sign(builder, *arguments)

    return _LANES(_LANES), generate


def _cleared_code(typing_context: Any, lanes: Any, bound: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        lanes, bound = arguments
        above = builder.fcmp_ordered(">", _without_sign(builder, lanes), bound)
        return builder.select(above, lanes, ir.Constant(_DOUBLES, [0.0] * LANES))

    return _LANES(_LANES, _LANES), generate


def _rows_to_lanes_code(
    typing_context: Any, source: Any, weight: Any, rows: Any, lane: Any, hand: Any, target: Any
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, weight, rows, lane, hand, target = arguments
        kinds = signature.args[0], signature.args[2]
        pointers = _row_pointers(context, builder, kinds, source, rows, lane, hand)
        factor, _ = _pointer(context, builder, signature.args[1], weight, hand)
        factors = _load_vector(builder, factor)
        vectors = [builder.fmul(_load_vector(builder, p), factors) for p in pointers]
        outs = _lane_pointers(context, builder, signature.args[5], target, hand)
        for vector, out in zip(_transposed(builder, vectors), outs, strict=True):
            _store_vector(builder, vector, out)
        return context.get_dummy_value()

    return types.none(source, weight, rows, types.intp, types.intp, target), generate


def _lanes_to_rows_code(
    typing_context: Any, source: Any, target: Any, rows: Any, lane: Any, hand: Any
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, target, rows, lane, hand = arguments
        pointers = _lane_pointers(context, builder, signature.args[0], source, hand)
        vectors = _transposed(builder, [_load_vector(builder, p) for p in pointers])
        kinds = signature.args[1], signature.args[2]
        outs = _row_pointers(context, builder, kinds, target, rows, lane, hand)
        for vector, out in zip(vectors, outs, strict=True):
            _store_vector(builder, vector, out)
        return context.get_dummy_value()

    return types.none(source, target, rows, types.intp, types.intp), generate


def _pointer(
    context: Any, builder: Any, array_type: Any, array: Any, at: Any
) -> tuple[Any, ir.Type]:
    """Return a pointer to the vector at a flat index of an array, and the vector's type."""
    data = context.make_array(array_type)(context, builder, array).data
    vector = _FLOATS if array_type.dtype == types.float32 else _DOUBLES
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer()), vector


def _row_pointers(
    context: Any, builder: Any, kinds: tuple[Any, Any], array: Any, rows: Any, lane: Any, hand: Any
) -> list[Any]:
    """Return pointers to `hand` in the rows rows[lane] .. rows[lane + 15] of an array."""
    made = context.make_array(kinds[0])(context, builder, array)
    stride = builder.extract_value(made.shape, kinds[0].ndim - 1)
    named = context.make_array(kinds[1])(context, builder, rows).data
    pointers = []
    for k in range(LANES):
        place = builder.add(lane, ir.Constant(lane.type, k))
        row = builder.sext(builder.load(builder.gep(named, [place])), stride.type)
        at = builder.add(builder.mul(row, stride), hand)
        pointers.append(builder.bitcast(builder.gep(made.data, [at]), _FLOATS.as_pointer()))
    return pointers


def _lane_pointers(context: Any, builder: Any, array_type: Any, array: Any, hand: Any) -> list[Any]:
    """Return pointers to the lanes of hand .. hand + 15."""
    first = builder.mul(hand, ir.Constant(hand.type, LANES))
    steps = (builder.add(first, ir.Constant(hand.type, k * LANES)) for k in range(LANES))
    return [_pointer(context, builder, array_type, array, at)[0] for at in steps]


def _load_vector(builder: Any, pointer: Any) -> Any:
    loaded = builder.load(pointer)
    loaded.align = 4
    return loaded


def _store_vector(builder: Any, value: Any, pointer: Any) -> None:
    builder.store(value, pointer).align = 4


def _without_sign(builder: Any, lanes: Any) -> Any:
    kind = ir.FunctionType(_DOUBLES, [_DOUBLES])
    name = f"llvm.fabs.v{LANES}f64"
    function = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
        builder.module, kind, name
    )
    return builder.call(function, [lanes])


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    """Return the columns of 16 vectors: swap the off-diagonal halves, quarters, eighths, ..."""
    for size in (8, 4, 2, 1):
        first = [e if not e & size else e - size + LANES for e in range(LANES)]
        second = [e + size if not e & size else e + LANES for e in range(LANES)]
        mixed = list(rows)
        for above in (row for row in range(LANES) if not row & size):
            pair = rows[above], rows[above + size]
            for place, picks in ((above, first), (above + size, second)):
                mask = ir.Constant(ir.VectorType(_INT32, LANES), picks)
                mixed[place] = builder.shuffle_vector(*pair, mask)
        rows = mixed
    return rows


define_operators(_LANES)

load: Any = operation(_load_slice, _load_code)
store: Any = operation(_store_slice, _store_code)
spread: Any = operation(_fill, _spread_code)
magnitude: Any = operation(np.abs, _magnitude_code)
cleared: Any = operation(_clear, _cleared_code)
rows_to_lanes: Any = operation(_rows_transposed, _rows_to_lanes_code)
lanes_to_rows: Any = operation(_lanes_transposed, _lanes_to_rows_code)
