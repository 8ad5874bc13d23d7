"""Every command that reads logs reads hands in other formats, too, and says the same of them."""

import bz2
import gzip
import json
import lzma
import re
import shutil

import numpy as np
import pytest

from agents.training.logs import find_logs, read_hands
from dealer.arena import main as arena
from dealer.logs.showing.hand_documents import first_game
from dealer.web.archive import Archive
from engine.handlogs.source.opening import open_log
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in, written
from tests.helpers.random_logs import random_log

HUNL = load_builtin("hunl")
GAME_FILE = "holdem.nolimit.2p.reverse_blinds.game"
PLO = "[99]\nvariant = 'PO'\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(2)
    lines = random_log(HUNL, 2, 60, random, game_name=GAME_FILE)
    text = "".join(f"{line}\n" for line in lines)
    (tmp_path / "a.log").write_text(text)
    (tmp_path / "a.phhs").write_text(written(hands_in(text, "log", HUNL), "phhs"))
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [["stats"], ["stats", "--by-position"], ["rate"], ["replay", "--allin-ev"]],
)
def test_commands_say_the_same(folder, capsys, command):
    """Of a log and of its hands as PHH."""
    found = []
    for name in ("a.log", "a.phhs"):
        assert arena([*command, name]) == 0
        found.append(capsys.readouterr().out.replace(f"built-in {GAME_FILE[:-5]}", "hunl"))
    assert found[0] == found[1]
    assert found[0]


def test_verify_and_replay(folder, capsys):
    """Deals cannot be checked, since nobody says from which seed; lines are those of the file."""
    assert arena(["replay", "--verify", "a.phhs"]) == 0
    assert "ok, 60 hands, deals not checked (dealt elsewhere)" in capsys.readouterr().out
    assert arena(["replay", "--hand", "7", "a.phhs"]) == 0
    (line,) = re.findall(r"a\.phhs:(\d+)", capsys.readouterr().out)
    assert (folder / "a.phhs").read_text().splitlines()[int(line) - 1].startswith("variant")


def test_hands_that_cannot_be_read_are_told(folder, capsys):
    """By file and line, as those of a log."""
    lines = len((folder / "a.phhs").read_text().splitlines())
    with open("a.phhs", "a") as file:
        file.write("\n" + PLO)
    arena(["stats", "a.phhs"])
    told = capsys.readouterr().err
    assert f"a.phhs:{lines + 3}: left out" in told
    assert "pot-limit Omaha (PO)" in told


def test_hidden_cards_are_no_fault(folder, capsys):
    """Of a player who mucks, say: the hand is shown, and counted where nothing hung on them."""
    line = "STATE:0:cc/cc/cc/cc:AcKd|/5h5d2c/2d/9s:100|-100:Ann|Bob\n"
    fold = "STATE:1:cr300f:|AcKd:100|-100:Ann|Bob\n"
    (folder / "b.phhs").write_text(written(hands_in(line + fold, "log", HUNL), "phhs"))
    assert arena(["replay", "--all", "b.phhs"]) == 0
    assert "not shown" in capsys.readouterr().out
    arena(["stats", "b.phhs"])
    found = capsys.readouterr()
    assert "b.phhs:2: left out: a showdown of unknown cards" in found.err
    assert re.search(r"^Ann +1 ", found.out, re.MULTILINE)


def test_what_is_read_again_is_the_same(folder):
    """For pages and browsers, which look at a file many times."""
    with open_log(folder / "a.phhs") as source:
        text = source.read()
    with open_log(folder / "a.phhs", again=True) as source:
        source.seek(5)
        assert source.read() == text[5:]
    Archive(["a.phhs"])  # refuses what it cannot show
    assert first_game(folder / "a.phhs").game == HUNL


def test_agents_learn_from_them(folder):
    """From the same hands, in the same games."""
    found = [
        [(hand.record, hand.state) for _, hand in read_hands([folder / name])]
        for name in ("a.log", "a.phhs")
    ]
    assert found[0] == found[1]
    assert len(found[0]) == 60
    assert find_logs([folder]) == [folder / "a.log"]
    (folder / "a.log").unlink()
    assert find_logs([folder]) == [folder / "a.phhs"]


