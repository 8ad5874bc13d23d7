"""Many matches in one dealer: each as if it were alone, whatever happens in the others."""

import json
import os
import re
import signal
import socket
import time
from pathlib import Path

import pytest

from protocol.gamedefs import load_builtin
from tests.helpers.dealer_process import DealerProcess
from tests.helpers.said import says
from tests.helpers.state_bot import SeatedStateBot

HUNL = load_builtin("hunl")
MATCHES = 3
HANDS = 20


def seat_bots(dealer, *matches: int) -> list[SeatedStateBot]:
    """Seat bots that play alike every time in some matches, or in all."""
    chosen = matches or range(len(dealer.ports_of))
    return [SeatedStateBot(HUNL, port) for one in chosen for port in dealer.ports_of[one]]


def untimed(folder: Path, name: str) -> list[list[str]]:
    """Return a transaction file without its times."""
    return [line.split()[:2] for line in (folder / name).read_text().splitlines()]


def hands_in(log: Path) -> list[str]:
    """Return the hands in a log, in order."""
    return [line for line in log.read_text().splitlines() if line.startswith("STATE")]


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> tuple[Path, list[tuple[int, str, str]]]:
    """The matches, each in a dealer of its own: their folder, exit codes and output."""
    folder = tmp_path_factory.mktemp("alone")
    found = []
    for number in range(MATCHES):
        words = (str(HANDS), "-q", "-T", "--lane", "off")
        with DealerProcess(folder, *words, seed=str(42 + number), name=f"m.{number}") as dealer:
            seat_bots(dealer)
            found.append(dealer.finish())
    return folder, found


@pytest.mark.parametrize("lane", ["off", "on"])
def test_each_match_is_what_it_is_alone(tmp_path, alone, lane):
    """The same bytes in its files and the same words, with its name before them."""
    options = (str(HANDS), "-q", "-T", "--summary", "end.json", "--lane", lane)
    with DealerProcess(tmp_path, *options, matches=MATCHES) as dealer:
        seat_bots(dealer)
        code, *texts = dealer.finish()
    assert code == 0
    for number in range(MATCHES):
        name = f"m.{number}"
        said = ["".join(re.findall(rf"(?m)^{name} (.*\n)", text)) for text in texts]
        assert (0, *said) == alone[1][number]
        logs = [(folder / f"{name}.log").read_bytes() for folder in (tmp_path, alone[0])]
        assert logs[0] == logs[1]
        assert untimed(tmp_path, f"{name}.tlog") == untimed(alone[0], f"{name}.tlog")
        assert json.loads((tmp_path / f"end.{number}.json").read_text())["hands"] == HANDS
    assert len(texts[0].splitlines()) == MATCHES


@pytest.mark.parametrize(
    ("way", "code"),
    [("reset", 4), ("silence", 3), ("nonsense", 5)],
)
def test_a_bot_that_fails_ends_its_own_match(tmp_path, way, code):
    """The others are played to their ends; the exit code names what went wrong."""
    limit = "1000" if way == "silence" else "60000"
    options = ("-q", "--t_response", limit, "--invalid", "forfeit", "--ending-codes")
    with DealerProcess(tmp_path, str(HANDS), *options, matches=MATCHES) as dealer:
        dealer.connect(1, match=1)
        bad = dealer.connect(2, match=1)
        state = bad.line()
        if way == "reset":
            bad.reset()
        elif way == "nonsense":
            bad.send(state + b":?\r\n")
        seat_bots(dealer, 0, 2)
        found, out, err = dealer.finish()
    assert sorted(line.split()[0] for line in out.splitlines()) == ["m.0", "m.2"]
    complaints = [line for line in err.splitlines() if "ERROR" in line]
    assert complaints
    for line in complaints:
        assert line.startswith("m.1 ERROR: ")
        says(line, "seat 2")
    assert found == code
    assert len(hands_in(tmp_path / "m.2.log")) == HANDS


def test_a_file_that_takes_no_more_ends_its_own_match(tmp_path):
    """Here a log that somebody reads through a pipe, and then no more."""
    os.mkfifo(tmp_path / "m.1.log")
    reader = os.open(tmp_path / "m.1.log", os.O_RDONLY | os.O_NONBLOCK)
    with DealerProcess(tmp_path, str(HANDS), "-q", matches=2) as dealer:
        os.close(reader)
        seat_bots(dealer)
        code, out, err = dealer.finish()
    assert code == 1
    assert re.fullmatch(r"m\.0 SCORE:.*\n", out)
    (line,) = [line for line in err.splitlines() if "ERROR" in line]
    assert line.startswith("m.1 ERROR: ")
    says(line, "m.1.log", "Broken pipe")


@pytest.mark.parametrize(("lane", "number"), [("off", signal.SIGINT), ("on", signal.SIGTERM)])
def test_a_signal_ends_all_matches_and_all_are_resumed(tmp_path, lane, number):
    """In order, with whole files; with -a -T each goes on where it was left."""
    hands, logs = 60, [tmp_path / "m.0.log", tmp_path / "m.1.log"]
    options = (str(hands), "-q", "-T", "--summary", "end.json")
    with DealerProcess(tmp_path, *options, "--lane", lane, matches=2) as dealer:
        slow = [dealer.connect(seat, match=1) for seat in (1, 2)]
        slow[1].answer(b"f")  # and says nothing in the next hand
        seat_bots(dealer, 0)
        while not all(log.exists() and hands_in(log) for log in logs):
            assert dealer.process.poll() is None
            time.sleep(0.01)
        dealer.process.send_signal(number)
        code, _, err = dealer.finish()
    assert code == 130
    assert "m.1 ERROR: interrupted" in err.splitlines()
    before = [hands_in(log) for log in logs]
    for one, log in enumerate(logs):
        assert log.read_bytes().endswith(b"\n")
        assert json.loads((tmp_path / f"end.{one}.json").read_text())["hands"] == len(before[one])
    with DealerProcess(tmp_path, *options, "-a", matches=2) as dealer:
        seat_bots(dealer)
        assert dealer.finish()[0] == 0
    for log, played in zip(logs, before, strict=True):
        found = hands_in(log)
        assert [int(line.split(":")[1]) for line in found] == list(range(hands))
        assert found[: len(played)] == played


def test_nothing_begins_where_one_match_cannot(tmp_path):
    """A port that is taken is found before anybody is told one; no file is left locked."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ports = f"0,0,0,{taken.getsockname()[1]}"
        options = ("1", "-q", "--summary", "end.json", "--events", "e.jsonl", "-p", ports)
        with DealerProcess(tmp_path, *options, matches=MATCHES) as dealer:
            code, out, err = dealer.finish()
    assert (code, out, dealer.ports_of) == (1, "", [[], [], []])
    last = err.splitlines()[-1]
    assert last.startswith("m.1 ERROR: ")
    says(last, "listen socket", "player 2")
    details = [json.loads((tmp_path / f"end.{one}.json").read_text())["detail"] for one in range(3)]
    assert details[0] == details[2] == "m.1 could not begin"
    last = json.loads((tmp_path / "e.0.jsonl").read_text().splitlines()[-1])
    assert (last["event"], last["detail"]) == ("match_over", "m.1 could not begin")
