"""`arena minimisers`."""

import json

import numpy as np
import pytest

from engine.cfr.adaptive_report import Comparison, Trace
from engine.commands.minimisers import command
from engine.commands.minimisers.command import main
from engine.commands.minimisers.tables import comparison_table
from engine.hands.cards import COMBOS

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


@pytest.mark.parametrize("done", [0, 1])
def test_ctrl_c_keeps_the_games_that_are_done(done, monkeypatch, tmp_path, capsys):
    """They are shown and written; one line says how many; exit code 130."""
    compared = command.compare_minimisers

    def interrupted(contest, *, on_entrant):
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return compared(contest, on_entrant=on_entrant)

    left = [None] * done
    monkeypatch.setattr(command, "compare_minimisers", interrupted)
    paths = [tmp_path / "found.json", tmp_path / "found.svg"]
    words = ["kuhn", "coin-toss", "--iterations", "8", "--repeats", "1", "--seeds", "1"]
    assert main([*words, "--json", str(paths[0]), "--svg", str(paths[1])]) == 130
    told = capsys.readouterr()
    assert f"arena minimisers: stopped after {done} of 2 games" in told.err
    assert [path.exists() for path in paths] == [bool(done)] * 2
    if done:
        assert list(json.loads(paths[0].read_text())) == ["kuhn"]


def test_a_damaged_game_is_refused_before_another_one_is_measured(tmp_path, capsys):
    """However late it is named."""
    path = tmp_path / "damaged.txt"
    path.write_text("nothing")
    with pytest.raises(SystemExit, match="2"):
        main(["kuhn", str(path)])
    told = capsys.readouterr()
    assert told.out == ""
    assert "damaged: " in told.err


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
    monkeypatch.setattr("engine.commands.minimisers.command.compare_minimisers", None)
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
    assert out.count("adaptive sum, sqrt(ln t / n), c 0.01, average, every 2") == 3
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
        (["kuhn", "--alpha", "nan"], "nan: want a number above 0"),
        (["kuhn", "--exploration", "x"], "'x' is not a number of 0 or more"),
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


STARTS = ["--iterations", "8", "--seeds", "1", "--update", "sum", "--bonus", "root"]


def test_means_over_random_starts_have_intervals(capsys):
    """In the table and as JSON; two runs of the same seeds tell the same."""
    words = ["kuhn", "coin-toss", *STARTS, "--starts", "3", "--reward", "current"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert out.count("means over 3 starts, with 95 % intervals") == 2
    (row,) = [line for line in out.partition("coin-toss:")[0].splitlines() if "  cfr " in line]
    assert row.count("±") in (4, 5)  # the last only if its time was enough for something
    found = []
    for _ in range(2):
        assert main([*words, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out)["kuhn"])
    first, again = (
        [[one["exploitability"] for one in each["entrants"]], each["best_member"]] for each in found
    )
    assert first == again
    assert found[0]["command"] == f"arena minimisers {' '.join(words)} --json"
    assert (found[0]["starts"], found[0]["adaptive"], len(found[0]["entrants"])) == (3, 1, 8)
    assert found[0]["entrants"][0]["exploitability"][-1]["ci95"] > 0


def test_the_exploration_constant_is_swept(capsys):
    """A list, or one that goes from all to nothing; a form for each."""
    words = ["coin-toss", *STARTS, "--repeats", "1", "--reward", "average"]
    assert main([*words, "--exploration", "1,0.25,0"]) == 0
    out = capsys.readouterr().out
    for weight in ("1", "0.25", "0"):
        assert out.count(f"adaptive sum, 1/sqrt(n), c {weight}, average") >= 2
    assert main([*words, "--sweep-exploration", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["coin-toss"]
    assert len(found["adaptive"]) == 5


def test_the_patents_settings_have_a_name(capsys):
    """All of them at once; what is given beside it counts more."""
    words = ["coin-toss", "--preset", "patent", "--iterations", "8", "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)["coin-toss"]
    assert found["pool"] == ["cfr", "hedge(1)", "beta-rm(0.5)", "beta-rm(1.5)", "beta-rm(2)"]
    assert (found["starts"], found["updates"], found["adaptive"]) == (10, "simultaneous", 1)
    assert found["entrants"][-1]["name"] == "adaptive sum, 1/sqrt(n), c 1, current"
    assert main([*words, "--starts", "2", "--pool", "cfr,dcfr", "--bonus", "all"]) == 0
    found = json.loads(capsys.readouterr().out)["coin-toss"]
    assert (found["starts"], found["pool"], found["adaptive"]) == (2, ["cfr", "dcfr"], 3)


def test_a_published_subgame_is_measured(tmp_path, capsys):
    """From its file, named by it; random starts too."""
    path = tmp_path / "mine.txt"
    reach = np.zeros((2, COMBOS))
    reach[:, ::97] = 1
    numbers = " ".join(f"{one:g}" for one in reach.reshape(-1))
    path.write_text(f"-round 4\n-board 4s8hTc9h2s\n-pot 500\n-reach {numbers}\n")
    words = [str(path), *STARTS, "--repeats", "1", "--pool", "dcfr+,pcfr+", "--starts", "2"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["mine"]
    assert found["summary"] == "published subgame 4s8hTc9h2s, pot 500"
    ends = [one["exploitability"][-1]["mean"] for one in found["entrants"]]
    assert 0 < min(ends) < max(ends)


def test_a_file_that_is_no_subgame_is_told(tmp_path, capsys):
    """One line, exit code 2."""
    path = tmp_path / "mine.txt"
    path.write_text("-round 4\n")
    with pytest.raises(SystemExit, match="2"):
        main([str(path)])
    err = capsys.readouterr().err
    assert err.startswith("arena minimisers: mine: no subgame: no line -board")
    assert err.count("\n") == 1
