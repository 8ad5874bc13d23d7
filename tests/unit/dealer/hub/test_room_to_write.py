"""Whether there is room for what a match writes."""

import resource
from contextlib import contextmanager

from dealer.hub.room_to_write import writing_fault


@contextmanager
def files_up_to(size):
    """Files of this process may have so many bytes, as on a disk that is nearly full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_folder_with_room_has_no_fault(tmp_path):
    """And nothing stays in it."""
    assert writing_fault(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []


def test_without_room_the_reason_is_told(tmp_path):
    """As the system has it."""
    with files_up_to(1 << 19):
        assert writing_fault(tmp_path) == "File too large"
    assert list(tmp_path.iterdir()) == []
    assert writing_fault(tmp_path / "gone") == "No such file or directory"
