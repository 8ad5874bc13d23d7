"""No module needs itself: the imports of the project form no circle."""

from graphlib import CycleError, TopologicalSorter

import pytest

from tests.architecture.repository import imported_modules, module_name, source_files


def circle(imports: dict[str, set[str]]) -> list[str]:
    """Return a circle of imports, its first module again at the end; [] where there is none."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_module_imports_itself_in_a_circle():
    """Imports within functions or for type checkers count: they hide a circle, they open none."""
    paths = {module_name(path): path for path in source_files()}
    imports = {name: imported_modules(path, set(paths)) for name, path in paths.items()}
    assert circle(imports) == []


@pytest.mark.parametrize(
    ("imports", "found"),
    [({"a": {"b"}, "b": {"c"}, "c": {"a"}}, 4), ({"a": {"b", "c"}, "b": {"c"}, "c": set()}, 0)],
)
def test_a_circle_is_noticed(imports, found):
    """Three modules round and back; none in a triangle with a last one."""
    assert len(circle(imports)) == found


def test_every_import_counts(tmp_path):
    """What is imported within a function, and what only type checkers see."""
    path = tmp_path / "module.py"
    path.write_text(
        "from typing import TYPE_CHECKING\n"
        "import one.two\n"
        "from one import three\n"
        "if TYPE_CHECKING:\n    from one import four\n"
        "def function():\n    from one.five import name\n"
    )
    known = {"one", "one.two", "one.three", "one.four", "one.five"}
    assert imported_modules(path, known) == {"one.two", "one.three", "one.four", "one.five"}
