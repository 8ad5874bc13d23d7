"""Compiled code is kept on disk and loaded again, and never when it is stale."""

import importlib
import logging
import os
import subprocess
import sys

import pytest

from engine.compiled import disk_cache, sources
from engine.compiled.jit import compile_for, function_type

pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")

KERNELS = """
from engine.compiled.jit import kernel
from keptbot.helper import FACTOR, add

@kernel
def scaled(number):
    return add(number * FACTOR)
"""
HELPER = """
from engine.compiled.jit import kernel
FACTOR = {factor}

@kernel
def add(number):
    return number + {term}
"""
SAME_WITH_OPTIONS = """
from engine.compiled.jit import {sort}
from keptbot.plain import half
scaled = {sort}(half)
"""
TOGETHER = """
import sys
from keptbot.kernels import scaled
print("ready", flush=True)
for word in sys.stdin.readline().split():
    number = {"int": 10, "float": 10.0}[word]
    print(scaled(number), sum(scaled.stats.cache_hits.values()))
"""
HOLD = """
import fcntl, sys, time
file = open(sys.argv[1], "r+")
fcntl.lockf(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """The folder of a bot whose kernel calls a helper in another file."""
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("ARENA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sources, "_STARTED", float("inf"))
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "keptbot").mkdir()
    (tmp_path / "keptbot" / "kernels.py").write_text(KERNELS)
    write_helper(tmp_path)
    yield tmp_path
    forget()


def write_helper(bot, factor=2, term=1):
    (bot / "keptbot" / "helper.py").write_text(HELPER.format(factor=factor, term=term))


def forget():
    """Be as a process that has just begun."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "keptbot"]:
        del sys.modules[name]
    for function in (*vars(sources).values(), *vars(disk_cache).values()):
        getattr(function, "cache_clear", int)()
    importlib.invalidate_caches()


def run():
    """Return what the kernel of a bot gives for 10, and whether its code came from the disk."""
    forget()
    scaled = importlib.import_module("keptbot.kernels").scaled
    return scaled(10), sum(scaled.stats.cache_hits.values()) == 1


def kept(bot, module):
    return sorted(path.name for path in (bot / "cache" / "kernels" / module).iterdir())


@pytest.mark.parametrize(("change", "result"), [({"factor": 3}, 31), ({"term": 5}, 25)])
def test_an_edited_helper_is_never_stale(bot, change, result):
    """Its constants and kernels are part of the code of those that use them."""
    assert [run(), run()] == [(21, False), (21, True)]
    write_helper(bot, **change)
    assert [run(), run()] == [(result, False), (result, True)]
    assert len(kept(bot, "keptbot.kernels")) == len(kept(bot, "keptbot.helper")) == 2


@pytest.mark.parametrize("files", ["*.nbi", "*.nbc", "*.nb?"])
@pytest.mark.parametrize(
    "damage", [lambda data: b"", lambda data: data[:60], lambda data: b"O" * 9]
)
def test_damaged_files_are_written_anew(bot, files, damage):
    """Index, code or both are empty, cut off or garbage: compiled once more, then kept again."""
    run()
    for path in (bot / "cache" / "kernels").rglob(files):
        path.write_bytes(damage(path.read_bytes()))
    assert [run(), run()] == [(21, False), (21, True)]


def test_what_has_to_be_compiled_is_logged_and_what_is_loaded_is_not(bot, caplog):
    """So programs can say why they take long."""
    caplog.set_level(logging.INFO, "engine.compiled.compiling")
    run()
    names = [record.getMessage() for record in caplog.records]
    assert names == ["keptbot.kernels.scaled", "keptbot.helper.add"]
    caplog.clear()
    run()
    assert not caplog.records


def test_an_edit_elsewhere_changes_nothing(bot):
    """What does not import the edited file is not compiled anew."""
    run()
    (bot / "keptbot" / "elsewhere.py").write_text("FACTOR = 3\n")
    assert run() == (21, True)
    (bot / "keptbot" / "kernels.py").write_text(KERNELS.replace("* FACTOR", "* FACTOR * 2"))
    assert run() == (41, False)
    assert len(kept(bot, "keptbot.kernels")) == 2
    assert len(kept(bot, "keptbot.helper")) == 1


