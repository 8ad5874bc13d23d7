"""Words: a class name means one thing, and the field's terms stand instead of invented ones."""

import ast
import re
from collections import defaultdict

import pytest

from tests.architecture.repository import ROOT, nodes_of, relative, source_files

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
        for node in nodes_of(path):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(relative(path))
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
