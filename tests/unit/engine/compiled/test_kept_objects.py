"""Object files on disk: what is read is what was written, or nothing."""

import os
import stat

import pytest

from engine.compiled import kept_objects, sources
from engine.compiled.kept_objects import KeptObject

CODE = bytes(range(256)) * 3


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A module, and a cache folder that is not there yet."""
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "some.py"
    file.write_text("x = 1\n")
    monkeypatch.setattr(sources, "_STARTED", os.stat(file).st_ctime + 1)
    return str(file)


def test_what_is_written_is_read(source):
    """By another process as well: the name depends on nothing of this one."""
    kept = KeptObject("some", source)
    assert not kept.exists()
    assert kept.read() is None
    with kept.locked():
        kept.write(CODE)
    again = KeptObject("some", source)
    assert again.exists()
    assert again.read() == CODE


@pytest.mark.parametrize("place", [0, 31, 32, 500, -1])
def test_a_changed_byte_is_noticed(source, place):
    """In the digest or behind it."""
    kept = KeptObject("some", source)
    with kept.locked():
        kept.write(CODE)
    data = bytearray(kept.path.read_bytes())
    data[place] ^= 1
    kept.path.write_bytes(data)
    assert kept.read() is None
    kept.path.write_bytes(data[:place])
    assert kept.read() is None


def test_files_of_other_users_are_not_read(source, monkeypatch):
    """Who can write what is run can do anything; root can in any case."""
    kept = KeptObject("some", source)
    with kept.locked():
        kept.write(CODE)
    owner = os.stat(kept.path).st_uid
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    assert kept.read() == (CODE if owner == 0 else None)
    facts = [stat.S_IFREG | 0o644, *[0] * 3, owner + 2, *[0] * 5]
    monkeypatch.setattr(os, "fstat", lambda _: os.stat_result(facts))
    assert kept.read() is None


@pytest.mark.parametrize("mode", [0o664, 0o646])
def test_files_that_others_may_change_are_not_read(source, mode):
    """They are not written so, whatever the process lets others do with its files."""
    kept = KeptObject("some", source)
    before = os.umask(0)
    try:
        with kept.locked():
            kept.write(CODE)
    finally:
        os.umask(before)
    assert kept.read() == CODE
    kept.path.chmod(mode)
    assert kept.read() is None


def test_a_pipe_in_its_place_is_not_waited_for(source):
    """Nobody writes to it."""
    kept = KeptObject("some", source)
    kept.path.parent.mkdir(parents=True)
    os.mkfifo(kept.path)
    assert kept.read() is None


def test_the_compiler_and_its_settings_have_files_of_their_own(source, monkeypatch):
    """What it makes of the same source may be something else."""
    paths = [KeptObject("some", source)._path]
    monkeypatch.setenv("NUMBA_OPT", "1")
    paths.append(KeptObject("some", source)._path)
    monkeypatch.setattr(kept_objects, "_versions", lambda: [b"another"])
    paths.append(KeptObject("some", source)._path)
    assert len(set(paths)) == 3


def test_old_states_are_removed(source, monkeypatch):
    """The eight made last stay, and whatever belongs to others."""
    made = []
    for number in range(10):
        monkeypatch.setenv("NUMBA_OPT", str(number))
        kept = KeptObject("some", source)
        with kept.locked():
            kept.write(CODE)
        os.utime(kept.path, (number, number))
        made.append(kept)
    with KeptObject("other", source).locked():
        KeptObject("other", source).write(CODE)
    assert [kept.exists() for kept in made] == [False] * 2 + [True] * 8
    assert KeptObject("other", source).exists()


def test_a_folder_that_cannot_be_used(source, tmp_path, monkeypatch):
    """Reading finds nothing, compiling is refused before it begins."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "file"))
    kept = KeptObject("some", source)
    assert not kept.exists()
    assert kept.read() is None
    with pytest.raises(OSError, match="Not a directory"), kept.locked():
        pass


def test_a_user_without_a_home_keeps_nothing(source, monkeypatch):
    """And is told so where something is compiled."""

    def fail():
        raise RuntimeError("no home")

    monkeypatch.setattr(kept_objects, "cache_folder", fail)
    kept = KeptObject("some", source)
    assert not kept.exists()
    assert kept.read() is None
    with pytest.raises(OSError, match="there is no cache folder"), kept.locked():
        pass
