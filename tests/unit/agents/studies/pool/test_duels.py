"""Duels: the same result wherever they are played, and nothing is played twice."""

import json

import numpy as np
import pytest

from agents.errors import UnknownAgent
from agents.studies.pool.duels import (
    BLOCK,
    Duel,
    DuelLedger,
    DuelResult,
    LedgerDamaged,
    paired_gain,
    play_duel,
)
from engine.estimates.winrate import win_rate
from protocol.gamedefs import load_builtin

HUNL = load_builtin("hunl")
TWIN = "calling-machine"
"""O2 by another name."""
SOME = (Duel("O2", "O6", 300, 1), Duel("O2", "O_random", 1000, 1), Duel("rule", "O6", 12, 1))


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A file with some duels."""
    path = tmp_path_factory.mktemp("duels") / "duels.jsonl"
    list(DuelLedger(path, HUNL).play(SOME))
    return path


def facts(ledger, duels):
    """Results as plain values, but for the time."""
    return [{**one.facts(), "seconds": 0} for one in ledger.play(duels)]


def test_a_result_is_the_mean_of_what_was_won(written):
    """Rate, blocks and interval follow from the chips of both seatings."""
    result = next(DuelLedger(written, HUNL).play(SOME[:1]))
    won = play_duel(HUNL, SOME[0])
    assert won.shape == (2, 300)
    assert result.rate.mbb_per_hand == pytest.approx(10 * won.mean())
    assert result.rate.hands == 600
    assert result.blocks == (pytest.approx(10 * won[:, :BLOCK].mean(), abs=0.01),)
    pairs = 10 * won.mean(axis=0)
    assert result.rate.ci95 == pytest.approx(1.97 * pairs.std(ddof=1) / 300**0.5, rel=0.01)


def test_periods_are_samples(written):
    """Of an opponent who changes every 500 hands, two periods are two samples."""
    result = list(DuelLedger(written, HUNL).play(SOME))[1]
    assert result.rate.samples == 2
    assert len(result.blocks) == 1000 // BLOCK


def test_at_tables_and_in_bulk_the_same_bots_play_alike():
    """A bot that is compiled wins at a table what it wins in bulk, where nothing is drawn."""
    from agents.roster.bots import find_agent
    from engine.play.learners import play_tables, rotations

    bulk = play_duel(HUNL, Duel("O3", "O2", 40, 3))
    from agents.studies.pool.crosstable import pool_seed

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
    [result] = DuelLedger(tmp_path / "duels.jsonl", HUNL).play([duel])
    assert (result.rate.samples, result.rate.hands) == (5, 100)
    assert result.rate.mbb_per_hand == pytest.approx(10 * won.mean())
    [again] = DuelLedger(tmp_path / "duels.jsonl", HUNL).play([duel])
    assert again.facts() == result.facts()
    with pytest.raises(ValueError, match="whole matches"):
        play_duel(HUNL, duel._replace(match=7))


def test_all_meet_an_opponent_with_the_same_deals():
    """By whatever name they go, and O_random plays the same points."""
    one, other = (play_duel(HUNL, Duel(name, "O_random", 1000, 1)) for name in ("O2", TWIN))
    np.testing.assert_array_equal(one, other)
    assert (one != play_duel(HUNL, Duel("O2", "O_random", 1000, 2))).any()


def test_gains_are_paired():
    """Over pairs of blocks; other deals cannot be compared."""
    rate = win_rate(np.array([1.0, 2.0]), 100)

    def result(name, blocks, seed=1):
        return DuelResult(Duel(name, "O6", 1000, seed), rate, blocks, 0.0)

    one, other = (
        result("O2", (10.0, 20.0, 40.0, 50.0, 7.0)),
        result("O3", (5.0, 5.0, 5.0, 5.0, 9.0)),
    )
    mean, half = paired_gain(one, other)
    assert mean == 0
    gains = np.array([10.0, 40.0])
    assert half == pytest.approx(12.706 * gains.std(ddof=1) / 2**0.5, rel=1e-4)
    assert paired_gain(result("O2", (1.0, 2.0)), result("O3", (1.0, 2.0))) == (0, np.inf)
    with pytest.raises(ValueError, match="same deals"):
        paired_gain(one, result("O3", (1.0,), 2))


def test_nothing_is_played_twice(written, monkeypatch):
    """Known duels come from the file, in the order asked for."""
    before = written.read_text()
    monkeypatch.setattr("agents.studies.pool.duels.play_duel", None)
    found = facts(DuelLedger(written, HUNL), SOME[::-1])
    assert [one["other"] for one in found] == ["O6", "O_random", "O6"]
    assert written.read_text() == before


def test_processes_change_nothing(written, tmp_path):
    """Two at once have the results of one."""
    other = DuelLedger(tmp_path / "duels.jsonl", HUNL)
    two = [{**one.facts(), "seconds": 0} for one in other.play(SOME, jobs=2)]
    assert two == facts(DuelLedger(written, HUNL), SOME)


def test_a_line_cut_off_is_played_again(written, tmp_path):
    """As a kill leaves it; the lines before stay."""
    lines = written.read_text().splitlines(keepends=True)
    path = tmp_path / "duels.jsonl"
    path.write_text(lines[0] + lines[2][:40])
    assert facts(DuelLedger(path, HUNL), SOME) == facts(DuelLedger(written, HUNL), SOME)
    assert len(path.read_text().splitlines()) == 3


def test_a_last_line_that_lacks_its_end_alone_is_kept(written, tmp_path):
    """As an editor leaves it; what never was a duel is refused, and stays."""
    path = tmp_path / "duels.jsonl"
    path.write_text(written.read_text().rstrip("\n"))
    assert len(DuelLedger(path, HUNL).known()) == len(SOME)
    assert path.read_text() == written.read_text()
    path.write_text("a letter to somebody")
    with pytest.raises(LedgerDamaged, match="last line"):
        DuelLedger(path, HUNL)
    assert path.read_text() == "a letter to somebody"


@pytest.mark.parametrize(
    "changes",
    [
        {"samples": float("inf")},
        {"samples": 10**400},
        {"mbb_per_hand": float("nan")},
        {"blocks": [float("inf")]},
        {"blocks": [1.0, 2.0]},
        {"deals": "many"},
    ],
    ids=str,
)
def test_numbers_that_no_duel_has_are_refused(written, tmp_path, changes):
    """Whatever JSON can say."""
    told = json.loads(written.read_text().splitlines()[0])
    path = tmp_path / "duels.jsonl"
    path.write_text(json.dumps({**told, **changes}) + "\n")
    with pytest.raises(LedgerDamaged, match="line 1"):
        DuelLedger(path, HUNL)


@pytest.mark.parametrize(
    "line", ["x", "[]", "{}", '{"one": 3}', json.dumps({"blocks": 1}), "[" * 200_000]
)
def test_what_is_no_ledger_is_refused(tmp_path, line):
    """In a line that names file and line."""
    path = tmp_path / "duels.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(LedgerDamaged, match="line 1") as caught:
        DuelLedger(path, HUNL)
    assert str(path) in str(caught.value)


def test_unknown_agents_and_senseless_numbers_are_refused(tmp_path):
    """Nothing is written for them."""
    ledger = DuelLedger(tmp_path / "duels.jsonl", HUNL)
    with pytest.raises(UnknownAgent):
        list(ledger.play([Duel("nobody", "O2", 10, 1)]))
    with pytest.raises(ValueError, match="deals"):
        list(ledger.play([Duel("O1", "O2", 0, 1)]))
    assert not (tmp_path / "duels.jsonl").exists()
