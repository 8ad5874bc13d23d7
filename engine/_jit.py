"""The one place numba is configured; import `kernel` from here, never numba.njit.

numba keys its on-disk cache by the file that holds the function, so an edited helper in another
file goes unnoticed.  The cache folder is therefore named by a digest of all engine sources.  Where
that folder cannot be written, every process compiles its kernels anew.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

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
