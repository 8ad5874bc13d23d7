"""The budget of bytes, and the command that counts them."""

import subprocess

from tests.architecture.size import BUDGET, MIB, ROOT, main, tracked_bytes


def repository(folder, files):
    """Make a repository of files of so many bytes."""
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    for name, size in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(size))
    subprocess.run(["git", "add", "."], cwd=folder, check=True)


def test_this_repository_is_within_its_budget():
    """All that git tracks."""
    found = tracked_bytes(ROOT)
    assert found is None or found.total() <= BUDGET


def test_tracked_files_are_counted_by_top_folder(tmp_path, capsys):
    """Names with blanks and line breaks too; what is not tracked or is gone does not count."""
    repository(tmp_path, {"a/b/one": MIB, "a/two words": MIB, "b\n/c": 512, "README": 10})
    (tmp_path / "a/untracked").write_bytes(bytes(MIB))
    assert tracked_bytes(tmp_path) == {"a": 2 * MIB, "b\n": 512, ".": 10}
    (tmp_path / "README").unlink()
    assert tracked_bytes(tmp_path) == {"a": 2 * MIB, "b\n": 512}
    assert main(tmp_path, 3 * MIB) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "a           2.00 MiB"
    assert shown[-1] == "together    2.00 MiB of 3"


def test_too_much_fails(tmp_path, capsys):
    """By a byte, with one line about it."""
    repository(tmp_path, {"a/one": 1000, "two": 24})
    assert main(tmp_path, 1024) == 0
    assert main(tmp_path, 1023) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_without_git_nothing_is_counted(tmp_path, capsys):
    """As in an archive of the sources."""
    (tmp_path / "file").write_bytes(bytes(10))
    assert main(tmp_path, 1) == 0
    assert capsys.readouterr().out == "no git checkout: nothing to count\n"
