"""Logs as people hand them on: packed, in other encodings, with more behind the last name."""

import bz2
import codecs
import gzip
import json
import lzma
import os
import sys
import threading

import pytest

from dealer.logs import replay, stats
from dealer.logs.reading.errors import LogError
from dealer.logs.reading.files import NameEnds, open_log
from tests.helpers.said import refused, says_in_a_line

PLAIN = "".join(
    f"STATE:{hand}:f:7d3d|2hAc:50|-50:{names}\n"
    for hand, names in enumerate(("Ann|Bob", "Bob|Ann") * 3)
)


def read(path, **how):
    with open_log(path, **how) as source:
        return source.read().decode()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_logs_are_read(tmp_path, pack):
    """And their hands again; what is damaged is one line."""
    path = tmp_path / "m.log"
    path.write_bytes(pack(PLAIN.encode()))
    assert read(path) == PLAIN
    with open_log(path, again=True) as source:
        source.seek(PLAIN.index("STATE:1"))
        assert source.readline().decode() == PLAIN.splitlines(keepends=True)[1]
    path.write_bytes(pack(PLAIN.encode())[:-9])
    with refused(LogError, "m.log", "damaged"):
        open_log(path)


def test_what_cannot_be_unpacked_here_is_named(tmp_path, monkeypatch):
    """Zstandard is part of later versions of Python."""
    monkeypatch.setitem(sys.modules, "compression.zstd", None)
    path = tmp_path / "m.log.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfdrest")
    with refused(LogError, "m.log.zst", "zstd"):
        open_log(path)


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + PLAIN.encode(),
        codecs.BOM_UTF16_LE + PLAIN.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + PLAIN.encode("utf-16-be"),
    ],
)
def test_other_encodings_are_read(tmp_path, content):
    """Behind their byte order marks."""
    path = tmp_path / "m.log"
    path.write_bytes(content)
    assert read(path) == PLAIN


def test_a_transcript_is_no_log(tmp_path):
    """It is named for what it is; a log that holds its lines, too, is one."""
    path = tmp_path / "m.err"
    text = "# name/game/hands/seed m g 6 42\nSTARTED at 1.0\nTO 1 at 1.0 MATCHSTATE:0:0::AcAd|\n"
    path.write_text(text)
    with refused(LogError, "m.err", "transcript", ".log"):
        open_log(path)
    path.write_text(text + PLAIN)
    assert read(path) == text + PLAIN


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("behind", [" ", "\t{}", " # hand {}", "  # {}", ":{}", ";won;{}", ",x"])
def test_what_stands_behind_the_last_name_is_left_out(tmp_path, capsys, behind, end):
    """And told once, with the number of hands; however often the log is read."""
    path = tmp_path / "m.log"
    lines = [line + behind.format(7 * at) for at, line in enumerate(PLAIN.splitlines())]
    path.write_bytes(end.join(["# name/game/hands/seed m g 6 42", *lines, ""]).encode())
    clean = end.join(["# name/game/hands/seed m g 6 42", *PLAIN.splitlines(), ""])
    assert read(path) == read(path, again=True) == clean
    says_in_a_line(capsys.readouterr().err, "m.log", "6 hands")


def cleaned(*names):
    lines = [f"STATE:{at}:f:7d3d|2hAc:50|-50:{one}".encode() for at, one in enumerate(names)]
    ends = NameEnds(lines)
    found = [line.decode().split(":", 5)[5] for line in ends.cleaned(lines)]
    assert ends.wanted or found == list(names)
    return found


def test_names_may_hold_anything():
    """Where they sit in another place, too, or stay the same; nobody sits in two seats."""
    for names in (
        ("Ann|Bob the 1st", "Bob the 1st|Ann"),
        ("Ann|Bob # 1", "Ann|Bob # 1", "Ann|Bob # 1"),
        ("Bot 1|Bot 2", "Bot 2|Bot 1"),
        ("Bot|Bot 2", "Bot|Bot 2"),
        ("hero|Bot 1", "hero|Bot 1", "hero|Bot 2", "hero|Bot 2", "hero|Bot 3", "hero|Bot 3"),
        ("Ann|Bob # 1479132064.3", "Bob|Ann # 1479132065.1", "Ann|Bob # 1479132066.2"),
    ):
        assert cleaned(*names) == list(names)


def test_in_fixed_seats_what_differs_in_most_hands_is_no_name():
    """Also where the other player joins later."""
    assert cleaned("Ann|Bob 3", "Ann|Bob 8", "Ann|Bob 1") == ["Ann|Bob"] * 3
    late = ("Ann|Bob 3", "Bob|Ann 4", "Cleo|Bob 2", "Bob|Cleo 9")
    assert cleaned(*late) == ["Ann|Bob", "Bob|Ann", "Cleo|Bob", "Bob|Cleo"]


def test_a_pipe_is_read(tmp_path):
    """What it is is told without going back."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    content = gzip.compress(PLAIN.encode())
    writer = threading.Thread(target=lambda: path.write_bytes(content))
    writer.start()
    assert read(path) == PLAIN
    writer.join()


FREEZEOUT = """\
STATE:1:1500|1500:20|10:r60f:8sQd|Ks7h:-20|20:Ann|Bob
STATE:2:1520|1480:40|20:r1480c///:8sQc|AsAh/2d3d4d/6d/7c:-1480|1480:Bob|Ann
STATE:3:2960|40:40|20:f:8sQd|Ks7h:20|-20:Ann|Bob
"""


@pytest.mark.parametrize("mode", ["--verify", "--all", "--allin-ev", "--as-client=Ann"])
def test_a_log_with_stacks_and_blinds_is_replayed(tmp_path, capsys, mode):
    """Without a header, each hand with its own chips; an impossible blind is named."""
    path = tmp_path / "freezeout.log"
    path.write_text(FREEZEOUT)
    assert replay.main([mode, str(path)]) == 0
    assert capsys.readouterr().err == ""
    path.write_text(FREEZEOUT.replace("2960|40:40|20", "2960|20:40|40"))
    assert replay.main([mode, str(path)]) == 1
    assert "blind of 40" in "".join(capsys.readouterr())


def test_a_log_with_stacks_and_blinds_is_counted(tmp_path, capsys):
    """In the big blinds of each hand; three players are a game that must be named."""
    path = tmp_path / "freezeout.log"
    path.write_text(FREEZEOUT)
    assert stats.main([str(path), "--json"]) == 0
    ann, bob = json.loads(capsys.readouterr().out)
    assert ann["raw"]["mbb_per_hand"] == pytest.approx(1000 * (-1 + 37 + 0.5) / 3)
    assert bob["raw"]["mbb_per_hand"] == -ann["raw"]["mbb_per_hand"]
    path.write_text("STATE:1:90|90|90:5|10|0:ff:8sQd|Ks7h|AsAh:-5|5|0:A|B|C\n")
    assert stats.main([str(path)]) == 2
    says_in_a_line(capsys.readouterr().err, "no header", "--game")
    assert stats.main([str(path), "--game", "nolimit3"]) == 0
