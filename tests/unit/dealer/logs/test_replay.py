"""`arena replay`: which logs its arguments mean."""

import pytest

from dealer.logs.replay import main


@pytest.mark.parametrize("mode", [["--verify"], ["--all"]])
def test_a_folder_stands_for_its_logs(tmp_path, capsys, mode):
    """As for `arena stats`."""
    (tmp_path / "a.log").write_text(
        "# name/game/hands/seed a holdem.nolimit.2p.reverse_blinds.game 1 42\n"
        "STATE:0:f:7d3d|2hAc:50|-50:Alice|Bob\nSCORE:50|-50:Alice|Bob\n"
    )
    assert main([*mode, str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "a.log: ok, 1 hand" in out or "Alice" in out
