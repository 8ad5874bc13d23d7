"""The same small library as the family's own tests have."""

from tests.unit.agents.astar.conftest import small_models

__all__ = ["small_models"]
