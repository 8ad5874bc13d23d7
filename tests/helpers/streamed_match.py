"""A match in this process, over real sockets, against seats that send a given stream of bytes."""

import asyncio
import contextlib
import math
import re
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dealer.lane.loading import LaneLoader
from dealer.plan.match_plan import LaneMode
from dealer.server.clock import LoopClock
from dealer.server.endings import MatchStopped
from dealer.server.fast_lane import FastLane, VisitEnd
from dealer.server.match import Match
from dealer.server.observers import FaultOutcome, MatchObserver, Observers, ReplyFault
from dealer.server.record_file import RecordFile
from dealer.server.recorder import MatchLog, TransactionFile, Transcript
from dealer.server.seat import Seat
from dealer.server.seating import attach
from dealer.server.table import Table
from dealer.server.time_limits import MatchSettings, TimeAccounts
from engine.rules.keyed_dealing import SeedOrKey
from protocol.actions import Action
from protocol.gamedef import GameDef
from protocol.handlog import HandRecord

SEED = 42
KEY = bytes(range(32))
VERSION = b"VERSION:2.0.0\r\n"
_WHEN = re.compile(r"(?<= at )\d+\.\d{6}(?= |$)")


@dataclass(frozen=True)
class Stream:
    """What one seat sends."""

    data: bytes
    cuts: Sequence[int] = ()
    """Where it is cut, in order; each piece is sent by itself."""
    pauses: Sequence[float] = (0.0,)
    """Seconds after each piece, over and over again."""
    stays: bool = False
    """Whether it goes on reading, and sends nothing more, instead of closing its side."""
    narrow: bool = False
    """Whether its connection holds only some kilobytes."""
    reads_after: float = 0.0
    """Seconds after which it begins to read what it is sent."""


@dataclass
class Seen:
    """All that can be seen of a match, clocks aside, and how much of it was played in the lane."""

    received: list[bytearray] = field(compare=False)
    """By each seat."""
    reset: list[bool] = field(compare=False)
    """Whether its connection ended with a reset, which may take with it what was not read yet."""
    log: str
    transactions: list[str]
    """Action and hand of each line."""
    faults: list[tuple[object, ...]]
    """Of each line that could not be taken: whose it was, in which hand, and what became of it."""
    ending: str
    score: str
    finished_hands: int
    transcript: list[str]
    """What stderr would get, times left out; nothing in a quiet match."""
    seconds: list[float] = field(compare=False)
    """Charged to each seat."""
    lane_turns: int = field(compare=False)
    left_for: set[int] = field(compare=False)
    """Reasons for which the lane was left, see `dealer.lane.layout`."""
    hands: list[HandRecord]
    """As told to an observer of whole hands; none where there was no such observer."""

    def is_like(self, other: "Seen") -> bool:
        """Return whether nothing tells the two matches apart."""
        return self == other and all(map(_are_alike, self._heard(), other._heard()))

    def _heard(self) -> Iterator[tuple[bytearray, bool]]:
        return zip(self.received, self.reset, strict=True)


def _are_alike(one: tuple[bytearray, bool], other: tuple[bytearray, bool]) -> bool:
    """Return whether the same was received, as far as it was."""
    (bytes_one, reset_one), (bytes_other, reset_other) = one, other
    if len(bytes_one) > len(bytes_other):
        return reset_other and bytes_one.startswith(bytes_other)
    return bytes_one == bytes_other or (reset_one and bytes_other.startswith(bytes_one))


