"""arena sprt: predictions, recorded samples, and what it refuses."""

import json

import numpy as np
import pytest

from dealer.sequential import sprt_command
from dealer.sequential.recorded import recorded
from engine.equity.allin import logged_expectation
from engine.errors import LogError
from engine.estimates.sprt import SequentialTest
from engine.rules.view import state_of_betting
from protocol.gamedefs import load_builtin
from protocol.handlog import HandRecord, parse_log_line
from tests.helpers.random_logs import random_log
from tests.helpers.said import refused, says, says_in_a_line

GAME = "holdem.nolimit.2p.reverse_blinds.game"


def write(path, names, seed=5, play=1, hands=40):
    """Write a log; return what each of Ann's hands was worth by all-in expectation, chips."""
    random, hunl = np.random.default_rng(play), load_builtin("hunl")
    lines = random_log(hunl, seed, hands, random, names=names, game_name=GAME)
    path.write_text("\n".join(lines) + "\n")
    worth = []
    for record in map(parse_log_line, lines):
        if isinstance(record, HandRecord):
            state = state_of_betting(hunl, record.betting)
            values = logged_expectation(state, record.cards) or record.values
            worth.append(float(values[record.names.index("Ann")]))
    return np.array(worth)


def run(capsys, *words):
    """Run the command; return exit code, stdout and stderr."""
    try:
        code = sprt_command.main([*map(str, words)])
    except SystemExit as stopped:
        code = stopped.code
    out = capsys.readouterr()
    return code, out.out, out.err


def test_hands_are_predicted_before_anything_is_played(capsys):
    """By a guess, which says that it is one, or by a spread that is given."""
    code, out, err = run(capsys, "--mbb1", 50)
    assert (code, err) == (0, "")
    says(out, "SD", "13,333 mbb/h", "a guess")
    code, out, _ = run(capsys, "--mbb1", 50, "--sd", 5000, "--json")
    told = json.loads(out)
    test = SequentialTest(0, 50)
    assert told["predicted_hands"]["fixed"] == 2 * test.fixed_samples(5000)
    wanted = 2 * round(test.expected_samples(0, 5000, 200_000))
    assert told["predicted_hands"]["mbb0"] == wanted
    code, out, _ = run(capsys, "--mbb1", 50, "--game", "hulhe")
    says(out, "SD", "1,600 mbb/h")


def test_sets_of_logs_are_samples(capsys, tmp_path):
    """In the order of deals; hands where there are no sets, and those of whom one names."""
    one = write(tmp_path / "a.log", ("Ann", "Bob"))
    two = write(tmp_path / "b.log", ("Bob", "Ann"), play=2)
    found = recorded([str(tmp_path)], player=None, game=None, most=None)
    assert (found.hands_per_sample, found.most) == (2, 200_000)
    np.testing.assert_allclose(found.samples, (one + two) / 2 * 10)
    bob = recorded([str(tmp_path)], player="Bob", game=None, most=None)
    np.testing.assert_allclose(bob.samples, -found.samples)
    alone = recorded([str(tmp_path / "a.log")], player="Ann", game="hunl", most=None)
    assert alone.hands_per_sample == 1
    np.testing.assert_allclose(alone.samples, one * 10)
    code, out, err = run(capsys, "--samples", tmp_path, "--mbb1", 90_000, "--json", "-")
    assert (code, err) == (0, "")
    told = json.loads(out)
    assert (told["count"], told["hands_per_sample"]) == (40, 2)
    assert told["mean_mbb_per_hand"] == pytest.approx(found.samples.mean())
    code, out, _ = run(capsys, "--samples", tmp_path, "--mbb1", 90_000)
    assert f"of the 40 samples in {tmp_path}" in out


def test_numbers_are_samples(tmp_path):
    """One a line; what is none is told with its line."""
    path = tmp_path / "won.txt"
    path.write_text("# mbb/h\n12.5\n\n-3\n100\n")
    found = recorded([str(path)], player=None, game=None, most=None)
    assert found.samples.tolist() == [12.5, -3, 100]
    assert (found.most, found.hands_per_sample) == (100, 1)
    assert recorded([str(path)], player=None, game=None, most=500).most == 500
    for text, told in (("ten", "'ten'"), ("-1e308", "1e+12")):
        path.write_text(f"1\n{text}\n")
        with refused(LogError, "won.txt:2", told):
            recorded([str(path)], player=None, game=None, most=None)
    path.write_text("7\n")
    with refused(LogError, "1 samples up to 7 mbb/h"):
        recorded([str(path)], player=None, game=None, most=None)


def test_nobody_of_that_name_plays(capsys, tmp_path):
    """Who does is told."""
    write(tmp_path / "a.log", ("Ann", "Bob"))
    code, _, err = run(capsys, "--mbb1", 5, "--samples", tmp_path, "--player", "Cleo")
    assert code == 2
    says_in_a_line(err, "Cleo", "Ann", "Bob")
