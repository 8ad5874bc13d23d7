"""Folders of training runs."""

import numpy as np
import pytest

from agents.errors import TrainingError
from agents.training.run_folder import RunFolder, alone_in, resuming, work_alone
from engine.errors import ArtifactMismatch, DamagedDocument
from engine.storage.artifacts import Kind


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


KIND = Kind("run of a test", 1, "begin again")
CONFIG = {"seed": 1, "sizes": (2, 3)}


def test_a_run_is_saved_and_restored(tmp_path):
    """Facts and arrays, by whoever has the same configuration; tuples are lists in a file."""
    folder = RunFolder(tmp_path / "run", KIND)
    folder.open(resume=False)
    folder.save(CONFIG, {"step": 4}, {"weights": np.arange(3)})
    with RunFolder(tmp_path / "run", KIND).restoring(CONFIG) as saved:
        assert (saved.facts["step"], saved.arrays["weights"].tolist()) == (4, [0, 1, 2])
    with (
        pytest.raises(TrainingError, match=r"run was begun with another seed, sizes; --out"),
        folder.restoring({"seed": 2, "sizes": (2,)}),
    ):
        pytest.fail("it was restored")


def test_a_folder_holds_one_run(tmp_path):
    """It is claimed once, and resumed by its own run only."""
    folder = RunFolder(tmp_path, KIND)
    with pytest.raises(TrainingError, match="no run to resume"):
        folder.claim(CONFIG, resume=True)
    folder.claim(CONFIG, resume=False)
    folder.claim(CONFIG, resume=True)
    with pytest.raises(TrainingError, match="holds a run; --resume"):
        folder.claim(CONFIG, resume=False)
    with pytest.raises(TrainingError, match="begun with another seed"):
        folder.claim({**CONFIG, "seed": 2}, resume=True)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (KeyError("weights"), "is damaged: 'weights'"),
        (ValueError("no numbers"), "is damaged: no numbers"),
        (DamagedDocument("nested"), "is damaged: nested"),
        (ArtifactMismatch("x: of version 3"), "x: of version 3"),
        (OSError(5, "cannot be read"), "cannot be read"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(wrong, said, tmp_path):
    """Whatever its reader raises; the folder is named."""
    with pytest.raises(TrainingError) as refused, resuming(tmp_path / "file"):
        raise wrong
    (line,) = str(refused.value).splitlines()
    assert line.startswith(f"cannot resume {tmp_path}: ")
    assert said in line


def test_work_that_is_stopped_says_how_to_go_on(tmp_path, capsys):
    """By Ctrl-C, or by its own decision; the folder is free again."""

    def interrupted(stop):
        raise KeyboardInterrupt

    assert work_alone(tmp_path, (), interrupted) is None
    assert "the same command begins again" in capsys.readouterr().err
    RunFolder(tmp_path, KIND).save(CONFIG, {}, {})
    assert work_alone(tmp_path, (), lambda stop: None) is None
    assert "--resume" in capsys.readouterr().err
    assert work_alone(tmp_path, (), lambda stop: 5) == 5
    assert not capsys.readouterr().err
