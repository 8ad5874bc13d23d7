"""The small games that runs of MCCFR learn."""

import pytest

from tests.helpers.small_mccfr import SmallGame


@pytest.fixture(scope="session")
def kuhn():
    """The smallest game."""
    return SmallGame("kuhn")


@pytest.fixture(scope="session")
def leduc():
    """Two streets, three ranks."""
    return SmallGame("leduc")
