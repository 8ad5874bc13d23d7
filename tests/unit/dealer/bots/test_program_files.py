"""The files that commands name: found, compared, watched."""

import hashlib
import os
import sys
from dataclasses import replace

import pytest

from dealer.bots.participants import BotKind, Participant, ProgramFile
from dealer.bots.program_files import (
    FileWatch,
    changed_files,
    earlier_lines,
    program_digest,
    with_earlier,
    with_files,
)
from dealer.errors import MatchError
from tests.helpers.said import refused, says


def bot(*words, kind=BotKind.COMMAND, directory=""):
    return Participant("mine", kind, words, directory=directory)


def names(one, folder):
    """Return the names of a bot's files, without the interpreter."""
    (found,) = with_files([one], str(folder))
    return [file.name for file in found.files if file.name != sys.executable]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bot.py").write_text("one")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/__main__.py").write_text("one")
    (tmp_path / "model").write_bytes(bytes(3))
    return tmp_path


def test_files_of_commands_are_those_that_words_name(folder):
    """Scripts, modules, models, also behind an equals sign; no folder, and what is not there."""
    python = sys.executable
    assert names(bot(python, "bot.py", "--model=model", "none.py", "pack"), folder) == [
        *("bot.py", "--model=model")
    ]
    for module in ("bot", "pack"):
        assert names(bot(python, "-m", module), folder) == [module]
    assert names(bot("sh", "bot.py", directory=str(folder)), "/")[-1] == "bot.py"
    shipped = bot("statistical", "--model", "model", "--memory", "bot.py", kind=BotKind.SHIPPED)
    assert names(shipped, folder) == ["model"]
    asked = bot(f"stdio:{python} bot.py --model=model", kind=BotKind.SHIPPED)
    assert names(asked, folder) == ["bot.py", "--model=model"]
    assert names(Participant("guest", BotKind.LISTEN), folder) == []
    (found,) = with_files([bot(python, "model")], str(folder))
    digest = hashlib.sha256(bytes(3)).hexdigest()
    assert found.files[-1] == ProgramFile("model", 3, digest)


def test_a_program_has_a_digest(folder):
    """Of its words and of what is in the files that they name; of ours with their version."""
    mine = bot("sh", "bot.py", "--model=model", "1")
    once = program_digest(mine, str(folder), "1.0")
    assert len(once) == 64
    assert program_digest(mine, str(folder), "2.0") == once
    assert program_digest(bot("sh", "bot.py", "--model=model", "2"), str(folder), "1.0") != once
    (folder / "other.py").write_text("one")
    assert program_digest(bot("sh", "other.py", "--model=model", "1"), str(folder), "1.0") == once
    (folder / "model").write_bytes(bytes(4))
    assert program_digest(mine, str(folder), "1.0") != once
    shipped = bot("rule", kind=BotKind.SHIPPED)
    versions = {program_digest(shipped, str(folder), version) for version in ("1", "1", "2")}
    assert len(versions) == 2


def test_files_of_a_bot_in_a_folder_are_those_of_its_commands(folder):
    """Of the build where there is one: what is built changes.  The folder's name does not count."""
    mine = bot("pokerbots:pack", "--clock", "30", kind=BotKind.SHIPPED)
    commands = folder / "pack" / "commands.json"
    commands.write_text('{"build": [], "run": ["sh", "__main__.py"]}')
    assert names(mine, folder) == ["commands.json", "__main__.py"]
    once = program_digest(mine, str(folder), "1.0")
    (folder / "pack").rename(folder / "moved")
    moved = bot("pokerbots:moved", "--clock", "30", kind=BotKind.SHIPPED)
    assert program_digest(moved, str(folder), "2.0") == once
    (folder / "moved/__main__.py").write_text("two")
    assert program_digest(moved, str(folder), "1.0") != once
    (folder / "moved/commands.json").write_text('{"build": ["cc", "x.c"], "run": ["__main__.py"]}')
    (folder / "moved/x.c").write_text("")
    assert names(moved, folder) == ["commands.json", "x.c"]
    (folder / "moved/commands.json").write_text("no JSON")
    assert names(moved, folder) == ["commands.json"]


def test_changes_are_told_and_remembered(folder):
    """What was there, what is there; files not known before are none."""
    (before,) = with_files([bot("sh", "bot.py", "model")], str(folder))
    (folder / "bot.py").write_text("other")
    (folder / "model").unlink()
    (now,) = with_files([before], str(folder))
    edited, gone = changed_files([before], [now])
    says(edited, "bot.py", "mine", "5 bytes", "3 (")
    says(gone, "model", "mine")
    (kept,) = with_earlier([before], [now])
    assert [len(file.earlier) for file in kept.files] == [0, 1]
    says(earlier_lines([kept])[0], "mine", "bot.py")
    assert with_earlier([kept], [now]) == (kept,)
    assert not changed_files([replace(before, files=())], [now])


def test_a_watch_finds_what_was_touched(folder, monkeypatch):
    """And reads nothing else again."""
    (before,) = with_files([bot("sh", "bot.py")], str(folder))
    watch = FileWatch()
    watch.check([before], str(folder))
    read = []
    monkeypatch.setattr("hashlib.file_digest", lambda *arguments: read.append(arguments))
    watch.check([before], str(folder))
    assert not read
    monkeypatch.undo()
    os.utime(folder / "bot.py", ns=(1, 1))
    watch.check([before], str(folder))
    (folder / "bot.py").write_text("two")
    with refused(MatchError, "bot.py of mine", "--changed-bots"):
        watch.check([before], str(folder))
    (folder / "bot.py").unlink()
    with refused(MatchError, "bot.py of mine", "gone"):
        watch.check([before], str(folder))
