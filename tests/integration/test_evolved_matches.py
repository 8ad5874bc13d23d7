"""The evolved players in matches, over TCP and without a dealer."""

import pytest

from agents.roster.leg_player import LegSeat, leg_lines
from dealer.commands.match import main
from protocol.gamedefs import load_builtin
from tests.integration.test_duels import summary, verify


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("astar", "ashe"),
        pytest.param(
            *("astar --form inverse --sharpness 0.3 --confidence 0", "astar --variant base"),
            marks=pytest.mark.slow,
        ),
        pytest.param("astar --library known --half-life 50", "counter-O6", marks=pytest.mark.slow),
        pytest.param("astar --variant similar", "astar --variant average", marks=pytest.mark.slow),
        pytest.param("astar --doubt 0", "astar --variant refuge", marks=pytest.mark.slow),
        pytest.param("ashe-2", "astar --variant sure", marks=pytest.mark.slow),
    ],
)
def test_evolved_players_duel(tmp_path, one, other, capsys):
    """The logs prove themselves, and nothing was said out of order."""
    folder = tmp_path / "duel"
    line = [one, other, "--game", "hunl", "--hands", "5", "--out", str(folder)]
    assert main(line) == 0, capsys.readouterr().err
    verify(folder)
    told = summary(folder)
    assert told["hands_played"] == 10
    assert [leg["corrected_or_ignored_replies"] for leg in told["legs"]] == [{}, {}]


@pytest.mark.slow
def test_a_match_repeats_from_its_seed():
    """Trees, networks and draws: the same hands again."""
    seats = [LegSeat(bot, bot, 7) for bot in ("astar", "O_random")]
    first, second = (list(leg_lines(load_builtin("hunl"), 12, 7, seats)) for _ in range(2))
    assert len(first) == 13
    assert first == second
