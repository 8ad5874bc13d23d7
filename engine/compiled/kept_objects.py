"""Object files on disk, so that a process may run what another one has compiled; without numba.

    <cache folder>/objects/<module>-<digest>        SHA-256 of the rest, and an object file

The digest is that of the module's sources and of the compiler, as in `disk_cache`.  Who may write
to the file may have this process do anything: files of others than this user and root are not read,
nor those that others may write to.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import platform
import stat
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from engine.compiled.sources import digest_of_sources
from engine.storage.atomic import replacing
from engine.storage.cache import cache_folder

_KEPT: Final = 8
"""States of a module whose code is kept, those made last."""
_COMPILERS: Final = ("numba", "llvmlite")
_MOST_BYTES: Final = 1 << 24


class KeptObject:
    """The object file of a module's kernels, which may have been compiled or not."""

    def __init__(self, module: str, file: str) -> None:
        """Import nothing; only sources are read from the disk.

        Args:
            file: the path of the module's source.
        """
        self._module = module
        self._path = _path(module, file)

    @property
    def path(self) -> Path | None:
        """The path of the file, whether it exists or not; None where there is no place for it."""
        return self._path

    def exists(self) -> bool:
        """Return whether there is a file."""
        return self._path is not None and self._path.exists()

    def read(self) -> bytes | None:
        """Return the object file; None where there is none, or only a damaged or foreign one."""
        if self._path is None:
            return None
        try:
            with open(self._path, "rb", opener=_without_waiting) as file:
                if not _is_safe(os.fstat(file.fileno())):
                    return None
                kept = file.read(_MOST_BYTES)
        except OSError:
            return None
        code = kept[32:]
        return code if kept[:32] == hashlib.sha256(code).digest() else None

    def write(self, code: bytes) -> None:
        """Keep an object file.

        Raises:
            OSError: it cannot be written.
        """
        if self._path is not None:
            with replacing(self._path) as file:
                os.fchmod(file.fileno(), 0o644)  # whatever the process gives to its files
                file.write(hashlib.sha256(code).digest() + code)
            with contextlib.suppress(OSError):
                _remove_all_but_the_last(self._path.parent, self._module)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Wait until no other process compiles.

        Raises:
            OSError: nothing can be kept in the cache folder.
        """
        if self._path is None:
            raise OSError("there is no cache folder, or a source has just been changed")
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(self._path.parent / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe by that name is not waited for."""
    return os.open(path, flags | os.O_NONBLOCK)


def _is_safe(facts: os.stat_result) -> bool:
    """Return whether it is a file that nobody but this user and root can have written."""
    others_write = facts.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    is_own = facts.st_uid in (os.geteuid(), 0)
    return stat.S_ISREG(facts.st_mode) and is_own and not others_write


def _path(module: str, file: str) -> Path | None:
    sources = digest_of_sources(module, file)
    if sources is None:
        return None
    about = f"{sources} {platform.machine()} {_versions()} {_settings()}"
    digest = hashlib.sha256(about.encode()).hexdigest()[:16]
    with contextlib.suppress(RuntimeError):  # a user without a home
        return cache_folder() / "objects" / f"{module}-{digest}"
    return None


def _versions() -> list[bytes]:
    """Return what the compiler says of its version, which is not imported for that."""
    versions = []
    for name in _COMPILERS:
        found = find_spec(name)
        with contextlib.suppress(OSError):
            if found is not None and found.origin is not None:
                versions.append(Path(found.origin).with_name("_version.py").read_bytes())
    return versions


def _settings() -> list[tuple[str, str]]:
    return sorted(pair for pair in os.environ.items() if pair[0].startswith("NUMBA_"))


def _remove_all_but_the_last(folder: Path, module: str) -> None:
    files = sorted(folder.glob(f"{module}-*"), key=lambda path: path.stat().st_mtime)
    for path in files[:-_KEPT]:
        path.unlink(missing_ok=True)
