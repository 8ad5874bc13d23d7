"""Functions of the C library, to be called in kernels: by name, so that compiled code can be kept.

Pointers are whole numbers (`array.ctypes.data` in a kernel); nothing is checked.
"""

from __future__ import annotations

from typing import Any, Final

from numba import types

INT: Final = types.int32
"""C's int."""
LONG: Final = types.intp
"""C's long, size_t, ssize_t and every pointer, where these are of one size."""


def c_function(name: str, result: Any, *arguments: Any) -> Any:
    """Return what a kernel calls as the function of that name.

    Args:
        name: as the C library has it.
        result: `INT` or `LONG`.
        arguments: likewise, one each.
    """
    return types.ExternalFunction(name, result(*arguments))
