"""One program at a time."""

import os

import pytest

from engine.storage.locks import locked_folder, take_lock


def opened(path):
    return os.open(path, os.O_RDONLY)


@pytest.mark.parametrize("what", ["file", "."])
def test_a_lock_is_held_until_its_file_is_closed(tmp_path, what):
    """Of a file as of a folder, and however patient the other one is."""
    (tmp_path / "file").write_text("")
    first, second = opened(tmp_path / what), opened(tmp_path / what)
    take_lock(first)
    for patience in (0.0, 0.05):
        with pytest.raises(BlockingIOError, match="another program is writing it"):
            take_lock(second, patience)
    os.close(first)
    take_lock(second)
    os.close(second)


def test_a_folder_is_made_and_held_by_one(tmp_path):
    """Whoever comes second is told its name; later it is free again."""
    folder = tmp_path / "new" / "one"
    with (
        locked_folder(folder),
        pytest.raises(BlockingIOError, match=str(folder)),
        locked_folder(folder),
    ):
        pass
    with locked_folder(folder):
        pass
