"""Where things are kept that can be made anew."""

from pathlib import Path

from engine.storage.cache import cache_folder


def test_the_folder_is_named_or_in_the_users_home(monkeypatch, tmp_path):
    """An empty name is none."""
    monkeypatch.setenv("HOME", "/home/somebody")
    for named, folder in ((str(tmp_path), tmp_path), ("", "/home/somebody/.cache/acpc-arena")):
        monkeypatch.setenv("ARENA_CACHE_DIR", named)
        assert cache_folder() == Path(folder)
