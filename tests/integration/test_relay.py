"""`arena connect`: bots of home at a server that stays up, through everything that can go wrong."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from dealer.bots.processes import ProcessLauncher
from dealer.relay import relay as relay_module
from dealer.relay.relay import UNPROVEN
from dealer.relay.seats import SeatedRelay, read_offer
from tests.helpers.home_relays import CALLER, Home, caller_in, hub_in, until
from tests.helpers.stub_hub import TOKEN

PUSHED = """
import socket, sys
address = (sys.argv[-2], int(sys.argv[-1]))
silent = socket.create_connection(address)
for said in (b"GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n", b""):
    with socket.create_connection(address) as stray:
        stray.sendall(said)
        stray.shutdown(socket.SHUT_WR)
        while stray.recv(4096):
            pass
"""
"""What comes to the bot's port before it; one of these says nothing until the end."""
PACE = 0.021
"""Of one bot, by which its processes are known."""


@pytest.fixture
def caller(tmp_path):
    """A function that returns the words of a bot that checks and calls."""
    return caller_in(tmp_path)


def test_two_bots_of_home_play(tmp_path, caller):
    """A match in pairs; both are told the same, from their sides."""

    async def play():
        async with hub_in(tmp_path) as hub:
            homes = [Home(hub, name, caller(), tmp_path) for name in ("ann", "bob")]
            first = asyncio.create_task(homes[0].run())
            await until(lambda: homes[0].heard("waits"), "no reason")
            codes = [await homes[1].run(), await first]
        return hub, homes, codes

    hub, (ann, bob), codes = asyncio.run(play())
    assert codes == [0, 0]
    assert ann.told[:3] == [
        "connected",
        "request 1: asked for a match against anyone",
        "request 1: waits: nobody else is here",
    ]
    (line,) = ann.heard("mbb per hand")
    assert "match 1: against bob: +0.0 ± 10.0 mbb per hand over 40 hands (raw)" in line
    assert bob.heard("match 1: started against ann")
    for leg in range(2):
        assert (tmp_path / f"1.{leg}.log").read_text().count("STATE:") == 20
    assert len(hub.requests["1"]["digest"]) == 64
    assert list(ann.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("cheat", "line"),
    [
        ({"secret": "00" * 32}, "the secret of the deals is not the one"),
        ({"words": "chosen"}, "the deals are not made of this relay's words"),
    ],
)
def test_a_host_who_may_have_chosen_cards_is_told(tmp_path, caller, cheat, line):
    """Loudly, with an exit code of its own; no more matches are asked for."""

    async def play():
        async with hub_in(tmp_path) as hub:
            hub.cheat = cheat
            homes = [
                Home(hub, name, caller(), tmp_path, pairs=False, matches=None, said="luck")
                for name in ("ann", "bob")
            ]
            return hub, homes, await asyncio.gather(*(home.run() for home in homes))

    hub, homes, codes = asyncio.run(play())
    assert codes == [UNPROVEN, UNPROVEN]
    for home in homes:
        assert home.heard(f"match 1: THE DEALS ARE NOT PROVEN: {line}")
    assert len(hub.matches) == 1
    assert all("words" not in request for request in hub.requests.values())
    assert [words.split()[0] for words in hub.said.values()] == ["luck", "luck"]


def test_cut_connections_are_made_again(tmp_path, caller):
    """Four times in mid-match; each hand is there once, and no bot sees anything twice."""

    async def play():
        async with hub_in(tmp_path) as hub:
            homes = [
                Home(hub, name, caller(0.01), tmp_path, hands=60, pairs=False)
                for name in ("ann", "bob")
            ]
            running = asyncio.gather(*(home.run() for home in homes))
            log = tmp_path / "1.0.log"
            for hands in (5, 15, 25, 40):
                await until(
                    lambda hands=hands: log.exists() and log.read_text().count("STATE:") >= hands,
                    f"no {hands} hands: {homes[0].told}",
                )
                hub.cut()
            codes = await running
        return homes, codes

    homes, codes = asyncio.run(play())
    assert codes == [0, 0]
    for home in homes:
        assert len(home.heard("connected again")) >= 4
    lines = (tmp_path / "1.0.log").read_text().splitlines()
    assert [line.split(":")[1] for line in lines if line.startswith("STATE:")] == [
        str(hand) for hand in range(60)
    ]


