"""docs/architecture.md tells the truth: every room is in it, and its recipes work."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.architecture.repository import PACKAGES, ROOT
from tests.documents.rooms import first_sentence, packages
from tests.helpers.dealer_process import DealerProcess

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```python\n# ([\w/.]+)(?:, after: ([^\n]*))?\n(.*?)^```", re.M | re.S)
"""A piece of code, the file it belongs into and, where that is there already, after which line."""


def recipe(heading: str) -> list[tuple[str, str, str]]:
    """Return the pieces of code of a section: file, line they go after or "", code."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", ARCHITECTURE, re.M | re.S)
    return BLOCK.findall(section)


def follow(steps: list[tuple[str, str, str]], folder: Path) -> None:
    """Do in a copy of the packages what the pieces of code say."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package)  # what is compiled as well
    for file, line, code in steps:
        path = folder / file
        if not line:
            assert not path.exists(), f"{file} is there already"
            path.parent.mkdir(exist_ok=True)
            path.write_text(code, encoding="utf-8")
            continue
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (place,) = [number for number, text in enumerate(lines) if text.strip() == line]
        path.write_text("".join([*lines[: place + 1], code, *lines[place + 1 :]]), "utf-8")


def run(folder: Path, *command: str) -> str:
    """Run Python in the copy; return what it printed."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_room_is_in_the_tables_and_no_other():
    """Sub-packages and rows are the same, word for word."""
    rows = re.findall(r"^\| `([\w/]+)` \| (.*) \|$", ARCHITECTURE, re.M)
    rooms = [path for package in PACKAGES for path in packages(package)]
    assert sorted(rows) == sorted(
        (path.relative_to(ROOT).as_posix(), first_sentence(path)) for path in rooms
    )


def test_every_room_says_what_is_in_it():
    """In one sentence that fits into a row."""
    for package in PACKAGES:
        for path in packages(package):
            assert 10 < len(first_sentence(path)) < 100, path


def test_named_files_and_folders_exist():
    """What the page sends a reader to is there."""
    text = re.sub(r"^```.*?^```", "", ARCHITECTURE, flags=re.M | re.S)
    named = re.findall(r"`((?:protocol|engine|dealer|agents|tests|docs)/[\w/.]+)`", text)
    assert len(named) > 20
    assert not [name for name in named if not (ROOT / name).exists()]


def test_the_recipe_for_an_agent_family(tmp_path):
    """The bot is in the list, and plays."""
    follow(recipe("An agent family"), tmp_path)
    assert "raiser" in run(tmp_path, "-m", "dealer.arena", "agent", "--list")
    match = "-m dealer.arena match raiser always-call --game kuhn --hands 20 --seed 1 --quiet"
    assert "raiser" in run(tmp_path, *match.split())


def test_the_recipe_for_a_dealer_observer(tmp_path, monkeypatch):
    """A dealer of the copy tells it of the hand."""
    follow(recipe("A dealer observer"), tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with DealerProcess(tmp_path, "1", "kuhn.limit.2p.game", "-q") as dealer:
        first, second = dealer.connect_all()
        first.answer(b"r")
        second.line()
        second.answer(b"f")
        code, _, err = dealer.finish()
    assert code == 0
    assert "hand 0: Alice 1 Bob -1\n" in err


def test_the_recipe_for_an_engine_command(tmp_path):
    """The command is in the help, and runs."""
    follow(recipe("An engine command"), tmp_path)
    assert re.search(r"(?m)^  points +say how", run(tmp_path, "-m", "dealer.arena", "--help"))
    assert run(tmp_path, "-m", "dealer.arena", "points", "AA") == "20\n"
