"""Files of solved situations, and folders of them: written whole, mapped into memory when read.

A folder has one file for each block of a configuration, `000017.situations`; a file is an artifact
whose facts are the configuration and the block, and whose arrays are, for S situations,

    board           (S, 0 to 5) uint8   cards ascending, in the suits of `situations.canonical`
    pot             (S,) int32          chips in the middle, half from each player; a blind is 100
    stack           (S,) int32          chips that each player has left
    ranges          (S, 2, 1326) float16  weights, 1 for the likeliest hand; player 0 acts first
    values          (S, 2, 1326) float16  pots, see `solving.SolvedSituation`; 0 for blocked hands
    exploitability  (S,) float32        of the solution, pots
    iterations      (S,) int32
    source          (S,) uint8          place in `configuration.SOURCES`
    held_out        (S,) bool           whether the board is in the tenth that nobody trains on
"""

from __future__ import annotations

import hashlib
import shutil
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.deepstack.configuration import Configuration
from engine.errors import ArtifactMismatch
from engine.hands.cards import COMBOS
from engine.storage.artifacts import Kind, load_artifact, save_artifact
from engine.storage.atomic import replacing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from agents.deepstack.solving import SolvedSituation

KIND: Final = Kind("solved situations", 1, "make it anew with `arena data values`")
SUFFIX: Final = ".situations"
_BOARDS_PER_HELD_OUT: Final = 10
_MOST_MAPPED_FILES: Final = 64
"""Each takes a file descriptor."""


def file_of(folder: Path, block: int) -> Path:
    """Return the file of a block."""
    return folder / f"{block:06d}{SUFFIX}"


def is_held_out(told_by: bytes) -> bool:
    """Return whether something is in the tenth that nobody trains on.

    Args:
        told_by: of a board its cards in canonical suits; before the flop, of a situation its
            ranges.
    """
    digest = hashlib.sha256(told_by).digest()
    return int.from_bytes(digest[:8], "little") % _BOARDS_PER_HELD_OUT == 0


def save_block(
    folder: Path, block: int, configuration: Configuration, solved: Sequence[SolvedSituation]
) -> None:
    """Write the file of a block, whole.

    Raises:
        OSError: it cannot be written.
    """
    situations = [result.situation for result in solved]
    identities = [bytes(one.board) or one.ranges.tobytes() for one in situations]
    arrays: dict[str, NDArray[Any]] = {
        "board": np.array([situation.board for situation in situations], np.uint8),
        "pot": np.array([situation.pot for situation in situations], np.int32),
        "stack": np.array([situation.stack for situation in situations], np.int32),
        "ranges": np.stack([situation.ranges for situation in situations]),
        "values": np.stack([result.values.astype(np.float16) for result in solved]),
        "exploitability": np.array([result.exploitability for result in solved], np.float32),
        "iterations": np.array([result.iterations for result in solved], np.int32),
        "source": np.array([situation.source for situation in situations], np.uint8),
        "held_out": np.array([is_held_out(told_by) for told_by in identities], np.bool_),
    }
    facts = {"configuration": configuration.facts(), "block": block}
    save_artifact(file_of(folder, block), KIND, facts, arrays)


