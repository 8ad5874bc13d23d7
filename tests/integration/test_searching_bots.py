"""Bots that search in matches over TCP: within the dealer's clock."""

import pytest

from dealer.commands.match import main
from tests.integration.test_duels import summary, verify


@pytest.mark.parametrize(
    ("bot", "game", "limits"),
    [
        ("libratus-fast", "hunl", ["--t_response", "60000"]),
        ("libratus --iterations 5 --nodes 80 --shake 0.08", "hunl", []),
        ("deepstack-fast", "hunl", ["--t_response", "60000"]),
        pytest.param("libratus --seconds 0.5 --safety margin", "hulhe", [], marks=pytest.mark.slow),
        pytest.param(
            "libratus --seconds 0.5 --safety unsafe --threads 2", "hunl", [], marks=pytest.mark.slow
        ),
    ],
)
def test_they_play_in_time(tmp_path, bot, game, limits, capsys):
    """The logs prove themselves; no answer was late or corrected."""
    folder = tmp_path / "match"
    line = [bot, "always-call", "--game", game, "--hands", "4", "--out", str(folder), *limits]
    assert main(line) == 0, capsys.readouterr().err
    verify(folder)
    told = summary(folder)
    assert told["hands_played"] == 8
    assert [leg["corrected_or_ignored_replies"] for leg in told["legs"]] == [{}, {}]
