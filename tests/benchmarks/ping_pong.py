"""A bare asyncio line ping-pong with as many messages as a match: the yardstick for the dealer.

    python -m tests.benchmarks.ping_pong HANDS TURNS

Prints two ports; plays TURNS turns with a client on each: one line to both clients, one answer
from one of them.  At the end of each of HANDS hands both get one more line, as in a match.  It
knows no cards, no rules and no clock; nothing is checked.
"""

import asyncio
import sys

WAIT = b"W" + b"x" * 45 + b"\r\n"
ACT = b"A" + b"x" * 45 + b"\r\n"


class Side(asyncio.BufferedProtocol):
    """One client's connection."""

    def __init__(self, match: "PingPong") -> None:
        self._match = match
        self._buffer = bytearray(65536)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start when both are here."""
        self._match.joined(transport)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Return the read buffer."""
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """An answer: the next turn."""
        if bytes(self._buffer[:nbytes]).endswith(b"\n"):
            self._match.turn()


class PingPong:
    """Counts turns and hands."""

    def __init__(self, hands: int, turns: int) -> None:
        self.done = asyncio.get_running_loop().create_future()
        self._sides: list[asyncio.WriteTransport] = []
        self._hands, self._turns = hands, turns
        self._turn = self._hand = 0

    def joined(self, transport: asyncio.BaseTransport) -> None:
        """Take a client in."""
        self._sides.append(transport)  # type: ignore[arg-type]
        if len(self._sides) == 2:
            self.turn()

    def turn(self) -> None:
        """Show the next line to both; end after the last turn."""
        if self._turn >= self._turns:
            for side in self._sides:
                side.close()
            if not self.done.done():
                self.done.set_result(None)
            return
        if self._turn * self._hands >= self._hand * self._turns:
            self._hand += 1
            for side in self._sides:
                side.write(WAIT)
        acting = self._turn % 2
        self._turn += 1
        self._sides[0].write(WAIT if acting else ACT)
        self._sides[1].write(ACT if acting else WAIT)


async def main(hands: int, turns: int) -> None:
    """Serve one ping-pong."""
    loop = asyncio.get_running_loop()
    match = PingPong(hands, turns)
    servers = [await loop.create_server(lambda: Side(match), "127.0.0.1", 0) for _ in range(2)]
    print(*(server.sockets[0].getsockname()[1] for server in servers), flush=True)
    await match.done
    for server in servers:
        server.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
