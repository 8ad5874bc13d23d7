"""Options that several commands have."""

import argparse
from pathlib import Path

import pytest

from engine.console.options import add_game, add_jobs, add_json, add_seed
from protocol.gamedefs import load_builtin


@pytest.mark.parametrize("name", ["--jobs", "--workers"])
def test_jobs_have_two_names(name):
    """Old scripts say --workers."""
    parser = argparse.ArgumentParser()
    add_jobs(parser)
    assert parser.parse_args([name, "3"]).jobs == 3
    assert parser.parse_args([]).jobs >= 1


def test_what_is_left_out_is_the_same_for_all_commands():
    """Hold'em for two without a limit, seed 1, no file."""
    parser = argparse.ArgumentParser()
    for add in (add_game, add_seed, add_json):
        add(parser)
    options = parser.parse_args([])
    assert (options.game, options.seed, options.json) == (load_builtin("hunl"), 1, None)
    given = parser.parse_args(["--game", "hulhe", "--seed", "7", "--json", "x.json"])
    assert (given.game, given.seed, given.json) == (load_builtin("hulhe"), 7, Path("x.json"))
