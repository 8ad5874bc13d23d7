"""The one place numba is configured; import `kernel` from here, never numba.njit."""

import os
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from engine.compiled.disk_cache import keep_on_disk

_F = TypeVar("_F", bound=Callable[..., Any])


def _jit(function: Callable[..., Any], *, pointed_at: bool = False, **options: Any) -> Any:
    """Compile a function when it is called first; its code is kept for other processes.

    Without the wrapper that pointers need, compiling takes 0.87 of the time.
    """
    options["no_cfunc_wrapper"] = not pointed_at
    kept_by_numba = "NUMBA_CACHE_DIR" in os.environ
    compiled = numba.njit(cache=kept_by_numba, nogil=True, **options)(function)
    if not (kept_by_numba or RUNS_AS_PYTHON):
        keep_on_disk(compiled, options)
    return compiled


def kernel(function: _F) -> _F:
    """Compile for single-threaded use; releases the GIL so that callers may run it in a thread."""
    return cast(_F, _jit(function))


def pointer_kernel(function: _F) -> _F:
    """Compile for single-threaded use as `kernel` does, and to be handed over as a pointer, too.

    See `function_type`.
    """
    return cast(_F, _jit(function, pointed_at=True))


def inlined_kernel(function: _F) -> _F:
    """Compile a small helper so that it disappears into the kernels that call it.

    Left to itself LLVM calls anything of a few dozen lines: the hand evaluator took 14 ns a hand
    that way and 7 ns inlined.  Every caller compiles its own copy, so keep such helpers few.
    """
    return cast(_F, _jit(function, forceinline=True))


def any_order_kernel(function: _F) -> _F:
    """Compile an inlined helper whose float sums LLVM may take in any order, so as to vectorise.

    Only for sums that are exact in any order, those of whole numbers below 2**24 in float32: a
    distance of 50 numbers takes 4.5 ns this way, 7.4 ns with int32 and 30 ns in the order written.
    """
    return cast(_F, _jit(function, forceinline=True, fastmath={"reassoc", "nsz"}))


def raw_kernel(function: _F) -> _F:
    """Compile a kernel that allocates nothing, and leave out what it can do without.

    References to its arrays are not counted, which Numba does at each call of a helper even where
    that is inlined; x / 0 is inf instead of an exception.  External sampling takes 0.6 of
    the time.  The helpers must be raw as well.
    """
    return cast(_F, _raw(function, forceinline=False))


def inlined_raw_kernel(function: _F) -> _F:
    """Do the same for a helper that disappears into the kernels that call it."""
    return cast(_F, _raw(function, forceinline=True))


def always_inline(function: _F) -> _F:
    """Do the same for a helper that numba pastes into its callers before it compiles them.

    It costs no compiling of its own, which takes a second where records of fifty arrays are passed
    on, and LLVM sees more: a river solve begins after 0.6 of the time, an iteration takes 0.8 of
    it.  Pasted, it may return views of arrays, as no other raw kernel may.  With references counted
    such helpers have damaged memory, so there are raw ones only.
    """
    return cast(_F, _raw(function, inline="always"))


def compiled_apart(function: Callable[[int], int]) -> Any:
    """Compile a function of int64 as a raw kernel, without keeping it; return numba's result."""
    compiled: Any = numba.njit(nogil=True, **_RAW)(function)
    signature = (types.int64,)
    compiled.compile(signature)
    return compiled.overloads[signature]


def _raw(function: Callable[..., Any], **options: Any) -> Any:
    return _jit(function, **_RAW, **options)


def is_compiled(function: Any) -> bool:
    """Return whether a kernel was compiled for some arguments, by this program or another one."""
    if RUNS_AS_PYTHON or function.signatures:
        return True
    files = getattr(function._cache, "_cache_file", None)
    return files is not None and os.path.exists(files._index_path)


_type_of: Any = numba.typeof


def function_type(result: Any, *arguments: Any) -> Any:
    """Return the type of kernels that are handed to other kernels: pointers, called in 30 ns.

    Args:
        result: an example of what they return.
        arguments: examples of what they are called with.
    """
    return types.FunctionType(_type_of(result)(*map(_type_of, arguments)))


def compile_for(function: Any, wanted: Any) -> None:
    """Compile a kernel as one of a `function_type`, unless that has been done.

    Raises:
        TypeError: it is no `pointer_kernel`, cannot be compiled for these arguments, or returns
            something else.
    """
    if RUNS_AS_PYTHON:
        return
    signature = wanted.signature
    if getattr(function, "targetoptions", {}).get("no_cfunc_wrapper", True):
        raise TypeError(f"{function!r} is no pointer kernel")
    try:
        function.compile(signature)  # small whole numbers become int64 in this way
    except numba.core.errors.NumbaError as error:
        raise TypeError(f"{function.__name__} cannot be compiled: {error}") from error
    found = function.overloads[signature.args].signature.return_type
    if found != signature.return_type:
        raise TypeError(f"{function.__name__} returns {found}, want {signature.return_type}")


def compile_once(function: Any, *arguments: Any) -> None:
    """Compile a kernel for these arguments and no others, so that it takes kernels as pointers.

    Args:
        arguments: examples of what it is called with; for kernels, their `function_type`.
    """
    if RUNS_AS_PYTHON or function.signatures:
        return
    wanted = (one if isinstance(one, types.Type) else _type_of(one) for one in arguments)
    function.compile(tuple(wanted))
    function.disable_compile()


def for_types_of(function: _F, *arguments: Any) -> _F:
    """Return a kernel for arguments of the same types as these, which it does not look at again.

    Looking takes 11 us where they are records of 120 arrays.  Arguments of other types damage
    memory, but for numbers: those are converted, and floats are cut off where ints were.
    """
    if RUNS_AS_PYTHON:
        return function
    compiled: Any = function
    return cast(_F, compiled.compile(tuple(map(_type_of, arguments))))


def _prefetch_code(typing_context: Any, array: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        wanted = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        hint = cgutils.get_or_insert_function(  # type: ignore[no-untyped-call]
            builder.module, kind, "llvm.prefetch.p0i8"
        )
        builder.call(hint, [wanted, *(ir.Constant(number, what) for what in _WILL_WRITE_DATA)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


def _prefetch_nothing(array: Any, at: int) -> None:
    """There is no hint to give outside compiled code."""


_RAW: Final[dict[str, Any]] = {"error_model": "numpy", "_nrt": False}
_WILL_WRITE_DATA: Final = (1, 3, 1)
"""LLVM's operands: for a write, to be kept in all caches, data."""
as_int: Final[Any] = np.int64
"""Makes an int64 in a kernel, which to type checkers is a plain int."""
RUNS_AS_PYTHON: Final = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
"""Whether NUMBA_DISABLE_JIT is set, so that kernels are plain functions."""

prefetch: Any = (
    _prefetch_nothing if RUNS_AS_PYTHON else intrinsic(prefer_literal=False)(_prefetch_code)
)
"""prefetch(array, at), in a kernel: have the cache line of array[at] brought in, to be written.

For one-dimensional C-contiguous arrays.  Nothing is waited for, and any index will do.
"""
