"""What keeps the server from starting, or from doing what it is asked for."""

from __future__ import annotations

from typing import ClassVar

from engine.console.exit_codes import FAILED, WRONG_ARGUMENTS


class ServerError(Exception):
    """The server, its folder or its config cannot be used; the text is one clear line."""

    exit_code: ClassVar[int] = WRONG_ARGUMENTS
    """Of a command that ends with it."""


class StoreFault(ServerError):
    """The store cannot be read or written at present, as on a full disk."""

    exit_code: ClassVar[int] = FAILED


class OtherWords(ServerError):
    """Words for the deals are not those whose SHA-256 was sent before."""


class DamagedStore(ServerError):
    """The store's file is damaged, or none of a store."""

    exit_code: ClassVar[int] = FAILED
