"""The board as files that any web server can show, where nobody is to reach the server itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dealer.hub.documents import board_document, bot_document, match_document
from dealer.hub.exporting import copy_log
from dealer.web.http_responses import Response
from engine.storage.atomic import write_whole

if TYPE_CHECKING:
    from dealer.hub.hub_state import HubState
    from dealer.hub.store import StoredMatch

_PAUSE_SECONDS: Final = 30.0


class PublicFiles:
    """Keeps a folder as the board is: pages, documents, and logs of matches that are over.

    Documents lie under the addresses that the pages ask for, so that no page knows a difference.
    """

    def __init__(self, state: HubState, pages: Mapping[str, Response], folder: Path) -> None:
        """Write the pages.  Raises OSError."""
        self._state = state
        self._folder = folder
        self._last = 0
        """Number of the newest match of which all is written."""
        for name, page in pages.items():
            path = folder / (name or "index.html")
            path.parent.mkdir(parents=True, exist_ok=True)
            assert isinstance(page.body, bytes)
            write_whole(path, page.body)

    async def keep(self, tell: Callable[[str], None]) -> None:
        """Write what is new, again and again; `tell` takes a line about what cannot be written."""
        while True:
            try:
                await self.update()
            except OSError as error:
                tell(f"{self._folder}: {error}")
            await asyncio.sleep(_PAUSE_SECONDS)

    async def update(self) -> None:
        """Write what is new.  Raises OSError."""
        state = self._state
        texts = {"api/board": _text(board_document(state))}
        logs: list[tuple[StoredMatch, Path]] = []
        bots: set[str] = set()
        for record in state.store.matches_after(self._last):
            texts[f"api/matches/{record.id}"] = _text(match_document(state, record))
            bots |= {state.version(version).name for version in record.versions}
            if record.state != "running":
                paths = sorted(state.match_folder(record.id).glob("leg?.log"))
                logs += [(record, path) for path in paths]
        running = [record.id for record in state.store.matches("running")]
        newest = min(running) - 1 if running else state.store.newest_match()
        for name in bots:
            document = bot_document(state, name)
            if document is not None:
                texts[f"api/bots/{name}"] = _text(document)
        await asyncio.to_thread(self._write, texts, logs)
        self._last = newest

    def _write(self, texts: Mapping[str, str], logs: list[tuple[StoredMatch, Path]]) -> None:
        for name, text in texts.items():
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)
        (self._folder / "logs").mkdir(parents=True, exist_ok=True)
        for record, log in logs:
            leg = log.stem.removeprefix("leg")
            copy = self._folder / "logs" / f"{record.id}.{leg}.log"
            if not copy.exists():
                copy_log(record, log, copy)


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document) + "\n"