def test_news_that_overtakes_an_answer_is_not_missed(tmp_path, caller, monkeypatch):
    """The end of a match is told while an answer is on its way that says that it is played."""
    monkeypatch.setattr(relay_module, "_LOOK_SECONDS", 600.0)

    async def play():
        async with hub_in(tmp_path) as hub:
            hub.late_answers = True
            homes = [Home(hub, name, caller(), tmp_path, silence=600.0) for name in ("ann", "bob")]
            async with asyncio.timeout(60):
                return await asyncio.gather(*(home.run() for home in homes))

    assert asyncio.run(play()) == [0, 0]


def test_several_matches_at_once(tmp_path, caller):
    """As many as are wanted, and no more."""

    async def play():
        async with hub_in(tmp_path) as hub:
            homes = [
                Home(hub, name, caller(0.002), tmp_path, jobs=3, matches=5)
                for name in ("ann", "bob")
            ]
            most = 0

            async def look():
                nonlocal most
                while True:
                    running = [m for m in hub.matches.values() if m["state"] == "running"]
                    most = max(most, len(running))
                    await asyncio.sleep(0.005)

            looking = asyncio.create_task(look())
            codes = await asyncio.gather(*(home.run() for home in homes))
            looking.cancel()
        return hub, codes, most

    hub, codes, most = asyncio.run(play())
    assert codes == [0, 0]
    assert len(hub.matches) == 5
    assert most == 3


def test_a_bot_that_dies_is_reported(tmp_path, caller):
    """To its owner with what became of it, and to the server, which need not wait for it."""

    async def play():
        async with hub_in(tmp_path, reconnect=0.5) as hub:
            homes = [
                Home(hub, "ann", caller(), tmp_path, pairs=False),
                Home(hub, "bob", caller(0.0, 9), tmp_path, pairs=False),
            ]
            return hub, homes, await asyncio.gather(*(home.run() for home in homes))

    hub, (ann, bob), codes = asyncio.run(play())
    assert codes == [0, 1]
    assert bob.heard("match 1 leg 0: the bot failed: the bot ended with exit status 7")
    assert [line.split()[:2] for line in hub.given_up] == [["the", "bot"]]
    assert ann.heard("forfeited by bob")
    assert bob.heard("forfeited by bob")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["/bin/false"], "ended with exit status 1"),
        (["/bin/sleep", "0.1"], "ended with exit status"),
        ([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], "was killed by SIGKILL"),
    ],
)
def test_a_bot_that_never_comes_ends_its_relay(tmp_path, caller, words, what):
    """After three in a row, with where to read what it wrote."""

    async def play():
        async with hub_in(tmp_path, reconnect=0.5) as hub:
            homes = [
                Home(hub, "ann", caller(), tmp_path, matches=None, pairs=False),
                Home(hub, "bob", words, tmp_path, matches=None, pairs=False),
            ]
            running = [asyncio.create_task(home.run()) for home in homes]
            code = await running[1]
            running[0].cancel()
            await asyncio.gather(*running, return_exceptions=True)
            return homes[1], code

    bob, code = asyncio.run(play())
    assert code == 1
    assert len(bob.heard(what)) >= 3
    assert bob.heard(f"3 times in a row; what it wrote is in {bob.folder}")


def test_a_refused_request_ends_no_match(tmp_path, caller):
    """Those that are played are played to their end."""

    async def play():
        async with hub_in(tmp_path) as hub:
            homes = [
                Home(hub, name, caller(0.05), tmp_path, matches=most, pairs=False)
                for name, most in (("ann", 2), ("bob", 1))
            ]
            running = asyncio.gather(*(home.run() for home in homes))
            await until(lambda: hub.matches, "no match")
            hub.refuse_asking = True
            return hub, homes[0], await running

    hub, ann, codes = asyncio.run(play())
    assert codes == [1, 0]
    assert hub.matches["1"]["state"] == "finished"
    assert ann.heard("no more matches: on probation (403)")


