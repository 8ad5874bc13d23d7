"""A seat of a match: an unmodified bot at a loopback port, joined with a server's connection.

The connection may be lost and taken again in mid-match, the bot notices nothing: it is sent whole
lines only, and a state that it was sent before is not sent to it again; what it has answered to
that state goes to the server again instead.
"""

import asyncio
import contextlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple

from dealer.bots.participants import Participant
from dealer.bots.processes import Child, ProcessLauncher, in_words
from dealer.bots.programs import LOOK_SECONDS, OutputFile, bot_program
from dealer.plan.match_plan import MatchLimits
from dealer.relay.backoff import Backoff
from dealer.relay.local_peers import is_strange
from dealer.relay.server_calls import Server, ServerRefusal, ServerStream, ServerUnreachable
from dealer.relay.shown_deals import ShownDeals
from engine.console.stopping import STOP_SIGNALS
from protocol.errors import GameDefError
from protocol.gamedefs import builtin_path

LOOPBACK: Final = "127.0.0.1"
_MATCH: Final = re.compile(r"[0-9A-Za-z_-]{1,40}")
"""Its name is that of files."""
_NO_SEAT: Final = (404, 405, 410)
_READ_BYTES: Final = 1 << 16
_GREETING: Final = b"VERSION:"
_MOST_ANSWER_BYTES: Final = 1 << 16
"""Between two states; of more the beginning is not sent again."""
_MOST_LINE_BYTES: Final = 1 << 16
_USUAL_START_SECONDS: Final = 60.0
_MOST_FRUITLESS: Final = 5
"""Connections over which nothing came at all."""
_DEPARTED: Final = "the bot left the match"
_EXIT_SECONDS: Final = 1.0
"""For a bot that has left to end by itself, so that its exit status is known."""
_STOPPED: Final = (0, *(status for number in STOP_SIGNALS for status in (-number, 128 + number)))
"""Exit status of a bot that was stopped."""
_TOGETHER_SECONDS: Final = 0.5
"""For a relay to hear of the signal that its bot was stopped by."""
_FAREWELL_SECONDS: Final = 5.0
"""For the server to end a match whose bot has gone, and for a bot to end by itself."""


class OfferError(Exception):
    """A server offers a seat that nobody can take."""


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """A seat that waits for a bot."""

    key: str
    match: str
    leg: int
    game: str
    definition: str
    """Text of the game, "" for a built-in one."""
    hands: int
    names: tuple[str, ...]
    position: int
    """Of the bot among the names, 0-based."""
    limits: MatchLimits
    seconds: float
    """Until nobody may take it any more."""
    deals: ShownDeals
    """What the deals are to be made of."""

    @property
    def name(self) -> str:
        """What the bot's files are called after."""
        return f"{self.match}.{self.leg}"


