"""One run of the dealer: what its observers hear of the end when something goes wrong."""

import json
import signal
import socket

import pytest

from dealer.server.command import main


@pytest.fixture
def dealer(tmp_path, monkeypatch):
    """Run the dealer here, without its signal handlers; return how to read its last event."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    events = tmp_path / "e.jsonl"

    def run(*options):
        return main(["m", "hunl", "1", "42", "A", "B", "-q", "--events", "e.jsonl", *options])

    run.last_event = lambda: json.loads(events.read_text().splitlines()[-1])
    return run


def test_a_crash_is_not_announced_as_a_finished_match(dealer, monkeypatch):
    """The event log says that the dealer failed, and at what; the error itself goes on."""

    async def crash(*_arguments, **_options):
        raise RuntimeError("a bug")

    monkeypatch.setattr("dealer.server.command.seat_everybody", crash)
    with pytest.raises(RuntimeError, match="a bug"):
        dealer()
    event = dealer.last_event()
    assert (event["event"], event["ending"]) == ("match_over", "error")
    assert event["detail"] == "RuntimeError('a bug')"


def test_a_match_that_cannot_listen_is_over_for_its_observers_too(dealer):
    """They are told of an end before the beginning."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert dealer("-p", str(taken.getsockname()[1])) == 1
    event = dealer.last_event()
    assert (event["event"], event["ending"]) == ("match_over", "error")
    assert "could not create listen socket for player 1" in event["detail"]