@pytest.mark.parametrize("order", ["called pointer", "pointer called"])
def test_code_serves_calls_and_pointers(bot, order):
    """Whoever comes first compiles, and the other one loads the same."""
    (bot / "keptbot" / "kernels.py").write_text(KERNELS.replace("kernel", "pointer_kernel"))
    hits = []
    for way in order.split():
        forget()
        scaled = importlib.import_module("keptbot.kernels").scaled
        if way == "pointer":
            compile_for(scaled, function_type(1, 1))
        assert scaled(10) == 21
        hits.append(sum(scaled.stats.cache_hits.values()))
    assert hits == [0, 1]


def test_other_options_are_other_code(bot):
    """The same function may be a kernel of two sorts, made in another file than its own."""
    (bot / "keptbot" / "plain.py").write_text("def half(number):\n    return 1 / number\n")
    hits = []
    for sort in ("kernel", "raw_kernel", "raw_kernel"):
        (bot / "keptbot" / "kernels.py").write_text(SAME_WITH_OPTIONS.format(sort=sort))
        hits.append(run())
    assert hits == [(0.1, False), (0.1, False), (0.1, True)]


def test_settings_of_numba_have_code_of_their_own(bot, monkeypatch):
    """With checked bounds nobody gets unchecked code that was compiled before."""
    run()
    monkeypatch.setenv("NUMBA_NUM_THREADS", "1")
    assert run() == (21, True)
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert run() == (21, False)


def test_what_was_not_used_for_long_is_removed(bot):
    """Eight states of a module stay, so that its code does not pile up."""
    states = bot / "cache" / "kernels" / "keptbot.kernels"
    for number in range(10):
        (states / f"old{number}").mkdir(parents=True)
        os.utime(states / f"old{number}", (number, number))
    run()
    old = [name for name in kept(bot, "keptbot.kernels") if name.startswith("old")]
    assert old == [f"old{number}" for number in range(3, 10)]


def test_code_removed_under_a_process_is_compiled_again(bot):
    """As when another process removes what it takes for unused."""
    run()
    forget()
    scaled = importlib.import_module("keptbot.kernels").scaled
    for module in ("keptbot.kernels", "keptbot.helper"):
        (folder,) = (bot / "cache" / "kernels" / module).iterdir()
        folder.rename(bot / module)
    assert scaled(10) == 21
    assert run() == (21, True)


def test_unusable_cache_folder_is_no_error(bot, monkeypatch, caplog):
    """Without a place to keep compiled code it is compiled again, which one line says."""
    (bot / "file").write_text("not a folder")
    monkeypatch.setenv("ARENA_CACHE_DIR", str(bot / "file"))
    assert [run(), run()] == [(21, False)] * 2
    (first, _) = [record.getMessage() for record in caplog.records]
    assert first == (
        f"compiled code cannot be kept ({bot / 'file'}: Not a directory), so every start takes "
        "long; see ARENA_CACHE_DIR"
    )
    monkeypatch.delenv("ARENA_CACHE_DIR")
    monkeypatch.setattr(disk_cache, "cache_folder", no_home)
    assert run() == (21, False)


def no_home():
    raise RuntimeError


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_still_read(bot):
    """Code that somebody else has compiled is used."""
    run()
    folders = [folder for folder, _, _ in os.walk(bot / "cache")]
    for folder in folders:
        os.chmod(folder, 0o500)
    try:
        assert run() == (21, True)
        write_helper(bot, factor=3)
        assert run() == (31, False)
    finally:
        for folder in folders:
            os.chmod(folder, 0o700)


def test_processes_compile_a_kernel_once_between_them(bot):
    """Who comes second waits for the first; other arguments are other code, and not mixed up."""
    (bot / "play.py").write_text(TOGETHER)
    command = [sys.executable, "play.py"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(command, cwd=bot, **pipes) for _ in range(3)]
    for process in started:
        assert process.stdout.readline() == "ready\n"
    for process, words in zip(started, ("int float", "float int", "int float"), strict=True):
        process.stdin.write(f"{words}\n")
        process.stdin.flush()
    printed = [process.communicate()[0].split() for process in started]
    assert [process.returncode for process in started] == [0] * 3
    assert [lines[::2] for lines in printed] == [["21", "21.0"], ["21.0", "21"], ["21", "21.0"]]
    assert sum(int(lines[-1]) for lines in printed) == 4, "six loads, of which two compiled"


def test_a_process_that_never_lets_go_is_not_waited_for(bot, monkeypatch):
    """It may have been stopped; the kernel is then compiled twice."""
    monkeypatch.setattr(disk_cache, "_LONGEST_WAIT", 0.05)
    run()
    command = [sys.executable, "-S", "-c", HOLD, bot / "cache" / "kernels" / "lock"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        write_helper(bot, factor=3)
        assert run() == (31, False)
        holder.kill()
