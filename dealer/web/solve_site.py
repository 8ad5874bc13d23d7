"""What the page that solves spots asks: spots, solves, and the decisions of a solution.

    GET  TOKEN/               pages/solve.html
    GET  TOKEN/NAME           a file of the pages
    GET  TOKEN/events         events: `state` says what is being solved, and what was
    GET  TOKEN/decision?node=BETTING&dealt=CARDS
                              a decision of the solution, see `walk_document`
    GET  TOKEN/saved.solution the solution as `arena solve` saves it
    POST TOKEN/spot           {"board": ..., ...}, all `FIELDS`; answered with `spot_document`
    POST TOKEN/solve          the same; the spot is solved, or refused with 409 while one is
    POST TOKEN/stop           what is being solved ends with what it has

Files that it reads and writes are the server's own; nothing that is sent becomes a path.
"""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any, Final

from dealer.web.events import EVENT_STREAM, KEEP_ALIVE, format_event
from dealer.web.form_bodies import texts_of
from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import READ, WRITE, Response, method_refused
from dealer.web.solve_documents import (
    FIELDS,
    solution_document,
    spot_document,
    spot_words,
    walk_document,
)
from dealer.web.solve_runner import NotTwice, SolveRunner

PAGE: Final = "solve.html"
_QUIET_SECONDS: Final = 15.0
_PAUSE_SECONDS: Final = 0.05
"""Between two events: nobody reads faster."""
_PIECE_BYTES: Final = 1 << 20
_DECISION: Final = re.compile(r"node=([a-z0-9/]{0,400})&dealt=([0-9A-Za-z]{0,8})")
_JSON: Final = "application/json"


class SolveSite:
    """Answers requests about spots; a handler for `dealer.web.server`."""

    def __init__(self, guard: Guard, pages: Mapping[str, Response], folder: Path) -> None:
        """Show nothing yet.

        Args:
            folder: for solutions; somebody else removes it.
        """
        self.runner: Final = SolveRunner(folder, self._tell)
        self._guard = guard
        self._pages = pages
        self._facts: dict[str, Any] = {"number": 0}
        self._news = asyncio.Event()
        self._looking = asyncio.Lock()

    async def __call__(self, request: Request) -> Response:
        """Return the response.

        Raises:
            Refusal: the request may not be asked, makes no sense, or there is nothing like that.
        """
        asked = self._guard.admit(request)
        if asked in ("spot", "solve", "stop"):
            return method_refused(request, WRITE) or await self._do(request, asked)
        if asked in ("", "events", "decision", "saved.solution") or asked in self._pages:
            return method_refused(request, READ) or await self._show(request, asked)
        raise Refusal(404, "not found")

    async def finish(self) -> None:
        """Tell nothing more: what is being solved goes with the server."""

    async def close(self) -> None:
        """End what is being solved."""
        await self.runner.close()

    async def _do(self, request: Request, asked: str) -> Response:
        """Answer a POST.  Raises Refusal."""
        if asked == "stop":
            self.runner.stop()
            return Response(status=204)
        spot = dict(zip(FIELDS, texts_of(request, FIELDS), strict=True))
        try:
            if asked == "spot":
                return _json(await asyncio.to_thread(spot_document, spot))
            await self.runner.start(spot_words(spot))
        except ValueError as error:
            raise Refusal(400, str(error)) from error
        except NotTwice as error:
            raise Refusal(409, str(error)) from error
        except OSError as error:
            raise Refusal(500, f"arena solve: {error.strerror or error}") from error
        return Response(status=204)

    async def _show(self, request: Request, asked: str) -> Response:
        """Answer a GET.  Raises Refusal."""
        if asked == "events":
            return Response(self._events(), EVENT_STREAM)
        if asked == "decision":
            return await self._decision(request)
        if asked == "saved.solution":
            return self._saved()
        return self._pages[asked or PAGE]

    async def _decision(self, request: Request) -> Response:
        place = _DECISION.fullmatch(request.query)
        solution = self.runner.solution
        if place is None:
            raise Refusal(400, "want node=BETTING&dealt=CARDS")
        if solution is None:
            raise Refusal(404, "nothing is solved yet")
        try:
            async with self._looking:
                return _json(await asyncio.to_thread(walk_document, solution, *place.groups()))
        except ValueError as error:
            raise Refusal(400, str(error)) from error

    def _saved(self) -> Response:
        """Answer with the solution's file.  Raises Refusal."""
        path, solution = self.runner.path, self._solution()
        try:
            if path is None or solution is None:
                raise FileNotFoundError
            file = path.open("rb")
        except OSError:
            raise Refusal(404, "no solution is saved") from None

        async def pieces() -> AsyncGenerator[bytes, None]:
            while piece := await asyncio.to_thread(file.read, _PIECE_BYTES):
                yield piece

        name = {"Content-Disposition": f'attachment; filename="{solution["board"]}.solution"'}
        return Response(pieces(), "application/octet-stream", fields=name, close=file.close)

    def _solution(self) -> dict[str, Any] | None:
        """Return what is known of the solution."""
        runner = self.runner
        if runner.solution is not None and self._facts["number"] != runner.number:
            about = {"number": runner.number, "name": runner.name, "notes": list(runner.notes)}
            about["saved"] = runner.saved
            self._facts = solution_document(runner.solution) | about
        return self._facts if runner.solution is not None else None

    def _state(self) -> bytes:
        runner = self.runner
        facts = {
            "progress": runner.progress,
            "stopping": runner.stopping,
            "problem": runner.problem,
            "solution": self._solution(),
        }
        return json.dumps(facts).encode()

    def _tell(self) -> None:
        """Tell all pages what is new."""
        self._news.set()
        self._news = asyncio.Event()

    async def _events(self) -> AsyncGenerator[bytes, None]:
        """Yield server-sent events: the state, whenever it has changed."""
        told = b""
        while True:
            news, state = self._news, self._state()
            if state != told:
                yield format_event("state", state, self.runner.number)
                told = state
            await asyncio.sleep(_PAUSE_SECONDS)
            try:
                async with asyncio.timeout(_QUIET_SECONDS):
                    await news.wait()
            except TimeoutError:
                yield KEEP_ALIVE


def _json(document: dict[str, Any]) -> Response:
    return Response(json.dumps(document).encode(), _JSON)
