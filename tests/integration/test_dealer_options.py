"""What our dealer offers beyond the original: coming back, invalid actions, the structured log."""

import json
import signal
import time
from pathlib import Path

import pytest

from tests.helpers.dealer_process import DealerProcess
from tests.helpers.said import says_in_a_line

HEAD = 4
"""Lines of the log's header."""


def fold_out(clients, hands, start=0):
    """Let whoever opens a heads-up hand fold it."""
    for hand in range(start, hands):
        opener = clients[(hand + 1) % 2]
        while (line := opener.line()).split(b":")[2:4] != [b"%d" % hand, b""]:
            assert line
        opener.send(line + b":f\r\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_match_with_a_summary(tmp_path, number):
    """Ctrl-C, a polite kill, and a terminal that goes away."""
    with DealerProcess(tmp_path, "9", "-q", "--summary", "s.json") as dealer:
        clients = dealer.connect_all()
        fold_out(clients, 1)
        for client in clients:
            client.line()
        dealer.process.send_signal(number)
        code, _, err = dealer.finish()
        assert len(dealer.log[HEAD:]) == 1
    assert code == 130
    assert "Traceback" not in err
    summary = json.loads((tmp_path / "s.json").read_text())
    assert (summary["ending"], summary["hands"]) == ("interrupted", 1)


@pytest.mark.parametrize(("way", "acting"), [("close", True), ("reset", False)])
def test_a_lost_seat_comes_back_on_its_port(tmp_path, way, acting):
    """An unmodified bot connects again, says its version and gets the state where it stands."""
    seat = 2 if acting else 1
    with DealerProcess(tmp_path, "2", "--reconnect", "10", "--events", "e.jsonl") as dealer:
        clients = dealer.connect_all()
        state = [client.line() for client in clients]
        getattr(clients[seat - 1], way)()
        time.sleep(0.1)
        clients[seat - 1] = dealer.connect(seat)
        assert clients[seat - 1].line() == state[seat - 1]
        clients[1].send(state[1] + b":f\r\n")
        fold_out(clients, 2, start=1)
        code, out, _ = dealer.finish()
        log = dealer.log[HEAD:]
    assert (code, out) == (0, "SCORE:0|0:Alice|Bob\n")
    assert log[0] == f"# reconnect seat {seat} hand 0"
    assert log[1].startswith("STATE:0:f:")
    events = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
    assert {"seat": seat, "hand": 0}.items() <= next(
        e for e in events if e["event"] == "reconnected"
    ).items()


def test_every_reply_has_its_fate_in_the_structured_log(tmp_path):
    """Accepted, corrected or ignored, and why."""
    with DealerProcess(tmp_path, "1", "-q", "--events", "e.jsonl", "--summary", "s.json") as dealer:
        clients = dealer.connect_all()
        state = clients[1].line()
        clients[1].send(b"junk\r\nMATCHSTATE:1:9::|2hAc:f\r\n" + state + b":r150\r\n")
        clients[0].line()
        clients[0].answer(b"f")
        assert dealer.finish()[0] == 0
    events = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
    replies = [e for e in events if e["event"] == "reply"]
    assert [(e["seat"], e["fate"], e["reason"], e["action"]) for e in replies] == [
        (2, "ignored", "no state", ""),
        (2, "ignored", "another state", ""),
        (2, "corrected", "size", "r200"),
        (1, "accepted", "", "f"),
    ]
    assert [e["event"] for e in events if e["event"] != "reply"] == [
        "connected",
        "connected",
        "hand_over",
        "match_over",
    ]  # fmt: skip
    summary = json.loads((tmp_path / "s.json").read_text())
    assert summary["warnings"][1] == {
        "ignored: no state": 1, "ignored: another state": 1, "corrected: size": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        (("--events", "no/dir/e"), ["event file", "no/dir/e"]),
        (("--listen", "256.0.0.1"), ["listen socket", "player 1"]),
    ],
)
def test_paths_and_addresses_that_cannot_be_used(tmp_path, options, facts):
    """One clear line and exit 1, no traceback."""
    with DealerProcess(tmp_path, "1", "-q", *options, "--start_timeout", "50") as dealer:
        code, _, err = dealer.finish()
    assert code == 1
    says_in_a_line(err, "ERROR:", *facts)


def test_seats_listen_on_loopback_only(tmp_path):
    """Nobody else's machine can reach a seat unless told otherwise."""
    with DealerProcess(tmp_path, "1", "-q") as dealer:
        sockets = Path(f"/proc/{dealer.process.pid}/net/tcp").read_text()
        for port in dealer.ports:
            assert f"0100007F:{port:04X}" in sockets
            assert f"00000000:{port:04X}" not in sockets


def test_a_match_goes_on_from_its_transaction_file(tmp_path):
    """Killed in mid-hand: the same hand goes on, and the score is that of the whole match."""
    with DealerProcess(tmp_path, "3", "-q", "-T") as dealer:
        clients = dealer.connect_all()
        clients[1].answer(b"f")
        clients[0].line()
        clients[0].line()
        clients[0].answer(b"r300")
        clients[1].line()
        clients[1].line()
        clients[1].line()
        dealer.process.kill()
    with DealerProcess(tmp_path, "3", "-q", "-T", "-a") as dealer:
        clients = dealer.connect_all()
        assert clients[1].line().split(b":")[2:4] == [b"1", b"r300"]
        clients[1].send(b"MATCHSTATE:0:1:r300:9h6s|:f\r\n")
        fold_out(clients, 3, start=2)
        code, out, _ = dealer.finish()
        states = [line for line in dealer.log if line.startswith("STATE")]
    assert (code, out) == (0, "SCORE:200|-200:Alice|Bob\n")
    assert [line.split(":")[1] for line in states] == ["0", "1", "2"]
