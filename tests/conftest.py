"""Fixtures used by more than one folder of tests."""

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real logs and recordings; tests that need it skip where it is absent."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("the recordings (../shared/data) are not here")
    return folder


@pytest.fixture(scope="session")
def conformance_tools() -> Path:
    """Folder of the scripts that replay recordings against any dealer command."""
    folder = SHARED / "tools" / "conformance"
    if not folder.is_dir():
        pytest.skip("the conformance scripts (../shared/tools/conformance) are not here")
    return folder
