"""What may be a log: files and pipes, and nothing that never ends or would be waited for."""

import os
import socket
from pathlib import Path

import pytest

from dealer.logs.reading.errors import LogError
from dealer.logs.reading.files import open_log
from dealer.logs.reading.log_games import game_from_argument, game_from_header
from dealer.logs.replay import main as replay
from dealer.logs.stats import main as stats
from dealer.logs.verifying.seeds import candidate_seeds
from protocol.handlog import Header
from tests.helpers.said import refused


@pytest.fixture
def pipe(tmp_path):
    """A FIFO that nobody writes to."""
    path = tmp_path / "7.log"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize(
    "words", [["--verify"], ["--all"], ["--as-client", "1"], ["--allin-ev"], None]
)
@pytest.mark.parametrize(("path", "what"), [("/dev/zero", "a device"), (".", "a folder")])
def test_devices_and_folders_are_no_logs(capsys, words, path, what):
    """One line that names them; exit code 2."""
    code = stats(["/dev/zero"]) if words is None else replay([*words, path])
    name = (
        ("arena stats: /dev/zero", "a device") if words is None else (f"arena replay: {path}", what)
    )
    assert (code, capsys.readouterr().err) == (2, f"{name[0]}: is {name[1]}, not a log\n")


def test_a_socket_is_no_log(tmp_path, monkeypatch):
    """Opening one would fail with words about devices."""
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s.log")
        with refused(LogError, "s.log", "a socket"):
            open_log(Path("s.log"))


def test_a_pipe_is_read_once(pipe):
    """As a shell's <(zcat log.gz); stepping through would have to read it again."""
    writer = os.open(pipe, os.O_RDWR)
    os.write(writer, b"STATE:0\n")
    with open_log(pipe):
        pass
    with refused(LogError, pipe, "a pipe"):
        open_log(pipe, again=True)
    os.close(writer)


def test_games_and_seeds_are_not_looked_for_in_pipes(pipe):
    """They would be waited for without an end."""
    for path in (pipe, Path("/dev/zero")):
        with refused(LogError, path, "neither a file"):
            game_from_argument(str(path))
        with refused(LogError, path, "neither there"):
            game_from_header(Header("m", str(path), 1, 1), pipe.parent / "m.log")
    assert [seed.number for seed in candidate_seeds(pipe.with_name("7b.log"), [])] == [7]
