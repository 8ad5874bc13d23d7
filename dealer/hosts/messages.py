"""Messages through a store of keys and values, one after the other, each once.

    BOX/<n>          number of pieces of message n, counted from 0; written last
    BOX/<n>/<piece>  a piece of its bytes: msgpack, then zlib; lists arrive as tuples

Who has read a message deletes it, so the store holds no more than what is on its way.
"""

from __future__ import annotations

import zlib
from typing import Any, Final, Protocol, TypeAlias

import msgpack  # type: ignore[import-untyped]

PIECE_BYTES: Final = 1 << 20
"""The store of torch.distributed takes far more as one value."""
_ZLIB_LEVEL: Final = 1
"""A log becomes a fifth at over 100 MB/s; higher levels gain little."""

Message: TypeAlias = dict[str, Any]
"""Plain values by name; "what" says what it is about."""


class KeyValueStore(Protocol):
    """What is used of torch.distributed's store.  Its methods raise RuntimeError when it is gone.

    What one process sets arrives in the order in which it was set.
    """

    def set(self, key: str, value: Any, /) -> None:
        """Set a value, text or bytes."""

    def get(self, key: str, /) -> bytes:
        """Return a value that is there."""

    def check(self, keys: list[str], /) -> bool:
        """Return whether all of these keys are there."""

    def delete_key(self, key: str, /) -> bool:
        """Delete a key; return whether it was there."""


class Outbox:
    """The end of a mailbox at which messages are put in."""

    def __init__(self, store: KeyValueStore, name: str) -> None:
        self._store = store
        self._name = name
        self._sent = 0

    def send(self, message: Message) -> None:
        """Put a message in."""
        data = zlib.compress(msgpack.packb(message), _ZLIB_LEVEL)
        key = f"{self._name}/{self._sent}"
        starts = range(0, len(data), PIECE_BYTES)
        for number, start in enumerate(starts):
            self._store.set(f"{key}/{number}", data[start : start + PIECE_BYTES])
        self._store.set(key, str(len(starts)))
        self._sent += 1


class Inbox:
    """The end of a mailbox at which messages are taken out."""

    def __init__(self, store: KeyValueStore, name: str) -> None:
        self._store = store
        self._name = name
        self._received = 0

    def receive(self) -> Message | None:
        """Take the next message out, None where there is none yet."""
        key = f"{self._name}/{self._received}"
        if not self._store.check([key]):
            return None
        pieces = [f"{key}/{number}" for number in range(int(self._store.get(key)))]
        data = b"".join(self._store.get(piece) for piece in pieces)
        for used in (key, *pieces):
            self._store.delete_key(used)
        self._received += 1
        message: Message = msgpack.unpackb(zlib.decompress(data), use_list=False)
        return message
