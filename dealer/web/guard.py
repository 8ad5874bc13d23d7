"""Who may ask a server: whoever has its link, with a browser that went there by itself.

A page from elsewhere that a browser shows can send requests to this machine, too.  It does not
know the token in the link.  Besides, such a request names the page in Origin; and where a page has
the browser take its own name for the address of this machine (DNS rebinding), that name is Host.
"""

import hmac
import ipaddress
import re
from typing import Final

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


class Guard:
    """Checks requests to one server."""

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


def _is_address(host: str) -> bool:
    """Return whether a host is an IP address, which nobody can have taken for another."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
