"""The folder of a training run."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from agents.errors import TrainingError
from engine.storage.atomic import remove_unfinished
from engine.storage.locks import locked_folder

CHECKPOINT: Final = "checkpoint"
"""File of everything that a run has learned."""


def check_folder(folder: Path, *, resume: bool) -> None:
    """Find out whether a folder is fit for a run.

    Raises:
        TrainingError: it holds a run already, or none to resume.
    """
    if not resume and (folder / CHECKPOINT).exists():
        raise TrainingError(f"{folder} holds a run; --resume resumes it, --out names another")
    if resume and not (folder / CHECKPOINT).is_file():
        raise TrainingError(f"{folder} holds no run to resume: no {CHECKPOINT}")


def how_to_resume(folder: Path) -> str:
    """Return what a run that was stopped says: whether there is anything to resume."""
    if (folder / CHECKPOINT).is_file():
        return "resume with the same options and --resume"
    return "nothing was learned yet; the same command begins again"


@contextmanager
def alone_in(folder: Path, written: Collection[str]) -> Iterator[None]:
    """Make a run's folder where there is none, and hold its lock: two runs would write one model.

    Args:
        written: names of the files that runs write in one piece; what is left of such files where
            a run was killed is deleted.

    Raises:
        OSError: it cannot be made, read or locked.
        TrainingError: another training holds it.
    """
    with ExitStack() as held:
        try:
            held.enter_context(locked_folder(folder))
        except BlockingIOError as error:
            raise TrainingError(f"another process is working in {folder}") from error
        remove_unfinished(folder, written)
        yield
