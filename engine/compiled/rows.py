"""A row of up to eight numbers in one vector register, for kernels that work on many short rows.

How many numbers a row has differs from row to row, and a loop over them ends in a branch that is
mispredicted half of the time.  Here all eight lanes are always computed; which of them are meant is
a mask of bits (int64), lane 0 lowest: (1 << n) - 1 for the first n.

    load(array, at, mask)       the elements from index `at` on, as float32; 0 in other lanes
    store(array, at, row, mask) the other way round; other elements are left alone
    grow(array, at, row, low, high, mask)   adds to elements, which stay within float32 bounds;
                                those of int32 arrays grow by whole numbers
    a + b, a - b, a * b         of rows; spread(x) is a float32 x in every lane
    kept(row, mask)             the row with 0 in other lanes
    positive(row)               the row with 0 instead of negative numbers
    total(row), running(row)    the sum of all lanes, and of each lane and those below it
    reached(row, bound, mask)   how many of these lanes are at most `bound`, a float32

Arrays are one-dimensional and C-contiguous, float32 or (load and grow) int32; nothing is checked.
Sums are always taken in the same order.  Outside compiled code (NUMBA_DISABLE_JIT) a row is an
array of eight elements and everything else is the same.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import models, register_model
from numpy.typing import NDArray

from engine.compiled.vectors import define_operators, operation

LANES: Final = 8

_ZERO: Final = np.float32(0)

# What runs without compilation.


def _picked(mask: int) -> NDArray[np.int64]:
    return np.flatnonzero(mask >> np.arange(LANES) & 1)


def _load_elements(array: NDArray[Any], at: int, mask: int) -> NDArray[np.float32]:
    row = np.zeros(LANES, np.float32)
    row[_picked(mask)] = array[at + _picked(mask)]
    return row


def _store_elements(
    array: NDArray[np.float32], at: int, row: NDArray[np.float32], mask: int
) -> None:
    array[at + _picked(mask)] = row[_picked(mask)]


def _grow_elements(
    array: NDArray[Any], at: int, row: NDArray[np.float32], low: float, high: float, mask: int
) -> None:
    lanes = _picked(mask)
    change = np.rint(row[lanes]).astype(np.float64) if array.dtype == np.int32 else row[lanes]
    array[at + lanes] = np.clip(array[at + lanes] + change, low, high)


def _fill(number: float) -> NDArray[np.float32]:
    return np.full(LANES, number, np.float32)


def _keep(row: NDArray[np.float32], mask: int) -> NDArray[np.float32]:
    return np.where(mask >> np.arange(LANES) & 1, row, _ZERO)


def _raise_to_zero(row: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.maximum(row, _ZERO)


def _add_lanes(row: NDArray[np.float32]) -> np.float32:
    while len(row) > 1:
        row = row[: len(row) // 2] + row[len(row) // 2 :]
    return np.float32(row[0])


def _add_up_lanes(row: NDArray[np.float32]) -> NDArray[np.float32]:
    for step in (1, 2, 4):
        row = row + np.concatenate((np.zeros(step, np.float32), row[:-step]))
    return row


def _count_lanes(row: NDArray[np.float32], bound: float, mask: int) -> int:
    return int((row[_picked(mask)] <= bound).sum())


# What is compiled: each function below tells Numba a result type and how to generate the code.

_DOUBLE: Final = ir.DoubleType()
_INT32: Final = ir.IntType(32)
_INT64: Final = ir.IntType(64)
_BYTE: Final = ir.IntType(LANES)
_FLOATS: Final = ir.VectorType(ir.FloatType(), LANES)
_DOUBLES: Final = ir.VectorType(_DOUBLE, LANES)
_INTS: Final = ir.VectorType(_INT32, LANES)
_BITS: Final = ir.VectorType(ir.IntType(1), LANES)
_ZEROS: Final = ir.Constant(_FLOATS, [0.0] * LANES)
_FOUR_BYTES: Final = ir.Constant(_INT32, 4)


class _RowType(types.Type):
    """The type of a row."""

    def __init__(self) -> None:
        super().__init__(name="Row")


@register_model(_RowType)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, row: Any) -> None:
        super().__init__(manager, row, _FLOATS)  # type: ignore[no-untyped-call]


_ROW: Final = _RowType()


def _load_code(typing_context: Any, array: Any, at: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, at, mask = arguments
        pointer, vector = _pointer(context, builder, signature.args[0], array, at)
        loaded = _load_vector(builder, pointer, vector, _bits(builder, mask))
        return loaded if vector is _FLOATS else builder.sitofp(loaded, _FLOATS)

    return _ROW(array, types.intp, types.int64), generate


def _store_code(typing_context: Any, array: Any, at: Any, row: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, at, row, mask = arguments
        pointer, vector = _pointer(context, builder, signature.args[0], array, at)
        _store_vector(builder, row, pointer, vector, _bits(builder, mask))
        return context.get_dummy_value()

    return types.none(array, types.intp, _ROW, types.int64), generate


def _grow_code(
    typing_context: Any, array: Any, at: Any, row: Any, low: Any, high: Any, mask: Any
) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, at, row, low, high, mask = arguments
        bits = _bits(builder, mask)
        pointer, vector = _pointer(context, builder, signature.args[0], array, at)
        old = _load_vector(builder, pointer, vector, bits)
        if vector is _FLOATS:
            new = _bounded(builder, builder.fadd(old, row), low, high)
        else:  # as doubles, which hold every int32
            whole = _call(builder, f"llvm.rint.v{LANES}f32", _FLOATS, [row])
            grown = builder.fadd(builder.sitofp(old, _DOUBLES), builder.fpext(whole, _DOUBLES))
            bounds = (builder.fpext(bound, _DOUBLE) for bound in (low, high))
            new = builder.fptosi(_bounded(builder, grown, *bounds), _INTS)
        _store_vector(builder, new, pointer, vector, bits)
        return context.get_dummy_value()

    arguments = array, types.intp, _ROW, types.float32, types.float32, types.int64
    return types.none(*arguments), generate


def _spread_code(typing_context: Any, number: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _spread_vector(builder, arguments[0], _FLOATS)

    return _ROW(types.float32), generate


def _kept_code(typing_context: Any, row: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, mask = arguments
        return builder.select(_bits(builder, mask), row, _ZEROS)

    return _ROW(_ROW, types.int64), generate


def _positive_code(typing_context: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (row,) = arguments
        return builder.select(builder.fcmp_ordered(">", row, _ZEROS), row, _ZEROS)

    return _ROW(_ROW), generate


def _total_code(typing_context: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (rest,) = arguments
        for half in (4, 2, 1):
            parts = (list(range(half)), list(range(half, 2 * half)))
            kind = ir.VectorType(_INT32, half)
            low, high = (builder.shuffle_vector(rest, rest, ir.Constant(kind, p)) for p in parts)
            rest = builder.fadd(low, high)
        return builder.extract_element(rest, ir.Constant(_INT32, 0))

    return types.float32(_ROW), generate


def _running_code(typing_context: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        (sums,) = arguments
        for step in (1, 2, 4):
            picks = [LANES] * step + list(range(LANES - step))  # lane 8 is the first of the zeros
            below = builder.shuffle_vector(sums, _ZEROS, ir.Constant(_INTS, picks))
            sums = builder.fadd(sums, below)
        return sums

    return _ROW(_ROW), generate


def _reached_code(typing_context: Any, row: Any, bound: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        row, bound, mask = arguments
        within = builder.fcmp_ordered("<=", row, _spread_vector(builder, bound, _FLOATS))
        counted = builder.bitcast(builder.and_(within, _bits(builder, mask)), _BYTE)
        return _call(builder, "llvm.ctpop.i64", _INT64, [builder.zext(counted, _INT64)])

    return types.int64(_ROW, types.float32, types.int64), generate


def _call(builder: Any, name: str, result: ir.Type, arguments: list[Any]) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    function = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
        builder.module, kind, name
    )
    return builder.call(function, arguments)


def _pointer(
    context: Any, builder: Any, array_type: Any, array: Any, at: Any
) -> tuple[Any, ir.Type]:
    """Return a pointer to the vector at an index of an array, and the vector's type."""
    data = context.make_array(array_type)(context, builder, array).data
    vector = _FLOATS if array_type.dtype == types.float32 else _INTS
    return builder.bitcast(builder.gep(data, [at]), vector.as_pointer()), vector


