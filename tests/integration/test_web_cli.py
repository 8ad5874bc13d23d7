"""`arena web` as its users meet it: a process, its link, and a browser's requests."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

import dealer
from protocol.gamedefs import load_builtin
from tests.helpers.random_logs import random_log
from tests.helpers.said import says_in_a_line

ROOT = Path(dealer.__file__).parent.parent
GAME = "holdem.nolimit.2p.reverse_blinds.game"
SCRIPT = "<script>alert(1)</script>"


def write_log(path, names=("Ann", "Bob")):
    """A heads-up match of 50 hands."""
    game = load_builtin("hunl")
    lines = random_log(game, 5, 50, np.random.default_rng(5), names=names, game_name=GAME)
    path.write_text("\n".join(lines) + "\n")
    return path


def command(*words):
    """What starts the program."""
    return {
        "args": [sys.executable, "-m", "dealer.arena", "web", "--no-browser", *map(str, words)],
        "env": {**os.environ, "PYTHONPATH": str(ROOT)},
        "stdout": subprocess.PIPE,
        "stderr": subprocess.PIPE,
        "text": True,
    }


@contextmanager
def running(*words):
    """The program and its link, ended by Ctrl-C."""
    with subprocess.Popen(**command(*words)) as program:
        try:
            yield program, urlsplit(program.stdout.readline().strip())
            program.send_signal(signal.SIGINT)
            out, err = program.communicate(timeout=20)
            assert (program.returncode, out, err) == (130, "", "")
        finally:
            program.kill()


def get(link, path, method="GET", **fields):
    """Ask for what is below a link: the response and its body."""
    with closing(HTTPConnection(link.hostname, link.port, timeout=20)) as connection:
        connection.request(method, link.path + path, headers=fields)
        response = connection.getresponse()
        return response, response.read()


def test_a_log_is_shown_and_ctrl_c_ends_it(tmp_path):
    """The link has a token; whoever has it gets the pages, the list and the log; nobody else."""
    log = write_log(tmp_path / "match.log")
    with running(log) as (_, link):
        assert (link.scheme, link.hostname) == ("http", "127.0.0.1")
        assert len(link.path) > 20
        page, body = get(link, "replay.html")
        assert page.status == 200
        assert body.lower().startswith(b"<!doctype html>")
        assert page.headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert page.headers["X-Content-Type-Options"] == "nosniff"
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert page.headers["Cache-Control"] == "no-store"
        listed = json.loads(get(link, "logs.json")[1])["logs"]
        assert [(one["name"], one["game"]["players"]) for one in listed] == [("match.log", 2)]
        assert get(link, "log/0")[1] == log.read_bytes()
        refused = [
            get(link._replace(path="/"), "")[0],
            get(link._replace(path=link.path[:-2] + "/"), "logs.json")[0],
            get(link, "../../etc/passwd")[0],
            get(link, "logs.json", Host="evil.example")[0],
            get(link, "logs.json", Origin="http://evil.example")[0],
            get(link, "logs.json", "POST")[0],
        ]
        assert [one.status for one in refused] == [404, 404, 404, 403, 403, 405]
        assert all("Content-Security-Policy" in one.headers for one in refused)


def test_markup_in_names_stays_text(tmp_path):
    """Of logs and of players; no page has any of it, and a log is never a page."""
    log = write_log(tmp_path / f"{SCRIPT.replace('/', '|')}.log", (SCRIPT, "B"))
    write_log(tmp_path / "other.log")
    with running(tmp_path) as (_, link):
        listing, body = get(link, "logs.json")
        names = [one["name"] for one in json.loads(body)["logs"]]
        assert (listing.headers["Content-Type"], names) == (
            "application/json",
            [log.name, "other.log"],
        )
        assert b"alert" not in get(link, "")[1]
        text, body = get(link, "log/0")
        assert SCRIPT.encode() in body
        assert text.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert text.headers["X-Content-Type-Options"] == "nosniff"


def test_a_log_is_followed_while_it_grows(tmp_path):
    """Each new line comes at once; Ctrl-C ends the stream too, and the page is told."""
    log = write_log(tmp_path / "match.log")
    lines = log.read_text().splitlines(keepends=True)
    log.write_text("".join(lines[:30]))
    with (
        running(log) as (program, link),
        closing(HTTPConnection(link.hostname, link.port, timeout=20)) as connection,
    ):
        size = log.stat().st_size
        connection.request("GET", f"{link.path}live/0?from={size}")
        stream = connection.getresponse()
        assert stream.headers["Content-Type"] == "text/event-stream"
        nothing = [f"id: {size}\n", "event: hand\n", "data: \n", "\n"]
        assert [stream.readline().decode() for _ in range(4)] == nothing
        with log.open("a") as file:
            for line in lines[30:32]:
                file.write(line)
                file.flush()
                size += len(line)
                got = [stream.readline().decode() for _ in range(4)]
                assert got == [f"id: {size}\n", "event: lines\n", f"data: {line}", "\n"]
        program.send_signal(signal.SIGINT)
        assert stream.read().decode() == f"id: {size}\nevent: end\ndata: \n\n"
        program.wait(20)


def test_a_taken_port_is_told(tmp_path):
    """In one line, with exit code 1."""
    log = write_log(tmp_path / "match.log")
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(**command("--port", port, log), timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    says_in_a_line(done.stderr, f"arena web: cannot listen on 127.0.0.1:{port}", "in use")
