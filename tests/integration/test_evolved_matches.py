"""The evolved players in matches over TCP, as processes of their own."""

import subprocess
import sys

import pytest

from agents.ashe.bot import MODEL
from dealer.matches.command import main
from engine.parallel.own_programs import environment
from tests.integration.test_duels import summary, verify


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("astar", "ashe"),
        pytest.param(
            *("astar --form inverse --sharpness 0.3 --confidence 0", "astar-base"),
            marks=pytest.mark.slow,
        ),
        pytest.param("astar --library known --half-life 50", "counter-O6", marks=pytest.mark.slow),
        pytest.param("astar-similar", "astar-average", marks=pytest.mark.slow),
        pytest.param("astar --doubt 0", "astar-refuge", marks=pytest.mark.slow),
        pytest.param("ashe-2", "astar-sure", marks=pytest.mark.slow),
    ],
)
def test_evolved_players_duel(tmp_path, one, other, capsys):
    """The logs prove themselves, and nothing was said out of order."""
    folder = tmp_path / "duel"
    line = [one, other, "--game", "hunl", "--hands", "10", "--out", str(folder)]
    assert main(line) == 0, capsys.readouterr().err
    verify(folder)
    told = summary(folder)
    assert told["hands_played"] == 20
    assert [leg["corrected_or_ignored_replies"] for leg in told["legs"]] == [{}, {}]


def test_a_match_repeats_from_its_seed(tmp_path):
    """Trees, networks and draws: the same hands again."""
    logs = []
    for name in ("one", "two"):
        line = ["astar", "O_random", "--game", "hunl", "--hands", "12", "--seed", "7"]
        assert main([*line, "--out", str(tmp_path / name)]) == 0
        text = sorted((tmp_path / name).glob("*.log"))[0].read_text()
        logs.append([one for one in text.splitlines() if one.startswith("STATE")])
    assert len(logs[0]) == 12
    assert logs[0] == logs[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["astar", "--game", "hulhe"], "astar plays no-limit hold'em for two"),
        (["ashe", "--game", "kuhn"], "ashe plays no-limit hold'em for two"),
        (["ashe-2", "--game", "hulhe"], "ashe-2 plays no-limit hold'em for two"),
        (["ashe-2", "--model", str(MODEL)], "not of ashe-2"),
        (["astar", "--sharpness", "0"], "want more than 0"),
        (["astar", "--form", "linear"], "want inverse or exponential or evidence"),
        (["astar", "--models", "/nowhere"], "/nowhere"),
        (["ashe", "--model", "/dev/null"], "/dev/null"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_line(words, message):
    """Before anybody is called up."""
    done = subprocess.run(
        [sys.executable, "-m", "agents", *words, "localhost", "1"],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
