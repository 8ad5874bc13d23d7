"""One connection to a bot: what goes over it, in which pieces, and what a bot fails to do there.

TCP keeps the order of bytes and nothing else, so a bot has to read all deliveries alike.

BotTrouble
    NoAnswer      it says nothing for longer than it may
    BotGone       its connection is closed, or its process has ended
    BotRefused    a shipped bot does not play the game, or does not accept its options

None of these is a mistake of ours: each becomes the result of a check.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections import deque
from typing import Final, NamedTuple

from protocol.lines import LineBuffer

_READ_BYTES: Final = 1 << 16
_MOST_CHARACTERS_SHOWN: Final = 240
_MOST_PIECES_KEPT: Final = 20_000
_GONE: Final = (ConnectionError, OSError)
_BYTE_SECONDS: Final = 0.0005
_CUT_SECONDS: Final = 0.02


class BotTrouble(Exception):
    """The bot did not do what a check waited for; the message is one line for its author."""


class NoAnswer(BotTrouble):
    """It says nothing for longer than it may."""


class BotGone(BotTrouble):
    """Its connection is closed, or its process has ended."""


class BotRefused(BotTrouble):
    """A shipped bot does not play the game, or does not accept its options."""


def shown(data: bytes) -> str:
    """Return bytes as a reader wants to see them: one line, line ends and the like visible."""
    text = data.decode("latin-1").encode("unicode_escape").decode("ascii").replace("\\\\", "\\")
    if len(text) > _MOST_CHARACTERS_SHOWN:
        return f"{text[:_MOST_CHARACTERS_SHOWN]}... ({len(data)} bytes)"
    return text


class WirePiece(NamedTuple):
    """A line, or a part of one, that went over the wire."""

    seconds: float
    """Since the transcript began."""
    sent: bool
    """To the bot; else from it."""
    data: bytes


class WireTranscript:
    """What went over a bot's connections, line by line."""

    def __init__(self) -> None:
        self._pieces: deque[WirePiece] = deque(maxlen=_MOST_PIECES_KEPT)
        self._began = time.perf_counter()

    def note(self, data: bytes, *, sent: bool) -> None:
        """Note what was sent or received; what was sent in pieces is joined to lines."""
        now = time.perf_counter() - self._began
        for line in data.splitlines(keepends=True) if sent else [data]:
            last = self._pieces[-1] if self._pieces else None
            if sent and last is not None and last.sent and not last.data.endswith(b"\n"):
                self._pieces[-1] = WirePiece(last.seconds, True, last.data + line)
            else:
                self._pieces.append(WirePiece(now, sent, line))

    def recent(self, lines: int = 4) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the last lines that were sent, and what has come back since the first of them."""
        pieces = list(self._pieces)
        sent_indices = [index for index, piece in enumerate(pieces) if piece.sent][-lines:]
        later = pieces[sent_indices[0] :] if sent_indices else pieces[-lines:]
        sent = tuple(shown(piece.data) for piece in later if piece.sent)
        received = tuple(shown(piece.data) for piece in later if not piece.sent)
        return sent, received[-lines:]

    def text(self) -> str:
        """Return all of it, a line each: seconds, direction, bytes."""
        return "".join(
            f"{piece.seconds:10.4f} {'->' if piece.sent else '<-'} {shown(piece.data)}\n"
            for piece in self._pieces
        )


class BotLink:
    """The dealer's end of a bot's connection: exact bytes out, lines in."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        transcript: WireTranscript,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._lines = LineBuffer()
        self._transcript = transcript

    @classmethod
    async def over(cls, connection: socket.socket, transcript: WireTranscript) -> BotLink:
        """Take over an accepted connection."""
        reader, writer = await asyncio.open_connection(sock=connection)
        return cls(reader, writer, transcript)

    async def send(self, data: bytes) -> None:
        """Send exactly these bytes, in a segment of their own as far as TCP lets us.

        Raises:
            BotGone: nobody reads them.
        """
        self._transcript.note(data, sent=True)
        try:
            self._writer.write(data)
            await self._writer.drain()
        except _GONE as error:
            raise BotGone("it closed the connection") from error

    async def line(self, seconds: float) -> bytes:
        """Return the next line that the bot sends, with its line end; wait at most `seconds`.

        Raises:
            NoAnswer: none came in time.
            BotGone: the connection is closed, and no line is left.
        """
        limit = asyncio.timeout(seconds)
        try:
            async with limit:
                while (line := self._lines.next_line()) is None:
                    if self._lines.finished:
                        raise BotGone("it closed the connection")
                    await self._read()
        except TimeoutError as error:
            raise NoAnswer(f"it said nothing for {seconds:.3g} s") from error
        self._transcript.note(line, sent=False)
        return line

    async def lines_within(self, seconds: float) -> list[bytes]:
        """Return the lines that come within `seconds`, usually none; fewer where it closes."""
        lines: list[bytes] = []
        end = time.monotonic() + seconds
        with contextlib.suppress(NoAnswer, BotGone):
            while (seconds_left := end - time.monotonic()) > 0:
                lines.append(await self.line(seconds_left))
        return lines

    async def closed_within(self, seconds: float) -> bool:
        """Return whether the bot closes its end within `seconds`; what it sends is dropped."""
        end = time.monotonic() + seconds
        try:
            while (seconds_left := end - time.monotonic()) > 0:
                await self.line(seconds_left)
        except (BotGone, NoAnswer) as trouble:
            return isinstance(trouble, BotGone)
        return False

    def end_sending(self) -> None:
        """Close our end as a dealer does after a match; what comes can still be read."""
        with contextlib.suppress(*_GONE, RuntimeError):
            self._writer.write_eof()

    async def close(self) -> None:
        """Close the connection."""
        self._writer.close()
        with contextlib.suppress(*_GONE):
            await self._writer.wait_closed()

    async def _read(self) -> None:
        try:
            data = await self._reader.read(_READ_BYTES)
        except _GONE:  # reset: as good as closed
            data = b""
        if data:
            self._lines.feed(data)
        else:
            self._lines.finish()


