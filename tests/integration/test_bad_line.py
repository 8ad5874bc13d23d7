"""A long match over a slow line that loses packets, and whose connections are cut in mid-match."""

import contextlib
import re
import subprocess
import sys
import time

import pytest

from dealer.arena import main as arena
from tests.helpers.bad_line import BadLine
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.live_server import CONFIG, SECONDS, Server, hands_dealt_again, wait_until
from tests.helpers.two_hosts import two_hosts

HANDS = 1000
CUTS = (250, 500, 750)
"""Hands after which all connections are cut."""
DELAY_MS = 20
"""Each way."""
JITTER_MS = 5
LOSS = 0.02
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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux'")
def test_a_match_outlives_its_line(tmp_path):
    """Three times the connections are lost; each hand is there once, and the relay is told."""
    bot = tmp_path / "all_in.py"
    bot.write_text(ALL_IN)
    line = BadLine(DELAY_MS, JITTER_MS, LOSS)
    with contextlib.ExitStack() as undo:
        address, (near, far) = undo.enter_context(two_hosts("line", "10.213.79", line))
        server = Server(tmp_path, [address], 'listen = "0.0.0.0"' + CONFIG)
        undo.callback(server.clear)
        server.start(INTERPRETER, before=near)
        log = server.data / "matches" / "00000001" / "leg0.log"
        began = time.monotonic()
        relay = _connect(far, server, f"http://{address}:{server.port}/", bot)
        undo.callback(relay.kill)
        for hands in CUTS:
            wait_until(lambda hands=hands: _hands(log) >= hands, f"no {hands} hands")
            _cut(far, address)
        text, _ = relay.communicate(timeout=SECONDS)
        seconds = time.monotonic() - began
        again = _sent_again(near), _sent_again(far)
    print(f"{HANDS} hands in {seconds:.0f} s; {line.lost} of {line.packets} packets lost; "
          f"sent again by the server's machine {again[0]}, by the relay's {again[1]}")  # fmt: skip
    assert relay.returncode == 0, text
    assert f"over {HANDS} hands" in text
    assert text.count("match 1 leg 0: connected again") == len(CUTS)
    assert line.lost > 0
    assert min(again) > 0
    states = re.findall(r"^STATE:([0-9]+):", log.read_text(), re.MULTILINE)
    assert states == [str(number) for number in range(HANDS)]
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


def _cut(host, address):
    """End all connections of a machine to an address; the other end may hear of it or not."""
    try:
        done = subprocess.run(
            [*host, "ss", "-H", "-K", "dst", address], capture_output=True, text=True
        )
    except FileNotFoundError:
        pytest.skip("there is no `ss` command to end connections with")
    if not done.stdout:
        pytest.skip(f"connections cannot be ended here: {done.stderr}")


def _sent_again(host):
    """How many segments of TCP a machine has sent more than once."""
    text = subprocess.check_output([*host, "cat", "/proc/net/snmp"], text=True)
    names, values = re.findall(r"^Tcp: (.*)$", text, re.MULTILINE)
    return int(dict(zip(names.split(), values.split(), strict=True))["RetransSegs"])


def _hands(log):
    return log.read_text().count("STATE:") if log.exists() else 0
