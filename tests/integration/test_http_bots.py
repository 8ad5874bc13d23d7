"""The clients by HTTP that are shipped play at a real server, through edge lines and restarts."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

import agents
from dealer.arena import main as arena
from tests.helpers.api_answers import check, operation_of
from tests.helpers.browser import open_browser
from tests.helpers.live_server import SECONDS, Server, wait_until

TEMPLATES = Path(agents.__file__).parent / "templates"
CONFIG = """
port = {port}
[limits]
processes = 1
aivat_seconds = 0
address_rate = 40
per_hand_ms = 60000
[[house]]
bot = "edge=SCRIPT"
at_once = 8
"""
EDGE = """
import re, socket, sys
with socket.create_connection((sys.argv[-2], int(sys.argv[-1]))) as sock:
    sock.sendall(b"VERSION:2.0.0\\r\\n")
    for line in sock.makefile("r", newline="\\r\\n"):
        _, position, hand, betting, _ = line.split(":")
        streets = [re.findall("[fc]|r[0-9]+", street) for street in betting.split("/")]
        actions = [action for street in streets for action in street]
        last = max([int(action[1:]) for action in actions if action[0] == "r"], default=100)
        over = actions[-1:] == ["f"] or (last == 20000 and actions[-1] == "c")
        over = over or (len(streets) == 4 and streets[-1][1:] and actions[-1] == "c")
        turn = (len(streets) == 1) + len(streets[-1])
        if over or turn % 2 != int(position):
            continue
        plan = (2 * int(hand) + int(position)) % 4  # call, nearly all-in, all-in, double
        to = (0, 19950, 20000, 2 * last)[plan] if last < 9000 else 0
        action = f"r{to}" if to else "c"
        sock.sendall(f"{line.strip()}:{action}\\r\\n".encode())