def test_who_is_no_bot_gets_no_seat(tmp_path):
    """A stray client of HTTP at the bot's port is turned away, and the bot plays."""
    path = tmp_path / "pushed.py"
    path.write_text(PUSHED + CALLER)

    async def play():
        async with hub_in(tmp_path) as hub:
            words = [sys.executable, str(path), "0", "0"]
            homes = [Home(hub, name, words, tmp_path, pairs=False) for name in ("ann", "bob")]
            return homes, await asyncio.gather(*(home.run() for home in homes))

    homes, codes = asyncio.run(play())
    assert codes == [0, 0]
    for home in homes:
        assert len(home.heard("something that sent no VERSION line wanted the bot's seat")) == 2


def test_a_changed_program_is_another_bot(tmp_path, caller):
    """It is not played under the same version."""

    async def play():
        async with hub_in(tmp_path) as hub:
            homes = [
                Home(hub, "ann", caller(), tmp_path, matches=2, pairs=False),
                Home(hub, "bob", caller(), tmp_path, matches=1, pairs=False),
            ]
            running = asyncio.gather(*(home.run() for home in homes))
            await until(lambda: hub.matches, "no match")
            (tmp_path / "caller.py").write_text(CALLER + "\n")
            return homes, await running

    (ann, _), codes = asyncio.run(play())
    assert codes[0] == 1
    assert ann.heard("files have changed")


def test_a_seat_that_was_withdrawn_is_no_news(tmp_path, caller):
    """The match goes on with another seat, or its end is told: one line, and no other before."""
    offer = {"match": 1, "leg": 0, "game": "kuhn", "names": ["ann", "bob"], "position": 0}

    async def play():
        async with hub_in(tmp_path) as hub, ProcessLauncher() as launcher:
            home = Home(hub, "ann", caller(), tmp_path)
            seat = SeatedRelay(
                home.relay._server,
                read_offer({"seat": "GONE", "hands": 20, **offer}),
                home.relay._bot,
                home.folder,
                20.0,
                home.stop,
            )
            await home.relay._sit(seat, "match 1 leg 0", launcher)
            return home.told, hub.asked

    told, asked = asyncio.run(play())
    assert told == []
    assert asked == [("GET", "/api/seats/GONE")]


# The command, as a process.


