"""Tokens of accounts: NAME.SECRET, shown once, of which a salted hash is stored.

A secret has 256 random bits, so nobody finds one by guessing; scrypt (RFC 7914) keeps a stolen
database from being of use all the same.  Its cost is small, since a flood of wrong tokens must not
be one of work, and a token that was right is remembered for as long as its hash is the same.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections import OrderedDict
from typing import Final, NamedTuple

NAME_PATTERN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
"""Of accounts and bots."""
ANY_GUEST: Final = "guest"
"""As an opponent: a waiting bot of somebody else.  No bot is called so."""
_SECRET_BYTES: Final = 32
_SALT_BYTES: Final = 16
_COST: Final = 1 << 12
_MOST_REMEMBERED: Final = 4096
_ERRORS: Final = "surrogatepass"
"""JSON can bring half a character, which no token has."""


class TokenHash(NamedTuple):
    """What is stored of a token."""

    salt: bytes
    hash: bytes


_NOBODY: Final = TokenHash(bytes(_SALT_BYTES), bytes(32))


def new_token(name: str) -> tuple[str, TokenHash]:
    """Return a token for an account of a name, and what to store of it."""
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    salt = secrets.token_bytes(_SALT_BYTES)
    return f"{name}.{secret}", TokenHash(salt, _hash(secret, salt))


def account_name(token: str) -> str:
    """Return whose token it says it is; any text."""
    return token.partition(".")[0]


class TokenChecker:
    """Tells whether a token is right, and takes as long for one that is not."""

    def __init__(self) -> None:
        """Remember no token."""
        self._key = secrets.token_bytes(_SALT_BYTES)
        self._right: OrderedDict[bytes, TokenHash] = OrderedDict()
        """Digest of a token that was right -> the hash it had then."""

    def is_right(self, token: str, stored: TokenHash | None) -> bool:
        """Return whether a token is that of which `stored` is kept; None: there is no account."""
        if self.remembers(token, stored):
            return True
        wanted = stored or _NOBODY
        right = hmac.compare_digest(_hash(token.partition(".")[2], wanted.salt), wanted.hash)
        if stored is None or not right:
            return False
        self._right[self._digest(token)] = stored
        if len(self._right) > _MOST_REMEMBERED:
            self._right.popitem(last=False)
        return True

    def remembers(self, token: str, stored: TokenHash | None) -> bool:
        """Return whether a token is known to be right, without the work of finding out."""
        digest = self._digest(token)
        if stored is None or self._right.get(digest) != stored:
            return False
        self._right.move_to_end(digest)
        return True

    def _digest(self, token: str) -> bytes:
        return hmac.digest(self._key, token.encode("utf-8", _ERRORS), "sha256")


def _hash(secret: str, salt: bytes) -> bytes:
    data = secret.encode("utf-8", _ERRORS)
    return hashlib.scrypt(data, salt=salt, n=_COST, r=8, p=1, dklen=32)
