"""`arena experiment` as a process: results, a folder that is taken up again, and errors."""

import json
import subprocess
import sys

import pytest

COMMAND = [sys.executable, "-m", "dealer.arena", "experiment", "subgames"]
SMALL = ["--flops", "1", "--buckets", "3", "--iterations", "3", "--solved", "5", "--jobs", "1"]


def run(*words):
    """Run it to its end."""
    return subprocess.run([*COMMAND, *map(str, words)], capture_output=True, text=True, timeout=120)


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
    words = [*COMMAND, str(tmp_path / "small"), *SMALL]
    with open("/dev/full", "w") as full:
        found = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120)
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1
    assert "small" not in found.stderr


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
    for name in ("file", "other"):
        found = run(tmp_path / name, *SMALL)
        assert found.returncode == 1
        assert len(found.stderr.splitlines()) == 1
        assert name in found.stderr
