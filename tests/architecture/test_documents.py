"""What README and docs promise exists: commands, targets, files, tests, and a bot that plays."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agents.roster.bots import agent_names
from dealer.arena import COMMANDS
from dealer.plan.options import usage_text
from dealer.server.endings import Ending
from engine.rules.keyed_dealing import KeyedDealStream
from engine.storage.cache import cache_folder
from protocol.cards import parse_cards
from protocol.deals import DealsProof
from protocol.gamedefs import builtin_aliases, load_builtin
from tests.architecture.repository import ROOT, make_targets, relative
from tests.documents.tables import MARKED, TABLES, documents, filled

MOST_README_LINES = 160
"""What does not fit belongs into docs."""
EACH_DOCUMENT = pytest.mark.parametrize("document", documents(), ids=relative)


def page(name: str) -> str:
    """Return the text of a page of docs."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def readme() -> str:
    """Return the text of the README."""
    return (ROOT / "README.md").read_text(encoding="utf-8")


def code_in(text: str) -> str:
    """Return all code of a document: blocks and inline pieces."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`([^`]+)`", rest)])


def test_the_deals_of_a_server_are_those_of_its_page():
    """The code that the page shows deals what the server does, and commits to what it does."""
    (source,) = re.findall(r"^```python\n(.*?)^```", page("server"), re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec(source, names)
    proof = DealsProof(names["secret"], "hello")
    assert names["commitment"] == proof.commitment
    stream = KeyedDealStream(load_builtin("hunl"), proof.key)
    for hand, deal in zip(range(20), stream, strict=False):
        texts = names["cards"](proof.secret, b"hello", hand, 9)
        assert parse_cards("".join(texts)) == (*deal.holes[0], *deal.holes[1], *deal.board)
        assert hand or texts == names["first_hand"]


def readme_bot() -> str:
    """Return the bot that the README shows."""
    (source,) = re.findall(r"^```python\n(.*?)^```", readme(), re.MULTILINE | re.DOTALL)
    return str(source)


@EACH_DOCUMENT
def test_make_targets_exist(document):
    """Every `make TARGET` in a document is a target that `make help` lists."""
    named = set(re.findall(r"(?m)(?:^|`)make ([a-z-]+)", code_in(document.read_text())))
    assert named <= make_targets()


@EACH_DOCUMENT
def test_commands_exist(document):
    """Every `arena COMMAND` in a document is a command, or one that a recipe there adds."""
    code = code_in(document.read_text())
    added = re.findall(r'(?m)^    "([a-z]+)": \("', code)
    assert set(re.findall(r"\barena ([a-z]+)", code)) <= {*COMMANDS, *added}


def test_the_library_examples_run(tmp_path):
    """The pieces of docs/engine.md, one after the other, print what their comments say."""
    script = tmp_path / "examples.py"
    pieces = re.findall(r"^```python\n(.*?)^```", page("engine"), re.MULTILINE | re.DOTALL)
    script.write_text("\n".join(pieces), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=250, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("[7462  506] [   1 6957]\n")
    assert "HS 0.5851, EHS 0.5114" in done.stdout
    assert "750 +- 0 mbb/h" in done.stdout


def test_readme_knows_every_command():
    """No command is left out of the README."""
    assert all(f"arena {command}" in readme() for command in COMMANDS)


def test_readme_is_short():
    """It can be read at a sitting; docs has the rest."""
    assert readme().count("\n") <= MOST_README_LINES


def test_the_index_has_every_page():
    """docs/README.md has a line for each page beside it, and none for another."""
    listed = re.findall(r"(?m)^\* \[([\w.]+)\]\(\1\): ", page("README"))
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert sorted(listed) == sorted(pages - {"README.md"})


@EACH_DOCUMENT
def test_links_lead_somewhere(document):
    """Relative links name files that exist."""
    links = re.findall(r"\]\((?!https?:)([^)#]+)", document.read_text())
    assert not [link for link in links if not (document.parent / link).exists()]


@EACH_DOCUMENT
def test_links_lead_to_headings(document):
    """The part of a link behind # is a heading of that page."""
    for link, heading in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", document.read_text()):
        text = (document.parent / link if link else document).read_text(encoding="utf-8")
        headings = re.findall(r"(?m)^#+ (.*)$", text)
        assert heading in [
            re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings
        ]


