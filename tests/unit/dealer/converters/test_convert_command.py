"""`arena convert`: where hands go, which ones, and what is said."""

import csv
import gzip
import io
import sys
import tempfile
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from dealer.arena import main as arena
from dealer.converters import convert_command, history_files
from dealer.converters.convert_command import main
from engine.console.exit_codes import INTERRUPTED
from protocol.gamedef import parse_gamedef
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in, written
from tests.helpers.random_logs import random_log

HUNL = load_builtin("hunl")
GAME_FILE = "holdem.nolimit.2p.reverse_blinds.game"
TWO_STREETS = "STATE:3:r250c/cr650f:AcAd|7h6h/Jc3d5c:-250|250:Ann|Bob\n"
BAD = "STATE:7:cr1f:7d3d|2hAc:100|-100:Ann|Bob\n"


def log_text(game=HUNL, hands=6, seed=3, game_name=GAME_FILE):
    random = np.random.default_rng(seed)
    return "".join(f"{one}\n" for one in random_log(game, seed, hands, random, game_name=game_name))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.log").write_text(log_text())
    return tmp_path


def said(capsys):
    return capsys.readouterr().err.splitlines()


def test_a_log_goes_and_comes_back(folder, capsys):
    """The same to the byte; the last line counts hands."""
    assert main(["a.log", "--to", "phhs", "--out", "b.phhs"]) == 0
    assert said(capsys) == ["arena convert: 6 hands went over, 0 did not"]
    assert main(["b.phhs", "--to", "log", "--out", "c.log"]) == 0
    assert (folder / "c.log").read_text() == log_text()
    assert not (folder / "c.game").exists()
    assert arena(["replay", "--verify", "c.log"]) == 0


def test_standard_input_and_output_and_packed_files(folder, capsys, monkeypatch):
    """Go without files."""
    (folder / "p.log.gz").write_bytes(gzip.compress(log_text().encode()))
    assert main(["p.log.gz", "--to", "phhs"]) == 0
    text = capsys.readouterr().out
    assert len(hands_in(text, "phhs")) == 6
    with open("q.phhs", "w") as file:
        file.write(text)
    monkeypatch.setattr(convert_command, "_STDIN", folder / "q.phhs")
    assert main(["-", "--to", "log"]) == 0
    assert capsys.readouterr().out == log_text()


def test_a_folder_gets_a_file_for_each_that_is_read(folder, capsys):
    """Named as they are; two that would have one name are refused before anything is written."""
    (folder / "b.log").write_text(log_text(seed=4))
    assert main(["a.log", "b.log", "--to", "phhs", "--out", "out/"]) == 0
    assert sorted(one.name for one in (folder / "out").iterdir()) == ["a.phhs", "b.phhs"]
    assert main(["out", "--to", "log", "--out", "back/"]) == 0
    assert (folder / "back" / "b.log").read_text() == log_text(seed=4)
    assert main(["a.log", "out/a.phhs", "--to", "phhs", "--out", "new/"]) == 2
    assert "would be written over what a.log becomes" in said(capsys)[-1]
    assert list((folder / "new").iterdir()) == []
    assert main(["a.log", "b.log", "--to", "phhs", "--out", "both.phhs"]) == 0
    assert len(hands_in((folder / "both.phhs").read_text(), "phhs")) == 12


