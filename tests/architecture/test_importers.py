"""Every module is imported by another one, is a program, or is a library that docs name."""

import ast
from collections.abc import Mapping, Set

from tests.architecture.repository import (
    ROOT,
    imported_modules,
    module_name,
    nodes_of,
    source_files,
)

LIBRARY = {
    "agents.bridges.pettingzoo_env": "docs/bridges.md",
    "agents.bridges.pokerkit_states": "docs/bridges.md",
    "agents.bridges.spiel_ours": "docs/bridges.md",
    "agents.deepstack.net": "docs/deepstack.md",
    "engine.small_games.catalogue": "docs/engine.md",
}
"""Modules that only users import -> the page that shows how."""


def named_modules(known: Set[str]) -> set[str]:
    """Return those of the modules `known` that texts name, as "module" or "module:name"."""
    return known & {
        node.value.partition(":")[0]
        for path in source_files()
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def unused(imports: Mapping[str, Set[str]], roots: Set[str]) -> list[str]:
    """Return the modules that neither another one imports nor `roots` has."""
    used = {other for name, others in imports.items() for other in others - {name}}
    return sorted(imports.keys() - used - roots)


def test_no_module_is_there_for_tests_alone():
    """What only tests import lies with the tests; type checkers' imports count as well here."""
    paths = {module_name(path): path for path in source_files()}
    imports = {name: imported_modules(path, set(paths)) for name, path in paths.items()}
    programs = {
        name
        for name, path in paths.items()
        if path.name in ("__init__.py", "__main__.py")
        or 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
    }
    typed = {
        node.module
        for path in paths.values()
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.module
    }
    roots = programs | typed | named_modules(set(paths))
    assert unused(imports, roots) == sorted(LIBRARY)


def test_an_unused_module_is_noticed():
    """That it imports itself, or others, does not help."""
    assert unused({"a": {"b"}, "b": set(), "c": {"c", "b"}}, {"a"}) == ["c"]


def test_libraries_are_shown_on_their_pages():
    """In an import that a reader can copy."""
    for module, page in LIBRARY.items():
        assert f"from {module} import " in (ROOT / page).read_text(encoding="utf-8")
