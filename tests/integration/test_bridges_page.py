"""What docs/bridges.md shows of other libraries runs as it stands there."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from agents.bridges.libraries import DISTRIBUTIONS, MissingLibrary, library
from tests.architecture.repository import ROOT

PAGE = (ROOT / "docs" / "bridges.md").read_text(encoding="utf-8")
SECTIONS = ("OpenSpiel", "Gymnasium and PettingZoo", "PokerKit")
FILE = re.compile(r"# (\w+\.py)\n")


def section(name):
    """Return the text of a section."""
    (found,) = re.findall(rf"^## {name}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)
    return found


def blocks(kind):
    """Return the blocks of code of a language in those sections, one after the other."""
    text = "".join(map(section, SECTIONS))
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.M | re.S)


SCRIPTS = [code for code in blocks("python") if not FILE.match(code)]
FILES = {FILE.match(code)[1]: code for code in blocks("python") if FILE.match(code)}
COMMANDS = [line for block in blocks("sh") for line in block.replace("\\\n", "").splitlines()]
TRAINING = [line for line in COMMANDS if "agents.bridges.train" in line]
NEED_IT = [line for line in COMMANDS if "my_toy.py" in line]
"""Commands that play what was trained."""
SLOW = [line for line in COMMANDS if "uniform_random:" in line or "my_spiel_bots" in line]
"""Matches of which one more is shown that takes the same path."""


@pytest.fixture(autouse=True)
def libraries():
    """The page shows all of them."""
    for module in DISTRIBUTIONS:
        try:
            library(module)
        except MissingLibrary as error:
            pytest.skip(str(error))


def run(folder, words):
    """Run a command in a folder; return what it printed."""
    programs = {
        "python": [sys.executable],
        "arena": [sys.executable, "-m", "dealer.arena"],
    }
    done = subprocess.run(
        [*programs[words[0]], *words[1:]],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def write_files(folder):
    """Write the files that the page shows."""
    for name, code in FILES.items():
        (folder / name).write_text(code, encoding="utf-8")


def test_the_page_has_what_is_tested():
    """Or the patterns above are wrong."""
    assert (len(SCRIPTS), len(FILES), len(COMMANDS)) == (4, 2, 7)
    assert len(TRAINING) == len(NEED_IT) == 1


@pytest.mark.parametrize("code", SCRIPTS, ids=lambda code: re.findall(r"bridges\.(\w+)", code)[-1])
def test_scripts_run(tmp_path, code):
    """And print what their comments say, where that is a value."""
    (tmp_path / "script.py").write_text(code, encoding="utf-8")
    printed = run(tmp_path, ["python", "script.py"]).splitlines()
    comments = re.findall(r"^print\(.*\)(?:  # (.*))?$", code, re.M)
    assert len(printed) == len(comments)
    for line, comment in zip(printed, comments, strict=True):
        assert re.search("[a-z] [a-z]", comment) or line == comment


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(one, marks=pytest.mark.slow if one in SLOW else ())
        for one in COMMANDS
        if one not in TRAINING + NEED_IT
    ],
)
def test_commands_run(tmp_path, command):
    """With the files that the page shows."""
    write_files(tmp_path)
    assert run(tmp_path, shlex.split(command))


@pytest.mark.slow
def test_the_toy_policy_is_trained_and_plays(tmp_path):
    """It is the shipped one, to the last bit on the machine that made it; it wins here at least."""
    write_files(tmp_path)
    run(tmp_path, shlex.split(TRAINING[0]))
    said = run(tmp_path, shlex.split(NEED_IT[0]))
    assert re.search(r"Mine is better than always-call", said)