class _CountingLane(FastLane):
    """Counts what it does."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.turns = 0
        self.left_for: set[int] = set()

    def bring_back(self, seats: Sequence[Seat], accounts: TimeAccounts) -> VisitEnd:
        end = super().bring_back(seats, accounts)
        assert self.last_visit is not None
        self.turns += self.last_visit.turns
        self.left_for.add(self.last_visit.why)
        return end


class _Hands(MatchObserver):
    """Hears of whole hands."""

    def __init__(self) -> None:
        self.heard: list[HandRecord] = []

    def hand_played(self, hand: HandRecord) -> None:
        self.heard.append(hand)


class _Faults(MatchObserver):
    def __init__(self) -> None:
        self.heard: list[tuple[object, ...]] = []

    def reply_faulted(self, fault: ReplyFault) -> None:
        line = fault.line
        said = (fault.outcome, fault.reason, fault.action, fault.warnings)
        self.heard.append((line.seat, line.hand_id, line.raw, *said))


def play_streams(
    folder: Path,
    mode: LaneMode,
    game: GameDef,
    settings: MatchSettings,
    streams: Sequence[Stream],
    *,
    interrupt_after: float = math.inf,
    quiet: bool = True,
    told: bool = False,
    source: SeedOrKey = SEED,
) -> Seen:
    """Play a match; check that the accounts of time are what the transaction file says.

    After `interrupt_after` seconds it is interrupted; `told` says whether somebody hears of hands;
    `source` is what the deals are made of.
    """
    hands = _Hands() if told else None
    play = _play(folder, mode, game, settings, streams, interrupt_after, quiet, hands, source)
    return asyncio.run(play)


async def _play(
    folder: Path,
    mode: LaneMode,
    game: GameDef,
    settings: MatchSettings,
    streams: Sequence[Stream],
    interrupt_after: float,
    quiet: bool,
    hands: _Hands | None,
    source: SeedOrKey,
) -> Seen:
    log = RecordFile(folder / "m.log", "log", append=False)
    transactions = RecordFile(folder / "m.tlog", "transaction", append=False)
    faults = _Faults()
    told = RecordFile(folder / "m.err", "error", append=False)
    loud: list[MatchObserver] = [] if quiet else [Transcript(partial(_say, told), told.descriptor)]
    others = loud if hands is None else [*loud, hands]
    observers = Observers([MatchLog(log), TransactionFile(transactions), *others, faults])
    table = Table(game, source, [f"P{seat}" for seat in range(game.players)])
    accounts = TimeAccounts(settings.limits)
    clock = LoopClock()
    received = [bytearray() for _ in streams]
    reset = [False for _ in streams]
    seats, threads, clients = [], [], []
    with socket.create_server(("127.0.0.1", 0)) as server:
        for index, stream in enumerate(streams):
            client = socket.socket()
            clients.append(client)
            if stream.narrow:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(server.getsockname())
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection, _ = server.accept()
            if stream.narrow:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setblocking(False)
            seat = await attach(connection, index)
            seat.end.receive(VERSION)
            seat.end.next_event()
            seats.append(seat)
            threads += [
                threading.Thread(target=_send, args=(client, stream)),
                threading.Thread(target=_receive, args=(client, stream, received, reset, index)),
            ]
    loader = LaneLoader()
    lane = _CountingLane(mode, table, settings, observers, clock, loader)
    match = Match(table, seats, settings, accounts, observers, clock)
    for thread in threads:
        thread.start()
    if interrupt_after < math.inf:
        asyncio.get_running_loop().call_later(interrupt_after, match.interrupt, "interrupted")
    ending = "finished"
    try:
        await match.play(lane=lane)
    except MatchStopped as stop:
        ending = re.sub(r"\d+\.\d seconds", "T seconds", stop.end.detail)
    loader.close()
    await match.close()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    for client in clients:
        client.close()
    for file in (log, transactions, told):
        file.close()
    lines = (folder / "m.tlog").read_text().splitlines()
    if not any(FaultOutcome.FORFEITED in fault for fault in faults.heard):  # charged, not written
        check_accounts(lines, Table(game, source, table.names), accounts, table.hand_id)
    return Seen(
        received,
        reset,
        (folder / "m.log").read_text(),
        [line.rsplit(" ", 2)[0] for line in lines],
        faults.heard,
        ending,
        table.score(),
        table.finished_hands,
        [_WHEN.sub("", line) for line in (folder / "m.err").read_text("latin-1").splitlines()],
        accounts.match,
        lane.turns,
        lane.left_for,
        [] if hands is None else hands.heard,
    )


def _say(file: RecordFile, text: str | bytes) -> None:
    file.write_bytes(text.encode() if isinstance(text, str) else text)


def check_accounts(
    lines: Sequence[str], table: Table, accounts: TimeAccounts, last_hand: int
) -> None:
    """Check that each seat was charged, in the match and in its last hand, what its lines say."""
    match, hand = [0.0] * table.game.players, [0.0] * table.game.players
    for line in lines:
        action, hand_id, sent, received = line.split()
        while table.hand_id < int(hand_id):
            table.next_hand()
        seconds = float(received) - float(sent)
        assert seconds >= 0
        match[table.acting_seat] += seconds
        if table.hand_id == last_hand:
            hand[table.acting_seat] += seconds
        table.apply(Action(action[0], int(action[1:] or 0)))
    rounded = 2e-6 * (1 + len(lines))  # times are written in microseconds
    assert np.allclose(match, accounts.match, rtol=0, atol=rounded)
    assert np.allclose(hand, accounts.hand, rtol=0, atol=rounded)


def _send(client: socket.socket, stream: Stream) -> None:
    start = 0
    with contextlib.suppress(OSError):
        for number, end in enumerate((*stream.cuts, len(stream.data))):
            client.sendall(stream.data[start:end])
            start = end
            time.sleep(stream.pauses[number % len(stream.pauses)])
        if not stream.stays:
            client.shutdown(socket.SHUT_WR)


def _receive(
    client: socket.socket,
    stream: Stream,
    received: list[bytearray],
    reset: list[bool],
    index: int,
) -> None:
    time.sleep(stream.reads_after)
    try:
        while chunk := client.recv(1 << 16):
            received[index] += chunk
    except OSError:
        reset[index] = True