def read_offer(document: Mapping[str, Any]) -> SeatOffer:
    """Return the seat of an event.  Raises OfferError: there is none in it."""
    try:
        limits = document.get("limits", {})
        options = {one.name: limits[one.name] for one in fields(MatchLimits) if one.name in limits}
        offer = SeatOffer(
            str(document["seat"]),
            str(document["match"]),
            int(document["leg"]),
            str(document["game"]),
            str(document.get("definition", "")),
            int(document["hands"]),
            tuple(map(str, document["names"])),
            int(document["position"]),
            MatchLimits(**options),
            float(document.get("deadline", _USUAL_START_SECONDS)),
            ShownDeals(
                str(document["match"]),
                str(document.get("commitment") or ""),
                tuple(map(str, document.get("words_sha256", ()))),
            ),
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise OfferError(f"the server offers a seat that cannot be read: {error!r}") from error
    if not _MATCH.fullmatch(offer.match):
        raise OfferError("the server offers a seat of a match without a proper name")
    return offer


class SeatMemory:
    """What has passed between a bot and a server, as far as a lost connection needs it.  Pure."""

    def __init__(self) -> None:
        self._version = b""
        self._partial = b""
        self._state = b""
        self._answer = b""
        self._returned = False

    def from_bot(self, data: bytes) -> bytes:
        """Note what a bot says; return it, for the server."""
        self._answer = (self._answer + data)[-_MOST_ANSWER_BYTES:]
        return data

    def greet(self, line: bytes) -> bytes:
        """Note the VERSION line of a bot; return it, for the server."""
        self._version = line
        return line

    def come_back(self) -> bytes:
        """Begin a new connection to the server; return what is to be said there first."""
        self._partial, self._returned = b"", True
        return self._version

    def from_server(self, data: bytes) -> tuple[bytes, bytes]:
        """Take bytes of the server; return what goes on to the bot, and back to the server.

        Raises:
            ValueError: a line has no end.
        """
        lines, end, self._partial = (self._partial + data).rpartition(b"\n")
        if len(self._partial) > _MOST_LINE_BYTES:
            raise ValueError("the server sent a line without an end")
        if not end:
            return b"", b""
        lines, back = lines + end, b""
        if self._returned:
            self._returned = False
            first = lines[: lines.index(b"\n") + 1]
            if first == self._state:
                lines, back = lines[len(first) :], self._answer
        if lines:
            self._state, self._answer = lines[lines[:-1].rfind(b"\n") + 1 :], b""
        return lines, back


class SeatEnd(Enum):
    """How it went."""

    OVER = "the match is over"
    VOID = "nobody may take the seat any more"
    FAILED = "the bot failed"
    GONE = "the server has gone"
    LEFT = "left; the server waits some time for this relay to come back"


@dataclass(frozen=True, slots=True)
class SeatReport:
    """How a seat was played."""

    end: SeatEnd
    reason: str = ""
    """One line; "" where there is nothing to say."""
    returns: int = 0
    """How often it was taken again."""


class BotError(Exception):
    """The bot is not there, or no longer; the text says why."""


class SeatedRelay:
    """One bot in one seat."""

    def __init__(
        self,
        server: Server,
        offer: SeatOffer,
        bot: Participant,
        folder: Path,
        patience: float,
        stop: asyncio.Event,
        phrase: str = "",
    ) -> None:
        """Take nothing yet.

        Args:
            server: of the match.
            offer: the seat.
            bot: who plays.
            folder: for its output.
            patience: seconds without the server after which it has gone.
            stop: is set where the relay is to end.
            phrase: words for the deals of the match, said when the seat is taken.
        """
        self._stop = stop
        self._query = {"words": phrase} if phrase else None
        self._server = server
        self._offer = offer
        self._bot = bot
        self._folder = folder
        self._patience = patience
        self._memory = SeatMemory()
        self._taken = 0
        self._carried = 0
        self.over: Final = asyncio.Event()
        """Set by whoever hears that nobody may take the seat any more."""
        self._tell: Callable[[str], None] = lambda _line: None

    async def play(self, launcher: ProcessLauncher, tell: Callable[[str], None]) -> SeatReport:
        """Start the bot, take the seat, and carry bytes to the match's end; then end the bot.

        Args:
            launcher: of the bot.
            tell: hears in one line of what the connection does.
        """
        self._tell = tell
        output, errors = (
            OutputFile(self._folder / f"{self._offer.name}.{end}") for end in ("std", "err")
        )
        child: Child | None = None
        try:
            async with _Door(self._tell) as door:
                child = await self._start(launcher, door.port, output, errors)
                reader, writer = await self._arrival(door, child)
                door.shut()
                keeping = asyncio.create_task(_keep_short(output, errors))
                try:
                    report = await self._play(reader, writer, child)
                finally:
                    keeping.cancel()
        except BotError as error:
            if child is not None and await self._stops_with(child):
                report = await self._leave(str(error), child)
            else:
                report = await self._fail(str(error), child)
        finally:
            if child is not None:
                await child.end(_FAREWELL_SECONDS)
            for file in (output, errors):
                file.keep_short()
                file.remove_if_empty()
        return replace(report, returns=max(0, self._taken - 1))

    async def _start(
        self, launcher: ProcessLauncher, port: int, output: OutputFile, errors: OutputFile
    ) -> Child:
        """Start the bot.  Raises BotError."""
        offer = self._offer
        try:
            game = self._game_file()
            program = bot_program(
                self._bot,
                game=game,
                seed=0,
                token="",
                mark=f"{launcher.token}.{offer.name}",
                limits=offer.limits,
                output=output,
                errors=errors,
            )
            return await program.start(launcher, Path.cwd(), (LOOPBACK, port))
        except (OSError, GameDefError) as error:
            raise BotError(f"cannot start the bot: {error}") from error

    def _game_file(self) -> Path:
        """Return the file of the game.  Raises OSError, GameDefError."""
        if not self._offer.definition:
            return builtin_path(self._offer.game)
        path = self._folder / f"{self._offer.name}.game"
        path.write_text(self._offer.definition, encoding="utf-8")
        return path.absolute()

    async def _arrival(
        self, door: "_Door", child: Child
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return the bot's connection, its VERSION line read.  Raises BotError."""
        ended = asyncio.create_task(child.wait())
        arriving = asyncio.create_task(door.arrival())
        tasks: set[asyncio.Task[Any]] = {ended, arriving}
        try:
            await asyncio.wait(
                tasks, timeout=self._offer.seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if not arriving.done():
                await asyncio.sleep(0)
                late = "did not connect in time, and say its VERSION"
                raise BotError(f"the bot {in_words(child.status) if ended.done() else late}")
            reader, writer, greeting = arriving.result()
        finally:
            for task in tasks:
                task.cancel()
        self._memory.greet(greeting)
        return reader, writer

    async def _play(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, child: Child
    ) -> SeatReport:
        """Take the seat again and again, until it is not there any more.  Raises BotError."""
        loop, backoff = asyncio.get_running_loop(), Backoff(0.2, 10.0)
        since = loop.time()
        patience, reason = self._offer.seconds, ""
        while True:
            try:
                path = ("api", "seats", self._offer.key)
                async with self._server.switched(*path, query=self._query) as stream:
                    self._taken += 1
                    carried = self._carried
                    await self._carry(stream, reader, writer, child)
                    if self._carried > carried:
                        backoff.reset()
                wait, patience, reason = 0.0, self._patience, "the server closes it again and again"
                since = loop.time()
                if not self._carried and self._taken == _MOST_FRUITLESS:
                    return SeatReport(SeatEnd.VOID, reason)
            except ServerRefusal as refusal:
                if refusal.status in _NO_SEAT:
                    return SeatReport(SeatEnd.OVER if self._taken else SeatEnd.VOID)
                if not self._taken:
                    return SeatReport(SeatEnd.VOID, str(refusal))
                wait, reason = 0.0, str(refusal)
            except ServerUnreachable as error:
                wait, reason = error.retry_after, str(error)
            remaining = since + patience - loop.time()
            if remaining <= 0:
                return SeatReport(SeatEnd.GONE, reason)
            if await _is_set(self.over, min(backoff.next(wait), remaining)):
                return SeatReport(SeatEnd.OVER if self._taken else SeatEnd.VOID)

    async def _carry(
        self,
        stream: ServerStream,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        child: Child,
    ) -> None:
        """Carry bytes both ways until the server's end of the stream.

        Raises:
            BotError: the bot's came first.
        """
        stream.writer.write(self._memory.come_back())
        inward = asyncio.create_task(self._carry_in(stream, writer))
        outward = asyncio.create_task(self._carry_out(stream, reader))
        tasks = (inward, outward)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if outward.done() and outward.result():
                await child.ended_within(_EXIT_SECONDS)
                if not child.status:  # the match may be over
                    await asyncio.wait([inward], timeout=_FAREWELL_SECONDS)
                status = child.status
                raise BotError(_DEPARTED if status is None else f"the bot {in_words(status)}")
            if inward.done():
                inward.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    async def _carry_in(self, stream: ServerStream, writer: asyncio.StreamWriter) -> None:
        data, again = stream.rest, self._taken > 1
        while True:
            lines, back = self._memory.from_server(data)
            self._carried += len(data)
            if data and again:
                self._tell("connected again")
                again = False
            if back:
                stream.writer.write(back)
            if lines:
                writer.write(lines)
                with contextlib.suppress(OSError):  # the other direction notices, too
                    await writer.drain()
            try:
                data = await stream.reader.read(_READ_BYTES)
            except OSError:
                return
            if not data:
                return

    async def _carry_out(self, stream: ServerStream, reader: asyncio.StreamReader) -> bool:
        """Return whether the bot has ended its stream; else the server's is lost."""
        while True:
            try:
                data = await reader.read(_READ_BYTES)
            except OSError:
                data = b""
            try:
                if not data:
                    stream.writer.write_eof()
                    return True
                stream.writer.write(self._memory.from_bot(data))
                await stream.writer.drain()
            except OSError:
                return not data

    async def _stops_with(self, child: Child) -> bool:
        """Return whether a bot has ended while its relay is stopped, as a service is as a whole."""
        return child.status in _STOPPED and await _is_set(self._stop, _TOGETHER_SECONDS)

    async def _leave(self, reason: str, child: Child) -> SeatReport:
        """Leave a seat to a relay that comes back, unless the match is over."""
        if not child.status and await _is_set(self.over, _FAREWELL_SECONDS):
            return SeatReport(SeatEnd.OVER)
        return SeatReport(SeatEnd.LEFT, reason)

    async def _fail(self, reason: str, child: Child | None) -> SeatReport:
        """Give a seat up whose bot is gone, unless the match is over."""
        over = await self._give_up(reason)
        if child is not None and await child.ended_within(_FAREWELL_SECONDS):
            over = over and not child.status
            reason = f"the bot {in_words(child.status)}" if reason == _DEPARTED else reason
        return SeatReport(SeatEnd.OVER if over else SeatEnd.FAILED, reason)

    async def _give_up(self, reason: str) -> bool:
        """Tell the server that the bot will not come back, so that nobody waits for it.

        Return whether the match is over anyway.
        """
        path = ("api", "seats", self._offer.key)
        try:
            await self._server.call("DELETE", *path, document={"reason": reason})
        except ServerUnreachable:
            return False
        except ServerRefusal as refusal:
            return self._taken > 0 and refusal.status in _NO_SEAT
        return False


class _Arrival(NamedTuple):
    """A bot that has come."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    greeting: bytes
    """Its first line."""


class _Door:
    """A loopback port at which one bot of this user may connect, a connection the door closes.

    Who says something else than VERSION: first, such as a browser, is no bot.
    """

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.port = 0
        self._tell = tell
        self._server: asyncio.Server | None = None
        self._arrived: asyncio.Future[_Arrival]
        self._greeted: set[asyncio.StreamWriter] = set()
        """Who has said nothing yet."""

    async def __aenter__(self) -> "_Door":
        self._arrived = asyncio.get_running_loop().create_future()
        self._server = await asyncio.start_server(self._greet, LOOPBACK, 0, backlog=1)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self.shut()
        if not self._arrived.done():
            self._arrived.cancel()
            return
        writer = self._arrived.result().writer
        writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_EXIT_SECONDS):
                await writer.wait_closed()
        writer.transport.abort()

    def shut(self) -> None:
        """Let nobody else in."""
        if self._server is not None:
            self._server.close()
        for writer in self._greeted:
            writer.transport.abort()

    async def arrival(self) -> "_Arrival":
        """Wait for the bot."""
        return await asyncio.shield(self._arrived)

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if is_strange(writer.get_extra_info("peername"), self.port):
            writer.close()
            self._tell("another user of this machine wanted the bot's seat, and was turned away")
            return
        self._greeted.add(writer)
        try:
            line = await reader.readuntil(b"\n")
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            line = b""
        self._greeted.discard(writer)
        if self._arrived.done():
            writer.close()
        elif line.startswith(_GREETING):
            self._arrived.set_result(_Arrival(reader, writer, line))
        else:
            writer.close()
            self._tell("something that sent no VERSION line wanted the bot's seat: turned away")


async def _is_set(event: asyncio.Event, seconds: float) -> bool:
    """Wait for an event for at most so long; return whether it has come."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


async def _keep_short(*files: OutputFile) -> None:
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        for file in files:
            file.keep_short()
