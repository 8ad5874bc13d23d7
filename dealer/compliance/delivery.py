"""How states reach a bot: one by one, cut, joined, with other line ends, between comments.

TCP keeps the order of bytes and nothing else, so a bot has to read all of these alike.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from dealer.compliance.wire import BotLink

_BYTE_SECONDS: Final = 0.0005
_CUT_SECONDS: Final = 0.02


class Delivery:
    """Sends each state by itself, as the dealer does; what needs no answer is given a moment."""

    _line_end = b"\r\n"

    def __init__(self, link: BotLink, pause: float = 0.01) -> None:
        """Send over `link`; `pause` is in seconds."""
        self._link = link
        self._pause = pause

    async def tell(self, text: bytes) -> None:
        """Show a state in which the bot is not to act."""
        await self._send(text + self._line_end)
        await asyncio.sleep(self._pause)

    async def ask(self, text: bytes) -> None:
        """Show a state in which it is."""
        await self._send(text + self._line_end)

    async def flush(self) -> None:
        """Send what was held back."""

    async def _send(self, data: bytes) -> None:
        await self._link.send(data)


class LineFeeds(Delivery):
    """LF alone ends each line."""

    _line_end = b"\n"


class ByteByByte(Delivery):
    """Every byte in a segment of its own."""

    async def _send(self, data: bytes) -> None:
        for byte in data:
            await self._link.send(bytes((byte,)))
            await asyncio.sleep(_BYTE_SECONDS)


class JoinedStates(Delivery):
    """Everything up to the next question in one segment, the end of the last hand included."""

    def __init__(self, link: BotLink) -> None:
        super().__init__(link)
        self._held = b""

    async def tell(self, text: bytes) -> None:
        """Hold a state back; see `Delivery`."""
        self._held += text + self._line_end

    async def ask(self, text: bytes) -> None:
        """Send it with all that was held back; see `Delivery`."""
        await self.tell(text)
        await self.flush()

    async def flush(self) -> None:
        """Send what was held back."""
        data, self._held = self._held, b""
        if data:
            await self._send(data)


class OddCuts(JoinedStates):
    """Joined, but cut in the middle of the last line: whole lines and a piece, then the rest."""

    async def _send(self, data: bytes) -> None:
        cut = len(data) - (len(data) - data.rfind(b"\n", 0, len(data) - 1)) // 2
        await self._link.send(data[:cut])
        await asyncio.sleep(_CUT_SECONDS)
        await self._link.send(data[cut:])


class BetweenComments(Delivery):
    """Comment lines before each state and after what needs no answer."""

    async def tell(self, text: bytes) -> None:
        """Show a state; see `Delivery`."""
        await super().tell(b"# the next line is a state")
        await super().tell(text)
        await super().tell(b"; MATCHSTATE:0:0::AsKs|")

    async def ask(self, text: bytes) -> None:
        """Show a state; see `Delivery`."""
        await super().tell(b"#")
        await super().tell(b"; it is your turn: c")
        await super().ask(text)