@EACH_DOCUMENT
def test_tables_are_those_of_the_measurements(document):
    """`make docs` would change nothing."""
    text = document.read_text(encoding="utf-8")
    assert filled(text) == text


def test_every_table_that_is_made_is_shown():
    """A table stands in one document, or in several."""
    shown = {name for path in documents() for _, name, _ in MARKED.findall(path.read_text("utf-8"))}
    assert shown == TABLES.keys()


def test_options_are_those_of_the_dealer():
    """The dealer's options in the documents are those of its own usage text, and no others."""
    options = set(re.findall(r"(?m)^  (--[a-z_-]+)", usage_text())) - {"--help"}
    limits = {"--t_response", "--t_hand", "--t_per_hand", "--start_timeout"}
    assert all(f"`{option}`" in page("dealer") for option in limits)
    rows = "".join(re.findall(r"(?m)^\| (`--.*?) \|", page("dealer")))
    own = set(re.findall(r"`(--[a-z_-]+)", rows)) - limits
    assert own == options - limits


def test_endings_are_all_explained():
    """The dealer's page has every ending with its exit code, and no other."""
    named = re.findall(r"(?m)^\| ([a-z]+) \| (\d+) \|", page("dealer"))
    assert sorted(named) == sorted((ending.value, str(ending.exit_code)) for ending in Ending)


def test_games_are_all_listed():
    """The table of games holds every built-in game under both its names."""
    for alias, name in builtin_aliases().items():
        assert f"`{alias}`" in page("games")
        assert f"`{name}.game`" in page("games")


def test_bots_are_all_listed():
    """The table of bots, with what stands below it, holds every bot of the roster."""
    between = [f"{kind}O{number}" for kind in ("", "counter-") for number in range(2, 8)]  # "to"
    assert not [
        name for name in agent_names() if f"`{name}`" not in page("bots") and name not in between
    ]


def test_every_difference_names_tests_that_exist():
    """Each of the thirteen differences has its tests, and they are where the document says."""
    sections = re.split(r"(?m)^\*\*(?=\d+\. )", page("differences"))[1:]
    assert [int(section.partition(".")[0]) for section in sections] == list(range(1, 14))
    for section in sections:
        tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", section)
        assert tests
        for file, name in tests:
            text = (ROOT / file).read_text(encoding="utf-8")
            assert re.search(rf"(?m)^(?:async )?def {name}\(", text), f"{file}::{name}"


def test_readme_bot_has_at_most_fifteen_lines_and_plays(tmp_path):
    """The README's bot fits in 15 lines and finishes a match as it stands there."""
    source = readme_bot()
    assert source.count("\n") <= 15
    bot = tmp_path / "potbot.py"
    bot.write_text(source, encoding="utf-8")
    result = subprocess.run(
        [
            *(sys.executable, "-m", "dealer.arena", "match"),
            *(f"{bot}:PotBot", "always-call"),
            *("--hands", "20", "--seed", "1", "--quiet", "--out", str(tmp_path / "match")),
        ],
        cwd=ROOT,
        env={
            **{"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(tmp_path)},
            "ARENA_CACHE_DIR": str(cache_folder()),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "PotBot" in result.stdout


def test_changelog_has_an_unreleased_section_on_top():
    """The changelog is kept as Keep a Changelog has it."""
    headings = re.findall(r"(?m)^## (.*)$", Path(ROOT / "CHANGELOG.md").read_text("utf-8"))
    assert headings[0] == "[Unreleased]"
