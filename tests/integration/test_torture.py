"""Peers that misbehave on real sockets, on every street: each harms only its own match."""

import contextlib
import fcntl
import itertools
import json
import re
import socket
import subprocess
import sys
import termios
import time
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import IO

import pytest

from engine.rules.dealing import DealStream
from protocol.cards import format_cards
from protocol.gamedefs import load_builtin
from tests.helpers.dealer_process import Client, DealerProcess

HEAD = 4
"""Lines of the log's header."""
HELD_HANDS = 11_000
"""More than the dealer plays before a seat that does not read holds it up: about 6,700."""


def play_on(clients: list[Client], until_street: int) -> int:
    """Check or call down to a street of hand 0; return the index of the client to act there."""
    acting = 1
    slashes = 0
    while slashes < until_street:
        state = clients[acting].line()
        clients[1 - acting].line()
        clients[acting].send(state + b":c\r\n")
        calls = state.split(b":")[3].replace(b"/", b"")
        slashes = (len(calls) + 1) // 2
        acting = 0 if slashes and (len(calls) + 1) % 2 == 0 else 1 - acting
    return acting


def call_down(clients: list[Client], call: Callable[[Client, bytes], None]) -> None:
    """Play hand 0 to its end with calls: `call` says one to a state."""
    acting = 1
    while True:
        states = [client.line() for client in clients]
        betting = states[0].split(b":")[3]
        if betting.count(b"/") == 3 and betting.endswith(b"/cc"):
            return
        acting = 0 if betting.endswith(b"/") else 1 - acting if betting else acting
        call(clients[acting], states[acting])


JUNK = {
    "two_replies_in_one_packet": b"%s:c\r\n%s:c\r\n",
    "stale_state": b"MATCHSTATE:0:77::|:f\r\n%s:c\r\n",
    "nul_bytes": b"\0\0\0\r\nMATCH\0STATE\r\n%s:c\0\0\r\n",
    "comments": b"# thinking\r\n; hard\r\n" * 2000 + b"%s:c\r\n",
    "random_bytes": bytes(range(256)) * 40 + b"\n%s:c\r\n",
    "only_line_ends": b"\r\n\n\r\r\n" * 40 + b"%s:c\r\n",
    "huge_numbers": b"MATCHSTATE:" + b"9" * 3000 + b":" + b"9" * 900 + b"::|:c\r\n%s:c\r\n",
}


def test_junk_before_or_after_an_answer_does_no_harm(tmp_path):
    """On every street and from both seats: the answer counts; the match ends as it should."""
    kinds, sent = itertools.cycle(JUNK), set()

    def call(client: Client, state: bytes) -> None:
        kind = next(kinds)
        sent.add(kind)
        client.send(JUNK[kind].replace(b"%s", state))

    with DealerProcess(tmp_path, "-q") as dealer:
        call_down(dealer.connect_all(), call)
        code, out, _ = dealer.finish()
    assert (code, out) == (0, "SCORE:100|-100:Alice|Bob\n")
    assert sent == JUNK.keys()


def test_answers_in_one_byte_packets(tmp_path):
    """TCP may cut a line anywhere."""

    def call(client: Client, state: bytes) -> None:
        for byte in state + b":c\r\n":
            client.send(bytes([byte]))

    with DealerProcess(tmp_path, "-q") as dealer:
        call_down(dealer.connect_all(), call)
        code, out, _ = dealer.finish()
    assert (code, out) == (0, "SCORE:100|-100:Alice|Bob\n")


def test_a_line_of_ten_megabytes(tmp_path):
    """It is cut to pieces, each a bad state; memory stays small and the answer still counts."""
    with DealerProcess(tmp_path, "-q") as dealer:
        clients = dealer.connect_all()
        state = clients[1].line()
        clients[1].send(b"x" * 10_000_000 + b"\n" + state + b":f\r\n")
        code, out, err = dealer.finish(60)
    assert (code, out) == (0, "SCORE:50|-50:Alice|Bob\n")
    assert err.count("WARNING: bad state format in response") == 10_000_000 // 4095 + 1