def test_wrong_hands_are_named_and_the_others_go(folder, capsys):
    """By file and line; with --strict none goes, and other files are not in the way."""
    (folder / "b.log").write_text(log_text() + BAD)
    assert main(["b.log", "--to", "phhs", "--out", "b.phhs"]) == 1
    lines = said(capsys)
    assert lines[0].startswith("b.log:9: left out: illegal action 2 of position 0: r1")
    assert lines[-1] == "arena convert: 6 hands went over, 1 did not"
    assert main(["b.log", "a.log", "--to", "phhs", "--out", "out/", "--strict"]) == 2
    lines = said(capsys)
    assert lines[0].endswith("this file is left out")
    assert lines[-1] == "arena convert: 6 hands went over, 0 did not"
    assert [one.name for one in (folder / "out").iterdir()] == ["a.phhs"]
    assert main(["b.log", "--to", "phhs", "--strict"]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.endswith("nothing is written\n")


def test_payoffs_of_the_file_count(folder, capsys):
    """A line says which contradict the cards."""
    (folder / "b.log").write_text(
        f"# name/game/hands/seed b {GAME_FILE} 1 1\nSTATE:7:f:7d3d|2hAc:51|-51:Ann|Bob\n"
    )
    assert main(["b.log", "--to", "phhs"]) == 0
    found = capsys.readouterr()
    assert "finishing_stacks = [20051, 19949]" in found.out
    assert found.err.splitlines()[0].startswith(
        "b.log:2: kept: the payoffs of the file count: value of position 0 is 51, recomputed 50"
    )
    assert "1 hand went over, 1 of them with doubts" in found.err


def two_depths():
    """PHH of hands of two depths of stacks, all without a header."""
    texts = []
    for stack in (20000, 5000):
        game = replace(HUNL, stacks=(stack, stack))
        lines = log_text(game, hands=2).splitlines(keepends=True)[1:-1]
        texts += hands_in("".join(lines), "log", game)
    game = replace(HUNL, stacks=(3000, 7000))
    texts += hands_in(log_text(game, hands=1).splitlines()[1] + "\n", "log", game)
    return written(texts, "phhs")


def test_each_depth_of_stacks_has_its_log(folder, capsys):
    """With a game file, since no header names the game; readers find it."""
    (folder / "d.phhs").write_text(two_depths())
    assert main(["d.phhs", "--to", "log", "--out", "out/"]) == 0
    names = sorted(one.name for one in (folder / "out").iterdir())
    assert names == [
        *("d.20000.game", "d.20000.log", "d.3000-7000.game", "d.3000-7000.log"),
        *("d.5000.game", "d.5000.log"),
    ]
    game = parse_gamedef((folder / "out" / "d.3000-7000.game").read_text())
    assert game == replace(HUNL, stacks=(3000, 7000))
    assert arena(["replay", "--verify", "out/d.5000.log"]) == 0
    assert "2 hands" in capsys.readouterr().out


def test_stacks_can_stand_in_the_lines(folder, capsys):
    """Then there is one log, also on standard output, where else the first depth is all."""
    (folder / "d.phhs").write_text(two_depths())
    assert main(["d.phhs", "--to", "log", "--stacks", "each", "--out", "e.log"]) == 0
    text = (folder / "e.log").read_text()
    assert text.count("STATE:") == 5
    assert ":3000|7000:100|50:" in text
    assert arena(["replay", "--verify", "e.log"]) == 0
    capsys.readouterr()
    assert main(["d.phhs", "--to", "log"]) == 1
    found = capsys.readouterr()
    assert found.out.count("STATE:") == 2
    assert "--stacks each writes stacks into the lines, --out FOLDER/ a log for each" in found.err
    assert main(["e.log", "--to", "phhs", "--out", "f.phhs"]) == 0
    assert main(["f.phhs", "--to", "log", "--out", "g.log"]) == 0
    assert (folder / "g.log").read_text() == text


def test_filters_are_those_of_replay(folder, capsys):
    """How many hands they leave out is told; none at all is exit code 1."""
    assert main(["a.log", "--to", "phhs", "--hands", "1-2"]) == 0
    found = capsys.readouterr()
    assert [one.record.hand_id for one in hands_in(found.out, "phhs")] == [1, 2]
    assert "4 of 6 hands left out as asked" in found.err
    assert main(["a.log", "--to", "phhs", "--player", "nobody", "--out", "n.phhs"]) == 1
    assert "no hand as asked" in said(capsys)[-1]
    assert not (folder / "n.phhs").exists()


def test_one_hand_has_a_file_of_its_own(folder, capsys):
    """A second one is refused."""
    assert main(["a.log", "--to", "phh", "--hand", "1", "--out", "h.phh"]) == 0
    assert (folder / "h.phh").read_text().startswith("variant")
    said(capsys)
    assert main(["a.log", "--to", "phh", "--out", "h.phh"]) == 1
    assert "a .phh file is of one hand; --to phhs is of many" in said(capsys)[0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("gone.log --to phhs", "No such file"),
        ("a.log --to nothing", "invalid choice"),
        ("a.log --to partypoker", "invalid choice: 'partypoker'"),
        ("a.log --to phhs --game nothing", "neither a file nor a built-in game"),
        ("bare.log --to phhs", "no header names the game"),
        ("a.log --to phhs --out a.log/", "arena convert: a.log: "),
        ("a.log --to phhs --out no/folder/", "arena convert: no/folder: "),
        ("a.log --to phhs --stacks each", "--stacks goes with --to log"),
        ("a.log --to log --rows hands", "--rows goes with --to csv"),
        ("a.log --to csv --equity", "--equity goes with --rows decisions"),
        ("a.log --to ohh --equity", "--equity goes with --to csv"),
        ("a.log --to csv --chips-per-dollar 10", "--chips-per-dollar goes with --to pokerstars"),
        ("a.log --to pokerstars --chips-per-dollar 30", "--chips-per-dollar is 1, 10, 100"),
        ("a.log --to ohh --hero Ann", "--hero goes with --to pokerstars"),
        ("table.csv --to log", "table.csv: csv is written, not read"),
    ],
)
def test_wrong_arguments_are_one_line(folder, capsys, arguments, words):
    """And exit code 2, before anything is read."""
    (folder / "bare.log").write_text("STATE:0:ccc:7d3d|2hAc|5h5d:0|0|0:a|b|c\n")
    (folder / "table.csv").write_text("hand,time\n")
    try:
        code = main(arguments.split())
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert words in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_told(folder, capsys):
    """In a folder that is not there."""
    assert main(["a.log", "--to", "phhs", "--out", "none/b.phhs"]) == 1
    assert "none/b.phhs" in said(capsys)[-1]


