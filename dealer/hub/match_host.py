"""A process that plays matches for the server, many at once on one loop, with their house bots.

The server says over a `Channel` what to play and brings guests' connections; news of the matches go
back.  Where the server is gone, all matches stop: their files are whole, and the next server
resumes them.

    server says    {"do": "play", "leg": KEY, "plan": ..., "house": [{"seat": 0, ...}]}
                   {"do": "seat", "leg": KEY, "seat": 1, "received": TEXT}      and the connection
                   {"do": "stop", "leg": KEY}
    host says      {"news": "ready"}
                   {"news": "hands", "legs": {KEY: N}}
                   {"news": "over", "leg": KEY}      nobody is to come back to its seats
                   {"news": "end", "leg": KEY, "ending": ..., "detail": ..., "seat": 1, "lines": []}
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import sys
import traceback
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from dealer.bots.participants import BotKind, Participant, compiles
from dealer.bots.processes import ProcessLauncher, end_marked, in_words
from dealer.bots.programs import LOOK_SECONDS, OutputFile, SeatedBot, bot_program
from dealer.hub.channel import Channel, Document
from dealer.lane.loading import LaneLoader
from dealer.plan.match_plan import MatchPlan
from dealer.plan.plan_documents import plan_in
from dealer.server.endings import Ending, MatchEnd, MatchStopped
from dealer.server.match_run import MatchRun
from dealer.server.seating import MAX_NEWCOMERS, AcceptedConnections
from dealer.server.standard_streams import StandardStreams
from dealer.server.stopping import hear_signals
from protocol.gamedef import parse_gamedef

_NEWS_SECONDS: Final = 1.0
_BOT_END_SECONDS: Final = 2.0
_PAUSED_SECONDS: Final = 0.2
"""For house bots of a match that is stopped: some would try to come back to it."""
_MOST_EARLY_BYTES: Final = 1 << 12
_KEPT_LINES: Final = 20
_LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True)
class KeptLines(StandardStreams):
    """Streams of which the last lines of errors are kept, and nothing else."""

    lines: deque[str] = field(default_factory=lambda: deque(maxlen=_KEPT_LINES))

    def out(self, text: str) -> None:
        """Drop it: the score stands in the log."""

    def err(self, text: str | bytes) -> None:
        """Keep the lines that tell of something wrong."""
        shown = text if isinstance(text, str) else text.decode("utf-8", "backslashreplace")
        self.lines.extend(line for line in shown.splitlines() if line.startswith("ERROR"))


class MatchHost:
    """The matches of one process."""

    def __init__(self, end: socket.socket, folder: Path) -> None:
        """Play nothing yet.

        Args:
            end: of the channel to the server.
            folder: in which house bots are started.
        """
        self._folder = folder
        self._stop = asyncio.Event()
        self._loader = LaneLoader(cores=1)  # there is such a process for each core
        self._legs: dict[str, HostedLeg] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._channel = Channel(end, self._hear, self._stop.set)
        self._launcher = ProcessLauncher()

    async def run(self) -> None:
        """Play what the server says until it is gone, or a signal ends this process."""
        hear_signals(self._stop.set)
        async with self._launcher:
            self._channel.send({"news": "ready"})
            telling = asyncio.create_task(self._tell_hands())
            await self._stop.wait()
            telling.cancel()
            for leg in self._legs.values():
                leg.interrupt()
            if self._tasks:
                await asyncio.wait(self._tasks)
            self._loader.close()
        self._channel.close()

    def _hear(self, document: Document, file: int | None) -> None:
        leg = self._legs.get(document["leg"])
        if document["do"] == "play" and leg is None:
            self._begin(document)
        elif document["do"] == "seat" and file is not None:
            connection = socket.socket(fileno=file)
            if leg is None:
                connection.close()
            else:
                self._start(leg.seat(document, connection))
        elif document["do"] == "stop" and leg is not None:
            leg.interrupt()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _begin(self, document: Document) -> None:
        key = document["leg"]
        try:
            leg = HostedLeg(document, self._launcher, self._loader, self._folder)
        except Exception as error:
            traceback.print_exc()
            self._tell_end(key, MatchEnd(Ending.ERROR, repr(error)), [])
            return
        self._legs[key] = leg
        if self._stop.is_set():
            leg.interrupt()
        self._start(self._play(key, leg))

    async def _play(self, key: str, leg: HostedLeg) -> None:
        try:
            end = await leg.play(lambda: self._channel.send({"news": "over", "leg": key}))
        except Exception as error:  # a bug of ours; the other matches know nothing of it
            traceback.print_exc()
            end = MatchEnd(Ending.ERROR, repr(error))
        del self._legs[key]
        self._channel.send({"news": "hands", "legs": {key: leg.hands}})
        self._tell_end(key, end, leg.lines)

    def _tell_end(self, key: str, end: MatchEnd, lines: list[str]) -> None:
        ending, detail, seat = end.ending.value, end.detail, end.seat
        self._channel.send(
            {
                "news": "end",
                "leg": key,
                "ending": ending,
                "detail": detail,
                "seat": seat,
                "lines": lines,
            }
        )

    async def _tell_hands(self) -> None:
        while True:
            await asyncio.sleep(_NEWS_SECONDS)
            hands = {key: leg.hands for key, leg in self._legs.items()}
            if hands:
                self._channel.send({"news": "hands", "legs": hands})


class EarlyBytes(asyncio.Protocol):
    """Keeps what a guest sends before it has its seat."""

    def __init__(self, received: bytes = b"") -> None:
        """Begin with what has been received already."""
        self.received = b""
        self.lost = False
        self.news: Final = asyncio.Event()
        """Is set where there is a line, or never will be."""
        self.data_received(received)

    def data_received(self, data: bytes) -> None:
        """Keep it."""
        self.received += data
        if b"\n" in self.received or len(self.received) > _MOST_EARLY_BYTES:
            self.news.set()

    def connection_lost(self, _error: Exception | None) -> None:
        """Note that nothing comes any more."""
        self.lost = True
        self.news.set()


class HostedLeg:
    """One leg: its match, and its house bots."""

    def __init__(
        self, document: Document, launcher: ProcessLauncher, loader: LaneLoader, folder: Path
    ) -> None:
        self._key = document["leg"]
        self._plan = plan_in(MatchPlan, document["plan"])
        self._game_file = Path(document["game"])
        self._house = {bot["seat"]: _participant(bot) for bot in document["house"]}
        self._memory = {bot["seat"]: bot["memory_mb"] for bot in document["house"]}
        self._arguments = {bot["seat"]: bot["arguments"] for bot in document["house"]}
        self._launcher = launcher
        self._folder = folder
        self._mark = f"{launcher.token}.{self._key}"
        self._bots: list[SeatedBot] = []
        self._grace = _BOT_END_SECONDS
        self._gone: SeatedBot | None = None
        self._starting: asyncio.Task[Any] | None = None
        """While house bots start."""
        self._streams = KeptLines()
        self._source = AcceptedConnections(len(self._plan.seats))
        self._arriving: list[deque[asyncio.Transport]] = [deque() for _ in self._plan.seats]
        """By seat, connections of guests who have said nothing yet, the oldest first."""
        game = parse_gamedef(self._game_file.read_bytes())
        self._run = MatchRun(self._plan, game, self._source, self._streams, loader)

    @property
    def hands(self) -> int:
        """Hands that are over."""
        return self._run.finished_hands

    @property
    def lines(self) -> list[str]:
        """What the host of the server may want to know of an early end."""
        tail = () if self._gone is None else self._gone.program.errors.tail()
        return [*self._streams.lines, *tail]

    def interrupt(self) -> None:
        """Stop the match in good order."""
        self._grace = _PAUSED_SECONDS
        self._run.interrupt()
        if self._starting is not None:
            self._starting.cancel()

    async def seat(self, document: Document, connection: socket.socket) -> None:
        """Bring a guest to a seat; who is lost before the first line may come again.

        Of many who say nothing the oldest go: no owner of a bot is to take all descriptors.
        """
        connection.setblocking(False)
        received = document["received"].encode("latin-1")
        transport, early = await asyncio.get_running_loop().connect_accepted_socket(
            partial(EarlyBytes, received), connection
        )
        arriving = self._arriving[document["seat"]]
        arriving.append(transport)
        if len(arriving) > MAX_NEWCOMERS:
            arriving.popleft().abort()
        await early.news.wait()
        with contextlib.suppress(ValueError):
            arriving.remove(transport)
        if not early.lost:
            self._source.give(document["seat"], transport, early.received)

    async def play(self, over: Callable[[], None]) -> MatchEnd:
        """Play to the end, and return it; `over` is called at once, before house bots have left."""
        async with contextlib.AsyncExitStack() as undo:
            undo.push_async_callback(self._end_bots)
            undo.push_async_callback(self._run.close)
            undo.callback(self._turn_away)
            try:
                self._run.open()
                self._run.prepare()
                await self._start_bots(undo)
                await self._run.play()
                end = MatchEnd(Ending.FINISHED)
            except MatchStopped as stop:
                end = stop.end
            except OSError as error:
                end = MatchEnd(Ending.ERROR, str(error))
            except asyncio.CancelledError:
                end = MatchEnd(Ending.INTERRUPTED, "interrupted")
            over()
        if self._gone is not None and end.ending is not Ending.FINISHED:
            status = in_words(self._gone.child.status)
            end = MatchEnd(Ending.CRASH, f"{self._gone.bot.label} {status}", self._gone.number)
        return self._run.sum_up(end)

    def _turn_away(self) -> None:
        """Let nobody wait for a seat any more."""
        for transport in chain(*self._arriving):
            transport.abort()

    async def _start_bots(self, undo: contextlib.AsyncExitStack) -> None:
        self._starting = asyncio.current_task()
        for number, bot in self._house.items():
            server = await self._listen(number)
            undo.callback(server.close)
            await self._start(number, bot, server.sockets[0].getsockname())
        self._starting = None
        for seated in self._bots:
            watcher = asyncio.create_task(self._watch(seated))
            undo.callback(watcher.cancel)

    async def _end_bots(self) -> None:
        await asyncio.gather(*(bot.child.end(self._grace) for bot in self._bots))
        await end_marked(self._mark)

    async def _listen(self, seat: int) -> asyncio.Server:
        """Return a port at which a house bot sits down; its token keeps others away."""

        class Arrival(asyncio.Protocol):
            def connection_made(_, transport: asyncio.BaseTransport) -> None:
                assert isinstance(transport, asyncio.Transport)
                self._source.give(seat, transport)

        return await asyncio.get_running_loop().create_server(Arrival, _LOOPBACK, 0)

    async def _start(self, number: int, bot: Participant, address: tuple[str, int]) -> None:
        log = Path(self._plan.records.log or "")
        program = bot_program(
            bot,
            game=self._game_file,
            seed=secrets.randbits(32),
            token=self._plan.seats[number].token,
            mark=self._mark,
            limits=self._plan.limits_of(number),
            output=OutputFile(log.with_suffix(f".player{number}.std")),
            errors=OutputFile(log.with_suffix(f".player{number}.err")),
            log=log,
        )
        limited = partial(_limited, program.command, self._memory[number], self._arguments[number])
        program = replace(program, command=limited)
        in_the_middle = self._run.finished_hands > 0
        if compiles(bot):
            child, line = await program.start_early(
                self._launcher, self._folder, in_the_middle=in_the_middle
            )
            seated = SeatedBot(number, program, child, line)
            self._bots.append(seated)
            await seated.until_ready(lambda: None)
            seated.sit_down(address)
        else:
            child = await program.start(
                self._launcher, self._folder, address, in_the_middle=in_the_middle
            )
            self._bots.append(SeatedBot(number, program, child, address=address))

    async def _watch(self, bot: SeatedBot) -> None:
        """See to it that the match does not wait for a house bot that is gone."""
        keeping = asyncio.create_task(self._keep_short(bot))
        try:
            await bot.child.wait()
            self._gone = self._gone or bot
            await asyncio.sleep(_BOT_END_SECONDS)  # what it has sent is played first
            self._run.interrupt()
        finally:
            keeping.cancel()

    async def _keep_short(self, bot: SeatedBot) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for file in (bot.program.output, bot.program.errors):
                file.keep_short()


def _participant(bot: dict[str, Any]) -> Participant:
    return Participant(
        bot["label"], BotKind(bot["kind"]), tuple(bot["words"]), directory=bot["directory"]
    )


def _limited(
    command: Callable[[str, int], list[str]],
    memory_mb: int | None,
    arguments: Sequence[str],
    host: str,
    port: int,
) -> list[str]:
    """Return the command of a house bot that may have so much memory; None: any.

    Args:
        arguments: behind host and port.
    """
    words = [*command(host, port), *arguments]
    if memory_mb is None:
        return words
    return ["/bin/sh", "-c", f'ulimit -v {memory_mb << 10} && exec "$@"', "sh", *words]


def main(argv: Sequence[str] | None = None) -> int:
    """Play matches: the arguments are the number of the open channel and a folder."""
    descriptor, folder = sys.argv[1:] if argv is None else argv
    end = socket.socket(fileno=int(descriptor))
    os.set_inheritable(end.fileno(), False)

    async def play() -> None:
        await MatchHost(end, Path(folder)).run()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(play())
    return 0


if __name__ == "__main__":
    sys.exit(main())
