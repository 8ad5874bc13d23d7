"""What our dealer offers beyond the original: coming back, invalid actions, the structured log."""

import json
import signal
import time
from pathlib import Path

import pytest

from tests.helpers.dealer_process import DealerProcess
from tests.helpers.said import says, says_in_a_line

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


@pytest.mark.parametrize("way", ["close", "reset"])
@pytest.mark.parametrize("acting", [True, False])
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


def test_nobody_takes_the_seat_of_an_agent_that_is_connected(tmp_path):
    """A newcomer is shown nothing while the agent plays; it may sit down when that has gone."""
    options = ("--reconnect", "10", "--summary", "s.json")
    with DealerProcess(tmp_path, "2", "-q", *options) as dealer:
        clients = dealer.connect_all()
        newcomer = dealer.connect(2)
        clients[1].answer(b"f")
        hand_over, state = clients[1].line(), clients[1].line()
        assert hand_over.split(b":")[3] == b"f"
        clients[1].close()
        assert newcomer.line() == state
        clients[0].line(), clients[0].line()
        clients[0].answer(b"f")
        assert dealer.finish()[0] == 0
    connections = json.loads((tmp_path / "s.json").read_text())["connections"]
    assert connections == [{}, {"reconnected": 1}]


def test_an_agent_that_says_its_token_replaces_its_own_connection(tmp_path, monkeypatch):
    """As after a changed address; who says another word gets nothing."""
    monkeypatch.setenv("ARENA_SEAT_TOKENS", ",secret")
    options = ("--reconnect", "10", "--summary", "s.json")
    said = b"VERSION:2.0.0 secret\r\n"
    with DealerProcess(tmp_path, "1", "-q", *options) as dealer:
        dealer.connect(1)
        first = dealer.connect(2, version=said)
        state = first.line()
        assert dealer.connect(2).line() == b""
        again = dealer.connect(2, version=said)
        assert again.line() == state
        assert first.line() == b""
        again.send(state + b":f\r\n")
        assert dealer.finish()[0] == 0
    connections = json.loads((tmp_path / "s.json").read_text())["connections"]
    assert connections == [{}, {"reconnected": 1, "refused": 1}]


def test_a_stranger_cannot_take_a_seat(tmp_path):
    """Without a VERSION line a connection is dropped, and the match goes on."""
    with DealerProcess(tmp_path, "1", "-q", "--reconnect", "10") as dealer:
        clients = dealer.connect_all()
        stranger = dealer.connect(2, version=b"hello\r\n")
        assert stranger.line() == b""
        clients[1].answer(b"f")
        assert dealer.finish()[0] == 0


@pytest.mark.parametrize(
    ("reply", "code", "ending"),
    [(b"x", 5, "malformed"), (b"r150", 6, "illegal")],
)
def test_forfeit_ends_the_match(tmp_path, reply, code, ending):
    """The summary says who sent what."""
    options = ("--invalid", "forfeit", "--ending-codes", "--summary", "s.json")
    with DealerProcess(tmp_path, "1", "-q", *options) as dealer:
        clients = dealer.connect_all()
        clients[1].answer(reply)
        assert dealer.finish()[0] == code
    summary = json.loads((tmp_path / "s.json").read_text())
    assert (summary["ending"], summary["seat"]) == (ending, 2)


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


def test_a_full_disk_stops_the_match_with_words(tmp_path):
    """The hand that could not be logged is not announced as played."""
    (tmp_path / "m.log").symlink_to("/dev/full")
    with DealerProcess(tmp_path, "1", "-q") as dealer:
        code, out, err = dealer.finish()
    assert (code, out) == (1, "")
    says(err.splitlines()[-1], "ERROR:", "log file m.log", "No space")
    assert "Traceback" not in err


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


def test_a_torn_last_line_of_the_log_is_written_again(tmp_path):
    """A full disk may cut a hand's line; going on completes the log."""
    with DealerProcess(tmp_path, "2", "-q", "-T") as dealer:
        clients = dealer.connect_all()
        clients[1].answer(b"f")
        clients[0].line()
        clients[0].line()
        dealer.process.kill()
    log = tmp_path / "m.log"
    log.write_bytes(log.read_bytes()[:-12])
    with DealerProcess(tmp_path, "2", "-q", "-T", "-a") as dealer:
        fold_out(dealer.connect_all(), 2, start=1)
        code, out, _ = dealer.finish()
        states = [line for line in dealer.log if line.startswith("STATE")]
    assert (code, out) == (0, "SCORE:0|0:Alice|Bob\n")
    assert states == [
        "STATE:0:f:7d3d|2hAc:50|-50:Alice|Bob",
        "STATE:1:f:9h6s|3d3h:50|-50:Bob|Alice",
    ]


def test_the_structured_log_ends_with_the_ending(tmp_path):
    """A late answer has its fate too, and the match its ending."""
    options = ("--events", "e.jsonl", "--t_response", "5000", "--t_hand", "100")
    with DealerProcess(tmp_path, "1", "-q", *options) as dealer:
        clients = dealer.connect_all()
        state = clients[1].line()
        time.sleep(0.2)
        clients[1].send(state + b":f\r\n")
        assert dealer.finish()[0] == 1
    events = [json.loads(line) for line in (tmp_path / "e.jsonl").read_text().splitlines()]
    assert (events[-2]["event"], events[-2]["fate"]) == ("reply", "late")
    assert (events[-1]["event"], events[-1]["ending"]) == ("match_over", "timeout")
