"""How our own programs are started, and what they do beside a match."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.parallel import own_programs
from engine.parallel.own_programs import environment

SAYS = (
    "import os; from pathlib import Path; "
    "from engine.parallel.own_programs import yield_to_others; yield_to_others(); "
    "group = Path('/proc/self/autogroup'); "
    "print(os.getpriority(os.PRIO_PROCESS, 0), group.read_text() if group.exists() else '')"
)


@pytest.mark.parametrize("leads", [True, False])
def test_a_program_beside_a_match_has_the_lowest_priority(leads):
    """The session of another program keeps its own."""
    before = Path("/proc/self/autogroup")
    if not before.exists():
        pytest.skip("this system shares nothing out among sessions")
    said = subprocess.run(
        [sys.executable, "-c", SAYS],
        env=environment(),
        start_new_session=leads,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert said[0] == "19"
    if leads:
        assert said[-1] == "19"
    else:  # a session from before the first setsid(2) has no line there
        assert said[1:] == before.read_text().split()


def test_the_digest_is_of_all_that_is_installed(tmp_path, monkeypatch):
    """Models included, compiled leftovers not."""
    folder = tmp_path / "engine"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "x.model").write_bytes(b"1")
    monkeypatch.setattr("engine.parallel.own_programs.PACKAGES_FOLDER", tmp_path)
    program_digest = own_programs.program_digest.__wrapped__  # it is computed once
    before = program_digest()
    assert re.fullmatch("[0-9a-f]{12}", before)
    (folder / "__pycache__" / "x.pyc").write_bytes(b"1")
    assert program_digest() == before
    (folder / "x.model").write_bytes(b"2")
    assert program_digest() != before
