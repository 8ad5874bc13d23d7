"""A line between two network devices that takes its time, and loses packets.

    python -m tests.helpers.bad_line FIRST SECOND DELAY_MS JITTER_MS LOSS SEED

It makes two TUN devices of these names, says so, and carries packets from each to the other until
its input ends.  Then it says how many there were, and how many of them it has lost.  Lost ones are
for TCP in the kernel to send again, as on a real line.
"""

import asyncio
import contextlib
import fcntl
import os
import struct
import subprocess
import sys

import numpy as np
import pytest

from tests.helpers.interpreter import INTERPRETER

TUN = "/dev/net/tun"
TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
MOST_BYTES = 1 << 16
"""Of a packet."""


class BadLine:
    """Such a line in a process of its own."""

    def __init__(self, delay_ms, jitter_ms, loss, seed=1):
        """Take what a packet needs one way at least, what it may need beside, and a share."""
        self._words = [str(number) for number in (delay_ms, jitter_ms, loss, seed)]
        self.packets = self.lost = 0
        """Once it has ended."""

    @contextlib.contextmanager
    def joining(self, ends):
        """Make two devices, and carry packets between them."""
        if not os.access(TUN, os.R_OK | os.W_OK):
            pytest.skip(f"there is no {TUN} to make network devices with")
        process = subprocess.Popen(
            [INTERPRETER, "-m", __name__, *ends, *self._words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            if not process.stdout.readline():
                pytest.skip("no network devices can be made here")
            yield
        finally:
            said, _ = process.communicate()
            if said:
                self.packets, self.lost = map(int, said.split())


def device(name):
    """Make a TUN device; return its descriptor."""
    descriptor = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return descriptor


class Carrier:
    """Carries packets from each of two devices to the other."""

    def __init__(self, delay, jitter, loss, seed):
        """Take seconds, a share, and a seed."""
        self.delay = delay
        self.jitter = jitter
        self.loss = loss
        self.random = np.random.default_rng(seed)
        self.packets = self.lost = 0

    def carry(self, source, target):
        """Take all packets that wait at a device; bring those that are not lost to the other."""
        with contextlib.suppress(BlockingIOError):
            while True:
                packet = os.read(source, MOST_BYTES)
                self.packets += 1
                if self.random.random() < self.loss:
                    self.lost += 1
                    continue
                seconds = self.delay + self.jitter * self.random.random()
                asyncio.get_running_loop().call_later(seconds, self._bring, target, packet)

    def _bring(self, target, packet):
        with contextlib.suppress(OSError):  # a device that is down, or full, loses it as well
            os.write(target, packet)


async def main(first, second, carrier):
    """Carry until the input ends."""
    ends = device(first), device(second)
    print("joined", flush=True)
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(sys.stdin, over.set)
    for source, target in (ends, ends[::-1]):
        loop.add_reader(source, carrier.carry, source, target)
    await over.wait()
    print(carrier.packets, carrier.lost)


if __name__ == "__main__":
    first, second, delay, jitter, loss, seed = sys.argv[1:]
    asyncio.run(
        main(
            first, second, Carrier(float(delay) / 1e3, float(jitter) / 1e3, float(loss), int(seed))
        )
    )
