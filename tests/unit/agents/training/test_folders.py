"""Folders of training runs."""

import pytest

from agents.errors import TrainingError
from agents.training.folders import alone_in


def test_two_runs_do_not_share_a_folder(tmp_path):
    """The second one is refused while the first one is there, and only so long."""
    folder = tmp_path / "a" / "run"
    with alone_in(folder, ()), pytest.raises(TrainingError, match="another process is working"):
        alone_in(folder, ()).__enter__()
    with alone_in(folder, ()):
        assert folder.is_dir()


def test_what_killed_runs_left_is_deleted(tmp_path):
    """Of the files that runs write, by nobody who waits for the lock."""
    left = [tmp_path / name for name in (".model.1.2.part", ".mine.1.2.part", "model")]
    for path in left:
        path.touch()
    with alone_in(tmp_path, ("model",)):
        assert sorted(tmp_path.iterdir()) == sorted(left[1:])
        left[0].touch()
        with pytest.raises(TrainingError):
            alone_in(tmp_path, ("model",)).__enter__()
        assert left[0].exists()
