"""A long match over a slow line that is cut in mid-match; on two machines where that can be."""

import contextlib
import subprocess
import sys
import time

import pytest

from dealer.arena import main as arena
from tests.helpers import slow_proxy
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.live_server import SECONDS, Server, hands_dealt_again, wait_until
from tests.helpers.two_hosts import two_hosts

HANDS = 1000
CUTS = (250, 500, 750)
"""Hands after which the line is cut."""
DELAY_MS = 20
"""Each way."""
ALL_IN = """
import socket, sys
with socket.create_connection((sys.argv[-2], int(sys.argv[-1]))) as sock:
    sock.sendall(b"VERSION:2.0.0\\r\\n")
    for line in sock.makefile("rb"):
        _, position, _, betting, _ = line.split(b":")
        if betting == (b"" if position == b"1" else b"c"):
            sock.sendall(line.strip() + b":r20000\\r\\n")
"""
"""Moves all in when it is first asked, so that a hand takes one question and one answer."""


@contextlib.contextmanager
def proxy(near, address, port, target):
    """A line to a server's port, on its machine; yield the port there.  It is cut at the end."""
    numbers = [str(port), str(target), str(DELAY_MS)]
    process = subprocess.Popen(
        [*near, INTERPRETER, slow_proxy.__file__, address, *numbers],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux'")
@pytest.mark.parametrize("machines", [1, 2])
def test_a_match_outlives_its_line(tmp_path, machines):
    """Three times the connections are lost; each hand is there once, and the relay is told."""
    with contextlib.ExitStack() as undo:
        address, near, far = "127.0.0.1", (), ()
        if machines == 2:
            address, (near, far) = undo.enter_context(two_hosts("line", "10.213.77"))
        bot = tmp_path / "all_in.py"
        bot.write_text(ALL_IN)
        server = Server(tmp_path, [address])
        undo.callback(server.clear)
        server.start(INTERPRETER, before=near)
        port = 0
        log = server.data / "matches" / "00000001" / "leg0.log"
        relay = None
        began = time.monotonic()
        for hands in (*CUTS, None):
            with proxy(near, address, port, server.port) as port:
                if relay is None:
                    relay = _connect(far, server, f"http://{address}:{port}/", bot)
                    undo.callback(relay.kill)
                if hands is None:
                    text, _ = relay.communicate(timeout=SECONDS)
                else:
                    wait_until(lambda hands=hands: _hands(log) >= hands, f"no {hands} hands")
        print(f"{HANDS} hands in {time.monotonic() - began:.0f} s")
    assert relay.returncode == 0, text
    assert f"over {HANDS} hands" in text
    assert text.count("match 1 leg 0: connected again") == len(CUTS)
    lines = log.read_text().splitlines()
    numbers = [line.split(":")[1] for line in lines if line.startswith("STATE:")]
    assert numbers == [str(number) for number in range(HANDS)]
    assert arena(["replay", "--verify", str(log)]) == 0
    assert arena(["server", "check", "--folder", str(server.data)]) == 0
    assert hands_dealt_again(server.data, tmp_path / "export") == HANDS


def _connect(far, server, url, bot):
    token = server.data / "owner.token"
    return subprocess.Popen(
        [
            *(*far, INTERPRETER, "-m", "dealer.arena", "connect", url, "--token-file", str(token)),
            *("--bot", "mine", "--hands", str(HANDS), "--against", "always-call", "--no-pairs"),
            *("--", INTERPRETER, str(bot)),
        ],
        cwd=server.folder,
        stdout=subprocess.PIPE,
        text=True,
    )


def _hands(log):
    return log.read_text().count("STATE:") if log.exists() else 0
