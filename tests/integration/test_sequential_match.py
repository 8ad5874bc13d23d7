"""`arena match --sprt` plays on until it is decided, and no longer."""

import json
import signal
import time

import pytest

from dealer.commands.match import main
from tests.helpers.arena import start_arena
from tests.helpers.said import says

WORDS = ["--hands", "200", "--seed", "3", "--quiet"]
TEST = ["--sprt", "mbb0=-1500", "mbb1=1500"]


def result_of(folder):
    return json.loads((folder / "result.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("bots", "decision", "where"),
    [(("call", "fold"), "H1", []), (("fold", "call"), "H0", ["--in-process"])],
)
def test_it_ends_when_it_is_decided(tmp_path, capsys, bots, decision, where):
    """Who gets every blind wins surely; runs are added until nobody can doubt it."""
    folder = tmp_path / "m"
    names = [f"always-{bot}" for bot in bots]
    assert main([*names, *WORDS, *where, "--out", str(folder), *TEST]) == 0
    told = result_of(folder)
    assert told["sequential_test"]["decision"] == decision
    assert not told["verdict"]["hands_fixed_beforehand"]
    assert any("too narrow" in caveat for caveat in told["verdict"]["caveats"])
    assert 300 < told["sequential_test"]["sets"] <= 200 * told["runs"]
    assert 2 <= told["runs"] <= 7
    out = capsys.readouterr().out
    assert "decided: " in out
    assert "to resume" not in out
    # Nothing more is played, whatever is asked.
    logs = {log: log.read_bytes() for log in folder.glob("*.log")}
    assert main(["--resume", str(folder), "--quiet", *where]) == 0
    assert {log: log.read_bytes() for log in folder.glob("*.log")} == logs
    assert result_of(folder)["sequential_test"] == told["sequential_test"]


@pytest.mark.slow
def test_runs_are_the_most(tmp_path, capsys):
    """Then it is open, and may be made longer."""
    folder = tmp_path / "m"
    words = ["--runs", "1", "--out", str(folder), *TEST]
    assert main(["always-call", "always-fold", *WORDS, *words]) == 0
    says(capsys.readouterr().out, "not decided", 200)
    assert result_of(folder)["runs"] == 1
    assert main(["--resume", str(folder), "--quiet"]) == 0
    assert result_of(folder)["sequential_test"]["decision"] == "H1"


def test_ctrl_c_leaves_it_open_and_the_test_is_remembered(tmp_path):
    """A test of equals takes long; it goes on as the same test, and as no other."""
    folder = tmp_path / "m"
    bots = ["uniform-random", "b=uniform-random"]
    words = [
        "--hands",
        "2000",
        "--seed",
        "3",
        "--out",
        str(folder),
        "--sprt",
        "mbb1=1",
        "--jobs",
        "2",
    ]
    process = start_arena(folder.parent, "match", *bots, *words)
    # A deal counts once both legs have played it: one of them may start much later
    while sum(log.stat().st_size > 10_000 for log in folder.glob("*.log")) < 2:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert "not decided" in out
    says(err, "mbb/h", "guess")
    assert main(["--resume", str(folder), "--quiet", "--sprt", "mbb1=2"]) == 2
    assert main(["--resume", str(folder), "--quiet", "--hands", "3000"]) == 2