def test_a_huge_raise_becomes_the_largest_legal_one(tmp_path):
    """Mend 6: however long the number is."""
    with DealerProcess(tmp_path, "-q") as dealer:
        clients = dealer.connect_all()
        clients[1].send(clients[1].line() + b":r" + b"9" * 4000 + b"\r\n")
        clients[0].line()
        assert clients[0].line().startswith(b"MATCHSTATE:0:0:r20000:")


def test_silence_runs_out_of_time(tmp_path):
    """A seat that says nothing ends its match with the original's words."""
    with DealerProcess(tmp_path, "-q", "--t_response", "100", "--summary", "s.json") as dealer:
        dealer.connect_all()
        code, out, err = dealer.finish()
    assert (code, out) == (1, "")
    first, second = err.splitlines()[-2:]
    assert first == "ERROR: could not get action from seat 2"
    assert re.fullmatch(r"[0-9]+\.[0-9] seconds spent waiting; timeout 0\.1", second)
    summary = json.loads((tmp_path / "s.json").read_text())
    assert (summary["ending"], summary["seat"], summary["hands"]) == ("timeout", 2, 0)


def test_a_flood_of_comments_ends_with_the_hand_budget(tmp_path):
    """However much is said; what each line does to the clocks is tested with clocks."""
    with DealerProcess(tmp_path, "-q", "--t_hand", "300") as dealer:
        clients = dealer.connect_all()
        start = time.monotonic()
        while dealer.process.poll() is None and time.monotonic() - start < 60:
            try:
                clients[1].send(b"# still thinking\r\n" * 50)
            except OSError:
                break
            time.sleep(0.01)
        code, _, err = dealer.finish()
    assert code == 1
    assert "ERROR: seat 2 ran out of time" in err


@pytest.mark.parametrize(
    ("street", "ending"), [(0, "close"), (1, "reset"), (2, "half_close"), (3, "close")]
)
def test_the_acting_seat_vanishes(tmp_path, street, ending):
    """Whatever way it goes: an error, exit 1, and the other seat sees a closed connection."""
    with DealerProcess(tmp_path, "-q", "--ending-codes") as dealer:
        clients = dealer.connect_all()
        acting = play_on(clients, street)
        clients[acting].line()
        if ending == "half_close":
            clients[acting].sock.shutdown(1)
        else:
            getattr(clients[acting], ending)()
        clients[1 - acting].line()
        assert clients[1 - acting].line() == b""
        code, out, err = dealer.finish()
    assert (code, out) == (4, "")
    assert f"ERROR: could not get action from seat {acting + 1}" in err


def test_the_waiting_seat_vanishes(tmp_path):
    """Mend 1: it ends the match in order when it is needed, not by a signal."""
    with DealerProcess(tmp_path, "3", "-q") as dealer:
        clients = dealer.connect_all()
        clients[0].reset()
        time.sleep(0.1)
        clients[1].answer(b"f")
        code, out, err = dealer.finish()
    assert (code, out) == (1, "")
    assert "ERROR: could not send state to seat 1" in err


def test_a_finished_hand_survives_a_seat_that_vanishes(tmp_path):
    """The hand is in the log before anybody hears of it."""
    with DealerProcess(tmp_path, "3", "-q") as dealer:
        clients = dealer.connect_all()
        clients[1].answer(b"f")
        clients[1].close()
        clients[0].close()  # which may be the one that is waited for
        dealer.finish()
        assert dealer.log[HEAD:] == ["STATE:0:f:7d3d|2hAc:50|-50:Alice|Bob"]


def test_an_unterminated_last_line_still_counts(tmp_path):
    """A half close ends the line, as in the original."""
    with DealerProcess(tmp_path, "-q") as dealer:
        clients = dealer.connect_all()
        clients[1].send(clients[1].line() + b":f")
        clients[1].sock.shutdown(1)
        code, out, _ = dealer.finish()
    assert (code, out) == (0, "SCORE:50|-50:Alice|Bob\n")


def pipelined_folds(hands: int) -> bytes:
    """Return all answers of seat 2 that folds every hand with fixed seats and seed 42."""
    deals = DealStream(load_builtin("hunl"), 42)
    return b"".join(
        b"MATCHSTATE:1:%d::|%s:f\r\n" % (hand, format_cards(next(deals).holes[1]).encode())
        for hand in range(hands)
    )


