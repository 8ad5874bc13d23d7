"""Which logs are shown."""

import os

import pytest

from dealer.web.archive import Archive
from engine.errors import LogError
from engine.handlogs.source.log_games import game_from_argument

HEADER = "# name/game/hands/seed m {} 10 7\n"


def write(path, game="hunl"):
    """Write a log without a hand."""
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(HEADER.format(game))
    return str(path)


def test_logs_are_numbered_and_named_from_their_folder(tmp_path):
    """Those of folders, each in its place; one that is named twice is one."""
    one, other = write(tmp_path / "a" / "x.log"), write(tmp_path / "b" / "c" / "x.log", "leduc")
    archive = Archive([other, str(tmp_path / "a"), one])
    documents = archive.documents()
    assert [(one["id"], one["name"], one["bytes"]) for one in documents] == [
        *((0, "b/c/x.log", 36), (1, "a/x.log", 35))
    ]
    assert [one["game"]["name"] for one in documents] == [
        *("leduc.limit.2p", "holdem.nolimit.2p.reverse_blinds")
    ]
    assert [archive.log(number) for number in (-1, 1, 2)] == [None, tmp_path / "a" / "x.log", None]


def test_a_single_log_is_named_by_its_file(tmp_path):
    """A game file of its own by that, too; a game that is named counts whatever the header says."""
    write(tmp_path / "x.log", "odd.game")
    (tmp_path / "odd.game").write_text(game_text())
    (document,) = Archive([str(tmp_path / "x.log")]).documents()
    assert (document["name"], document["game"]["name"]) == ("x.log", "odd")
    (document,) = Archive([str(tmp_path / "x.log")], game_from_argument("leduc")).documents()
    assert document["game"]["name"] == "leduc.limit.2p"


def game_text():
    """A game file."""
    return game_from_argument("kuhn").path.read_text()


def test_a_log_that_cannot_be_read_stays_in_the_list(tmp_path):
    """With what is wrong; its game is looked for again once it can be read."""
    log = write(tmp_path / "x.log", "nowhere")
    archive = Archive([log])
    (document,) = archive.documents()
    assert document["game"] is None
    assert "its game nowhere is neither there" in document["error"]
    os.unlink(log)
    assert "No such file" in archive.documents()[0]["error"]
    write(tmp_path / "x.log")
    assert archive.documents()[0]["game"]["players"] == 2


def test_new_logs_of_a_folder_come_behind(tmp_path):
    """Numbers stay, also when the folder goes away."""
    write(tmp_path / "a" / "m.log")
    archive = Archive([str(tmp_path / "a")])
    write(tmp_path / "a" / "b.log")
    archive.refresh()
    assert [log.name for log in archive.logs] == ["m.log", "b.log"]
    for log in archive.logs:
        log.unlink()
    archive.refresh()
    assert len(archive.logs) == 2


def test_names_may_be_any(tmp_path):
    """What is no UTF-8 is shown as that; markup is text."""
    folder = os.fsencode(tmp_path)
    for name in (b"<script>alert(1)<\\script>.log", b"\xff.log", "\u202egol.log".encode()):
        with open(os.path.join(folder, name), "w") as file:
            file.write(HEADER.format("hunl"))
    names = {document["name"] for document in Archive([str(tmp_path)]).documents()}
    assert names == {"<script>alert(1)<\\script>.log", "\ufffd.log", "\u202egol.log"}


@pytest.mark.parametrize("name", ["missing.log", "empty", "pipe"])
def test_what_is_no_log_is_refused_at_the_start(tmp_path, name):
    """A file that is not there, a folder without logs, a pipe."""
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LogError, match=name):
        Archive([str(tmp_path / name)])
