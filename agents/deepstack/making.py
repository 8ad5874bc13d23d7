"""Making solved situations: many processes and machines, pauses, and runs that were killed.

A file is the unit of work: it is written whole, and what is in it depends on configuration and
block alone.  So whatever is there when a run ends is kept, and the same command makes the rest.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.deepstack.data import SUFFIX, check_same, file_of, read_block, save_block
from agents.deepstack.situations import SituationSource
from agents.deepstack.solving import solve_situation
from agents.errors import TrainingError
from engine.parallel.processes import in_order
from engine.storage.atomic import remove_unfinished, write_whole
from engine.storage.locks import take_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agents.deepstack.configuration import Configuration
    from engine.parallel.cluster import Cluster
    from engine.parallel.shards import Shard

_PAUSE_SECONDS: Final = 1.0
_LOCK_SECONDS: Final = 5.0
"""The workers of a killed run need a moment to end, and hold its lock until then."""


class DataRun:
    """One shard of a data set, made in a folder that other shards may share."""

    def __init__(
        self, configuration: Configuration, folder: Path, count: int, shard: Shard
    ) -> None:
        """Make nothing yet.

        Args:
            count: situations of all shards, rounded up to whole files.
        """
        self._configuration: Final = configuration
        self._folder: Final = folder
        self._shard: Final = shard
        self.blocks: Final = [*shard.part(range(-(-count // configuration.block)))]

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Make the folder where there is none, and hold the shard's lock in it.

        What killed runs of the shard left unfinished is deleted.

        Raises:
            TrainingError: another process is making this shard.
            OSError: the folder cannot be made or read.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = self._folder / f".{self._shard.name}.lock"
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            take_lock(descriptor, _LOCK_SECONDS)
            names = [file_of(self._folder, block).name for block in self.blocks]
            remove_unfinished(self._folder, names)
            yield
        except BlockingIOError as error:
            raise TrainingError(f"another process makes this shard in {self._folder}") from error
        finally:
            os.close(descriptor)

    def missing(self) -> list[int]:
        """Return the blocks that are still to be made.

        Raises:
            ArtifactMismatch: a file of the folder is damaged, or of another configuration.
        """
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            check_same(self._configuration, read_block(path)[0], path)
        return [block for block in self.blocks if not file_of(self._folder, block).exists()]

    def make(
        self,
        blocks: list[int],
        jobs: int,
        pause: Path | None = None,
        cluster: Cluster | None = None,
    ) -> Iterator[float]:
        """Yield for each block, once it is on disk, the seconds that it took without pauses.

        0 for a block that another run has made meanwhile.

        Args:
            pause: while there is such a file, all work rests.
            cluster: who makes them in place of processes of this machine.

        Raises:
            WorkersFailed: of the cluster.
            AgentError, EngineError: the policy cannot be opened, or it does not play.
            OSError: a file cannot be written.
        """
        if cluster is None:
            yield from in_order(_start, (self._configuration, self._folder, pause), blocks, jobs)
            return
        made = in_order(
            _start_elsewhere, (self._configuration,), blocks, jobs, cluster=cluster, alike=_same
        )
        for block, (seconds, data) in zip(blocks, made, strict=True):
            write_whole(file_of(self._folder, block), data)
            yield seconds


def _start(
    configuration: Configuration, folder: Path, pause: Path | None
) -> Callable[[int], float]:
    source = SituationSource(configuration)

    def make(block: int) -> float:
        if file_of(folder, block).exists():  # another run has made it since
            return 0.0
        begun, rested = time.monotonic(), 0.0
        solved = []
        for situation in source.block(block):
            rested += _rest(pause)
            solved.append(solve_situation(situation, configuration))
        save_block(folder, block, configuration, solved)
        return time.monotonic() - begun - rested

    return make


def _start_elsewhere(configuration: Configuration) -> Callable[[int], tuple[float, bytes]]:
    """Return what makes a block on any machine: the seconds that it took, and its file."""
    source = SituationSource(configuration)

    def make(block: int) -> tuple[float, bytes]:
        begun = time.monotonic()
        solved = [solve_situation(one, configuration) for one in source.block(block)]
        with tempfile.TemporaryDirectory() as folder:
            save_block(Path(folder), block, configuration, solved)
            data = file_of(Path(folder), block).read_bytes()
        return time.monotonic() - begun, data

    return make


def _same(sent: tuple[float, bytes], here: tuple[float, bytes]) -> bool:
    return sent[1] == here[1]


def _rest(pause: Path | None) -> float:
    """Wait while there is a file; return the seconds."""
    begun = time.monotonic()
    while pause is not None and pause.is_file():
        time.sleep(_PAUSE_SECONDS)
    return time.monotonic() - begun
