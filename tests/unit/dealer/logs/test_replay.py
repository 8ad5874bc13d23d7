"""`arena replay`: which logs its arguments mean, and which it cannot use."""

import pytest

from dealer.logs import stats
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


@pytest.mark.parametrize(
    "words", [["--verify"], ["--all"], ["--as-client", "1"], ["--allin-ev"], None]
)
@pytest.mark.parametrize(("path", "what"), [("/dev/zero", "a device"), (".", "a folder")])
def test_devices_and_folders_are_no_logs(capsys, tmp_path, monkeypatch, words, path, what):
    """One line that names them; exit code 2."""
    monkeypatch.chdir(tmp_path)
    code = stats.main(["/dev/zero"]) if words is None else main([*words, path])
    name = (
        ("arena stats: /dev/zero", "a device") if words is None else (f"arena replay: {path}", what)
    )
    assert (code, capsys.readouterr().err) == (2, f"{name[0]}: is {name[1]}, not a log\n")


FREEZEOUT = """\
STATE:1:1500|1500:20|10:r60f:8sQd|Ks7h:-20|20:Ann|Bob
STATE:2:1520|1480:40|20:r1480c///:8sQc|AsAh/2d3d4d/6d/7c:-1480|1480:Bob|Ann
STATE:3:2960|40:40|20:f:8sQd|Ks7h:20|-20:Ann|Bob
"""


@pytest.mark.parametrize("mode", ["--verify", "--all", "--allin-ev", "--as-client=Ann"])
def test_a_log_with_stacks_and_blinds_is_replayed(tmp_path, capsys, mode):
    """Without a header, each hand with its own chips; an impossible blind is named."""
    path = tmp_path / "freezeout.log"
    path.write_text(FREEZEOUT)
    assert main([mode, str(path)]) == 0
    assert capsys.readouterr().err == ""
    path.write_text(FREEZEOUT.replace("2960|40:40|20", "2960|20:40|40"))
    assert main([mode, str(path)]) == 1
    assert "blind of 40" in "".join(capsys.readouterr())
