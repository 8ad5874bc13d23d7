"""Benchmarks are run by `make bench` alone: each compiles and plays for itself."""

import pytest

HERE = "tests/benchmarks/"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all benchmarks as slow."""
    for item in items:
        if item.nodeid.startswith(HERE):
            item.add_marker(pytest.mark.slow)
