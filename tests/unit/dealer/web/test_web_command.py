"""The command line of `arena web`; `tests/integration/test_web_cli.py` has what it serves."""

import pytest

from dealer.web.web_command import main
from tests.helpers.said import says_in_a_line


@pytest.mark.parametrize(
    ("words", "code", "facts"),
    [
        (["missing.log"], 2, ["missing.log", "No such file"]),
        (["."], 2, ["no log in this folder"]),
        (["--game", "chess", "ok.log"], 2, ["--game chess", "neither a file"]),
        (["--port", "65536", "ok.log"], 2, ["port 65536"]),
        (["--listen", "192.0.2.1", "ok.log"], 1, ["cannot listen on 192.0.2.1"]),
        (["--listen", "", "ok.log"], 2, ["--listen", "want an address"]),
        ([], 2, ["LOG|FOLDER"]),
        (["--solve", "ok.log", "ok.log"], 2, ["either", "--solve"]),
        (["--solve", "ok.log"], 2, ["ok.log"]),
        (["--solve", "missing"], 2, ["missing"]),
        (["--strategy", "nosuchbot", "ok.log"], 2, ["--strategy: no bot", "'nosuchbot'"]),
        (["--strategy", "solid", "ok.log"], 2, ["'solid' tells no strategy"]),
        (["--solve", "--strategy", "blueprint"], 2, ["--strategy goes with logs"]),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path, monkeypatch, capsys, words, code, facts):
    """And nothing is served."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "ok.log").write_text("# name/game/hands/seed m hunl 10 7\n")
    monkeypatch.chdir(tmp_path / "empty" if words == ["."] else tmp_path)
    try:
        got = main(["--no-browser", *words])
    except SystemExit as end:
        got = end.code
    said = capsys.readouterr()
    assert (got, said.out) == (code, "")
    says_in_a_line(said.err, "arena web", *facts)
