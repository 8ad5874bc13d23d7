"""Options of `arena convert` for one format."""

import csv

import pytest

from dealer.converters.convert_command import main

LOG = "STATE:3:r250c/cr650f:AcAd|7h6h/Jc3d5c:-250|250:Ann|Bob\n"


def rows_of(path):
    return list(csv.reader(path.read_text().splitlines()))


@pytest.fixture
def log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.log").write_text(LOG)
    return ["a.log", "--game", "hunl"]


def test_a_chip_may_be_a_cent(log, capsys):
    """The text has dollars, and comes back as chips."""
    assert main([*log, "--to", "pokerstars", "--chips-per-dollar", "100"]) == 0
    text = capsys.readouterr().out
    assert "Seat 1: Ann ($200 in chips)" in text
    assert "Bob: raises $1.50 to $2.50" in text


def test_hands_may_have_numbers_of_their_own_over_all_files(log, tmp_path, capsys):
    """They come back with those that they had."""
    (tmp_path / "b.log").write_text(LOG)
    options = ["--to", "pokerstars", "--numbers-from", "900000000000", "--out", "out/"]
    assert main(["b.log", *log, *options]) == 0
    heads = [(tmp_path / "out" / f"{name}.pokerstars").read_text() for name in "ba"]
    assert ["Hand #900000000000:" in heads[0], "Hand #900000000001:" in heads[1]] == [True, True]
    capsys.readouterr()
    assert main(["out/b.pokerstars", "--to", "log"]) == 0
    assert capsys.readouterr().out == LOG


def test_only_the_cards_of_the_hero_are_dealt_face_up(log, capsys):
    """Those of others come back where they are shown."""
    shown = "STATE:4:r300c/cc/cc/cc:AcAd|7h6h/Jc3d5c/2s/9s:300|-300:Ann|Bob\n"
    with open("a.log", "a") as file:
        file.write(shown)
    assert main([*log, "--to", "pokerstars", "--hero", "Bob", "--out", "b.txt"]) == 0
    capsys.readouterr()
    assert main(["b.txt", "--to", "log"]) == 0
    assert capsys.readouterr().out == LOG.replace("AcAd", "") + shown


def test_hands_that_the_hero_does_not_play_are_left_out(log, capsys):
    """A name with a mistake in it takes nobody's cards away."""
    assert main([*log, "--to", "pokerstars", "--hero", "bob", "--out", "b.txt"]) == 1
    assert "left out: bob does not play in it" in capsys.readouterr().err


def test_rows_and_equity_of_tables(log, tmp_path, capsys):
    """A row a hand without an option."""
    assert main([*log, "--to", "csv", "--out", "h.csv"]) == 0
    assert len(rows_of(tmp_path / "h.csv")) == 2
    assert main([*log, "--to", "csv", "--rows", "decisions", "--equity", "--out", "d.csv"]) == 0
    header, *rows = rows_of(tmp_path / "d.csv")
    assert len(rows) == 5
    assert header[-1] == "equity"
    assert all(0 < float(row[-1]) < 1 for row in rows)
    capsys.readouterr()
    assert main(["h.csv", "--to", "log"]) == 2
    assert "h.csv: csv is written, not read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--to", "phhs", "--stacks", "each"], "--stacks goes with --to log"),
        (["--to", "log", "--rows", "hands"], "--rows goes with --to csv"),
        (["--to", "csv", "--equity"], "--equity goes with --rows decisions"),
        (["--to", "ohh", "--equity"], "--equity goes with --to csv"),
        (["--to", "csv", "--chips-per-dollar", "10"], "--chips-per-dollar goes with --to pokers"),
        (["--to", "pokerstars", "--chips-per-dollar", "30"], "--chips-per-dollar is 1, 10, 100"),
        (["--to", "ohh", "--hero", "Ann"], "--hero goes with --to pokerstars"),
        (["--to", "partypoker"], "invalid choice: 'partypoker'"),
    ],
)
def test_options_that_do_not_go_together_are_refused(log, capsys, options, words):
    """In one line, before anything is read."""
    with pytest.raises(SystemExit) as left:
        main([*log, *options])
    assert left.value.code == 2
    assert words in capsys.readouterr().err
