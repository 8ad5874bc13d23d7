"""The command line of `arena play`; `tests/integration/test_play_page.py` plays."""

import socket

import pytest

from dealer.bots.participants import PAGE_VARIABLE
from dealer.web import seat_program
from dealer.web.play_command import main
from dealer.web.web_command import main as web
from tests.helpers.said import says_in_a_line


@pytest.fixture
def played(monkeypatch):
    """What `arena match` would play, instead of playing it."""
    found = []
    monkeypatch.setattr(
        "dealer.commands.match_report.play_match_request",
        lambda given, *_: found.append(given) or 0,
    )
    monkeypatch.delenv(PAGE_VARIABLE, raising=False)
    monkeypatch.setattr("dealer.web.play_command._tell_when_there", lambda *_: None)
    return found


@pytest.mark.parametrize(
    ("words", "bots", "hands"),
    [
        ([], ["blueprint"], 100),
        (["--game", "leduc"], ["blueprint"], 100),
        (["--seed", "5", "rule", "--port", "0"], ["rule"], 100),
        (["rule", "--hands", "7", "always-call"], ["rule", "always-call"], 7),
        (["--resume", "there"], None, None),
    ],
)
def test_bots_and_options_stand_in_any_order(monkeypatch, played, words, bots, hands):
    """Those of a match that is resumed are known."""
    monkeypatch.setenv(PAGE_VARIABLE, "")
    assert main([*words, "--no-browser"]) == 0
    (given,) = played
    assert given.bots[1:] == (bots or [])
    assert bool(given.bots) == (bots is not None)
    assert (given.hands, given.no_duplicate, given.jobs) == (hands, True, 1)
    assert given.t_hand == [("you", -1)]


def test_what_cannot_be_listened_at_is_told_in_the_commands_own_name(capsys, played):
    """A port that is taken, an address of another machine; nothing is played or served."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["rule", "--port", port]) == 1
    says_in_a_line(capsys.readouterr().err, "arena play", port)
    assert played == []
    assert web(["--no-browser", "--solve", "--listen", "192.0.2.1"]) == 1
    says_in_a_line(capsys.readouterr().err, "arena web", "cannot listen on 192.0.2.1")


def test_a_seat_needs_a_page(monkeypatch, capsys):
    """Such as where `arena match --resume` takes up the match of a person."""
    monkeypatch.delenv(PAGE_VARIABLE, raising=False)
    monkeypatch.setattr("sys.argv", ["seat_program", "x.game", "127.0.0.1", "1"])
    assert seat_program.main() == 1
    assert "arena play" in capsys.readouterr().err
