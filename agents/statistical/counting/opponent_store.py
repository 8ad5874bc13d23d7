"""Opponents' counters in a file, by name.

The file is msgpack: a map of "kind", "version", "opponents" and "sha256".  The opponents are
msgpack again, as bytes: a map of a name to what `OpponentCounters.plain` gives; the digest is that
of these bytes.  An opponent met in limit and in no-limit games has two names there.  Files of
version 4 hold the map itself and no digest; they are read, and become version 5 when they are
written.

Several bots may keep their opponents in one file.  Each reads it again before it writes, and
changes only its own opponent: it adds what was counted since its last write, so bots that meet the
same one do not lose each other's hands.  Meanwhile it holds a lock on a hidden file beside this
one,
which stays there.  The new file is written under another name and then put in place, so no reader
sees half of it, and a failed write leaves the old one.
"""

from __future__ import annotations

import hashlib
import math
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]

from agents.errors import AgentError
from agents.statistical.counting.counters import OpponentCounters
from engine.console.output import tell
from engine.errors import DamagedDocument
from engine.storage.atomic import write_whole
from engine.storage.documents import guarded_document
from engine.storage.locks import take_lock

KIND: Final = "arena opponents"
VERSION: Final = 5
VERSION_WITHOUT_DIGEST: Final = 4
REMEDY: Final = "name another file, or move this one away to begin anew"
MOST_FILE_BYTES: Final = 64 << 20
LEAST_SAVE_INTERVAL: Final = 1.0
PAUSE_PER_SAVE_TIME: Final = 50
"""At most 2 % of the time goes into saves."""
LAST_SAVE_PATIENCE: Final = 5.0


class MemoryDamaged(AgentError):
    """A file of opponents cannot be read as one."""

    exit_code = 2


class MemoryUnusable(AgentError):
    """A file of opponents cannot be opened, or could not be written."""

    exit_code = 2


