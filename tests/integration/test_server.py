"""`arena server` and `arena connect` as programs: to the first result, and through kills."""

import fcntl
import hashlib
import json
import os
import re
import signal
import termios
from contextlib import closing

import pytest

from dealer.arena import main as arena
from dealer.hub.store import Store
from tests.helpers.browser import open_browser
from tests.helpers.interpreter import INTERPRETER
from tests.helpers.live_server import SECONDS, Server, caller, wait_for_hands, wait_until


@pytest.fixture
def server(tmp_path):
    """A server that has not begun; its process is ended in any case."""
    server = Server(tmp_path)
    yield server
    server.clear()


def test_from_the_first_start_to_a_result(server, tmp_path, capsys):
    """A bot plays a rated match in duplicate; result, proof of the deals and logs are there."""
    server.start()
    relay = server.connect(10, caller(tmp_path, 0))
    text, _ = relay.communicate(timeout=SECONDS)
    assert relay.returncode == 0, text
    assert "over 20 hands" in text
    match = server.ask("api/matches/1")
    assert (match["state"], match["hands_played"], match["rated"]) == ("finished", 20, True)
    assert match["result"]["estimates"]["sets"]["samples"] == 10
    with closing(Store(server.data)) as store:
        betting = json.loads(store.match(1).result)["betting"]
    assert betting["estimator"] == "allin_sets"
    assert len(betting["ahead"]) == len(betting["behind"]) > 10
    assert "aivat" not in match["result"]
    secret = bytes.fromhex(match["secret"])
    assert hashlib.sha256(secret).hexdigest() == match["commitment"]
    assert re.fullmatch("luck [0-9a-f]{32}", match["words"])
    shown = [server.keep(tmp_path, leg) for leg in (0, 1)]
    assert arena(["replay", "--verify", *map(str, shown)]) == 0
    assert capsys.readouterr().out.count(f"checked (secret of SHA-256 {match['commitment']}") == 2
    holes = [[line.split(":")[3][:9] for line in hands_of(log)] for log in shown]
    assert len(holes[0]) == 10
    assert holes[0] == holes[1]
    log = shown[0].read_text()
    shown[0].write_text(log.replace(holes[0][3], holes[0][4]))
    assert arena(["replay", "--verify", str(shown[0])]) == 1
    shown[0].write_text(log.replace("and words luck ", "and words lack "))
    assert arena(["replay", "--verify", str(shown[0])]) == 1
    assert server.end() == 0
    assert all(match["secret"] not in log.read_text() for log in server.logs())
    assert arena(["server", "check", "--folder", str(server.data)]) == 0
    assert "1 matches, 20 hands: 0 faults" in capsys.readouterr().out
    token = server.data / "owner.token"
    assert token.stat().st_mode & 0o777 == 0o600
    assert token.read_text().strip() not in (server.data / "server.jsonl").read_text()


@pytest.mark.slow
def test_aivat_is_added_to_a_result(tmp_path):
    """Where nothing else wants the cores."""
    server = Server(tmp_path, aivat=600)
    try:
        server.start()
        relay = server.connect(10, caller(tmp_path, 0))
        relay.communicate(timeout=SECONDS)
        assert relay.returncode == 0
        sets = server.ask("api/matches/1")["result"]["estimates"]["sets"]
        wait_until(
            lambda: server.ask("api/matches/1")["result"]["aivat"]["state"] != "pending",
            "no AIVAT",
            2 * SECONDS,
        )
        result = server.ask("api/matches/1")["result"]
        assert result["aivat"] == {"state": "counted", "known": "always-call"}
        assert result["estimates"]["aivat_sets"]["samples"] == 10
        assert result["estimates"]["sets"] == sets
        assert server.end() == 0
    finally:
        server.clear()


def test_a_match_is_watched_without_its_cards(server, tmp_path):
    """From the board's page of a match a guest comes to its hands, and sees bets and no card."""
    with open_browser() as browser:
        server.start()
        relay = server.connect(2000, caller(tmp_path, 0.002))
        wait_for_hands(server)
        page = browser.new_page()
        page.set_default_timeout(1000 * SECONDS)
        page.goto(f"http://127.0.0.1:{server.port}/?match=1")
        page.get_by_text("Watch it").click()
        page.locator("#hand-title", has_text=re.compile("Hand [0-9]+")).wait_for()
        page.locator(".seat .back").first.wait_for()
        assert page.locator(".seat .card:not(.back), .board .card").count() == 0
        assert page.locator("#history", has_text="checks").count() == 1
        assert not page.locator("#fault").is_visible()
        relay.kill()
        relay.communicate()
        assert server.end() == 0


def test_a_hangup_has_the_config_read(server, capsys):
    """What is new in it counts at once; a fault changes nothing, and its line is in the status."""
    server.start()
    server.ask("healthz")
    config = server.folder / "server.toml"
    status = ["server", "status", "--folder", str(server.data)]
    config.write_text(config.read_text() + '[[house]]\nbot = "always-fold"\n')
    server.process.send_signal(signal.SIGHUP)
    wait_until(lambda: len(server.ask("api/board")["house"]) == 2, "no new bot")
    config.write_text("prot = 1")
    server.process.send_signal(signal.SIGHUP)
    wait_until(
        lambda: arena(status) == 0 and "prot is no key" in capsys.readouterr().out, "no fault"
    )
    assert len(server.ask("api/board")["house"]) == 2
    assert server.end() == 0


def test_a_server_ends_with_its_terminal(server):
    """A window that is closed sends the same signal, and stops the server in good order."""
    ours, theirs = os.openpty()
    server.start(
        INTERPRETER,  # nothing stands between it and its terminal
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(theirs, termios.TIOCSCTTY, 0),
        pass_fds=(theirs,),
    )
    os.close(theirs)
    server.ask("healthz")
    os.close(ours)
    assert server.process.wait(SECONDS) == 0
    server.process.stdout.close()


def test_a_match_goes_on_after_kills(server, tmp_path, capsys):
    """Hosts and server are killed in mid-match; each hand is played once, and the relay is told."""
    server.start()
    relay = server.connect(40, caller(tmp_path, 0.005), "--no-pairs")
    wait_for_hands(server)
    for process in server.hosts():
        os.kill(process, signal.SIGKILL)
    wait_for_hands(server)
    server.end(signal.SIGKILL)
    server.start()
    events = server.data / "server.jsonl"
    wait_until(lambda: '"ending": "finished"' in events.read_text(), "the leg does not end")
    relay.kill()
    assert "connected again" in relay.communicate()[0]
    log = server.keep(tmp_path, 0)
    server.end(signal.SIGKILL)
    assert arena(["replay", "--verify", str(log)]) == 0
    assert "deals checked" in capsys.readouterr().out
    assert [line.split(":")[1] for line in hands_of(log)] == [str(n) for n in range(40)]


def hands_of(log):
    """The lines of its hands."""
    return [line for line in log.read_text().splitlines() if line.startswith("STATE")]
