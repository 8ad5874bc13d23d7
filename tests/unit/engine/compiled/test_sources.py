"""The digest changes with what a kernel depends on, and with nothing else."""

import sys
from types import SimpleNamespace

import pytest

from engine.compiled import sources

KERNELS = """\"\"\"Kernels, of which one may want to import some in a hurry.\"\"\"
import math
from typing import TYPE_CHECKING

import bot.constants.low as low; import bot.second
from bot.helpers import (  # those (and only those)
    scale,
    # not this one
    shift as moved,
)
from . import beside
from .constants.high import LIMIT, \\
    MOST
from engine.hands.cards import Rank

if TYPE_CHECKING:
    from bot import types_only

    from bot.types import Only

def late():
    from bot.late import LATER
"""
FILES = {
    "bot/__init__.py": "",
    "bot/kernels.py": KERNELS,
    "bot/constants/__init__.py": "",
    "bot/constants/low.py": "LEAST = 1\n",
    "bot/constants/high.py": "LIMIT = MOST = 3\n",
    "bot/helpers/__init__.py": "",
    "bot/helpers/scale.py": "from ..deeper import FACTOR\n",
    "bot/helpers/shift.py": "",
    "bot/beside.py": "import outside\n",
    "bot/deeper.py": "FACTOR = 2\n",
    "bot/second.py": "",
    "bot/late.py": "LATER = 1\n",
    "bot/types_only.py": "",
    "bot/types.py": "",
    "bot/unrelated.py": "",
    "outside.py": "",
}
NEEDED = FILES.keys() - {"bot/types_only.py", "bot/types.py", "bot/unrelated.py"}


@pytest.fixture(autouse=True)
def long_running(monkeypatch):
    """Let the files of these tests count as older than the process."""
    monkeypatch.setattr(sources, "_STARTED", float("inf"))


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def digest(tmp_path):
    """Return the digest of bot.kernels with some files edited, each time in a folder of its own."""

    def of(edited=(), within="states"):
        folder = tmp_path / f"state{len(list(tmp_path.iterdir()))}" / within
        write(folder, FILES | {name: FILES[name] + "# edited\n" for name in edited})
        return sources.digest_of_sources("bot.kernels", str(folder / "bot" / "kernels.py"))

    return of


@pytest.mark.parametrize("name", sorted(NEEDED))
def test_an_edit_of_what_is_imported_changes_the_digest(digest, name):
    """In whatever form and place the import is written, and however many imports away."""
    assert digest([name]) != digest()


@pytest.mark.parametrize("name", sorted(FILES.keys() - NEEDED))
def test_an_edit_elsewhere_does_not(digest, name):
    """What only type checkers import is elsewhere, and so is where the files are."""
    assert digest([name]) == digest()


def test_what_is_installed_beside_a_package_is_not_followed(digest):
    """A library has versions; its sources may be thousands."""
    assert digest(["outside.py"], "site-packages") == digest((), "site-packages")
    assert digest(["bot/deeper.py"], "site-packages") != digest((), "site-packages")


def test_our_own_modules_are_followed_wherever_they_are(digest, monkeypatch, tmp_path):
    """A kernel of a bot author calls ours; jit.py counts even if it is not imported."""
    before = digest()
    copy = tmp_path / "ours"
    write(copy, {"engine/compiled/jit.py": "", "engine/hands/cards.py": "RANKS = 13\n"})
    monkeypatch.setattr(sources, "_OUR_FOLDER", str(copy))
    without_jit = digest()
    write(
        tmp_path / "others", {"engine/compiled/jit.py": "# edited\n", "engine/hands/cards.py": ""}
    )
    monkeypatch.setattr(sources, "_OUR_FOLDER", str(tmp_path / "others"))
    assert len({before, without_jit, digest()}) == 3


def test_a_program_has_the_name_it_was_started_by(monkeypatch, tmp_path):
    """So that the kernels of two programs do not share a folder, and relative imports are found."""
    write(tmp_path, FILES)
    kernels = str(tmp_path / "bot" / "kernels.py")
    started = SimpleNamespace(__spec__=SimpleNamespace(name="bot.kernels"))
    monkeypatch.setitem(sys.modules, "__main__", started)
    as_module = sources.digest_of_sources("__main__", kernels)
    sources.digest_of_sources.cache_clear()
    started.__spec__ = None
    assert sources.module_name("__main__", kernels) == "kernels"
    assert as_module == sources.digest_of_sources("bot.kernels", kernels)
    assert as_module != sources.digest_of_sources("__main__", kernels)


def test_what_cannot_be_read_or_is_newer_than_the_process_has_none(digest, monkeypatch, tmp_path):
    """The process may hold what a file said before, and code in a string has no file."""
    assert sources.digest_of_sources("__main__", "<string>") is None
    monkeypatch.setattr(sources, "_STARTED", 0.0)
    assert digest() is None
