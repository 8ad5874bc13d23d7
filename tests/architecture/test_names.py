"""Words: a class name means one thing, and the field's terms stand instead of invented ones."""

import ast
import re
from collections import defaultdict

import pytest

from tests.architecture.repository import ROOT, parsed, relative, source_files

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


SHARED_FUNCTION_NAMES = {
    "main": "run a command; return its exit code",
    "read_arguments": "return the options of a command line",
    "config_names": "return the names of the configs that come along",
    "load_config": "return a config by its name or file",
    "load_model": "return a model by its name or file",
    "policy_for": "return the compiled player of a family, made for a game",
    "family_of": "return the evolved family of networks of a shape",
    "decide": "compiled policy: return the action",
    "observe": "compiled policy: take note of an action",
    "finish": "compiled policy: take note of the end of a hand",
    "warm_up": "compile what else the first call would compile",
    "strength_of_masks": "the kernel, and what checks its arguments",
    "best_response": "the kernel, and what checks its arguments",
    "expected_value": "the kernel, and what checks its arguments",
    "expected_values": "the kernel, and what checks its arguments",
    "estimate_beside": "the program beside a match, and what runs it",
}
"""Public functions that have one meaning in several files -> the meaning."""


def test_a_function_name_means_one_thing():
    """Public functions of different meaning have different names; the list above holds no more."""
    found = defaultdict(list)
    for path in source_files():
        for node in parsed(path).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
                found[node.name].append(relative(path))
    several = {name: files for name, files in found.items() if len(files) > 1}
    assert {name: several[name] for name in several.keys() - SHARED_FUNCTION_NAMES} == {}
    assert SHARED_FUNCTION_NAMES.keys() - several == set()