@contextlib.contextmanager
def held_match(folder, *options):
    """A match that stands still because seat 1 does not read; yields dealer and seat 1."""
    folds = pipelined_folds(HELD_HANDS)
    common = ("-q", "-f", "-l", "--ending-codes", "--summary", "s.json")
    with (
        DealerProcess(folder, str(HELD_HANDS), *common, *options) as dealer,
        ThreadPoolExecutor(2) as pool,
    ):
        slow = dealer.connect(1, narrow=True)
        folder_seat = dealer.connect(2)
        lines = [0]

        def drain() -> None:
            while folder_seat.line():
                lines[0] += 1

        def send() -> None:
            with contextlib.suppress(OSError):
                folder_seat.send(folds)

        pool.submit(drain)
        pool.submit(send)
        before = -1
        for _ in range(60):  # until nothing moves any more
            if lines[0] > 1000 and lines[0] == before:
                break
            before = lines[0]
            time.sleep(0.4)
        assert 1000 < lines[0] < 2 * HELD_HANDS  # two lines a hand
        yield dealer, slow
        if dealer.process.poll() is None:
            dealer.process.kill()


def test_a_seat_that_never_read_and_vanishes_is_noticed_at_once(tmp_path):
    """The match does not wait for the time limit of a seat that is gone."""
    with held_match(tmp_path) as (dealer, slow):
        slow.reset()
        code, _, err = dealer.finish(10)
    assert code == 4
    assert "ERROR: could not send state to seat 1" in err


def test_interrupt_while_waiting_for_seats(tmp_path):
    """Ctrl-C before anybody came: a clean end."""
    with DealerProcess(tmp_path, "--summary", "s.json") as dealer:
        dealer.interrupt()
        code, out, err = dealer.finish()
    assert (code, out) == (130, "")
    assert "Traceback" not in err
    assert json.loads((tmp_path / "s.json").read_text())["ending"] == "interrupted"


def test_a_second_signal_ends_a_dealer_whose_stderr_nobody_reads(tmp_path):
    """The first one cannot be served while the write blocks; the second one need not be."""
    with DealerProcess(tmp_path, "100000", "-f", "-l") as dealer:
        clients = dealer.connect_all()
        with ThreadPoolExecutor(1) as pool:
            drained = pool.submit(clients[0].rest)
            clients[1].send(pipelined_folds(2_000))
            full = fcntl.fcntl(dealer.process.stderr, fcntl.F_GETPIPE_SZ) - 4096

            def blocked():
                waiting = unread(dealer.process.stderr)
                time.sleep(0.3)
                return full <= waiting == unread(dealer.process.stderr)

            until(blocked)
            dealer.interrupt()
            time.sleep(0.3)  # two that come at once are one
            assert dealer.process.poll() is None
            dealer.interrupt()
            assert dealer.process.wait(30) == 130
            drained.result()


def test_a_dealer_without_standard_streams_plays_on(tmp_path):
    """Closed stdout and stderr do not end up in the log."""
    port = free_port()
    program = f"{sys.executable} -m dealer.server.dealer_command"
    command = f"exec {program} m hunl 1 42 A B -p {port},{port + 1}"
    process = subprocess.Popen(["sh", "-c", command + " >&- 2>&-"], cwd=tmp_path)
    clients = []
    for number in (port, port + 1):
        for _ in range(1000):
            with contextlib.suppress(ConnectionRefusedError):
                clients.append(Client(number))
                break
            time.sleep(0.05)
    clients[1].answer(b"f")
    assert process.wait(60) == 0
    for client in clients:
        client.close()
    log = (tmp_path / "m.log").read_text().splitlines()
    assert [line.partition(":")[0] for line in log[HEAD:]] == ["STATE", "SCORE"]
    assert log[0].startswith("# name/game/hands/seed m hunl 1 42")


def until(happened: Callable[[], bool]) -> None:
    """Wait until something has happened, a minute at most."""
    end = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def unread(pipe: IO[str]) -> int:
    """Return how many bytes nobody has read from a pipe yet."""
    return array("i", fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)))[0]


def free_port() -> int:
    """Return a port that is free now, and whose successor most likely is too."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