def read_block(
    path: Path, *, verify: bool = False
) -> tuple[Configuration, int, dict[str, NDArray[Any]]]:
    """Map a file: its configuration, block and arrays.

    Args:
        verify: whether to compare checksums.

    Raises:
        ArtifactMismatch: it is missing, damaged or something else.
    """
    facts, arrays = load_artifact(path, KIND, verify=verify)
    try:
        configuration, block = Configuration(**facts["configuration"]), facts["block"]
        if path.name != file_of(path.parent, int(block)).name:
            raise ValueError(f"it holds block {block}")
        _check(configuration, arrays)
    except (LookupError, TypeError, ValueError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error
    return configuration, int(block), arrays


def _check(configuration: Configuration, arrays: Mapping[str, NDArray[Any]]) -> None:
    count = configuration.block
    wanted: dict[str, tuple[type[np.generic], tuple[int, ...]]] = {
        "board": (np.uint8, (count, configuration.cards)),
        "pot": (np.int32, (count,)),
        "stack": (np.int32, (count,)),
        "ranges": (np.float16, (count, 2, COMBOS)),
        "values": (np.float16, (count, 2, COMBOS)),
        "exploitability": (np.float32, (count,)),
        "iterations": (np.int32, (count,)),
        "source": (np.uint8, (count,)),
        "held_out": (np.bool_, (count,)),
    }
    for name, (dtype, shape) in wanted.items():
        if arrays[name].dtype != dtype or arrays[name].shape != shape:
            actual = f"{arrays[name].dtype} {arrays[name].shape}"
            raise ValueError(f"{name} is {actual}, want {np.dtype(dtype)} {shape}")


class SolvedData:
    """All situations of a folder, in order of their blocks."""

    def __init__(self, folder: Path, *, verify: bool = False) -> None:
        """Look at every file.

        Args:
            verify: whether to compare checksums, too.

        Raises:
            ArtifactMismatch: a file is damaged, of another configuration, or there is none.
            OSError: the folder cannot be read.
        """
        self.files: Final = tuple(sorted(folder.glob(f"*{SUFFIX}")))
        if not self.files:
            raise ArtifactMismatch(f"{folder}: no {SUFFIX} files; {KIND.remedy}")
        headers = [read_block(path, verify=verify)[:2] for path in self.files]
        found = [configuration for configuration, _ in headers]
        self.configuration: Final = common_configuration(found, self.files)
        self.blocks: Final = tuple(block for _, block in headers)
        self._mapped = lru_cache(_MOST_MAPPED_FILES)(lambda index: read_block(self.files[index])[2])

    def __len__(self) -> int:
        return len(self.files) * self.configuration.block

    def block(self, index: int) -> dict[str, NDArray[Any]]:
        """Return the arrays of a file by its place in `files`, mapped; see the module's text."""
        return self._mapped(index)

    def column(self, name: str) -> NDArray[Any]:
        """Return one array of all situations, copied: for the small ones."""
        return np.concatenate([self.block(index)[name] for index in range(len(self.files))])

    def rows(self, name: str, numbers: NDArray[np.integer]) -> NDArray[Any]:
        """Return one array of some situations, by their number from 0, copied."""
        places, within = np.divmod(numbers, self.configuration.block)
        picked = [
            self.block(int(index))[name][row] for index, row in zip(places, within, strict=True)
        ]
        return np.stack(picked)


def check_same(first: Configuration, second: Configuration, path: Path) -> None:
    """Raise ArtifactMismatch where a file is of another configuration than others."""
    if differences := first.differences(second):
        raise ArtifactMismatch(f"{path}: of another configuration: {'; '.join(differences)}")


def common_configuration(
    configurations: Sequence[Configuration], paths: Sequence[Path]
) -> Configuration:
    """Return the configuration of all files, with its networks' digests if one of them has them.

    Raises:
        ArtifactMismatch: a file is of another configuration than others.
    """
    first = max(configurations, key=lambda one: (one.network_sha256 > "", one.asked_sha256 > ""))
    for configuration, path in zip(configurations, paths, strict=True):
        check_same(first, configuration, path)
    return first


def merge_data(folders: Sequence[Path], out: Path) -> int:
    """Copy the files of some folders into one; return how many situations are then there.

    Args:
        out: may have files, of the same configuration.

    Raises:
        ArtifactMismatch: a file is damaged, of another configuration, or there twice.
        OSError: a folder cannot be read, or a file not be written.
    """
    parts = [SolvedData(folder, verify=True) for folder in folders]
    there = [SolvedData(out)] if any(out.glob(f"*{SUFFIX}")) else []
    origins: dict[str, Path] = {}
    every = [*parts, *there]
    common_configuration([part.configuration for part in every], [part.files[0] for part in every])
    for part in (*there, *parts):
        for path in part.files:
            if path.name in origins:
                raise ArtifactMismatch(f"{path}: the same situations as {origins[path.name]}")
            origins[path.name] = path
    out.mkdir(parents=True, exist_ok=True)
    for path in (path for part in parts for path in part.files):
        with path.open("rb") as source, replacing(out / path.name) as target:
            shutil.copyfileobj(source, target)
    return len(origins) * parts[0].configuration.block
