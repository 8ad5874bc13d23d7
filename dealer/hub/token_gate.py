"""Tokens that clients bring: right ones go through at once, and few wrong ones are looked at.

Looking at one is 10 ms of work, and whoever asks from many addresses may ask often.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from typing import Final

from dealer.hub.server_config import ServerConfig
from dealer.hub.tokens import TokenChecker, TokenHash
from dealer.web.clients import ClientLimits, Clients
from dealer.web.http_requests import Refusal
from dealer.web.server import spread

_RATE: Final = 1.0
"""Wrong tokens of a client, a second."""
_MOST: Final = 20
"""Wrong tokens of a client, at once."""


class TokenGate:
    """Looks at tokens for all doors of a server."""

    def __init__(self, config: ServerConfig) -> None:
        """Know no token yet."""
        self._tokens = TokenChecker()
        proxies = tuple(map(ipaddress.ip_network, config.proxies))
        most = config.limits.address_connections
        self._wrong = Clients(ClientLimits(most, _RATE, _MOST, proxies))

    async def is_right(self, token: str, stored: TokenHash | None, client: str) -> bool:
        """Return whether a token is that of which `stored` is kept; None: there is no account.

        Args:
            client: IP address of whoever asks.

        Raises:
            Refusal: it has brought too many wrong ones.
        """
        if self._tokens.remembers(token, stored):
            return True
        if wait := self._wrong.ask(client, time.monotonic()):
            raise Refusal(429, "too many wrong tokens", seconds=spread(wait))
        right = await asyncio.to_thread(self._tokens.is_right, token, stored)
        if right:
            self._wrong.give_back(client, time.monotonic())
        return right
