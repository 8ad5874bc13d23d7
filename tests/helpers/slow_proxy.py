"""A proxy between two ports that takes its time, and may be killed.

    python slow_proxy.py ADDRESS PORT TARGET_PORT DELAY_MS

It prints its port, and carries bytes to a port of this machine.
"""

import asyncio
import contextlib
import sys


async def carry(reader, writer, seconds):
    """Carry bytes one way, each so many seconds later, to their end."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(OSError):
        while data := await reader.read(1 << 16):
            loop.call_later(seconds, writer.write, data)
        await asyncio.sleep(seconds)
        writer.write_eof()


async def serve(address, port, target, seconds):
    """Serve until the process ends."""

    async def join(reader, writer):
        near, far = await asyncio.open_connection("127.0.0.1", target)
        await asyncio.gather(carry(reader, far, seconds), carry(near, writer, seconds))
        for end in (writer, far):
            end.close()

    server = await asyncio.start_server(join, address, port)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    address, *numbers = sys.argv[1:]
    port, target, delay = map(int, numbers)
    asyncio.run(serve(address, port, target, delay / 1000))
