"""A seat whose socket and transport are made up, and the agent at their other end."""

import asyncio

from dealer.server.seat import READ_BYTES, Seat, SeatWatcher

VERSION = b"VERSION:2.0.0\r\n"


class Told(SeatWatcher):
    """Keeps what a seat tells."""

    def __init__(self) -> None:
        self.news: list[str] = []

    def seat_readable(self, seat: Seat) -> None:
        self.news.append("readable")

    def seat_lost(self, seat: Seat) -> None:
        self.news.append("lost")

    def seat_writable(self, seat: Seat) -> None:
        self.news.append("writable")


class FakeTransport(asyncio.Transport):
    """Keeps what it is told; asyncio's buffer is `unsent`."""

    def __init__(self, connection: "FakeConnection") -> None:
        super().__init__(extra={"socket": connection})
        self.seat: Seat | None = None
        self.connection = connection
        self.unsent = b""
        self.reading = True
        self.closed = False
        self.aborted = False

    def write(self, data: bytes) -> None:
        """Send what there is room for; keep the rest and call the agent slow."""
        try:
            taken = 0 if self.unsent else self.connection.send(data)
        except BlockingIOError:
            taken = 0
        except OSError:
            self.aborted = True
            return
        self.unsent += data[taken:]
        if self.unsent:
            self.seat.pause_writing()

    def get_write_buffer_size(self) -> int:
        return len(self.unsent)

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True


class FakeConnection:
    """The socket: takes everything, or `room` bytes, or is broken."""

    def __init__(self) -> None:
        self.sent = b""
        self.room: int | None = None
        self.broken = False
        self.options: list[tuple[int, int, int]] = []

    def setsockopt(self, *option: int) -> None:
        """Keep an option."""
        self.options.append(option)

    def send(self, data: bytes) -> int:
        """Take what there is room for, as a socket does."""
        if self.broken:
            raise ConnectionResetError
        if self.room == 0:
            raise BlockingIOError
        taken = data if self.room is None else data[: self.room]
        if self.room is not None:
            self.room -= len(taken)
        self.sent += taken
        return len(taken)


class FakeAgent:
    """Says what a test wants, and keeps what it is sent."""

    def __init__(self, index: int, watcher: SeatWatcher | None = None) -> None:
        """Sit down; without a `watcher` the version has been said already."""
        self.connection = FakeConnection()
        self.transport = FakeTransport(self.connection)
        self.seat = Seat(index, watcher or Told())
        self.transport.seat = self.seat
        self.seat.connection_made(self.transport)
        if watcher is None:
            self.say(VERSION)
            self.seat.end.next_event()

    @property
    def lines(self) -> list[bytes]:
        """The lines it was sent and has read."""
        return self.connection.sent.split(b"\r\n")[:-1]

    def say(self, data: bytes) -> None:
        """Send bytes to the dealer, as many at once as the seat takes."""
        for start in range(0, len(data), READ_BYTES):
            chunk = data[start : start + READ_BYTES]
            self.seat.get_buffer(-1)[: len(chunk)] = chunk
            self.seat.buffer_updated(len(chunk))

    def answer(self, action: bytes) -> None:
        """Answer the last state."""
        self.say(self.lines[-1] + b":" + action + b"\r\n")

    def stop_reading(self) -> None:
        """Read nothing more; what is sent from now on lies in the transport."""
        self.connection.room = 0

    def read_again(self) -> None:
        """Read what has piled up."""
        self.connection.room = None
        self.connection.sent += self.transport.unsent
        self.transport.unsent = b""
        self.seat.resume_writing()

    def vanish(self) -> None:
        """Lose the connection in both directions."""
        self.connection.broken = True
        self.seat.connection_lost(None)
