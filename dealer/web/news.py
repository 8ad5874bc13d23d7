"""What a page is told as it happens: events where something is new, comments where nothing is."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from dealer.web.events import KEEP_ALIVE

QUIET_SECONDS: Final = 15.0
"""After so long without news comes a comment."""


class News:
    """Wakes all who wait for something to change."""

    def __init__(self) -> None:
        self._change = asyncio.Event()

    def tell(self) -> None:
        """Wake all who wait."""
        change, self._change = self._change, asyncio.Event()
        change.set()

    async def wait(self) -> None:
        """Wait until something changes."""
        await self._change.wait()

    async def stream(
        self, events: AsyncGenerator[bytes | None, None], quiet_seconds: float = QUIET_SECONDS
    ) -> AsyncGenerator[bytes, None]:
        """Yield events as they are made.

        Args:
            events: yields None where it waits for news; any since then let it go on at once.
            quiet_seconds: without news, after which comes a comment.
        """
        change = self._change
        async with aclosing(events):
            async for event in events:
                if event is not None:
                    yield event
                    continue
                while not change.is_set():
                    try:
                        async with asyncio.timeout(quiet_seconds):
                            await change.wait()
                    except TimeoutError:
                        yield KEEP_ALIVE
                change = self._change
