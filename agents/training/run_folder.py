"""The folder of a training run: who works in it, whose run it holds, and how that is resumed.

    checkpoint    everything that a run has learned, and its configuration (`RunFolder.save`)
    NAME, .json   what came of it, ready to play, and beside it how it was made (`save_note`)

Every file is written whole, so a run that was stopped or killed is resumed from its last
checkpoint.  One process works in a folder at a time.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from agents.errors import TrainingError
from engine.console.output import tell
from engine.console.stopping import Stop, stop_on_signals
from engine.errors import DamagedDocument, EngineError
from engine.storage.artifacts import Artifact, Kind, load_artifact, save_artifact
from engine.storage.atomic import check_writable, remove_unfinished, write_whole
from engine.storage.locks import locked_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHECKPOINT: Final = "checkpoint"

_Result = TypeVar("_Result")


class RunFolder:
    """The folder of a run and its checkpoint.

    Attributes:
        path: of the folder.
        checkpoint: path of the file.
    """

    def __init__(self, path: Path, kind: Kind, checkpoint: str = CHECKPOINT) -> None:
        """Touch nothing yet.

        Args:
            kind: of the checkpoint.
            checkpoint: name of its file.
        """
        self.path: Final = path
        self.checkpoint: Final = path / checkpoint
        self._kind: Final = kind

    def open(self, *, resume: bool) -> None:
        """Make the folder where there is none, if it is fit for a run.

        Raises:
            OSError: it cannot be made or written.
            TrainingError: it holds a run already, or none to resume.
        """
        check_folder(self.path, resume=resume)
        self.path.mkdir(parents=True, exist_ok=True)
        check_writable(self.checkpoint)

    def claim(self, config: Mapping[str, Any], *, resume: bool) -> None:
        """Open the folder and note whose it is, or find out that it is this run's.

        Args:
            config: what the run is, plain values.

        Raises:
            OSError: it cannot be made or written.
            TrainingError: it holds another run, or none to resume.
        """
        self.open(resume=resume)
        if not resume:
            self.save(config, {}, {})
            return
        with self.restoring(config):
            pass

    def save(
        self,
        config: Mapping[str, Any],
        facts: Mapping[str, Any],
        arrays: Mapping[str, NDArray[Any]],
    ) -> None:
        """Write the checkpoint whole.

        Args:
            config: what the run is, plain values; whoever resumes it must have the same.
            facts: how far it is, plain values.
            arrays: what it has learned.

        Raises:
            OSError: it cannot be written; the checkpoint before is whole.
        """
        save_artifact(self.checkpoint, self._kind, {**facts, "config": config}, arrays)

    @contextmanager
    def restoring(self, config: Mapping[str, Any]) -> Iterator[Artifact]:
        """Read the checkpoint; whatever the block raises about its contents is damage of it.

        Raises:
            TrainingError: it is missing, damaged, or of a run with another configuration.
        """
        with resuming(self.checkpoint):
            saved = load_artifact(self.checkpoint, self._kind)
            begun, plain = saved.facts["config"], json.loads(json.dumps(config))
            if begun != plain:
                both = begun if isinstance(begun, dict) else {}
                names = [name for name in plain if both.get(name) != plain[name]]
                what = ", ".join(names)
                raise TrainingError(
                    f"{self.path} was begun with another {what}; --out names another folder"
                )
            yield saved


@contextmanager
def resuming(file: Path) -> Iterator[None]:
    """Say in one line what is wrong with a file of a run.

    Raises:
        TrainingError: whatever the block raises about the file.
    """
    folder = file.parent
    try:
        yield
    except DamagedDocument as error:
        raise TrainingError(f"cannot resume {folder}: {file} is damaged: {error}") from error
    except (EngineError, OSError) as error:
        raise TrainingError(f"cannot resume {folder}: {error}") from error
    except (ArithmeticError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise TrainingError(f"cannot resume {folder}: {file} is damaged: {error}") from error


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
    with ExitStack() as resources:
        try:
            resources.enter_context(locked_folder(folder))
        except BlockingIOError as error:
            raise TrainingError(f"another process is working in {folder}") from error
        remove_unfinished(folder, written)
        yield


def work_alone(
    folder: Path,
    written: Collection[str],
    work: Callable[[Stop], _Result | None],
) -> _Result | None:
    """Do a run's work alone in its folder; None, and a line on stderr, where it was stopped.

    Args:
        work: is given what says whether to stop, and returns None then.
        written: as for `alone_in`, and so are the errors.
    """
    with alone_in(folder, written), stop_on_signals() as stop:
        try:
            result = work(stop)
        except KeyboardInterrupt:
            result = None
    if result is None:
        tell(f"stopped; {how_to_resume(folder)}")
    return result


def save_note(model: Path, facts: Mapping[str, Any]) -> None:
    """Write how a model was made beside its file, as JSON.

    Raises:
        OSError: the note cannot be written.
    """
    write_whole(model.with_suffix(".json"), json.dumps(facts, indent=2) + "\n")


def today_here() -> dict[str, str]:
    """Return day and machine, for the provenance of a model that is saved now."""
    return {"saved": datetime.now(UTC).strftime("%Y-%m-%d"), "machine": machine()}


def machine() -> str:
    """Return processor, cores and system in a line."""
    processor = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    python = platform.python_version()
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {python}"