class Delivery:
    """Sends each state by itself, as the dealer does; what needs no answer is given a moment."""

    _line_end = b"\r\n"

    def __init__(self, link: BotLink, pause: float = 0.01) -> None:
        """Send over `link`; `pause` is in seconds."""
        self.link = link
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
        await self.link.send(data)


class LineFeeds(Delivery):
    """LF alone ends each line."""

    _line_end = b"\n"


class ByteByByte(Delivery):
    """Every byte in a segment of its own."""

    async def _send(self, data: bytes) -> None:
        for byte in data:
            await self.link.send(bytes((byte,)))
            await asyncio.sleep(_BYTE_SECONDS)


class JoinedStates(Delivery):
    """Everything up to the next question in one segment, the end of the last hand included."""

    def __init__(self, link: BotLink) -> None:
        super().__init__(link)
        self._buffer = b""

    async def tell(self, text: bytes) -> None:
        """Hold a state back; see `Delivery`."""
        self._buffer += text + self._line_end

    async def ask(self, text: bytes) -> None:
        """Send it with all that was held back; see `Delivery`."""
        await self.tell(text)
        await self.flush()

    async def flush(self) -> None:
        """Send what was held back."""
        data, self._buffer = self._buffer, b""
        if data:
            await self._send(data)


class OddCuts(JoinedStates):
    """Joined, but cut in the middle of the last line: whole lines and a piece, then the rest."""

    async def _send(self, data: bytes) -> None:
        cut = len(data) - (len(data) - data.rfind(b"\n", 0, len(data) - 1)) // 2
        await self.link.send(data[:cut])
        await asyncio.sleep(_CUT_SECONDS)
        await self.link.send(data[cut:])


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