"""


def command(client):
    """The words that start a client."""
    if client == "http_bot.py":
        return [sys.executable, "-S", str(TEMPLATES / client)]
    needed = {"http_bot.js": ("node",), "http_bot.sh": ("sh", "curl", "jq")}[client]
    missing = [name for name in needed if shutil.which(name) is None]
    return None if missing else [shutil.which(needed[0]), str(TEMPLATES / client)]


@pytest.mark.parametrize("client", ["http_bot.py", "http_bot.js", "http_bot.sh"])
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "want SERVER TOKEN_FILE"),
        (("http://127.0.0.1:9", "nofile", "me", "rule", "5"), "nofile"),
    ],
)
def test_missing_words_and_files_are_told_in_a_line(tmp_path, client, words, reason):
    """And the client ends."""
    if (program := command(client)) is None:
        pytest.skip("a program that it needs is not here")
    ended = subprocess.run(
        [*program, *words], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS
    )
    assert ended.returncode != 0
    (line,) = ended.stderr.splitlines()
    assert reason in line


@pytest.fixture
def server(tmp_path):
    """A server with a house bot that raises to nearly all, to all, or doubles."""
    edge = tmp_path / "edge.py"
    edge.write_text(EDGE)
    words = f"{sys.executable} -S {edge}"
    server = Server(tmp_path, config=CONFIG.replace("SCRIPT", words)).start()
    yield server
    if server.process.poll() is None:
        server.end(signal.SIGKILL)


def start(server, words, bot, hands, **environment):
    """Start a client."""
    return subprocess.Popen(
        [
            *(*words, f"http://127.0.0.1:{server.port}/", str(server.data / "owner.token")),
            *(bot, "edge", str(hands)),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={"PATH": "/usr/bin:/bin:/usr/local/bin", **environment},
    )


def result_of(client):
    """The result that a client prints at its end."""
    text, _ = client.communicate(timeout=SECONDS)
    assert client.returncode == 0, text
    return json.loads(text.splitlines()[-1])


def ask(server, method, path, body=None):
    """The JSON of an answer; who asks too often waits, as clients do."""
    token = (server.data / "owner.token").read_text().strip()
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/{path}",
        None if body is None else json.dumps(body).encode(),
        {"Authorization": f"Bearer {token}"},
        method=method,
    )
    while True:
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                document = json.load(answer)
            break
        except urllib.error.HTTPError as error:
            if error.code != 429:
                raise
            refusal = json.load(error)
            check("Refusal", refusal)
            time.sleep(refusal["seconds"])
    check(operation_of(method, path.partition("?")[0]).answer, document)
    return document


def next_decision(server, play):
    """The decision that is open next."""
    event = 0
    while not (state := ask(server, "GET", f"{play}?after={event}"))["decisions"]:
        event = state["event"]
    return state["decisions"][0]


def asked_match(server, **fields):
    """The address at which a new match is played."""
    wanted = {"bot": "bot", "digest": "http_bot 1", "opponent": "edge", **fields}
    return f"api/requests/{ask(server, 'POST', 'api/requests', wanted)['request']}/play"


def test_clients_play_through_edge_lines_and_a_restart(server):
    """The smallest raise where it is all there is left, the call of an all-in, raises in turn.

    Server and client are killed in the middle of a hand; another client goes on with the request,
    at the decision that was open.
    """
    play = asked_match(server, hands=4)
    while (decision := next_decision(server, play))["street"] == 0:
        ask(server, "POST", play, {"id": decision["id"], "action": "call"})
    server.end(signal.SIGKILL)
    server.start()
    event, again = 0, []
    while decision["id"] not in [asked["id"] for asked in again]:
        state = ask(server, "GET", f"{play}?after={event}")
        event, again = state["event"], state["decisions"]
    (asked,) = (asked for asked in again if asked["id"] == decision["id"])
    for limit in ("deadline", "time_left_ms"):
        assert asked.pop(limit) > 0
        del decision[limit]
    assert asked == decision
    clients = [start(server, command("http_bot.py"), "bot", 4, REQUEST="1")]
    others = filter(None, map(command, ("http_bot.py", "http_bot.js", "http_bot.sh")))
    clients += [start(server, words, "bot", 2) for words in others]
    for client in clients:
        result = result_of(client)
        assert result["state"] == "finished", result["detail"]
        assert result["result"]["hands"] == result["hands"]
    logs = server.logs()
    assert len(logs) == 2 * len(clients)
    said = [
        ask(server, "GET", f"api/matches/{match + 1}")["words"] for match in range(len(clients))
    ]
    assert said[0] == ""
    assert all(re.fullmatch("[0-9a-f]{32}", words) for words in said[1:])
    texts = [line for log in logs for line in log.read_text().splitlines()]
    hands = [line.split(":")[2] for line in texts if line.startswith("STATE:")]
    lines = ("^r19950r20000c", "^r200r20000c", "r5400r8100r16200r20000c", "^r200c/cr300c/")
    for line in lines:
        count = sum(re.search(line, betting) is not None for betting in hands)
        assert count >= len(clients), (line, hands)
    assert arena(["replay", "--verify", *map(str, logs)]) == 0
    for path in ("api/board", "api/matches/1", "api/bots/bot", "api/me", "api/decisions"):
        ask(server, "GET", path)

    def numbers():
        return ask(server, "GET", "api/requests/1/play?numbers=1")["numbers"]

    wait_until(lambda: numbers()["hands"] == len(hands), "not all hands are counted")
    assert (numbers()["bot"], numbers()["vpip"]["of"]) == ("edge", len(hands))
    assert server.end() == 0


@pytest.mark.slow
def test_the_javascript_client_plays_on_a_page(server):
    """Of the server itself; there is no file with a token, so the page has to be told it."""
    token = (server.data / "owner.token").read_text().strip()
    wanted = {"bot": "page", "digest": "1", "opponent": "edge", "hands": 2}
    script = (TEMPLATES / "http_bot.js").read_text()
    with open_browser() as browser:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/")
        call = f"play('', {json.dumps(token)}, {json.dumps(wanted)})"
        state = page.evaluate(f"(async () => {{ {script}; return await {call}; }})()")
    assert (state["state"], state["result"]["hands_played"]) == ("over", 4)