def _bits(builder: Any, mask: Any) -> Any:
    return builder.bitcast(builder.trunc(mask, _BYTE), _BITS)


def _load_vector(builder: Any, pointer: Any, vector: ir.Type, bits: Any) -> Any:
    kind = f"v{LANES}f32" if vector is _FLOATS else f"v{LANES}i32"
    zeros = ir.Constant(vector, [0] * LANES)
    arguments = [pointer, _FOUR_BYTES, bits, zeros]
    return _call(builder, f"llvm.masked.load.{kind}.p0{kind}", vector, arguments)


def _store_vector(builder: Any, lanes: Any, pointer: Any, vector: ir.Type, bits: Any) -> None:
    kind = f"v{LANES}f32" if vector is _FLOATS else f"v{LANES}i32"
    arguments = [lanes, pointer, _FOUR_BYTES, bits]
    _call(builder, f"llvm.masked.store.{kind}.p0{kind}", ir.VoidType(), arguments)


def _spread_vector(builder: Any, number: Any, vector: ir.Type) -> Any:
    empty = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(empty, number, ir.Constant(_INT32, 0))
    return builder.shuffle_vector(first, empty, ir.Constant(_INTS, [0] * LANES))


def _bounded(builder: Any, lanes: Any, low: Any, high: Any) -> Any:
    lowest, highest = (_spread_vector(builder, bound, lanes.type) for bound in (low, high))
    raised = builder.select(builder.fcmp_ordered("<", lanes, lowest), lowest, lanes)
    return builder.select(builder.fcmp_ordered(">", raised, highest), highest, raised)


define_operators(_ROW)

load: Any = operation(_load_elements, _load_code)
store: Any = operation(_store_elements, _store_code)
grow: Any = operation(_grow_elements, _grow_code)
spread: Any = operation(_fill, _spread_code)
kept: Any = operation(_keep, _kept_code)
positive: Any = operation(_raise_to_zero, _positive_code)
total: Any = operation(_add_lanes, _total_code)
running: Any = operation(_add_up_lanes, _running_code)
reached: Any = operation(_count_lanes, _reached_code)
