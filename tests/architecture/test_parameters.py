"""Functions take few arguments: what belongs together travels as a record."""

import ast

from tests.architecture.repository import module_name, nodes_of, source_files

MOST = 10
EXCEPTIONS = {
    "agents.poker_cnn.forward_kernels._convolve": "a record makes it 1.7 times as slow",
    "engine.play.match_kernels.play_dealt_rows": "six of them are compiled functions of any family",
    "engine.play.compiled_match.play_matches": "seven of them are options with a default",
}


def count_parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return how many arguments a function names."""
    given = node.args
    return len(given.posonlyargs) + len(given.args) + len(given.kwonlyargs)


def test_no_function_has_more_than_ten_parameters():
    """But the few named here, each with its reason."""
    found = {
        f"{module_name(path)}.{node.name}"
        for path in source_files()
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and count_parameters(node) > MOST
    }
    assert found == EXCEPTIONS.keys()
