"""The pages on which matches are watched while they are played, and looked at when they are over.

    GET watch/ID/NAME            the replayer's page and what it loads
    GET watch/ID/logs.json       {"logs": [{"id": LEG, "name": ..., "bytes": ..., "game": {...}}]}
    GET watch/ID/live/LEG        the hands as server-sent events, see `dealer.hub.watched_match`
    GET watch/ID.KEY/...         the same, where only owners of the bots may watch

A match that is over is shown whole, to everybody.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from dealer.hub.watched_match import WatchedMatch, spectators_view, whole_log
from dealer.logs.showing.hand_documents import game_document
from dealer.web.events import EVENT_STREAM, last_event
from dealer.web.http_requests import Refusal, Request
from dealer.web.http_responses import Response
from dealer.web.log_lines import LogLines
from dealer.web.router import json_response
from engine.errors import LogError

if TYPE_CHECKING:
    from dealer.hub.hub_state import HubState
    from dealer.hub.store import StoredMatch

WATCH_PATH: Final = r"watch/([0-9]{1,12})(?:\.([0-9a-f]{32}))?/(.*)"
"""Number of a match, key of an owner or None, and what is asked for."""
_REPLAYER: Final = "replay.html"
_MATCH_PAGE: Final = ("index.html", "results.html")
"""Where the replayer leads to for more: to the board's page of the match."""
_PAGES: Final = (_REPLAYER, "replay/", "shared/")
_LIVE: Final = re.compile(r"live/([01])")
_KEY_DIGITS: Final = 32
_FINISH_SECONDS: Final = 1.0


class SpectatorPages:
    """Answers spectators."""

    def __init__(self, state: HubState, pages: Mapping[str, Response]) -> None:
        self._state = state
        self._pages = {name: page for name, page in pages.items() if name.startswith(_PAGES)}

    def address(self, record: StoredMatch, *, plays: bool) -> str | None:
        """Return where a match is seen, None where this visitor may not watch it.

        Args:
            plays: whether the visitor owns one of its bots.
        """
        who = self._state.config.spectators.who
        if record.state != "running" or who == "everybody":
            return f"watch/{record.id}/"
        return f"watch/{record.id}.{_key(record)}/" if plays and who == "owners" else None

    async def answer(
        self, request: Request, record: StoredMatch, key: str | None, asked: str
    ) -> Response:
        """Return the response.

        Raises:
            Refusal: there is no such page, or the visitor may not watch this match.
        """
        may = {
            "everybody": True,
            "owners": key is not None and hmac.compare_digest(key, _key(record)),
            "nobody": False,
        }
        running = record.state == "running"
        if running and not may[self._state.config.spectators.who]:
            raise Refusal(404, "this match is not to be watched while it is played")
        if asked in self._pages:
            return self._pages[asked]
        if not asked:
            return Response(status=303, fields={"Location": _REPLAYER})
        if asked in _MATCH_PAGE:
            return Response(status=303, fields={"Location": f"../../?match={record.id}"})
        if asked == "logs.json":
            return json_response({"logs": self._logs(record)})
        leg = _LIVE.fullmatch(asked)
        if leg is None or int(leg[1]) > record.pairs:
            raise Refusal(404, "not found")
        seen = last_event(request)
        if running:
            return self._live(record, int(leg[1]), seen or 0)
        return await self._whole(record, int(leg[1]), restart=seen is not None)

    async def finish(self) -> None:
        """Tell all who watch what is still new; who takes long is left."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FINISH_SECONDS):
                watched = self._state.watched.values()
                await asyncio.gather(*(match.finish(over=False) for match in watched))

    def _logs(self, record: StoredMatch) -> list[dict[str, Any]]:
        names = self._state.labels(record)
        game = game_document(record.game, self._state.game(record.game))
        watched = self._state.watched.get(record.id)
        running = record.state == "running"
        logs = []
        for leg, log in enumerate(self._state.leg_logs(record)):
            title = " and ".join(names if leg == 0 else names[::-1])
            size = watched.lines_shown() if running and watched is not None else 0
            if not running:
                with contextlib.suppress(OSError):
                    size = log.stat().st_size
            name = f"match {record.id}, leg {leg}: {title}"
            logs.append({"id": leg, "name": name, "bytes": size, "game": game})
        return logs

    def _live(self, record: StoredMatch, leg: int, seen: int) -> Response:
        state = self._state
        watched = state.watched.get(record.id)
        if watched is None or watched.over:
            what = state.config.spectators
            show = spectators_view(state.game(record.game), what.cards)
            logs = state.leg_logs(record)
            watched = state.watched[record.id] = WatchedMatch(logs, show, what.delay_hands)
        return Response(watched.join(leg, seen), EVENT_STREAM, close=watched.leave)

    async def _whole(self, record: StoredMatch, leg: int, *, restart: bool) -> Response:
        """Answer with all of a log; who comes back may have watched it while it was played."""
        log = self._state.leg_logs(record)[leg]
        try:
            lines = await asyncio.to_thread(LogLines, log)
        except LogError as error:
            raise Refusal(404, "this log cannot be read") from error
        return Response(whole_log(lines, restart=restart), EVENT_STREAM, close=lines.close)


def _key(record: StoredMatch) -> str:
    """Return what the addresses for owners have; it follows from the secret of a match."""
    return hmac.digest(record.secret, b"spectators", "sha256").hex()[:_KEY_DIGITS]
