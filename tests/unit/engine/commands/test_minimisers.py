"""`arena minimisers`."""

import json

import pytest

from engine.cfr.adaptive_report import Comparison, Trace
from engine.commands.minimisers import comparison_table, main

POOL = "cfr,dcfr(1.5,0,2)"


def trace(name, exploitability, seconds, uses=(4,)):
    """Measurements after 1, 2, 3 and 4 iterations."""
    return Trace(name, (1, 2, 3, 4), seconds, exploitability, uses)


def test_table_shows_iterations_time_and_shares():
    """Numbers in thousandths of a big blind; random runs are averaged."""
    slow, quick = (2.0, 4.0, 6.0, 8.0), (1.0, 2.0, 3.0, 4.0)
    lines = comparison_table(
        Comparison(
            pool=("a", "b"),
            members=(
                trace("a", (0.5, 0.4, 0.3, 0.2), quick),
                trace("b", (0.5, 0.2, 0.1, 0.05), slow),
            ),
            round_robin=trace("in turn", (0.5, 0.4, 0.3, 0.2), quick, (2, 2)),
            random=(
                trace("random, seed 1", (0.5, 0.4, 0.3, 0.1), quick, (1, 3)),
                trace("random, seed 2", (0.5, 0.4, 0.3, 0.3), quick, (3, 1)),
            ),
            adaptive=(trace("adaptive x", (0.5, 0.4, 0.2, 0.1), slow, (1, 3)),),
        )
    )
    rows = [line.split() for line in lines]
    assert rows[1] == ["1", "2", "4", "ms", "%", "of", "a,", "b"]
    assert rows[2:4] == [["a", "500", "400", "200", "4000.0"], ["b", "500", "200", "50", "8000.0"]]
    assert rows[4][2:] == ["500", "400", "200", "4000.0", "50", "50"]
    assert rows[5][4:] == ["500", "400", "200", "4000.0", "50", "50"]
    assert rows[6][2:] == ["500", "400", "100", "8000.0", "25", "75"]
    in_time = rows[8:]
    assert in_time[0] == ["1", "2", "4"]
    assert in_time[1:3] == [["a", "500", "400", "200"], ["b", "-", "500", "200"]]
    assert lines[-4:] == [
        "best member in hindsight: b",
        "best form in hindsight: adaptive x",
        "  2.00 times as exploitable per iteration, 2.00 times in the same time",
        "median of the forms: 2.00 times as exploitable per iteration",
    ]


def test_games_are_compared_and_measurements_written(tmp_path, capsys):
    """A section for each game, and all numbers in a file."""
    path = tmp_path / "found.json"
    words = ["kuhn", "coin-toss", "--iterations", "16", "--repeats", "1", "--seeds", "2"]
    assert main([*words, "--json", str(path)]) == 0
    out = capsys.readouterr().out
    assert "kuhn: Kuhn poker, 12 information sets; simultaneous updates" in out
    assert "random, mean of 2" in out
    assert out.count("best member in hindsight") == 2
    assert out.count("  adaptive ") == 2 * 2 * 12
    found = json.loads(path.read_text())
    assert set(found) == {"kuhn", "coin-toss"}
    kuhn = found["kuhn"]
    assert kuhn["updates"] == "simultaneous"
    assert len(kuhn["members"]) == 5
    assert kuhn["adaptive"][0]["iterations"][-1] == 16
    assert sum(kuhn["adaptive"][0]["uses"]) == 16


def test_an_unwritable_file_is_told_before_the_work(tmp_path, monkeypatch, capsys):
    """One line, exit code 2; nothing was compared."""
    monkeypatch.setattr("engine.commands.minimisers.compare", None)
    for path in (tmp_path, tmp_path / "none" / "found.json"):
        with pytest.raises(SystemExit, match="2"):
            main(["kuhn", "--json", str(path)])
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert err.startswith(f"arena minimisers: argument --json: {path}: ")


def test_forms_and_members_can_be_picked(capsys):
    """One form, a pool of discount schedules, alternating updates, no random runs."""
    words = ["coin-toss", "--iterations", "8", "--repeats", "1", "--seeds", "0", "--alternating"]
    picks = ["--update", "sum", "--bonus", "logarithm", "--reward", "average", "--every", "2"]
    assert main([*words, *picks, "--pool", "lcfr,beta-rm(1.5)"]) == 0
    out = capsys.readouterr().out
    assert "alternating updates" in out
    assert "% of lcfr, beta-rm(1.5)" in out
    assert out.count("adaptive sum, sqrt(ln t / n), average, every 2") == 3
    assert "random" not in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "GAME"),
        (["chess"], "'chess'"),
        (["kuhn", "--pool", "cfr,rm"], "rm in the pool; there are cfr, hedge"),
        (["kuhn", "--pool", ","], "nothing in the pool"),
        (["kuhn", "--pool", "cfr)"], "'cfr)' in the pool"),
        (["kuhn", "--pool", "cfr,dcfr,cfr"], "names a minimiser twice"),
        (["kuhn", "--iterations", "0"], "0: want 1 to"),
        (["kuhn", "--alpha", "2"], "alpha 2.0 not in (0, 1]"),
        (["kuhn", "--alpha", "nan"], "'nan' is not a positive number"),
        (["kuhn", "--exploration", "x"], "'x' is not a positive number"),
        (["kuhn", "--bonus", "none"], "invalid choice"),
    ],
)
def test_wrong_arguments_are_one_line_and_exit_2(words, message, capsys):
    """Before anything is solved."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


def test_json_goes_to_stdout_without_a_file(capsys):
    """Instead of the tables."""
    assert main(["coin-toss", "--iterations", "1", "--repeats", "1", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"coin-toss"}
