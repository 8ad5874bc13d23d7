"""Finding the game of a log."""

from pathlib import Path

import pytest

from engine.errors import LogError
from engine.handlogs.source.log_games import find_log_game, game_from_argument, game_from_header
from protocol.gamedefs import builtin_path, load_builtin
from protocol.handlog import Header
from tests.helpers.said import refused

LEDUC = builtin_path("leduc").read_bytes()


def test_an_argument_is_a_file_or_a_built_in_name(tmp_path, monkeypatch):
    """A file wins over a built-in game of the same name."""
    assert game_from_argument("hunl").game == load_builtin("hunl")
    monkeypatch.chdir(tmp_path)
    Path("hunl").write_bytes(LEDUC)
    assert game_from_argument("hunl").game == load_builtin("leduc")
    with refused(LogError, "holdem", "neither a file"):
        game_from_argument("holdem")


def test_a_broken_game_file_is_named(tmp_path):
    """The error says which file and what is wrong."""
    path = tmp_path / "broken.game"
    path.write_text("limit\nnumPlayers = 2\n")
    with pytest.raises(LogError, match=r"broken\.game: "):
        game_from_argument(str(path))


@pytest.mark.parametrize(
    ("game", "put_at"),
    [
        ("odd.game", "odd.game"),
        ("games/odd.game", "games/odd.game"),
        ("games/odd.game", "out/odd.game"),
        ("/nowhere/games/odd.game", "out/odd.game"),
        ("C:\\games\\odd.game", "out/odd.game"),
    ],
)
def test_the_headers_path_is_looked_for_in_likely_places(tmp_path, game, put_at):
    """From where the dealer was started, and beside the log."""
    log = tmp_path / "out" / "match.log"
    log.parent.mkdir()
    path = tmp_path / put_at
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(LEDUC)
    found = game_from_header(Header("out/match", game, 10, 1), log)
    assert found.game == load_builtin("leduc")


def test_the_path_as_it_stands_comes_first(tmp_path, monkeypatch):
    """A path that leads to a file is not searched for elsewhere."""
    monkeypatch.chdir(tmp_path)
    Path("x.game").write_bytes(LEDUC)
    beside = tmp_path / "logs" / "x.game"
    beside.parent.mkdir()
    beside.write_bytes(builtin_path("kuhn").read_bytes())
    header = Header("m", "x.game", 1, 1)
    assert game_from_header(header, beside.with_name("m.log")).game == load_builtin("leduc")


def test_the_base_name_among_the_built_in_games_comes_last(tmp_path):
    """Old logs carry paths of machines long gone."""
    header = Header("m", "/home/old/acpc/holdem.limit.3p.game", 1, 1)
    found = game_from_header(header, tmp_path / "m.log")
    assert found.game == load_builtin("limit3")
    assert found.label == "built-in holdem.limit.3p"


@pytest.mark.parametrize("game", ["nowhere.game", "a" * 5000, "nul\0.game"])
def test_an_unknown_game_is_a_clear_error(tmp_path, game):
    """The message says what to pass."""
    with refused(LogError, "--game"):
        game_from_header(Header("m", game, 1, 1), tmp_path / "m.log")
    with refused(LogError, tmp_path / "m.log", "no header", "--game"):
        find_log_game(None, tmp_path / "m.log")


@pytest.mark.parametrize("name", ["hunl", "holdem.nolimit.2p.reverse_blinds.game"])
def test_a_header_may_name_a_built_in_game(tmp_path, name):
    """By alias too, as our own dealer writes it; a file beside the log comes first."""
    log = tmp_path / "m.log"
    found = game_from_header(Header("m", name, 1, 1), log)
    assert found.game == load_builtin("hunl")
    (tmp_path / name).write_bytes(LEDUC)
    assert game_from_header(Header("m", name, 1, 1), log).game == load_builtin("leduc")
