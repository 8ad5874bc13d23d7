"""`arena experiment` as a process: results, a folder that is taken up again, and errors."""

import json
import subprocess
import sys

import pytest

from engine.storage.locks import locked_folder

COMMAND = [sys.executable, "-m", "dealer.arena", "experiment"]
SMALL = ["--flops", "1", "--buckets", "3", "--iterations", "3", "--solved", "5", "--jobs", "1"]
NESTED = ["--bets", "1", "--flops", "1", "--iterations", "5", "--solved", "5", "--jobs", "1"]
SIZES = ["--stack", "5", "--flops", "1", "--iterations", "2", "--starts", "100", "--least", "100"]


def run(*words, task="subgames"):
    """Run it to its end."""
    command = [*COMMAND, task, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_a_small_one_is_finished_and_shown_again(tmp_path):
    """The second time at once, from its folder; what was published stands beside its numbers."""
    folder = tmp_path / "small"
    first = run(folder, *SMALL, "--json", tmp_path / "facts.json")
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert lines[0].split() == ["exploitability,", "mbb/h", "3", "buckets"]
    assert len(lines) == 11
    facts = json.loads((tmp_path / "facts.json").read_text())
    found = facts["exploitability_mbb_per_hand"]
    assert found["blueprint"]["3"] > found["max-margin"]["3"] > 0
    assert found.keys() == facts["published"]["mbb_per_hand"].keys()
    pytest.importorskip("matplotlib")
    again = run(folder, *SMALL, "--svg", tmp_path / "table.svg")
    assert again.stdout == first.stdout
    assert "reach-estimate + distributional" in (tmp_path / "table.svg").read_text()


def test_a_reader_that_leaves_is_not_taken_for_the_folder(tmp_path):
    """Nothing is said of the folder where stdout is closed or full."""
    assert run(tmp_path / "small", *SMALL).returncode == 0
    words = [*COMMAND, "subgames", str(tmp_path / "small"), *SMALL]
    with open("/dev/full", "w") as full:
        found = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1
    assert "small" not in found.stderr


def test_a_nested_one_is_finished_and_shown_again(tmp_path):
    """With what is added to the blueprint's own loss, and what was published."""
    folder = tmp_path / "nested"
    first = run(folder, *NESTED, "--json", tmp_path / "facts.json", task="nested")
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert lines[0].split() == ["exploitability,", "mbb/h", "added", "seconds", "published"]
    facts = json.loads((tmp_path / "facts.json").read_text())
    found = facts["exploitability_mbb_per_hand"]
    assert len(lines) == len(found) + 2
    assert found["translation, threshold"] > facts["blueprint_mbb_per_hand"] > 0
    assert found.keys() > facts["published_mbb_per_hand"].keys()
    assert run(folder, *NESTED, task="nested").stdout == first.stdout
    assert "--bets: 4: want 1 to 3" in run(folder, "--bets", "4", task="nested").stderr
    other = run(folder, task="nested")
    assert other.returncode == 1
    assert "another experiment" in other.stderr


def test_what_cannot_be_is_refused_in_a_line(tmp_path):
    """Numbers that are none, a folder that is a file, a damaged one."""
    for words, told in (
        (["--buckets", "0"], "--buckets"),
        (["--buckets", "5,5"], "different numbers"),
        (["--flops", "1756"], "1755 classes"),
        (["--jobs", "0"], "--jobs"),
    ):
        found = run(tmp_path / "none", *words)
        assert found.returncode == 2
        assert told in found.stderr.splitlines()[-1]
    assert not (tmp_path / "none").exists()
    (tmp_path / "file").write_text("")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "settings.json").write_text("{}")
    for name, code in {"file": 2, "other": 1}.items():
        found = run(tmp_path / name, *SMALL)
        assert found.returncode == code
        assert len(found.stderr.splitlines()) == 1
        assert name in found.stderr
    with locked_folder(tmp_path / "other"):
        found = run(tmp_path / "other", *SMALL)
    assert found.returncode == 1
    assert "another program is writing it" in found.stderr


def test_a_menu_is_valued_without_a_search(tmp_path):
    """Beside nothing; the searcher's menu as good as the opponent's wins nothing."""
    menu = "50,100,200,a;70,140,a;a;/33,75,150,a;100,a;"
    words = ("--stack", "2", "--flops", "1", "--iterations", "1", "--starts", "none")
    found = run(tmp_path, *words, "--beside", menu, "--json", task="sizes")
    assert found.returncode == 0, found.stderr
    facts = json.loads(found.stdout)
    assert facts["beside"][0]["mbb_per_hand"] == pytest.approx(0, abs=1e-6)
    assert facts["best"] is None


@pytest.mark.slow
def test_sizes_are_found_and_shown_again(tmp_path):
    """With what each loses where it is moved, beside another menu; from its folder at once."""
    folder, facts = tmp_path / "sizes", tmp_path / "facts.json"
    more = ["--beside", "50,100;a/50;a"]
    first = run(folder, *SIZES, *more, "--json", facts, task="sizes")
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["beside", "start", "found"]
    found = json.loads(facts.read_text())
    assert found["searches"]["100"]["ended"]
    assert found["searches"]["100"]["path"][-1] == found["best"]
    assert list(found["losses"]) == ["first raise", "raise again", "flop bet", "flop raise"]
    assert run(folder, *SIZES, *more, task="sizes").stdout == first.stdout


def test_sizes_that_cannot_be_are_refused_in_a_line(tmp_path):
    """No menu, sizes that are none, a damaged folder."""
    for words, told in (
        (["--beside", "50;x"], "per cent of the pot"),
        (["--starts", "5"], "10 to 1000"),
        (["--starts", "50,50"], "different numbers"),
        (["--sizes", "4"], "1 to 3"),
        (["--stack", "1"], "2 to 10000"),
        (["--least", "-1"], "0 or more"),
        (["--beside", "50;/50;/50;"], "no bets after the flop"),
        (["--starts", "none"], "without --beside"),
    ):
        found = run(tmp_path / "none", *words, task="sizes")
        assert found.returncode == 2
        assert told in found.stderr.splitlines()[-1]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "trace.json").write_text("{}")
    found = run(tmp_path / "other", *SIZES, task="sizes")
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1
    assert "trace.json is damaged" in found.stderr
