"""Logs that are read while they are written."""

import gzip
from pathlib import Path

import pytest

from agents.improvement.growing_logs import count_growing
from agents.improvement.logged_raises import HandCounts
from protocol.gamedefs import load_builtin
from tests.helpers.blueprints import random_model, tiny_config
from tests.helpers.improving import write_log

HUNL = load_builtin("hunl")


@pytest.fixture(scope="module")
def model():
    """A model of no-limit hold'em."""
    return random_model(tiny_config())


def counted(model, folder, game=HUNL, names=()):
    """Return the counts of a folder, and what was told."""
    counts, told = HandCounts(model, Path("m.blueprint"), names), []
    count_growing(counts, folder, game, told.append)
    return counts, told


def test_a_growing_log_counts_up_to_its_last_line_end(model, tmp_path):
    """What comes later counts with the next reading."""
    log = write_log(tmp_path / "a.log", ("r250f", 3))
    text = log.read_text()
    log.write_text(text[:-20])
    counts, told = counted(model, tmp_path)
    assert (counts.hands, told) == (2, [])
    log.write_text(text)
    assert counted(model, tmp_path)[0].hands == 3


def test_torn_lines_are_left_out_and_told(model, tmp_path):
    """A killed writer leaves half a line, behind which the next one goes on."""
    log = write_log(tmp_path / "a.log", ("r250f", 3))
    lines = log.read_text().splitlines(keepends=True)
    log.write_text(
        lines[0] + lines[1][:15] + lines[1] + lines[2] + "STATE:9:r1f:AsKs|QdJd:0|0:a|b\n"
    )
    counts, told = counted(model, tmp_path)
    assert counts.hands == 2
    (line,) = told
    assert "a.log: left out 2 of its lines, as 2: " in line


def test_files_that_are_no_logs_of_the_game_are_told(model, tmp_path):
    """The others are read all the same, packed ones too."""
    packed = write_log(tmp_path / "b.log", ("r250f", 2))
    (tmp_path / "b.log.gz").write_bytes(gzip.compress(packed.read_bytes()))
    packed.unlink()
    (tmp_path / "limit.log").write_text(
        "# name/game/hands/seed x holdem.limit.2p.reverse_blinds.game 1 1\n"
    )
    (tmp_path / "c.log").write_bytes(bytes(range(256)) * 10)
    counts, told = counted(model, tmp_path)
    assert counts.hands == 2
    assert len(told) == 2
    assert "limit.log:1: the header names" in told[1]


def test_a_folder_without_logs_is_told(model, tmp_path):
    """So is one that is gone."""
    for folder in (tmp_path, tmp_path / "gone"):
        counts, told = counted(model, folder)
        assert (counts.hands, len(told)) == (0, 1)


def test_only_those_who_are_asked_about_count(model, tmp_path):
    """Nobody by that name yet is no error."""
    write_log(tmp_path / "a.log", ("r250f", 3))
    assert not counted(model, tmp_path, names={"nobody"})[0].lines
    assert sum(counted(model, tmp_path, names={"one"})[0].lines.values()) == 3
