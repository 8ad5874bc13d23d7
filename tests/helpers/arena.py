"""`arena` as its users start it: as a process in a folder, or in this process."""

import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

from dealer.arena import main
from engine.parallel.own_programs import environment

SECONDS = 200


class Ended(NamedTuple):
    """What became of a command."""

    code: int
    out: str
    err: str


def start_arena(folder: Path, *words: object, **options: Any) -> subprocess.Popen[str]:
    """Start a command in a folder; `options` are Popen's, both its streams are pipes of text."""
    return subprocess.Popen(
        [sys.executable, "-m", "dealer.arena", *map(str, words)],
        cwd=folder,
        **{
            "env": environment(),
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
            **options,
        },
    )


def run_arena(folder: Path, *words: object, **options: Any) -> Ended:
    """Run a command as a process to its end."""
    with start_arena(folder, *words, **options) as process:
        out, err = process.communicate(timeout=SECONDS)
    return Ended(process.returncode, out, err)


def arena_here(folder: Path, *words: object) -> Ended:
    """Run a command in this process, as if in a folder."""
    out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2))
    code: Any
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:
            code = stop.code
    texts = (stream.buffer.getvalue().decode() for stream in (out, err))
    return Ended(code, *texts)
