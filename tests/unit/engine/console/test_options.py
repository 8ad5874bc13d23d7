"""Options that several commands have."""

import argparse
from pathlib import Path

import pytest

from engine.console.command import add_options
from engine.console.options import STDOUT, game_option, jobs_option, json_option, seed_option
from engine.console.parser import OneLineParser
from protocol.gamedefs import load_builtin


@pytest.mark.parametrize("name", ["--jobs", "--workers"])
def test_jobs_have_two_names(name):
    """Old scripts say --workers."""
    parser = argparse.ArgumentParser()
    jobs_option().add_to(parser)
    assert parser.parse_args([name, "3"]).jobs == 3
    assert parser.parse_args([]).jobs >= 1


def test_what_is_left_out_is_the_same_for_all_commands():
    """Hold'em for two without a limit, seed 1, no file."""
    parser = argparse.ArgumentParser()
    add_options(parser, (game_option(), seed_option(), json_option()))
    options = parser.parse_args([])
    assert (options.game, options.seed, options.json) == (load_builtin("hunl"), 1, None)
    given = parser.parse_args(["--game", "hulhe", "--seed", "7", "--json", "x.json"])
    assert (given.game, given.seed, given.json) == (load_builtin("hulhe"), 7, Path("x.json"))


@pytest.mark.parametrize(
    ("words", "json", "logs"),
    [
        (["a.log"], None, ["a.log"]),
        (["a.log", "--json"], STDOUT, ["a.log"]),
        (["--json", "a.log"], STDOUT, ["a.log"]),
        (["--json", "-", "a.log"], STDOUT, ["a.log"]),
        (["--json", "x.json", "a.log"], Path("x.json"), ["a.log"]),
        (["--json=x.txt", "a.log"], Path("x.txt"), ["a.log"]),
    ],
)
def test_json_takes_a_file_but_no_log(words, json, logs):
    """What is to be read is not overwritten by what is written."""
    parser = OneLineParser()
    parser.add_argument("logs", nargs="+")
    json_option(beside_files=True).add_to(parser)
    options = parser.parse_args(words)
    assert (options.json, options.logs) == (json, logs)


def test_json_may_be_any_file_where_no_other_is_read():
    """As old scripts say it."""
    parser = OneLineParser()
    json_option().add_to(parser)
    assert parser.parse_args(["--json", "x.txt"]).json == Path("x.txt")
    assert parser.parse_args(["--json"]).json == STDOUT
