"""`arena server --slumbot`: a client of slumbot.com plays here, over TLS, under that name."""

import http.client
import json
import re
import shutil
import signal
import socket
import ssl
import sys

import pytest

from dealer.arena import main as arena
from protocol.cards import parse_cards
from protocol.handlog import HandRecord, parse_log_line
from tests.helpers.live_server import SECONDS, Server, wait_until
from tests.helpers.slumbot_client import SlumbotClient, anything, calls
from tests.integration.test_http_bots import EDGE

HANDS = 100
CONFIG = f"""
port = {{port}}
[limits]
processes = 1
aivat_seconds = 0
address_rate = 1000
[tls]
cert = "slumbot.com.pem"
key = "slumbot.com.key"
[slumbot]
hands = {HANDS}
[[house]]
bot = "edge=SCRIPT"
"""


@pytest.fixture
def connect(tmp_path, monkeypatch, capsys):
    """Makes connections to slumbot.com, which is a server here that has a certificate for it."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl here")
    assert arena(["server", "cert", "slumbot.com", "--to", str(tmp_path)]) == 0
    capsys.readouterr()
    edge = tmp_path / "edge.py"
    edge.write_text(EDGE)
    config = CONFIG.replace("SCRIPT", f"{sys.executable} -S {edge}")
    server = Server(tmp_path, config=config).start()
    look_up = socket.getaddrinfo

    def hosts_file(host, *rest, **options):
        return look_up("127.0.0.1" if host == "slumbot.com" else host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", hosts_file)
    context = ssl.create_default_context(cafile=str(tmp_path / "slumbot.com.pem"))

    opened = []

    def connect():
        opened.append(
            http.client.HTTPSConnection(
                "slumbot.com", server.port, timeout=SECONDS, context=context
            )
        )
        return opened[-1]

    connect.server = server
    yield connect
    for connection in opened:
        connection.close()
    if server.process.poll() is None:
        server.end(signal.SIGKILL)


def get(connection, path):
    """What an address has."""
    connection.request("GET", path)
    with connection.getresponse() as answer:
        return answer.read()


def records(text):
    """The hands of a log."""
    parsed = map(parse_log_line, text.splitlines())
    return [record for record in parsed if isinstance(record, HandRecord)]


def won(record, name):
    """What somebody has won in a hand."""
    return int(record.values[record.names.index(name)])


def test_a_hundred_hands_are_played_and_proved(connect, tmp_path, capsys):
    """The log has what the client was told, of its own hands and of the house bot's with its cards;
    who has logged in plays in his own name.
    """
    connection = connect()
    client = SlumbotClient(connection)
    client.play(HANDS, anything(3))
    assert {hand["client_pos"] for hand in client.hands[::2]} == {0}
    assert {hand["client_pos"] for hand in client.hands[1::2]} == {1}
    actions = " ".join(hand["action"] for hand in client.hands)
    assert re.search("c///|c//", actions)
    assert re.search("b20000f|b[0-9]+b20000", actions)

    def match():
        return json.loads(get(connection, "/api/matches/1"))

    wait_until(lambda: match()["state"] == "finished", "it is not over")
    assert (match()["hands_played"], match()["rated"]) == (HANDS, False)
    assert [match()[side]["bot"] for side in ("first", "second")] == ["slumbot-guest", "edge"]
    log = tmp_path / "1.0.log"
    log.write_bytes(get(connection, "/logs/1.0.log"))
    assert arena(["replay", "--verify", str(log)]) == 0
    assert f"ok, {HANDS} hands, deals checked" in capsys.readouterr().out
    folder = connect.server.data / "matches" / "00000001"
    baseline = records((folder / "baseline.log").read_text())
    for hand, record, house in zip(client.hands, records(log.read_text()), baseline, strict=True):
        assert won(record, "slumbot-guest") == hand["winnings"]
        assert won(house, "edge") == hand["baseline_winnings"]
        holes = house.cards.partition("/")[0].split("|")
        assert record.cards.partition("/")[0].split("|") == holes
        cards = {cards: set(parse_cards("".join(hand[cards]))) for cards in hand if "hole" in cards}
        mine = hand["client_pos"]
        assert cards["hole_cards"] == set(parse_cards(holes[mine]))
        assert cards["bot_hole_cards"] == set(parse_cards(holes[1 - mine]))

    token = (connect.server.data / "owner.token").read_text().strip()
    client = SlumbotClient(connect(), "slumbot/api")
    client.login("owner", token)
    client.play(2, calls)
    board = json.loads(get(connection, "/api/board"))
    assert [played["first"]["bot"] for played in board["running"]] == ["owner"]
    connect.server.end()
