"""What each client of a server takes of it, by address: connections at a time, and a rate.

An IPv4 address is a client, and so are all IPv6 addresses with the same 64 bits in front, since one
machine may have them all.  The rate is that of a bucket which fills steadily: a new connection and
a request cost one each.  Clients of a reverse proxy are told from each other by the addresses in
X-Forwarded-For that trusted proxies have put there.

Pure: the time is an argument, in seconds of any steady clock.
"""

import ipaddress
from collections import Counter, OrderedDict
from dataclasses import dataclass
from typing import Final, TypeAlias

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
_PREFIX_BITS: Final = 64
_MOST_CLIENTS: Final = 1 << 16
"""Have buckets at a time; whose is dropped begins with a full one."""


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """What one client may take."""

    connections: int
    """At a time."""
    rate: float
    """Requests and new connections a second, in the long run."""
    burst: int
    """Of these at once, after some time without any."""
    proxies: tuple[Network, ...] = ()
    """Addresses of reverse proxies: they have no such limits, but those who ask through them do."""


class Clients:
    """Counts what clients take; `address` is always that of the connection's other end."""

    def __init__(self, limits: ClientLimits) -> None:
        """Know nobody yet."""
        self._limits = limits
        self._connections: Counter[str] = Counter()
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, when

    def asking(self, address: str, forwarded: str) -> str:
        """Return the address of whoever asks; `forwarded` is the field X-Forwarded-For or ""."""
        for hop in reversed(forwarded.split(",")):
            if not self._is_proxy(address):
                break
            try:
                address = str(ipaddress.ip_address(hop.strip()))
            except ValueError:
                break
        return address

    def connect(self, address: str, now: float) -> float:
        """Count a new connection and return 0, or how many seconds it is too early for it.

        It has to bring a request: where only the connection fitted, a client that makes one for
        each request would come again and again, and never be heard.
        """
        if not self.admit(address):
            return 1.0
        wait = self._count(address, now, needed=2)
        if wait:
            self.disconnect(address)
        return wait

    def admit(self, address: str) -> bool:
        """Count a new connection, however soon it comes; return whether there may be one more."""
        client = client_key(address)
        if self._is_proxy(address):
            return True
        if self._connections[client] >= self._limits.connections:
            return False
        self._connections[client] += 1
        return True

    def disconnect(self, address: str) -> None:
        """Count a connection that was counted by `connect` or `admit` no more."""
        client = client_key(address)
        self._connections[client] -= 1
        if self._connections[client] <= 0:
            del self._connections[client]

    def ask(self, address: str, now: float) -> float:
        """Count a request and return 0, or how many seconds it is too early for it."""
        return self._count(address, now)

    def reserve(self, address: str, now: float, needed: int = 1) -> float:
        """Count a request whenever it comes; return how many seconds it has to wait for its turn.

        Each that waits puts off the next, so whoever has many waits long.

        Args:
            needed: of the rate when its turn comes; 2 for a connection, which brings a request.
        """
        if self._is_proxy(address):
            return 0.0
        client = client_key(address)
        tokens, wait = self._bucket(client, now, needed)
        self._store(client, tokens - 1, now)
        return wait

    def give_back(self, address: str, now: float) -> None:
        """Count a request that was counted by `ask` no more."""
        if not self._is_proxy(address):
            client = client_key(address)
            self._buckets[client] = (self._bucket(client, now)[0] + 1, now)

    def wait(self, address: str, now: float) -> float:
        """Return how many seconds it is too early for a request, and count none."""
        return 0.0 if self._is_proxy(address) else self._bucket(client_key(address), now)[1]

    def _count(self, address: str, now: float, needed: int = 1) -> float:
        """Take one out of a client's bucket and return 0, or the seconds until it has `needed`."""
        if self._is_proxy(address):
            return 0.0
        client = client_key(address)
        tokens, wait = self._bucket(client, now, needed)
        self._store(client, tokens if wait else tokens - 1, now)
        return wait

    def _store(self, client: str, tokens: float, now: float) -> None:
        self._buckets[client] = (tokens, now)
        self._buckets.move_to_end(client)
        if len(self._buckets) > _MOST_CLIENTS:
            self._buckets.popitem(last=False)

    def _bucket(self, client: str, now: float, needed: int = 1) -> tuple[float, float]:
        """Return what is left in a client's bucket, and for how many seconds it has too little."""
        full = float(self._limits.burst)
        tokens, at = self._buckets.get(client, (full, now))
        tokens = min(full, tokens + (now - at) * self._limits.rate)
        return tokens, max(0.0, (min(needed, full) - tokens) / self._limits.rate)

    def _is_proxy(self, address: str) -> bool:
        if not self._limits.proxies:
            return False
        try:
            ip = _plain(address)
        except ValueError:
            return False
        return any(ip in network for network in self._limits.proxies)


def client_key(address: str) -> str:
    """Return what the addresses of one client have in common."""
    try:
        ip = _plain(address)
    except ValueError:  # of a socket that has none
        return address
    if ip.version == 4:
        return str(ip)
    return str(ipaddress.ip_network((int(ip), _PREFIX_BITS), strict=False))


def _plain(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return an address; one of IPv4 in the clothes of IPv6 is that of IPv4.  Raises ValueError."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    return ip.ipv4_mapped or ip if isinstance(ip, ipaddress.IPv6Address) else ip