class OpponentStore:
    """Keeps what is known of one opponent in a file while it is played against.

    Attributes:
        failure: why the last save failed, in words; None where it did not.
    """

    def __init__(
        self,
        path: Path,
        name: str,
        notice: Callable[[str], None] = tell,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin with nothing read.

        Args:
            notice: gets a line of text for the user at the first save that fails.
            clock: seconds from any beginning.

        Raises:
            ValueError: the name is no text that could be kept.
        """
        try:
            name.encode()
        except UnicodeEncodeError as error:
            raise ValueError(f"opponent {name!a}: no text") from error
        self.failure: str | None = None
        self._path: Final = path
        self._name: Final = name
        self._key = name
        self._notice: Final = notice
        self._clock: Final = clock
        self._told = False
        self._due = -math.inf
        self._counters = OpponentCounters()
        self._before = self._counters.plain()

    def start(self, game: str = "") -> OpponentCounters:
        """Return what the file holds of the opponent; the bot counts on it until the next start.

        Args:
            game: a word for what is played; what is known of other games is kept apart.

        Raises:
            MemoryDamaged: it is no such file.
            MemoryUnusable: it cannot be read, or not be written later.
        """
        self.save()
        self._key = f"{self._name}, {game}" if game else self._name
        counters = load_opponents(self._path).get(self._key, OpponentCounters())
        _check_place(self._path)
        self._counters = counters
        self._before = counters.plain()
        self._due = -math.inf
        return counters

    def end_hand(self) -> None:
        """Save if the last save is long enough ago and nobody else writes; never raise."""
        if self._clock() >= self._due:
            self._save(wait=False)

    def save(self) -> None:
        """Save what is not in the file yet; never raise, but tell the user once."""
        self._save(wait=True)

    def _save(self, wait: bool) -> None:
        now = self._counters.plain()
        if now == self._before:
            return
        began = self._clock()
        try:
            save_opponent(
                self._path, self._key, now, self._before, LAST_SAVE_PATIENCE if wait else 0.0
            )
        except BlockingIOError as error:
            if wait:
                self._fail(error)
            return
        except (AgentError, OSError) as error:
            self._fail(error)
        else:
            self._before = now
            self.failure = None
        ended = self._clock()
        self._due = ended + max(LEAST_SAVE_INTERVAL, PAUSE_PER_SAVE_TIME * (ended - began))

    def _fail(self, error: AgentError | OSError) -> None:
        reason = error.strerror if isinstance(error, OSError) else None
        self.failure = reason or str(error)
        if not self._told:
            self._told = True
            with suppress(AttributeError, OSError, ValueError):  # a stderr that is gone or closed
                self._notice(f"{self._path}: the opponent is not saved: {self.failure}")


def load_opponents(path: Path) -> dict[str, OpponentCounters]:
    """Return the opponents of a file by name; none where there is no such file.

    Raises:
        MemoryDamaged: it is no such file, of another version, or damaged; the message says what.
        MemoryUnusable: it cannot be read.
    """
    try:
        opponents = _read(path)
    except OSError as error:
        raise MemoryUnusable(f"{path}: {error.strerror or error}") from error
    try:
        return {_name(name): OpponentCounters.of_plain(plain) for name, plain in opponents.items()}
    except ValueError as error:
        raise _damaged(path, error) from error


def save_opponent(
    path: Path,
    name: str,
    now: Mapping[str, Any],
    last_read: Mapping[str, Any] | None = None,
    patience: float = 0.0,
) -> None:
    """Write into a file of opponents what was counted of one; the others in it stay.

    Args:
        path: the file; it need not exist.
        now: what is known of it, as `OpponentCounters.plain` gives it.
        last_read: the same when it was last read or written; the difference is added to the file.
            None: nothing was known.
        patience: seconds to wait for others that write the file.

    Raises:
        BlockingIOError: another is writing it.
        MemoryDamaged: there is another file, or a damaged one; it is left as it is.
        MemoryUnusable: what is there is no file.
        OSError: it cannot be written; what was there is unchanged.
    """
    target = Path(os.path.realpath(path))
    with _locked(target, patience):
        opponents = _read(target)
        if name in opponents:
            stored = opponents[name]
            start = last_read if last_read is not None else OpponentCounters().plain()
            opponents[name] = now if stored == start else _grown(path, stored, now, start)
        else:
            opponents[name] = now
        write_whole(target, _packed(opponents))


def _read(path: Path) -> dict[Any, Any]:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise MemoryUnusable(f"{path}: is no file")
        if status.st_size > MOST_FILE_BYTES:
            raise MemoryDamaged(f"{path}: too long for a file of opponents; {REMEDY}")
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    try:
        return _unpacked(data)
    except ValueError as error:
        raise _damaged(path, error) from error


def _packed(opponents: dict[Any, Any]) -> bytes:
    inner = msgpack.packb(opponents)
    digest = hashlib.sha256(inner).digest()
    content = {"kind": KIND, "version": VERSION, "sha256": digest, "opponents": inner}
    packed: bytes = msgpack.packb(content)
    return packed


def _unpacked(data: bytes) -> dict[Any, Any]:
    """Return the opponents of a file's content.  Raises ValueError where it has none."""
    content = _plain(data)
    if not isinstance(content, dict) or content.get("kind") != KIND:
        raise ValueError("not a file of opponents")
    version, opponents = content.get("version"), content.get("opponents")
    if version not in (VERSION, VERSION_WITHOUT_DIGEST):
        raise ValueError(f"of version {version!r}, want {VERSION}")
    if version == VERSION:
        if not isinstance(opponents, bytes):
            raise ValueError("no opponents")
        if hashlib.sha256(opponents).digest() != content.get("sha256"):
            raise ValueError("the checksum is wrong")
        opponents = _plain(opponents)
    if not isinstance(opponents, dict):
        raise ValueError("no opponents")
    return opponents


def _plain(data: bytes) -> Any:
    try:
        return guarded_document("msgpack", lambda: msgpack.unpackb(data))
    except DamagedDocument as error:
        raise ValueError(f"not a file of opponents: {error}") from error


def _damaged(path: Path, error: ValueError) -> MemoryDamaged:
    return MemoryDamaged(f"{path}: damaged: {error}; {REMEDY}")


def _check_place(path: Path) -> None:
    """Raise MemoryUnusable where a file cannot be written."""
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir():
        raise MemoryUnusable(f"{path}: there is no folder {target.parent}")
    try:
        if not os.access(target.parent, os.W_OK | os.X_OK):
            raise PermissionError(None, "no permission to write there")
        _lock_of(target).open("ab").close()
    except OSError as error:
        raise MemoryUnusable(f"{path}: {error.strerror or error}") from error


@contextmanager
def _locked(target: Path, patience: float) -> Iterator[None]:
    """Hold the lock of a file; raises BlockingIOError where others do for `patience` seconds."""
    with _lock_of(target).open("ab") as file:
        take_lock(file.fileno(), patience)
        yield


def _lock_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.lock")


def _grown(path: Path, stored: Any, now: Any, start: Any) -> Any:
    try:
        checked = OpponentCounters.of_plain(stored).plain()
    except ValueError as error:
        raise _damaged(path, error) from error
    return _sum(checked, now, start)


def _sum(stored: Any, now: Any, start: Any) -> Any:
    """Return known + now - before, number by number."""
    if isinstance(stored, dict):
        return {key: _sum(stored[key], now[key], start[key]) for key in stored}
    if isinstance(stored, list):
        return [_sum(*each) for each in zip(stored, now, start, strict=True)]
    return stored + now - start


def _name(name: Any) -> str:
    if not isinstance(name, str):
        raise ValueError(f"an opponent is called {name!r}")
    return name
