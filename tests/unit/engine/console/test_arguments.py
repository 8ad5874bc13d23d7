"""Types of arguments: what they take, and what they say of the rest."""

import argparse
import math
from pathlib import Path

import pytest

from engine.console.arguments import (
    count,
    deal_seed,
    load_game,
    output_file,
    output_folder,
    port,
    positive,
    real_number,
    seconds,
    spelled_cards,
    whole_number,
)
from engine.console.parser import OneLineParser
from protocol.cards import parse_cards
from protocol.errors import MalformedCard
from protocol.gamedefs import builtin_path, load_builtin


def refusal(kind, text):
    """Return what a type says of a text."""
    with pytest.raises(argparse.ArgumentTypeError) as refused:
        kind(text)
    return str(refused.value)


@pytest.mark.parametrize("text", ["-1", "8", "x", "", "1.5", "٣", "9" * 5000])
def test_numbers_out_of_range_are_refused(text):
    """Whatever they look like, and in not much more than a line."""
    assert len(refusal(whole_number(0, 7), text)) < 80
    assert whole_number(0, 7)("007") == 7


def test_refusals_say_what_is_wanted():
    """The type's own words where it has some."""
    assert refusal(whole_number(2, 7), "8") == "8: want 2 to 7"
    assert refusal(whole_number(2, 7), "x") == "'x' is not a whole number of 0 or more"
    assert refusal(whole_number(2, 7, "{}: want luck"), "8") == "8: want luck"
    assert refusal(real_number(lambda value: value < 1, "{!r}: no"), "1") == "'1': no"


@pytest.mark.parametrize(
    ("kind", "taken", "refused", "want"),
    [
        (count, {"1": 1, "99999999": 10**8 - 1}, "0 100000000 1e3", "from 1 to 99999999"),
        (deal_seed, {"0": 0, "4294967295": 2**32 - 1}, "4294967296 -1", "from 0 to 2**32 - 1"),
        (port, {"1": 1, "65535": 65535}, "0 65536 http", "from 1 to 65535"),
        (positive, {"0.5": 0.5, "1e3": 1000.0}, "0 -1 inf nan x", "a number above 0"),
        (seconds, {"0": 0.0, "2.5": 2.5}, "-1 inf nan soon", "seconds, 0 or more"),
    ],
)
def test_kinds_of_numbers(kind, taken, refused, want):
    """Their ends belong to them, what is beyond does not."""
    for text, value in taken.items():
        assert kind(text) == value
    for text in refused.split():
        assert want in refusal(kind, text)
        assert text in refusal(kind, text)


def test_a_number_may_be_infinite_where_its_type_says_so():
    """The type is asked, not the parser of numbers."""
    assert real_number(lambda value: value > 0, "{}")("inf") == math.inf


def test_games_are_names_or_files(tmp_path):
    """A file comes first; what is neither, or defines no game, is one line."""
    assert load_game("leduc") == load_builtin("leduc")
    file = tmp_path / "mine.game"
    file.write_bytes(builtin_path("kuhn").read_bytes())
    assert load_game(str(file)) == load_builtin("kuhn")
    file.write_text("GAMEDEF\n")
    for wrong in (str(file), "no-such-game", "x" * 300):
        assert refusal(load_game, wrong).startswith(f"game {wrong}: ")


@pytest.mark.parametrize("text", ["AsKd", "ask d", "ASKD"])
def test_cards_may_be_typed_as_one_likes(text):
    """Capitals and blanks mean nothing."""
    assert spelled_cards(text) == parse_cards("AsKd")


def test_what_are_no_cards_is_an_error():
    """Half a card, too."""
    for wrong in ("As1", "Xx"):
        with pytest.raises(MalformedCard):
            spelled_cards(wrong)


def test_files_that_cannot_be_are_refused_before_the_work(tmp_path, capsys):
    """A folder, a file in no folder or in a file, a name that is too long, "-": one line, 2."""
    parser = OneLineParser(prog="prog")
    parser.add_argument("--json", type=output_file)
    file = tmp_path / "x.json"
    assert parser.parse_args(["--json", str(file)]).json == file
    file.write_text("")
    assert parser.parse_args(["--json", str(file)]).json == file
    assert parser.parse_args(["--json", "x.json"]).json == Path("x.json")
    for wrong, why in {
        str(tmp_path): "is a folder, want a file",
        "": "is a folder, want a file",
        str(tmp_path / "no" / "x.json"): f"there is no folder {tmp_path / 'no'}",
        str(file / "x.json"): f"there is no folder {file}",
        "x" * 300: "File name too long",
        "-": "want a file, not standard output",
    }.items():
        with pytest.raises(SystemExit, match="2"):
            parser.parse_args(["--json", wrong])
        told = capsys.readouterr().err
        assert why in told
        assert told.count("\n") == 1


def test_folders_that_cannot_be_are_refused_before_the_work(tmp_path):
    """A file, an empty name as of an unset variable, and a name that is too long."""
    (tmp_path / "file").write_text("")
    for fit in (tmp_path, tmp_path / "new" / "one", Path(".")):
        assert output_folder(str(fit)) == fit
    assert refusal(output_folder, str(tmp_path / "file")).endswith("file' is no folder")
    assert refusal(output_folder, "") == "'' is no folder"
    assert "File name too long" in refusal(output_folder, "x" * 300)
