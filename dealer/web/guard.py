"""Who may ask a server: whoever has its link, with a browser that went there by itself; or, on a
server for many, everybody who reads, and who brings a token for all else.

A page from elsewhere that a browser shows can send requests to this machine, too.  It does not
know the token in the link.  Besides, such a request names the page in Origin; and where a page has
the browser take its own name for the address of this machine (DNS rebinding), that name is Host.
"""

import hmac
import ipaddress
import re
from collections.abc import Collection
from typing import Final, Protocol

from dealer.web.http_requests import Refusal, Request

SECURITY_FIELDS: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every response: a page loads and runs what comes from here and nothing else, nobody else's
page may hold it, and its address, which has the token, is told to nobody."""
_HTTP_PORT: Final = "80"
_ANY: Final = ("0.0.0.0", "::")
_HOST: Final = re.compile(r"\[?([^\[\]]+?)\]?(?::([0-9]+))?")
_ROOT: Final = re.compile(r"/([^/]*)/(.*)")
_BEARER: Final = re.compile(r"Bearer +([0-9A-Za-z._~+/-]{1,200}=*)", re.IGNORECASE)
_READING: Final = ("GET", "HEAD")


class RequestGuard(Protocol):
    """Says whose requests a site answers."""

    def admit(self, request: Request) -> str:
        """Return what a request asks for: its path below the site's.  Raises Refusal."""


class Guard:
    """Lets those ask one server who have its link."""

    def __init__(self, address: str, port: int, token: str) -> None:
        """Know the server.

        Args:
            address: that it listens on: a name or an IP address; all addresses: 0.0.0.0 or "::".
            port: that it listens on.
            token: of letters, digits, "-" and "_".
        """
        self._everywhere = address in _ANY
        self._names = {"127.0.0.1", "localhost", "::1", address.lower()}
        self._port = str(port)
        self._token = token
        host = "127.0.0.1" if self._everywhere else address
        self.link: Final = f"http://{f'[{host}]' if ':' in host else host}:{port}/{token}/"
        """Where the server is found."""

    def admit(self, request: Request) -> str:
        """Return what a request asks for: its path below the token.

        Raises:
            Refusal: Host or Origin is another's (403), or the token is wrong (404).
        """
        if not self._is_ours(request.host):
            raise Refusal(403, "this server has another name")
        origin = request.fields.get("origin")
        if origin is not None and origin.lower() != f"http://{request.host.lower()}":
            raise Refusal(403, "pages from elsewhere may not ask")
        found = _ROOT.fullmatch(request.path)
        if found is None or not hmac.compare_digest(found[1], self._token):
            raise Refusal(404, "not found")
        return found[2]

    def _is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host.lower())
        if found is None or (found[2] or _HTTP_PORT) != self._port:
            return False
        return found[1] in self._names or (self._everywhere and _is_address(found[1]))


class BearerGuard:
    """Lets guests read, and do nothing without the field Authorization (RFC 6750, 2.1).

    Whose token it is, and what its owner may do, is the routes' to say, see `bearer_token`.
    """

    def __init__(self, hosts: Collection[str], everybody: Collection[str] = ()) -> None:
        """Know the server.

        Args:
            hosts: names and addresses, without ports, under which it may be asked; with 0.0.0.0
                or "::" among them, also under every IP address.
            everybody: paths without the first "/" that do something, and want no token.
        """
        self._hosts = frozenset(host.lower() for host in hosts)
        self._everywhere = not self._hosts.isdisjoint(_ANY)
        self._everybody = frozenset(everybody)

    def admit(self, request: Request) -> str:
        """Return what a request asks for: its path without the first "/".

        Raises:
            Refusal: Host or Origin is another's (403), or a token is needed (401).
        """
        host = request.host.lower()
        if not self._is_ours(host):
            raise Refusal(403, "this server has another name")
        origin = request.fields.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host}", f"https://{host}"):
            raise Refusal(403, "pages from elsewhere may not ask")
        path = request.path[1:]
        if request.method not in _READING and path not in self._everybody:
            bearer_token(request)
        return path

    def _is_ours(self, host: str) -> bool:
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        return match[1] in self._hosts or (self._everywhere and _is_address(match[1]))


def bearer_token(request: Request) -> str:
    """Return the token in the field Authorization; whether it is a right one is not known here.

    Raises:
        Refusal: there is none (401).
    """
    match = _BEARER.fullmatch(request.fields.get("authorization", ""))
    if match is None:
        fields = {"WWW-Authenticate": "Bearer"}
        raise Refusal(401, "want the field Authorization: Bearer TOKEN", fields)
    return match[1]


def _is_address(host: str) -> bool:
    """Return whether a host is an IP address, which nobody can have taken for another."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
