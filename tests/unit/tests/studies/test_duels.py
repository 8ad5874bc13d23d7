"""Duels: the same result wherever they are played, and nothing is played twice."""

import numpy as np
import pytest

from agents.errors import UnknownAgent
from agents.opponents.pool_logs import pool_seed
from agents.roster.bots import find_agent
from engine.play.learners import play_tables, rotations
from protocol.gamedefs import load_builtin
from tests.studies import duels
from tests.studies.duels import BLOCK, Duel, play_duel, play_duels

HUNL = load_builtin("hunl")
TWIN = "calling-machine"
"""O2 by another name."""
SOME = (Duel("O2", "O6", 300, 1), Duel("O2", "O_random", 1000, 1), Duel("rule", "O6", 12, 1))


@pytest.fixture(scope="module")
def work(tmp_path_factory):
    """A work folder with some duels."""
    folder = tmp_path_factory.mktemp("duels")
    play_duels(SOME, folder, 1)
    return folder


def untimed(rows):
    """Results, but for the time."""
    return [{**row, "seconds": 0} for row in rows]


def test_a_result_is_the_mean_of_what_was_won(work):
    """Rate, blocks and interval follow from the chips of both seatings."""
    [row] = play_duels(SOME[:1], work, 1)
    won = play_duel(HUNL, SOME[0])
    assert won.shape == (2, 300)
    assert row["mbb_per_hand"] == pytest.approx(10 * won.mean())
    assert row["hands"] == 600
    assert row["blocks"] == [pytest.approx(10 * won[:, :BLOCK].mean(), abs=0.01)]
    pairs = 10 * won.mean(axis=0)
    assert row["ci95"] == pytest.approx(1.97 * pairs.std(ddof=1) / 300**0.5, rel=0.01)


def test_periods_are_samples(work):
    """Of an opponent who changes every 500 hands, two periods are two samples."""
    row = play_duels(SOME, work, 1)[1]
    assert row["samples"] == 2
    assert len(row["blocks"]) == 1000 // BLOCK


def test_at_tables_and_in_bulk_the_same_bots_play_alike():
    """A bot that is compiled wins at a table what it wins in bulk, where nothing is drawn."""
    bulk = play_duel(HUNL, Duel("O3", "O2", 40, 3))
    tables = rotations([find_agent("O3").build, find_agent("O2").build])
    slow = play_tables(HUNL, pool_seed(3, "O2") >> 1, 40, tables)
    np.testing.assert_array_equal(bulk, slow[:, :, 0].T)


@pytest.mark.parametrize("other", ["solid", "rule"])
def test_matches_are_samples_and_begin_anew(tmp_path, other):
    """Of five matches with somebody who learns or not: the first is as alone, all are as many."""
    duel, alone = Duel("O6", other, 50, 3, 10), Duel("O6", other, 10, 3)
    won = play_duel(HUNL, duel)
    assert won.shape == (2, 50)
    np.testing.assert_array_equal(won[:, :10], play_duel(HUNL, alone))
    assert len({part.tobytes() for part in np.split(won, 5, axis=1)}) == 5
    [row] = play_duels([duel], tmp_path, 1)
    assert (row["samples"], row["hands"]) == (5, 100)
    assert row["mbb_per_hand"] == pytest.approx(10 * won.mean())
    assert play_duels([duel], tmp_path, 1) == [row]
    with pytest.raises(ValueError, match="whole matches"):
        play_duel(HUNL, duel._replace(match=7))


def test_all_meet_an_opponent_with_the_same_deals():
    """By whatever name they go, and O_random plays the same points."""
    one, other = (play_duel(HUNL, Duel(name, "O_random", 1000, 1)) for name in ("O2", TWIN))
    np.testing.assert_array_equal(one, other)
    assert (one != play_duel(HUNL, Duel("O2", "O_random", 1000, 2))).any()


def test_nothing_is_played_twice(work, monkeypatch):
    """Duels of the ledger come from it, in the order asked for, each once."""
    before = (work / "duels.jsonl").read_text()
    monkeypatch.setattr(duels, "play_duel", None)
    rows = play_duels([*SOME[::-1], SOME[0]], work, 1)
    assert [row["other"] for row in rows] == ["O6", "O_random", "O6"]
    assert (work / "duels.jsonl").read_text() == before


def test_a_line_cut_off_is_played_again(work, tmp_path):
    """As a kill leaves it, by two processes; the lines before stay."""
    lines = (work / "duels.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "duels.jsonl").write_text(lines[0] + lines[2][:40])
    assert untimed(play_duels(SOME, tmp_path, 2)) == untimed(play_duels(SOME, work, 1))
    assert len((tmp_path / "duels.jsonl").read_text().splitlines()) == 3


def test_what_is_no_ledger_is_refused(tmp_path):
    """By the name of the file; unknown agents and senseless numbers, and nothing is written."""
    with pytest.raises(UnknownAgent):
        play_duels([Duel("nobody", "O2", 10, 1)], tmp_path, 1)
    with pytest.raises(ValueError, match="deals"):
        play_duels([Duel("O1", "O2", 0, 1)], tmp_path, 1)
    assert not (tmp_path / "duels.jsonl").exists()
    for line in ("x", "[]", "3"):
        (tmp_path / "duels.jsonl").write_text(line + "\n")
        with pytest.raises(ValueError, match="tells no duel"):
            play_duels(SOME, tmp_path, 1)
