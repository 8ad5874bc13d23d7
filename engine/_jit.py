"""The one place numba is configured; import `kernel` from here, never numba.njit.

numba keys its on-disk cache by the file that holds the function, so an edited helper in another
file goes unnoticed.  The cache folder is therefore named by a digest of all engine sources.  Where
that folder cannot be written, every process compiles its kernels anew.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_F = TypeVar("_F", bound=Callable[..., Any])


def _source_digest() -> str:
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def _use_own_cache() -> bool:
    """Point numba at our cache folder; return False where no folder can be written."""
    try:
        root = os.environ.get("ARENA_CACHE_DIR") or Path.home() / ".cache" / "acpc-arena"
        folder = Path(root) / "numba" / _source_digest()
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):  # read-only, or a user without a home
        return False
    numba.config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]
    return os.access(folder, os.W_OK)


_CACHED = "NUMBA_CACHE_DIR" in os.environ or _use_own_cache()


def kernel(function: _F) -> _F:
    """Compile for single-threaded use; releases the GIL so that callers may run it in a thread."""
    return cast(_F, numba.njit(cache=_CACHED, nogil=True)(function))


def inlined_kernel(function: _F) -> _F:
    """Compile a small helper so that it disappears into the kernels that call it.

    Left to itself LLVM calls anything of a few dozen lines: the hand evaluator took 14 ns a hand
    that way and 7 ns inlined.  Every caller compiles its own copy, so keep such helpers few.
    """
    return cast(_F, numba.njit(cache=_CACHED, nogil=True, forceinline=True)(function))


def any_order_kernel(function: _F) -> _F:
    """Compile an inlined helper whose float sums LLVM may take in any order, so as to vectorise.

    Only for sums that are exact in any order, those of whole numbers below 2**24 in float32: a
    distance of 50 numbers takes 4.5 ns this way, 7.4 ns with int32 and 30 ns in the order written.
    """
    jit = numba.njit(cache=_CACHED, nogil=True, forceinline=True, fastmath={"reassoc", "nsz"})
    return cast(_F, jit(function))


def raw_kernel(function: _F) -> _F:
    """Compile a kernel that allocates nothing, and leave out what it can do without.

    Without counting references to its arrays, which Numba does at each call of a helper even where
    that is inlined, and with x / 0 = inf instead of an exception.  External sampling takes 0.6 of
    the time.  The helpers must be raw as well.
    """
    return cast(_F, _raw(function, forceinline=False))


def inlined_raw_kernel(function: _F) -> _F:
    """Do the same for a helper that disappears into the kernels that call it."""
    return cast(_F, _raw(function, forceinline=True))


def _raw(function: Callable[..., Any], *, forceinline: bool) -> Any:
    options: dict[str, Any] = {
        "cache": _CACHED,
        "nogil": True,
        "error_model": "numpy",
        "_nrt": False,
        "forceinline": forceinline,
    }
    return numba.njit(**options)(function)


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


_WILL_WRITE_DATA: Final = (1, 3, 1)
"""LLVM's operands: for a write, to be kept in all caches, data."""
RUNS_AS_PYTHON: Final = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
"""Whether NUMBA_DISABLE_JIT is set, so that kernels are plain functions."""

prefetch: Any = (
    _prefetch_nothing if RUNS_AS_PYTHON else intrinsic(prefer_literal=False)(_prefetch_code)
)
"""prefetch(array, at), in a kernel: have the cache line of array[at] brought in, to be written.

For one-dimensional C-contiguous arrays.  Nothing is waited for, and any index will do.
"""
