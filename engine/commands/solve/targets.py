"""Files to be written after minutes or hours of work: what is wrong with them is found out before.

A file is written under another name beside its place and renamed, see `engine.storage.atomic`; so
the folder must let that be done.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from engine.commands.solve.betting_plan import size_text
from engine.errors import ArtifactMismatch
from engine.range_solver.strategy import KIND
from engine.storage.artifacts import load_artifact
from engine.storage.atomic import check_writable
from protocol.cards import format_cards


def check_targets(out: Path, checkpoint: Path | None, size: int) -> None:
    """Refuse places where no solution, or no checkpoint, can be saved.

    Args:
        out: where the solution is to go.
        checkpoint: where unfinished work goes, if anywhere.
        size: bytes of the solution.

    Raises:
        ValueError: the message names the file and says why.
    """
    _check("--out", out)
    if out.exists():
        try:
            load_artifact(out, KIND, verify=False)
        except ArtifactMismatch as error:
            raise ValueError(f"--out {out}: is there already, and no solution") from error
    free = shutil.disk_usage(out.resolve().parent).free
    if size > free:
        raise ValueError(
            f"--out {out}: will take {size_text(size)}, there is room for {size_text(free)}"
        )
    if checkpoint is not None:
        _check("--checkpoint", checkpoint)
        if checkpoint.resolve() == out.resolve():
            raise ValueError(f"--checkpoint {checkpoint}: that is where the solution goes")


def free_name(board: tuple[int, ...]) -> Path:
    """Return a file name with the board in it that no file has yet."""
    name = format_cards(board)
    path, number = Path(f"{name}.solution"), 1
    while path.exists():
        number += 1
        path = Path(f"{name}-{number}.solution")
    return path


def _check(option: str, path: Path) -> None:
    """Refuse a place that cannot be written, or is taken by more than a file."""
    try:
        if path.exists() and not path.is_file():
            raise ValueError(f"{option} {path}: is no file")
        check_writable(path)
    except OSError as error:
        raise ValueError(
            f"{option} {path}: cannot be written: {error.strerror or error}"
        ) from error
