"""Functions of the C library and arrays at an address, for kernels that work without Python.

Functions are called by name, so that compiled code can be kept.  Pointers are whole numbers
(`array.ctypes.data` in a kernel); nothing is checked.
"""

from __future__ import annotations

from typing import Any, Final

from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np import arrayobj

from engine.compiled.jit import RUNS_AS_PYTHON

_populate: Any = arrayobj.populate_array

INT: Final = types.int32
"""C's int."""
LONG: Final = types.intp
"""C's long, size_t, ssize_t and every pointer, where these are of one size."""


def c_function(name: str, result: Any, *arguments: Any) -> Any:
    """Return a function of the C library in the form that kernels can call.

    Args:
        name: as the C library has it.
        result: `INT` or `LONG`.
        arguments: likewise, one each.
    """
    return types.ExternalFunction(name, result(*arguments))


def _array_code(typing_context: Any, address: Any, shape: Any, dtype: Any) -> Any:
    array = types.Array(dtype.dtype, shape.count, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(array)(context, builder)
        lengths = cgutils.unpack_tuple(builder, arguments[1])  # type: ignore[no-untyped-call]
        item = context.get_abi_sizeof(context.get_data_type(array.dtype))
        size = stride = context.get_constant(types.intp, item)
        strides: list[Any] = []
        for length in reversed(lengths):
            strides.insert(0, stride)
            stride = builder.mul(stride, length)
        data = builder.inttoptr(arguments[0], made.data.type)
        _populate(made, data=data, shape=lengths, strides=strides, itemsize=size, meminfo=None)
        return made._getvalue()

    return array(types.intp, shape, dtype), generate


array_at: Any = None if RUNS_AS_PYTHON else intrinsic(prefer_literal=False)(_array_code)
"""array_at(address, shape, dtype), in a raw kernel: the C-contiguous array there, which is not its
own; shape is a tuple, dtype as in `np.int64`."""
