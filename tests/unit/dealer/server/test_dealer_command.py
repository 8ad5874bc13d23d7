"""One run of the dealer: what its observers hear of the end when something goes wrong."""

import json
import signal
import socket

import pytest

from dealer.server.dealer_command import main
from dealer.server.observers import MatchResumed
from dealer.server.recovery import compare_records
from dealer.server.time_limits import TimeLimits
from tests.helpers.fake_match import Ear


@pytest.fixture
def dealer(tmp_path, monkeypatch):
    """Run the dealer here, without its signal handlers; return how to read its last event."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    events = tmp_path / "e.jsonl"

    def run(*options):
        return main(["m", "hunl", "3", "42", "A", "B", "-q", "--events", "e.jsonl", *options])

    run.last_event = lambda: json.loads(events.read_text().splitlines()[-1])
    return run


def test_a_resumed_match_tells_what_was_played_before(dealer, tmp_path, monkeypatch):
    """Its name, limits and hands first, then totals and times, before any hand is dealt."""

    async def seats(*_arguments, **_options):
        return [None, None]

    async def nothing(*_arguments):
        return None

    ear = Ear()
    monkeypatch.setattr("dealer.server.match_run.seat_everybody", seats)
    monkeypatch.setattr("dealer.server.match_run.Match.play", nothing)
    monkeypatch.setattr("dealer.server.match_run.Match.close", nothing)
    monkeypatch.setattr("dealer.server.match_run.MatchRun._open_observers", lambda *_: [ear])
    (tmp_path / "m.tlog").write_text("f 0 10.0 10.5\nr300 1 20.0 20.25\n")
    assert dealer("-a", "-T", "--t_response", "2000") == 0
    ((start,),) = ear.of("match_started")
    assert (start.match, start.names, start.hands) == ("m", ("A", "B"), 3)
    assert start.limits == (TimeLimits(2.0, 600.0, 21.0),) * 2
    assert ear.of("match_resumed") == [(MatchResumed(1, (50.0, -50.0), (0.25, 0.5)),)]
    assert [said[0] for said in ear.heard[:2]] == ["match_started", "match_resumed"]


def test_a_crash_is_not_announced_as_a_finished_match(dealer, monkeypatch):
    """The event log says that the dealer failed, and at what; the error itself goes on."""

    async def crash(*_arguments, **_options):
        raise RuntimeError("a bug")

    monkeypatch.setattr("dealer.server.match_run.seat_everybody", crash)
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


def test_ctrl_c_while_a_match_is_checked_is_heard_after_it(tmp_path, monkeypatch):
    """The check is not left half done, and nobody is waited for then."""
    monkeypatch.chdir(tmp_path)
    played = "f 0 10.0 10.5\nr300 1 20.0 20.25\n"
    (tmp_path / "m.tlog").write_text(played)
    checked = []

    def check(*arguments):
        signal.raise_signal(signal.SIGINT)
        checked.append(compare_records(*arguments))
        return checked[0]

    monkeypatch.setattr("dealer.server.match_run.compare_records", check)
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    try:
        code = main(["m", "hunl", "3", "42", "A", "B", "-q", "-a", "-T", "--summary", "end"])
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    assert code == 130
    assert checked[0].hands == {0}
    assert json.loads((tmp_path / "end").read_text())["ending"] == "interrupted"
    assert (tmp_path / "m.tlog").read_text() == played
