"""Settings of the benchmark server's form: what is read, and what is refused in which line."""

import pytest

from dealer.hub.acpc_config import read_acpc_config
from dealer.hub.errors import ServerError
from protocol.gamedef import format_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.acpc_line import GAME, written

HOLDEM = f"game {GAME} {{\n"


def test_everything_of_a_config_is_read(tmp_path):
    """Numbers, users, games and their bots, in any case and with comments; and nothing shows it."""
    config = read_acpc_config(
        written(
            tmp_path,
            "; comment\n  # another\nPORT 0 # any\nmaxrunningbots 3\nstartupTimeoutSecs 0\n"
            f"user neil #te;st\nGame {GAME}\n{{\n  matchHands 7 ; few\n  bot B1 bot.sh\n"
            "  bot b2 ./bot.sh\n}\ngame kuhn.limit.2p.game{\n}\nuser ann pw2\n",
        ),
        ["rule"],
    )
    assert (config.port, config.most_bots, config.listen) == (0, 3, "127.0.0.1")
    limits = config.limits
    assert (limits.start_timeout, limits.t_response, limits.t_per_hand) == (-1, 600_000, 7_000)
    assert config.users == {"neil": "#te;st", "ann": "pw2"}
    assert "#te;st" not in repr(config)
    holdem, kuhn = config.games
    assert (holdem.file, holdem.name, holdem.hands, holdem.most_runs) == (GAME, "hulhe", 7, 10)
    assert [program.name for program in holdem.programs] == ["B1", "b2"]
    assert {program.script for program in holdem.programs} == {tmp_path / "bot.sh"}
    assert (kuhn.name, kuhn.hands, kuhn.most_jobs) == ("kuhn", 5000, 1)


def test_the_originals_own_config_is_read(shared_data, tmp_path):
    """With its game of three players."""
    text = (shared_data.parent / "tools" / "acpc_original" / "bm_server.config").read_text()
    for game in ("limit.2p", "nolimit.2p", "limit.3p"):
        (tmp_path / f"example_player.{game}.sh").write_text("#!/bin/sh\n")
        (tmp_path / f"example_player.{game}.sh").chmod(0o755)
    config = read_acpc_config(written(tmp_path, text))
    assert (config.port, config.users) == (54000, {"neil": "test"})
    assert [game.name for game in config.games] == ["hulhe", "hunl", "limit3"]
    assert config.notes == ()


def test_a_game_of_many_players_is_not_offered(tmp_path):
    """And is named; what stands behind it is read."""
    text = f"game holdem.nolimit.6p.game {{\n}}\ngame {GAME} {{\n}}\n"
    config = read_acpc_config(written(tmp_path, text))
    assert [game.file for game in config.games] == [GAME]
    (note,) = config.notes
    assert "holdem.nolimit.6p.game is for 6 players" in note


def test_a_game_of_ones_own_has_its_files_name(tmp_path):
    """A file beside the config comes first, and is called after itself, unless it is built in."""
    text = format_gamedef(load_builtin("hunl"))
    (tmp_path / "same.game").write_text(text)
    (tmp_path / "short.game").write_text(text.replace("20000", "500"))
    config = read_acpc_config(written(tmp_path, "game same.game {\n}\ngame short.game {\n}\n"))
    assert [game.name for game in config.games] == ["hunl", "short"]


@pytest.mark.parametrize(
    ("line", "text", "fact"),
    [
        (1, "prot 1", "prot is no keyword; there are port, "),
        (1, "port", "port: want a whole number, 0 to 65,535"),
        (1, "port 70000", "port: want a whole number"),
        (1, "port -1", "port: want a whole number"),
        (1, "port 1 2", "more on the line"),
        (1, "}", "no block to close"),
        (1, "matchHands 3", "belongs into the block of a game"),
        (1, "bot a bot.sh", "belongs into the block of a game"),
        (1, "game", "want the file of a game"),
        (1, "game {", "want the file of a game"),
        (1, "game chess.game {", "no file chess.game"),
        (1, "game bot.sh {", "bot.sh: "),
        (2, "port 1\nuser neil", "user: want a name and a password"),
        (1, "user ne/il secret", "user ne/il: a name has up to 40 letters"),
        (2, "user neil a\nuser NEIL secret", "a user NEIL already"),
        (1, "user Rule secret", "user Rule: a bot is called so"),
        (4, f"{HOLDEM}bot neil bot.sh\n}}\nuser neil secret", "user neil: a bot is called so"),
        (2, f"{HOLDEM}port 3", "port belongs outside of the block"),
        (2, f"{HOLDEM}matchHands x", "matchHands: want a whole number"),
        (3, f"{HOLDEM}matchHands 0\n}}", "matchHands: want 1 to 10,000,000"),
        (2, f"{HOLDEM}bot a", "bot: want a name and a script"),
        (2, f"{HOLDEM}bot LOCAL bot.sh", "LOCAL is the client's own bot"),
        (2, f"{HOLDEM}bot rule bot.sh", "bot rule: a user or a house bot is called so"),
        (2, f"{HOLDEM}bot a none.sh", "none.sh is no program that may be executed"),
        (3, f"{HOLDEM}bot a bot.sh\nbot A bot.sh", "there is a bot A"),
        (2, f"{HOLDEM}matchHands 3", f"the block of {GAME} is not closed"),
        (3, f"{HOLDEM}}}\ngame {GAME} {{", "has a block already"),
        (1, "game a\0b {", "there is no file"),
        (1, "game /dev/zero {", "/dev/zero: not a regular file"),
        (2, f"{HOLDEM}bot a {'b' * 300}", "is no program"),
        (2, f"{HOLDEM}bot Guest bot.sh", "the word for any waiting bot"),
        (1, "user guest secret", "the word for any waiting bot"),
        (4, "game a/x.game {\n}\ngame b/x.game {\n}", "another game is called x"),
    ],
)
def test_what_is_no_setting_is_refused(tmp_path, line, text, fact):
    """One line says where and what, and never a password."""
    for folder, stack in (("a", "500"), ("b", "700")):
        (tmp_path / folder).mkdir()
        game = format_gamedef(load_builtin("hunl")).replace("20000", stack)
        (tmp_path / folder / "x.game").write_text(game)
    with pytest.raises(ServerError) as caught:
        read_acpc_config(written(tmp_path, text), ["rule"])
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'bm.config'}:{line}: ")
    assert fact in message
    assert "secret" not in message
    assert "\n" not in message


@pytest.mark.parametrize("data", [None, b"\xff"])
def test_a_file_that_cannot_be_read_is_refused(tmp_path, data):
    """Where there is none, or no text in it."""
    path = tmp_path / "bm.config"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ServerError, match=r"bm\.config: "):
        read_acpc_config(path)