def test_no_room_for_what_is_kept_is_told(folder, monkeypatch, capsys):
    """Not as if it were standard output; nothing is left behind."""
    (folder / "long.log").write_text(log_text(hands=200))
    monkeypatch.setattr(history_files.tempfile, "TemporaryFile", partial(open, "/dev/full", "wb"))
    assert main(["long.log", "--to", "ohh", "--out", "b.ohh"]) == 1
    (line,) = said(capsys)
    assert line == f"arena convert: {tempfile.gettempdir()}: No space left on device"
    assert not (folder / "b.ohh").exists()


def test_hands_of_other_formats_in_a_log_are_told(folder, capsys):
    """A log takes them for comments; nothing of them goes over."""
    text = log_text()
    hands = hands_in(text, "log", HUNL)[:2]
    for form in ("pokerstars", "ohh", "phhs", "slumbot"):
        (folder / "mixed.log").write_text(text + written(hands, form))
        assert main(["mixed.log", "--to", "csv", "--out", "hands.csv"]) == 1
        *left, last = said(capsys)
        assert [f"left out: a hand in another format, {form}" in line for line in left] == [
            True
        ] * 2
        assert last == "arena convert: 6 hands went over, 2 did not"
        assert main(["mixed.log", "--to", "csv", "--out", "strict.csv", "--strict"]) == 2
        assert not (folder / "strict.csv").exists()
        capsys.readouterr()


def test_ctrl_c_leaves_nothing(folder, monkeypatch, capsys):
    """Neither half a file nor a temporary one."""
    monkeypatch.setattr(
        convert_command.HistoryFiles, "close", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)
    )
    assert main(["a.log", "--to", "phhs", "--out", "b.phhs"]) == INTERRUPTED
    assert [one.name for one in folder.iterdir()] == ["a.log"]
    assert "Traceback" not in capsys.readouterr().err


def test_progress_is_shown_on_terminals(folder, monkeypatch):
    """And taken away again."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr("dealer.logs.progress._SHOWN_AFTER_SECONDS", 0.0)
    monkeypatch.setattr(convert_command, "_SHOWN_EVERY", 1)
    monkeypatch.setattr(sys, "stderr", Terminal())
    assert main(["a.log", "--to", "phhs", "--out", "b.phhs"]) == 0
    assert "hands/s" in sys.stderr.getvalue()


@pytest.fixture
def two_streets(folder):
    (folder / "t.log").write_text(TWO_STREETS)
    return ["t.log", "--game", "hunl"]


def rows_of(path):
    return list(csv.reader(path.read_text().splitlines()))


def test_a_chip_may_be_a_cent(two_streets, capsys):
    """The text has dollars, and comes back as chips."""
    assert main([*two_streets, "--to", "pokerstars", "--chips-per-dollar", "100"]) == 0
    text = capsys.readouterr().out
    assert "Seat 1: Ann ($200 in chips)" in text
    assert "Bob: raises $1.50 to $2.50" in text


def test_hands_may_have_numbers_of_their_own_over_all_files(two_streets, folder, capsys):
    """They come back with those that they had."""
    (folder / "b.log").write_text(TWO_STREETS)
    options = ["--to", "pokerstars", "--numbers-from", "900000000000", "--out", "out/"]
    assert main(["b.log", *two_streets, *options]) == 0
    heads = [(folder / "out" / f"{name}.pokerstars").read_text() for name in "bt"]
    assert ["Hand #900000000000:" in heads[0], "Hand #900000000001:" in heads[1]] == [True, True]
    capsys.readouterr()
    assert main(["out/b.pokerstars", "--to", "log"]) == 0
    assert capsys.readouterr().out == TWO_STREETS


def test_only_the_cards_of_the_hero_are_dealt_face_up(two_streets, capsys):
    """Those of others come back where they are shown."""
    shown = "STATE:4:r300c/cc/cc/cc:AcAd|7h6h/Jc3d5c/2s/9s:300|-300:Ann|Bob\n"
    with open("t.log", "a") as file:
        file.write(shown)
    assert main([*two_streets, "--to", "pokerstars", "--hero", "Bob", "--out", "b.txt"]) == 0
    capsys.readouterr()
    assert main(["b.txt", "--to", "log"]) == 0
    assert capsys.readouterr().out == TWO_STREETS.replace("AcAd", "") + shown


def test_hands_that_the_hero_does_not_play_are_left_out(two_streets, capsys):
    """A name with a mistake in it takes nobody's cards away."""
    assert main([*two_streets, "--to", "pokerstars", "--hero", "bob", "--out", "b.txt"]) == 1
    assert "left out: bob does not play in it" in capsys.readouterr().err


def test_rows_and_equity_of_tables(two_streets, folder):
    """A row a hand without an option."""
    assert main([*two_streets, "--to", "csv", "--out", "h.csv"]) == 0
    assert len(rows_of(folder / "h.csv")) == 2
    assert (
        main([*two_streets, "--to", "csv", "--rows", "decisions", "--equity", "--out", "d.csv"])
        == 0
    )
    header, *rows = rows_of(folder / "d.csv")
    assert len(rows) == 5
    assert header[-1] == "equity"
    assert all(0 < float(row[-1]) < 1 for row in rows)
