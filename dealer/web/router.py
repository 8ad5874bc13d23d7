"""A site's table of addresses, and what sites share: pages, bodies of requests, JSON, the server.

    GET  log/([0-9]{1,9})    the handler takes the request and what the groups matched
    POST act                 any other method is answered with 405 and those there are

What is asked for is compared with these patterns and with the names of pages that are known; it
never becomes a path of a file.
"""

import asyncio
import json
import re
import socket
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from dealer.pages.single_page import PAGES
from dealer.web.guard import SECURITY_FIELDS, RequestGuard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import JSON, Response
from dealer.web.server import WebServer
from engine.storage.documents import json_document

Route: TypeAlias = tuple[tuple[str, ...], str, Callable[..., Awaitable[Response]]]
"""Methods, regular expression of all that stands behind the token, and the handler, which takes the
request and the groups of the expression and may raise `Refusal`."""
READ: Final = ("GET", "HEAD")
WRITE: Final = ("POST",)
"""Methods, of addresses that are read and of those that do something."""
MOST_LETTERS: Final = 200
"""Of a text of a client that is shown."""
CONTENT_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""End of a page's name -> what it is; files of other kinds are no pages."""


def read_pages(folder: Path = PAGES) -> dict[str, Response]:
    """Return the files of a folder that are pages, by the path there."""
    return {
        path.relative_to(folder).as_posix(): Response(path.read_bytes(), CONTENT_TYPES[path.suffix])
        for path in sorted(folder.rglob("*"))
        if path.suffix in CONTENT_TYPES
    }


class Site:
    """Answers requests by a table, and with the pages; a handler for `dealer.web.server`."""

    def __init__(
        self, guard: RequestGuard, pages: Mapping[str, Response], routes: Sequence[Route]
    ) -> None:
        """Answer nothing yet.

        Args:
            guard: says whose requests are answered.
            pages: as `read_pages` returns them; the one named "" is shown first.
            routes: of which the first that matches is taken; they come before the pages.
        """
        self._guard = guard
        self._pages = pages
        self._routes = [(methods, re.compile(path), take) for methods, path, take in routes]

    async def __call__(self, request: Request) -> Response:
        """Return the response.

        Raises:
            Refusal: the request may not be asked, or there is nothing like that.
        """
        asked = self._guard.admit(request)
        for methods, path, handler in self._routes:
            if match := path.fullmatch(asked):
                if request.method in methods:
                    return await handler(request, *match.groups())
                return _other_methods(methods)
        if asked not in self._pages:
            raise Refusal(404, "not found")
        return self._pages[asked] if request.method in READ else _other_methods(READ)

    async def finish(self) -> None:
        """Tell those who listen what is still new, before their connections are closed."""

    async def close(self) -> None:
        """End what runs beside the server."""


async def serve_site(
    site: Site,
    listening: socket.socket,
    stop: asyncio.Event,
    tell: Callable[[str], None],
    **options: Any,
) -> None:
    """Serve a site until `stop` is set; then finish it, close all connections, and close it.

    Args:
        site: answers.
        listening: see `listen_at`.
        stop: is set by whoever ends it.
        tell: takes a line about an error of ours.
        options: of `WebServer`.
    """
    finished = asyncio.Event()

    async def finish() -> None:
        await stop.wait()
        await site.finish()
        finished.set()

    async with asyncio.TaskGroup() as group:
        group.create_task(finish())
        await WebServer(site, SECURITY_FIELDS, tell, **options).serve(listening, finished)
    await site.close()


@contextmanager
def refusing(kind: type[Exception], status: int) -> Iterator[None]:
    """Make refusals of the exceptions of a kind that are raised within, in their own words."""
    try:
        yield
    except kind as error:
        raise Refusal(status, str(error)) from error


def json_response(document: Any) -> Response:
    """Return a response of plain values."""
    return Response(json.dumps(document).encode(), JSON)


def texts_of(request: Request, names: Sequence[str]) -> list[str]:
    """Return the texts of a request's body, a JSON object, in the order of their names.

    Raises:
        Refusal: it has others, or is no such object (400).
    """
    try:
        document = json_document(request.body)
        texts = [document[name] for name in names]
        if len(document) == len(names) and all(isinstance(text, str) for text in texts):
            return texts
    except (ValueError, TypeError, KeyError):
        pass
    wanted = ", ".join(f'"{name}": ...' for name in names)
    raise Refusal(400, f"want {{{wanted}}}")


def printable_text(key: str, text: str) -> str:
    """Return a text of a client.  Raises Refusal: it is too long, or cannot be shown."""
    if len(text) > MOST_LETTERS or not text.isprintable():
        raise Refusal(
            400, f"{key}: want up to {MOST_LETTERS} printable characters", code="bad_value"
        )
    return text


def _other_methods(methods: Sequence[str]) -> Response:
    return Response(status=405, fields={"Allow": ", ".join(methods)})
