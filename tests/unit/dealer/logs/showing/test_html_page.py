"""`arena replay --html`: hands of logs in one page."""

import json
import re

import numpy as np
import pytest

from dealer.logs.replay import main
from protocol.gamedefs import load_builtin
from protocol.handlog import parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import says_in_a_line

HEADER = "# name/game/hands/seed m {} 9 1"


def logs_in(page):
    """Return the logs in a page."""
    text = page.read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="embedded-logs">(.*)</script>', text)
    return json.loads(data)["logs"]


@pytest.fixture
def log(tmp_path):
    """A log of random hands for three."""
    path = tmp_path / "three.log"
    game = load_builtin("nolimit3")
    lines = random_log(game, 5, 40, np.random.default_rng(5), game_name="holdem.nolimit.3p.game")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_hands_of_logs_are_in_the_page(tmp_path, capsys, log):
    """Each log with its game and its lines, less those that are no hands."""
    page = tmp_path / "page.html"
    assert main(["--html", str(page), str(log), str(log)]) == 0
    assert capsys.readouterr() == ("", "")
    lines = [line for line in log.read_text().splitlines() if line.startswith("STATE:")]
    for found in logs_in(page):
        assert found["text"].split("\n") == lines
        assert (found["name"], found["game"]["players"]) == ("three.log", 3)
        assert found["game"]["blinds"] == [50, 100, 0]


def test_some_hands_only(tmp_path, capsys, log):
    """Filters choose, and tell how many they left out."""
    page = tmp_path / "page.html"
    assert main(["--html", str(page), "--street", "river", str(log)]) == 0
    (found,) = logs_in(page)
    lines = found["text"].split("\n")
    assert 0 < len(lines) < 40
    assert all(line.split(":")[2].count("/") == 3 for line in lines)
    says_in_a_line(capsys.readouterr().err, f"{40 - len(lines)} of 40 hands")


def test_a_log_of_several_games_is_several_logs(tmp_path):
    """Hands of one game with other chips say so in their lines; other rules stand apart."""
    path, page = tmp_path / "mixed.log", tmp_path / "page.html"
    (tmp_path / "deep.game").write_text(
        "nolimit\nnumPlayers = 2\nnumRounds = 1\nstack = 900 900\nblind = 2 1\nfirstPlayer = 2\n"
        "numSuits = 4\nnumRanks = 13\nnumHoleCards = 2\nnumBoardCards = 0\n"
    )
    short = (tmp_path / "deep.game").read_text().replace("900 900", "50 60")
    (tmp_path / "short.game").write_text(short)
    hand = "STATE:{}:f:AsKd|7h7s:1|-1:Ann|Bob"
    path.write_text(
        "\n".join(
            [
                *(HEADER.format("deep.game"), hand.format(0)),
                *(HEADER.format("short.game"), hand.format(1)),
                *(HEADER.format("kuhn.limit.2p.game"), "STATE:2:cc:Qs|Ks:-1|1:Ann|Bob"),
                "no line of a log",
            ]
        )
    )
    assert main(["--html", str(page), str(path)]) == 0
    first, second = logs_in(page)
    assert [first["name"], second["name"]] == ["mixed.log", "mixed.log (2)"]
    assert first["game"]["stacks"] == [900, 900]
    plain, other = map(parse_log_line, first["text"].split("\n"))
    assert plain.stakes is None
    assert (other.stakes.stacks, other.stakes.blinds) == ((50, 60), (2, 1))
    assert (second["game"]["betting"], second["game"]["holeCards"]) == ("limit", 1)


def test_bytes_that_are_no_text_do_no_harm(tmp_path):
    """Names in other encodings are in the page, as well as they can be."""
    path, page = tmp_path / "a.log", tmp_path / "page.html"
    path.write_bytes(b"STATE:0:f:AsKd|7h7s:50|-50:J\xf6rg|</script>\n")
    assert main(["--html", str(page), "--game", "hunl", str(path)]) == 0
    assert logs_in(page)[0]["text"].endswith("J\udcf6rg|</script>")


def test_without_a_hand_there_is_no_page(tmp_path, capsys):
    """One line says so, and nothing is written."""
    path, page = tmp_path / "a.log", tmp_path / "page.html"
    path.write_text(HEADER.format("kuhn.limit.2p.game") + "\n")
    assert main(["--html", str(page), str(path)]) == 1
    says_in_a_line(capsys.readouterr().err, path, "no hand")
    assert not page.exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--json"], 2), (["--verify"], 2), (["--allin-ev"], 2), ([], 1)],
)
def test_what_cannot_be_is_said(tmp_path, capsys, log, words, code):
    """Two ways to write at once, or a place where nothing can be written."""
    target = tmp_path / "none" / "page.html"
    try:
        got = main(["--html", str(target), *words, str(log)])
    except SystemExit as ended:
        got = ended.code
    assert got == code
    says_in_a_line(capsys.readouterr().err, "--html" if words else target)
