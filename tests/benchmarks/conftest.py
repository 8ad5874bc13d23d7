"""Benchmarks are run by `make bench` alone: each compiles and plays for itself."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all benchmarks as slow."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)
