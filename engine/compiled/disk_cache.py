"""Compiled kernels on disk, so that a process need not compile what another has compiled.

    <cache folder>/kernels/<module>/<digest>/       index and code of each kernel, as numba has them

The digest is that of all a module's kernels depend on.  Numba itself looks at the file that holds
the function and no further: with an edited helper in another file it runs the old code.
Where nothing can be written each process compiles its kernels anew.

What has to be compiled goes to the logger `engine.compiled.compiling`, at level INFO.

Processes share the folder, and a kernel is compiled by one at a time: the others wait and load what
it has left.  Two that save code for different arguments at once would also mix it up: numba
counts the files of a kernel in an index that each reads, changes and writes.
"""

import contextlib
import fcntl
import gc
import hashlib
import logging
import os
import shutil
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache, wraps
from pathlib import Path
from typing import Any, Final

import llvmlite
import numba
import numpy as np
from numba.core import caching
from numba.core.compiler_lock import global_compiler_lock

from engine.compiled.sources import digest_of_sources, module_name
from engine.storage.cache import cache_folder

_KEPT: Final = 8
"""States of a module whose code is kept, those used last: for other branches and other clones."""
_LONGEST_WAIT: Final = 120.0
"""Seconds to wait for another process, which may have been stopped in the middle."""
_PAUSE: Final = 0.01
_held: Final[set[int]] = set()
"""Places of the lock file that this process has locked."""
_COMPILING: Final = logging.getLogger("engine.compiled.compiling")
_COMPILING_THRESHOLD: Final = 50_000
_CHANGE_NO_CODE: Final = {"NUMBA_DEBUG_CACHE", "NUMBA_NUM_THREADS"}


def keep_on_disk(dispatcher: Any, options: Mapping[str, Any]) -> None:
    """Have the code of a kernel loaded from disk, and saved when it had to be compiled.

    Args:
        options: what `numba.njit` was given beside the function.
    """
    function = dispatcher.py_func
    folder = _folder(function.__module__, function.__code__.co_filename)
    if folder is not None:
        kept = _Cache(function, options)
        dispatcher._cache = kept
        dispatcher.compile = kept.watching(dispatcher.compile)


class _Locator(caching._CacheLocator):
    """Says where the code of a function is."""

    def __init__(self, function: Callable[..., Any], file: str, folder: Path) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self._folder = folder

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator | None":
        """Return the locator of a function, or None if its code cannot be kept."""
        folder = _folder(function.__module__, file)
        return None if folder is None else cls(function, file, folder)

    def get_cache_path(self) -> str:
        """Return the folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Return what tells the states of the source apart, as the folder does."""
        return self._folder.name

    def get_disambiguator(self) -> str:
        """Return what tells functions of one name apart."""
        return str(self._lineno)


class _Files(caching.CompileResultCacheImpl):
    _locator_classes: Any = (_Locator,)