async def start(hub, tmp_path, *words, token=TOKEN, options=()):
    """`arena connect` as somebody types it."""
    file = tmp_path / "token"
    file.write_text(f"{token}\n")
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "dealer.arena", "connect", f"http://127.0.0.1:{hub.port}/"),
        *("--token-file", str(file), "--bot", "ann", "--game", "kuhn", "--hands", "20"),
        *("--folder", str(tmp_path / "ann"), *options, "--", *words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def test_the_command_plays_and_tells(tmp_path, caller):
    """Against a bot of the roster; its token is in no line and in no list of processes."""

    async def play():
        async with hub_in(tmp_path) as hub:
            process = await start(hub, tmp_path, *caller(0.05))
            other = Home(hub, "bob", caller(), tmp_path)
            running = asyncio.create_task(other.run())
            await until(lambda: hub.matches, "no match")
            listed = _command_of(process.pid)
            out, err = await process.communicate()
            return process.returncode, out.decode(), err.decode(), listed, await running

    code, out, err, listed, other = asyncio.run(play())
    assert (code, err, other) == (0, "", 0)
    assert out.splitlines()[0] == "connected"
    assert out.count("match 1: the host is bound to a secret of SHA-256") == 1
    assert "mbb per hand over 40 hands (raw)" in out.splitlines()[-1]
    assert TOKEN not in out
    assert "--token-file" in listed
    assert TOKEN not in listed


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_withdraws_what_waits(tmp_path, caller, number):
    """And ends the relay, with the exit code of Ctrl-C."""

    async def play():
        async with hub_in(tmp_path) as hub:
            process = await start(hub, tmp_path, *caller(), options=["--matches", "forever"])
            await until(lambda: hub.requests, "no request")
            process.send_signal(number)
            out, _ = await process.communicate()
            return hub, process.returncode, out.decode()

    hub, code, out = asyncio.run(play())
    assert code == 130
    assert hub.requests["1"]["state"] == "withdrawn"
    assert "request 1: withdrawn" in out


def test_a_second_signal_leaves_what_is_played(tmp_path, caller):
    """The bots end with their relay."""

    async def play():
        async with hub_in(tmp_path) as hub:
            process = await start(hub, tmp_path, *caller(0.3))
            other = Home(hub, "bob", caller(), tmp_path)
            running = asyncio.create_task(other.run())
            await until(
                lambda: sum(len(seat.transports) for seat in hub.seats.values()) == 4, "no seats"
            )
            process.send_signal(signal.SIGINT)
            await asyncio.sleep(0.5)
            assert process.returncode is None
            process.send_signal(signal.SIGINT)
            await process.communicate()
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            return process.returncode

    assert asyncio.run(play()) == 130
    assert _playing(str(tmp_path)) == []


def test_a_relay_that_is_stopped_with_its_bots_comes_back(tmp_path, caller):
    """As a service is: the bots' end is no forfeit, and the next relay plays on."""

    async def play():
        async with hub_in(tmp_path, reconnect=60.0) as hub:
            options = ["--no-pairs", "--matches", "forever"]
            process = await start(hub, tmp_path, *caller(PACE), options=options)
            other = Home(hub, "bob", caller(), tmp_path, pairs=False)
            running = asyncio.create_task(other.run())
            log = tmp_path / "1.0.log"
            await until(lambda: log.exists() and "STATE:5:" in log.read_text(), "no hands")
            for bot in _playing(f"{tmp_path}/caller.py\0{PACE}\0"):
                os.kill(bot, signal.SIGTERM)
            process.send_signal(signal.SIGTERM)
            _, err = await process.communicate()
            again = Home(hub, "ann", caller(), tmp_path, pairs=False)
            playing = asyncio.create_task(again.run())
            code = await running
            again.stop.set()
            await playing
            return hub, process.returncode, err.decode(), code

    hub, code, err, other = asyncio.run(play())
    assert (code, other) == (130, 0)
    assert "left; the server waits some time" in err
    assert hub.given_up == []
    lines = (tmp_path / "1.0.log").read_text().splitlines()
    assert [line.split(":")[1] for line in lines if line.startswith("STATE:")] == [
        str(hand) for hand in range(20)
    ]


def _playing(words):
    """The numbers of the processes with some words in their command, but for relays."""
    pids = [int(pid) for pid in os.listdir("/proc") if pid.isdigit()]
    commands = {pid: _command_of(pid) for pid in pids}
    return [pid for pid in pids if words in commands[pid] and "connect" not in commands[pid]]


def _command_of(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
    except OSError:
        return ""


def test_a_bot_of_the_roster_plays(tmp_path, caller, monkeypatch):
    """By its name, as in `arena match`."""
    monkeypatch.setattr(relay_module, "_LOOK_SECONDS", 1.0)

    async def play():
        async with hub_in(tmp_path) as hub:
            process = await start(hub, tmp_path, "always-call")
            other = Home(hub, "bob", caller(), tmp_path)
            running = asyncio.create_task(other.run())
            out, err = await process.communicate()
            return process.returncode, out.decode() + err.decode(), await running

    code, text, other = asyncio.run(play())
    assert (code, other) == (0, 0), text


def test_a_bot_of_the_roster_with_wrong_options_is_told(tmp_path):
    """Before any match is asked for."""

    async def play():
        async with hub_in(tmp_path) as hub:
            process = await start(hub, tmp_path, "always-call", "--no-such-option", "1")
            _, err = await process.communicate()
            return process.returncode, err.decode(), hub

    code, err, hub = asyncio.run(play())
    assert (code, hub.asked) == (2, []), err
    assert "the bot does not start" in err
    assert "--no-such-option" in err
