"""What a seat is charged while eight seats of other matches of its dealer flood it with junk."""

import contextlib
import gc
import socket
import subprocess
import sys
import threading

import pytest

from protocol.gamedefs import load_builtin
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.state_bot import SeatedStateBot

FLOODERS = 8
HANDS = 1000
HUNL = load_builtin("hunl")


def flood(seat: socket.socket) -> None:
    """Send junk until the dealer is gone."""
    with seat, contextlib.suppress(OSError):
        while True:
            seat.sendall(b"x\n" * 32_768)


def main(ports: list[str]) -> None:
    """Say the version at each port, then flood it; run in a process of its own."""
    seats = [socket.create_connection(("127.0.0.1", int(port))) for port in ports]
    for seat in seats:
        seat.sendall(b"VERSION:2.0.0\r\n")
        threading.Thread(target=flood, args=(seat,), daemon=True).start()
    print("seated", flush=True)
    sys.stdin.read()


@pytest.mark.parametrize("lane", ["off", "on"])
def bench_flooded_neighbours(benchmark, tmp_path, lane):
    """A match of 1000 hands beside eight that are flooded; `charged_ms` are the seats' waits.

    The seats are of this process, where collecting all its garbage takes 40 ms.
    """

    def play() -> None:
        words = (str(HANDS), "-q", "-T", "--lane", lane)
        with DealerProcess(tmp_path, *words, matches=FLOODERS + 1) as dealer:
            threading.Thread(target=dealer.process.stderr.read, daemon=True).start()
            quiet, *flooded = dealer.ports_of
            command = [sys.executable, "-m", __name__, *(str(p) for two in flooded for p in two)]
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            with subprocess.Popen(command, **pipes) as flooding:
                flooding.stdout.readline()
                for bot in [SeatedStateBot(HUNL, port) for port in quiet]:
                    bot.join()
                flooding.kill()

    gc.disable()
    try:
        benchmark.pedantic(play, rounds=1)
    finally:
        gc.enable()
    lines = (tmp_path / "m.0.tlog").read_text().splitlines()
    charged = sorted(1e3 * (float(end) - float(start)) for *_, start, end in map(str.split, lines))
    benchmark.extra_info["charged_ms_median"] = charged[len(charged) // 2]
    benchmark.extra_info["charged_ms_max"] = charged[-1]


if __name__ == "__main__":
    main(sys.argv[1:])
