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

from dealer.web.event_channel import News
from dealer.web.events import EVENT_STREAM, format_event
from dealer.web.guard import Guard
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import Response
from dealer.web.router import READ, WRITE, Site, json_response, refusing, texts_of
from dealer.web.solve_documents import (
    FIELDS,
    solution_document,
    spot_document,
    spot_words,
    walk_document,
)
from dealer.web.solve_runner import NotTwice, SolveRunner

PAGE: Final = "solve.html"
_PAUSE_SECONDS: Final = 0.05
"""Between two events: nobody reads faster."""
_PIECE_BYTES: Final = 1 << 20
_DECISION: Final = re.compile(r"node=([a-z0-9/]{0,400})&dealt=([0-9A-Za-z]{0,8})")


class SolveSite(Site):
    """Answers requests about spots."""

    def __init__(self, guard: Guard, pages: Mapping[str, Response], folder: Path) -> None:
        """Show nothing yet.

        Args:
            folder: for solutions; somebody else removes it.
        """
        self._news = News()
        self.runner: Final = SolveRunner(folder, self._news.tell)
        self._facts: dict[str, Any] = {"number": 0}
        self._looking = asyncio.Lock()
        routes = [
            (READ, "events", self._events),
            (READ, "decision", self._decision),
            (READ, r"saved\.solution", self._saved),
            (WRITE, "spot", self._spot),
            (WRITE, "solve", self._solve),
            (WRITE, "stop", self._stop),
        ]
        super().__init__(guard, {**pages, "": pages[PAGE]}, routes)

    async def close(self) -> None:
        """End what is being solved."""
        await self.runner.close()

    async def _spot(self, request: Request) -> Response:
        spot = _spot_of(request)
        with refusing(ValueError, 400):
            return json_response(await asyncio.to_thread(spot_document, spot))

    async def _solve(self, request: Request) -> Response:
        spot = _spot_of(request)
        try:
            with refusing(ValueError, 400), refusing(NotTwice, 409):
                await self.runner.start(spot_words(spot))
        except OSError as error:
            raise Refusal(500, f"arena solve: {error.strerror or error}") from error
        return Response(status=204)

    async def _stop(self, _request: Request) -> Response:
        self.runner.stop()
        return Response(status=204)

    async def _events(self, _request: Request) -> Response:
        return Response(self._news.stream(self._new_events()), EVENT_STREAM)

    async def _decision(self, request: Request) -> Response:
        place = _DECISION.fullmatch(request.query)
        solution = self.runner.solution
        if place is None:
            raise Refusal(400, "want node=BETTING&dealt=CARDS")
        if solution is None:
            raise Refusal(404, "nothing is solved yet")
        with refusing(ValueError, 400):
            async with self._looking:
                document = await asyncio.to_thread(walk_document, solution, *place.groups())
        return json_response(document)

    async def _saved(self, _request: Request) -> Response:
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

    async def _new_events(self) -> AsyncGenerator[bytes | None, None]:
        """Yield server-sent events: the state, whenever it has changed; None between news."""
        told = b""
        while True:
            state = self._state()
            if state != told:
                yield format_event("state", state, self.runner.number)
                told = state
            await asyncio.sleep(_PAUSE_SECONDS)
            yield None


def _spot_of(request: Request) -> dict[str, str]:
    """Return the spot in a request's body.  Raises Refusal."""
    return dict(zip(FIELDS, texts_of(request, FIELDS), strict=True))
