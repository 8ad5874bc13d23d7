import os
import subprocess
import sys

import pytest

COMPILE = (
    "from engine.compiled.jit import kernel\n"
    "from engine.showdown.strength_kernels import strength_of_mask\n"
    "assert strength_of_mask(1) == 0x010000\n"
)


def run(cache_folder):
    """Compile something in a process of its own."""
    env = {**os.environ, "ARENA_CACHE_DIR": str(cache_folder)}
    env.pop("NUMBA_CACHE_DIR", None)
    return subprocess.run([sys.executable, "-c", COMPILE], env=env, check=False).returncode


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_compiled_code_lands_in_a_folder_of_its_sources(tmp_path):
    """One folder per state of the engine's sources, so an edited helper is never stale."""
    assert run(tmp_path) == 0
    (folder,) = (tmp_path / "numba").iterdir()
    assert len(folder.name) == 16
    assert list(folder.rglob("*.nbc"))


def test_unusable_cache_folder_is_no_error(tmp_path):
    """Without a place to keep compiled code it is compiled again."""
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert run(blocked) == 0
