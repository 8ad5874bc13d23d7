"""docs/converting.md: every command on the page runs, in its order, and does what it says."""

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

import dealer
from protocol.gamedefs import load_builtin
from tests.helpers.histories import hands_in
from tests.helpers.random_logs import random_log

ROOT = Path(dealer.__file__).parent.parent
GAME_FILE = "holdem.nolimit.2p.reverse_blinds.game"
SHELL = 'arena() { "$PYTHON" -m dealer.arena "$@"; }\nset -o pipefail\n'


def log_text(seed):
    random = np.random.default_rng(seed)
    game = load_builtin("hunl")
    lines = random_log(game, seed, 40, random, names=("Alice", "Bob"), game_name=GAME_FILE)
    return "".join(f"{line}\n" for line in lines)


def test_every_command_on_the_page_runs(tmp_path):
    """With exit code 0; what comes back is what went."""
    page = (ROOT / "docs" / "converting.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines() if line.strip()]
    assert len(commands) >= 7
    match = log_text(1)
    (tmp_path / "match.log").write_text(match)
    (tmp_path / "other.log").write_text(log_text(2))
    (tmp_path / "match.log.gz").write_bytes(gzip.compress(match.encode()))
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHON": sys.executable}
    said = {}
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", SHELL + command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
        said[command.partition(" #")[0].strip()] = done.stdout
    assert (tmp_path / "back" / "match.log").read_text() == match
    assert (tmp_path / "text" / "match.log").read_text() == match
    for name, form in {"match.ohh": "ohh", "match.jsonl": "slumbot"}.items():
        assert len(hands_in((tmp_path / name).read_text(), form)) == 40
    (dollars,) = [text for command, text in said.items() if "--chips-per-dollar" in command]
    assert dollars.count("No Limit ($0.50/$1.00 USD)") == 40
    assert "# phh" not in dollars
    assert (tmp_path / "hands.csv").read_text().count("\n") == 41
    assert (tmp_path / "decisions.csv").read_text().startswith("hand,decision,street,")
    phhs = (tmp_path / "match.phhs").read_text()
    assert said["zcat match.log.gz | arena convert - --to phhs"] == phhs
    in_lines = said["arena convert match.phhs --to log --stacks each"]
    assert in_lines.count(":20000|20000:100|50:") == 40
    assert [one.record.hand_id for one in hands_in((tmp_path / "17.phh").read_text(), "phh")] == [
        17
    ]
    assert sorted(one.name for one in (tmp_path / "both").iterdir()) == ["match.phhs", "other.phhs"]


def test_formats_on_the_page_are_those_that_there_are():
    """Each with what is read and written."""
    from engine.histories.formats import FORMATS, UNREAD_SITE

    page = (ROOT / "docs" / "converting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| (yes|no) \| (yes|no) \|$", page, re.MULTILINE)
    words = {False: "no", True: "yes"}
    assert {row[0]: row[1:] for row in rows} == {
        one.name: (
            words[one.reader is not None and one.name != UNREAD_SITE],  # its reader reads no hand
            words[one.writer is not None],
        )
        for one in FORMATS
    }