@pytest.mark.slow
def test_aivat_estimates_them(folder, capsys):
    """With the same rows but for their lines."""
    (folder / "b.log").write_text("".join((folder / "a.log").read_text().splitlines(True)[:21]))
    assert arena(["convert", "b.log", "--to", "phhs", "--out", "c.phhs"]) == 0
    assert arena(["aivat", "hands", "b.log", "--out", "b.csv"]) == 0
    assert arena(["aivat", "beside", "c.phhs"]) == 0
    rows = [
        [line.partition(",")[2] for line in text.splitlines() if not line.startswith("#")]
        for text in ((folder / "b.csv").read_text(), (folder / "c.aivat").read_text())
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 21
    capsys.readouterr()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Folders of each kind that commands leave, and what people make of them, by name."""
    top = tmp_path_factory.mktemp("folders")
    matches = top / "matches"
    for number, names in enumerate((("Ann", "Bob"), ("Ann", "Cid"))):
        match = matches / ".".join(names)
        match.mkdir(parents=True)
        legs = []
        for seating, seats in enumerate((names, names[::-1])):
            random = np.random.default_rng(2 * number + seating)
            lines = random_log(HUNL, 3, 12, random, names=seats, game_name=GAME_FILE)
            leg = f"{match.name}.0.{seating}"
            (match / f"{leg}.log").write_text("".join(f"{line}\n" for line in lines))
            for ending in ("err", "end.json", "events.jsonl", "aivat"):
                (match / f"{leg}.{ending}").touch()
            legs.append({"name": leg})
        bots = [{"label": name, "kind": "command", "words": ["x"]} for name in names]
        (match / "manifest.json").write_text(json.dumps({"legs": legs, "bots": bots}))
        (match / "result.json").write_text("{}")
        (match / "stats.csv").write_text("player,hands\n")
    sit_in, log = matches / "Ann.Cid", "Ann.Cid.0.0.log"
    (sit_in / "sit-in.log").write_bytes((sit_in / log).read_bytes())
    (sit_in / "match.deals").touch()
    for name in ("playing", "finished"):
        tournament = top / name
        shutil.copytree(matches, tournament / "pairings")
        (tournament / "tournament.json").write_text(json.dumps({"format": 1}))
        (tournament / "ledger.jsonl").touch()
        (tournament / "pairings" / "Bob.Cid").mkdir()
        (tournament / "pairings" / "Bob.Cid" / "manifest.json").write_text(
            json.dumps({"legs": [{"name": "Bob.Cid.0.0"}], "bots": []})
        )
    for name in ("standings.csv", "ranking.csv", "standings.txt", "standings.json"):
        (tournament / name).write_text("rank,name\n1,Ann\n")
    packed = shutil.copytree(matches, top / "packed")
    for number, file in enumerate(sorted(packed.rglob("*.log"))):
        ending, pack = ((".gz", gzip.open), (".bz2", bz2.open), (".xz", lzma.open))[number % 3]
        with pack(f"{file}{ending}", "wb") as out:
            out.write(file.read_bytes())
        file.unlink()
    (top / "dealt").mkdir()
    (top / "converted").mkdir()
    for log in matches.glob("*/*.0.?.log"):
        shutil.copy(log, top / "dealt")
        written_hands = written(hands_in(log.read_text(), "log", HUNL), "phhs")
        (top / "converted" / f"{log.stem}.phhs").write_text(written_hands)
    (top / "converted" / "table.csv").write_text("hand,player\n")
    (top / "converted" / "folder.log").mkdir()
    return top


KINDS = ["matches", "playing", "finished", "packed", "dealt", "converted", "matches/Ann.Cid"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_folder_is_read_by_every_command(folders, kind, tmp_path, monkeypatch, capsys):
    """All logs of a folder and nothing else in it, whoever wrote it and whoever reads it."""
    monkeypatch.chdir(folders)
    hands = 24 if kind == "matches/Ann.Cid" else 48
    out = ["--out", str(tmp_path / "out")]
    for command in (
        ["stats", "--json"],
        ["rate"],
        ["replay", "--verify"],
        ["replay", "--all"],
        ["convert", "--to", "phhs", *out],
        ["convert", "--to", "csv", *out],
        ["deals", *out],
        ["sprt", "--mbb1", "1000", "--samples"],
    ):
        assert arena([*command, kind]) == 0, command
        told = capsys.readouterr()
        if command[0] == "stats":
            assert {row["player"]: row["hands"] for row in json.loads(told.out)}["Ann"] == hands
    site = Archive([kind])
    assert all("error" not in one for one in site.documents())
    assert len(site.logs) == hands // 12
    assert len(list(read_hands(find_logs([folders / kind])))) == hands


def test_lines_that_ran_together_and_large_numbers(folder, capsys):
    """The one is left out with a message and moves no payoff; all ten digits are counted."""
    names = ("Ann|Bob", "Bob|Ann")
    hands = [
        f"STATE:{number}:f:AcKd|5h4h:50|-50:{names[number % 2]}"
        for number in (0, 1, 2**32, 9_999_999_999)
    ]
    hands[1:1] = [hands[0] + hands[1]]
    text = "\n".join(("# name/game/hands/seed m hunl 9 1", *hands)) + "SCORE:0|0:Ann|Bob\n"
    (folder / "c.log").write_text(text)
    assert arena(["stats", "--json", "c.log"]) == 1
    told = capsys.readouterr()
    assert [line.partition(": left out")[0] for line in told.err.splitlines()[:2]] == [
        "c.log:3",
        "c.log:6",
    ]
    assert {row["player"]: row["hands"] for row in json.loads(told.out)} == {"Ann": 3, "Bob": 3}
    (folder / "c.log").write_text(text.replace("SCORE", "\nSCORE"))
    assert arena(["rate", "c.log"]) == 1
    assert "4 hands, 2 players" in capsys.readouterr().out