class _Cache(caching.FunctionCache):
    """What numba asks before it compiles a function, and hands the code to when it has."""

    _impl_class = _Files

    def __init__(self, function: Callable[..., Any], options: Mapping[str, Any]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self._options = [f"{name}={_in_order(value)}" for name, value in sorted(options.items())]
        self._place = zlib.crc32(f"{self.cache_path} {self._cache_file._index_name}".encode())
        self._kernel = f"{function.__module__}.{function.__qualname__}"
        self._until_saved: contextlib.ExitStack | None = None
        self._pointed_at = not options.get("no_cfunc_wrapper", False)

    def watching(self, compile_for: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap what loads or else compiles and saves, so that this knows when it is done."""

        @wraps(compile_for)
        def watched(signature: Any) -> Any:
            # Numba's own lock is taken first: a thread that has it may want any kernel.
            with global_compiler_lock, _seldom_collected(), contextlib.ExitStack() as until_saved:
                outer, self._until_saved = self._until_saved, until_saved
                try:
                    return compile_for(signature)
                finally:
                    self._until_saved = outer

        return watched

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load code, or return None to have it compiled; nobody else does that meanwhile."""
        found = self._load(signature, target)
        if found is None and self._until_saved is not None:
            _COMPILING.info("%s", self._kernel)
            self._until_saved.enter_context(_locked(self._place))
            found = self._load(signature, target)
        return found

    def save_overload(self, signature: Any, code: Any) -> None:
        """Save code: of a kernel that is handed over as a pointer, too, for both ways to ask.

        Who calls it asks by its arguments, who makes a pointer by what it returns, too.
        """
        asked = [signature]
        if self._pointed_at:
            arguments, result = code.signature.args, code.signature.return_type
            asked = [arguments, result(*arguments)]
        for one in asked:
            super().save_overload(one, code)  # type: ignore[no-untyped-call]

    def _load(self, signature: Any, target: Any) -> Any:
        """Load code, or return None if there is none; damaged files are given up."""
        try:
            return super().load_overload(signature, target)  # type: ignore[no-untyped-call]
        except Exception:  # unpickling garbage may raise anything
            with contextlib.suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None

    def _index_key(self, *arguments: Any) -> tuple[Any, ...]:
        key = super()._index_key(*arguments)  # type: ignore[no-untyped-call]
        return (*key, *self._options)

    @contextlib.contextmanager
    def _guard_against_spurious_io_errors(self) -> Iterator[None]:
        """Go on without the files where they cannot be read or written."""
        with contextlib.suppress(OSError):
            yield


@contextlib.contextmanager
def _seldom_collected() -> Iterator[None]:
    """Look for garbage less often: compiling makes much that lasts, and takes 0.9 of the time."""
    usual = gc.get_threshold()
    if gc.isenabled() and 0 < usual[0] < _COMPILING_THRESHOLD:
        gc.set_threshold(_COMPILING_THRESHOLD, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def _in_order(value: Any) -> Any:
    return sorted(value) if isinstance(value, set) else value


@cache
def _folder(module: str, file: str) -> Path | None:
    """Return the folder for the kernels of a module, or None if they cannot be kept."""
    sources = digest_of_sources(module, file)
    if sources is None:
        return None
    digest = hashlib.sha256(f"{sources} {_surroundings()}".encode()).hexdigest()[:16]
    try:
        states = cache_folder() / "kernels" / module_name(module, file)
    except RuntimeError:  # a user without a home
        _tell_unkept("the user has no home folder")
        return None
    if (states / digest).is_dir():
        with contextlib.suppress(OSError):
            os.utime(states / digest)
        return states / digest
    try:
        (states / digest).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _tell_unkept(f"{cache_folder()}: {error.strerror}")
    else:
        with contextlib.suppress(OSError):
            _remove_all_but_the_last(states)
    return states / digest


@cache
def _tell_unkept(why: str) -> None:
    """Say, once, that everything is compiled anew; by default a line on stderr."""
    words = "compiled code cannot be kept (%s), so every start takes long; see ARENA_CACHE_DIR"
    logging.getLogger(__name__).warning(words, why)


@contextlib.contextmanager
def _locked(place: int) -> Iterator[None]:
    """Hold one byte of the lock file; without it if that cannot be had.

    Record locks belong to the process: its threads are kept apart by numba's own lock, kernels that
    call themselves come back to a byte they hold, and a child that is forked holds none.
    """
    file = None if place in _held else _lock_file()
    if file is None or not _acquired(file, place):
        yield
        return
    _held.add(place)
    try:
        yield
    finally:
        _held.remove(place)
        fcntl.lockf(file, fcntl.LOCK_UN, 1, place)


def _acquired(file: int, place: int) -> bool:
    """Wait for a byte of a file; return whether this process has it now."""
    end = time.monotonic() + _LONGEST_WAIT
    while time.monotonic() < end:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            return True
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:  # a file system without locks
            break
    return False


@cache
def _lock_file() -> int | None:
    """Return the descriptor of the lock file, which stays open: to close one gives up all locks."""
    with contextlib.suppress(OSError, RuntimeError):
        return os.open(cache_folder() / "kernels" / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
    return None


def _surroundings() -> str:
    """Return what changes the code of all kernels; numba itself looks at the processor."""
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    settings = {name for name in os.environ if name.startswith("NUMBA_")} - _CHANGE_NO_CODE
    return repr((versions, [(name, os.environ[name]) for name in sorted(settings)]))


def _remove_all_but_the_last(states: Path) -> None:
    """Remove what was not used for longest; whoever still uses it compiles once more."""
    by_use = sorted(states.iterdir(), key=lambda state: state.stat().st_mtime)
    for state in by_use[:-_KEPT]:
        shutil.rmtree(state, ignore_errors=True)
