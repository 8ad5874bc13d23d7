"""Words: a class name means one thing, and the field's terms stand instead of invented ones."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.repository import (
    ROOT,
    module_name,
    nodes_of,
    parsed,
    relative,
    source_files,
)

INSTEAD = {
    r"deeds?": "action",
    r"foretells?|foretold|foretelling": "predict",
    r"go(?:es|ing|ne)?\s+on\s+with|go(?:ing|ne)\s+on\s+from|to go on:": "resume",
    r"gadget's top|top of the tree": "root",
}
"""Invented word -> the field's or a plain one."""


def class_names() -> dict[str, list[str]]:
    """Return the files in which each class name is defined."""
    found = defaultdict(list)
    for path in source_files():
        for name in re.findall(r"^ *class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            found[name].append(relative(path))
    return found


def test_a_class_name_means_one_thing():
    """No two classes of the project have the same name."""
    assert not {name: files for name, files in class_names().items() if len(files) > 1}


@pytest.mark.parametrize("words", INSTEAD)
def test_terms_are_those_of_the_field(words):
    """Sources and documents say it in the field's words."""
    pattern = re.compile(rf"\b({words})\b", re.IGNORECASE)
    texts = [*source_files(), ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    found = [
        f"{relative(path)}: {found[0]}"
        for path in texts
        for found in pattern.finditer(path.read_text(encoding="utf-8"))
    ]
    assert not found, f"say {INSTEAD[words]!r}"


UNTELLING = {
    *("before", "found", "held", "kept", "known", "left", "one"),
    *("other", "own", "place", "seen", "told", "words"),
}
"""Names that say of what they name that it is there; a noun of the field says what it is."""
MOST_UNTELLING = 0.0125
"""Share of what is assigned and taken as a parameter."""


def assigned_names(path: Path) -> Iterator[str]:
    """Yield each name, attribute and parameter as often as a module gives it a value."""
    for node in nodes_of(path):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def arguments(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the names of a function's parameters."""
    return [part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)]


def public_signatures(body: list[ast.stmt], owner: str) -> Iterator[tuple[str, str]]:
    """Yield (function, name) for what callers of public functions and methods write."""
    for node in body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from public_signatures(node.body, f"{owner}.{node.name}")
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if node.name == "__init__" or not node.name.startswith("_"):
            for name in [node.name, *arguments(node)]:
                yield f"{owner}.{node.name}", name


def test_names_are_nouns_of_the_field():
    """Few names say only that something was found or is another one."""
    names = [name.strip("_") for path in source_files() for name in assigned_names(path)]
    counts = Counter(name for name in names if name in UNTELLING)
    assert counts.total() <= MOST_UNTELLING * len(names), counts.most_common()


def test_what_callers_write_is_named_by_nouns():
    """No public function, and no parameter of one, has such a name."""
    assert not [
        where
        for path in source_files()
        for where, name in public_signatures(parsed(path).body, module_name(path))
        if name.strip("_") in UNTELLING
    ]


def test_an_untelling_name_is_noticed(tmp_path):
    """Wherever it is given a value, and in the signatures of classes too."""
    path = tmp_path / "module.py"
    path.write_text(
        "found = 1\n"
        "class Table:\n"
        "    def __init__(self, kept):\n        self.seen, rows = kept, 0\n"
        "    def _told(self, one):\n        pass\n"
    )
    names = ["found", "self", "kept", "seen", "rows", "self", "one"]
    assert sorted(assigned_names(path)) == sorted(names)
    assert ("module.Table.__init__", "kept") in set(public_signatures(parsed(path).body, "module"))
    assert "one" not in {name for _, name in public_signatures(parsed(path).body, "module")}
