"""Types are found with few restarts: those planted in tests lie far apart."""

import pytest

from agents.statistical.learning import type_clustering


@pytest.fixture(autouse=True)
def few_restarts(monkeypatch):
    """Clusters are begun four times, not twenty."""
    monkeypatch.setattr(type_clustering, "_RESTARTS", 4)
