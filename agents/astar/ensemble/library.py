"""The library: the pattern trees of known opponents, each as its counter-strategy has met it.

The file is msgpack: a map of "kind", "version", "facts", "opponents" and "sha256".  The opponents
are msgpack again, as bytes: a list of maps of "name" and, little-endian, one item for each node,

    counts      (N, 3 + MOVES) uint32      visits, folds, showdowns, and the opponent's moves
    strength    (N,) float32               sum of the equities shown
    children    (N, MOVES) uint16          number of the node after each move, 0 for none

Squares of strengths are not kept: no likeness needs them.  The digest is that of these bytes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, Final

import msgpack  # type: ignore[import-untyped]
import numpy as np

from agents.errors import AgentError
from agents.patterns.raise_classes import MOVES
from agents.patterns.trees_kernels import (
    ACTIONS,
    CHILDREN,
    FOLDS,
    ROOTS,
    SHOWDOWNS,
    STRENGTH,
    VISITS,
    WIDTH,
)
from engine.errors import DamagedDocument
from engine.storage.atomic import write_whole
from engine.storage.documents import guarded_document

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

KIND: Final = "arena pattern trees"
VERSION: Final = 1
MOST_FILE_BYTES: Final = 64 << 20
MOST_NODES: Final = 1 << 20
"""Each opponent takes as many in memory as the one with most of them; ours have 20 000."""
_COUNTED: Final = [VISITS, FOLDS, SHOWDOWNS, *range(ACTIONS, ACTIONS + MOVES)]


class LibraryDamaged(AgentError):
    """A file of pattern trees cannot be read as one."""

    exit_code = 2


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """Pattern trees of known opponents."""

    names: tuple[str, ...]
    trees: tuple[NDArray[np.float64], ...]
    """(N, WIDTH) the nodes of each, see `agents.patterns.trees_kernels`; N may differ."""
    facts: dict[str, Any] = field(default_factory=dict)
    """How it was made, plain values."""

    def stacked(self) -> NDArray[np.float64]:
        """Return (L, N, WIDTH) all of them, those with fewer nodes filled up with empty ones."""
        nodes_by_tree = np.zeros((len(self.trees), max(map(len, self.trees)), WIDTH))
        for row, nodes in zip(nodes_by_tree, self.trees, strict=True):
            row[: len(nodes)] = nodes
        return nodes_by_tree

    def save(self, path: Path) -> None:
        """Write the file whole.

        Raises:
            OSError: it cannot be written.
        """
        opponents = msgpack.packb(
            [_packed(name, nodes) for name, nodes in zip(self.names, self.trees, strict=True)]
        )
        content = {
            "kind": KIND,
            "version": VERSION,
            "facts": self.facts,
            "opponents": opponents,
            "sha256": hashlib.sha256(opponents).digest(),
        }
        write_whole(path, msgpack.packb(content))

    @classmethod
    def load(cls, path: Path) -> Library:
        """Read a file.

        Raises:
            LibraryDamaged: it is missing, or holds something else; the message says what is wrong.
        """
        try:
            status = path.stat()
            if not S_ISREG(status.st_mode):
                raise ValueError("a directory or a device, no file")
            if status.st_size > MOST_FILE_BYTES:
                raise ValueError("it is too long")
            content = _unpacked(path.read_bytes())
            if content["kind"] != KIND:
                raise ValueError("it holds something else")
            if content["version"] != VERSION:
                raise ValueError(f"version {content['version']}, want {VERSION}")
            if hashlib.sha256(content["opponents"]).digest() != content["sha256"]:
                raise ValueError("its checksum is wrong")
            opponents = [_opened(opponent) for opponent in _unpacked(content["opponents"])]
            if not opponents:
                raise ValueError("it is empty")
            names, trees = zip(*opponents, strict=True)
            if len(set(names)) < len(names):
                raise ValueError("a name is there twice")
            if len(names) * max(map(len, trees)) > MOST_NODES:
                raise ValueError("too many nodes")
            return cls(names, trees, dict(content["facts"]))
        except OSError as error:
            raise LibraryDamaged(f"{path}: {error.strerror or error}") from error
        except (LookupError, TypeError, ValueError) as error:
            raise LibraryDamaged(f"{path}: no pattern trees: {error}") from error


def used_nodes(nodes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the nodes of a memory that were made, the roots at least."""
    last = int(nodes[:, CHILDREN : CHILDREN + MOVES].max())
    return nodes[: max(last + 1, ROOTS)].copy()


def _packed(name: str, nodes: NDArray[np.float64]) -> dict[str, Any]:
    return {
        "name": name,
        "counts": nodes[:, _COUNTED].astype("<u4").tobytes(),
        "strength": nodes[:, STRENGTH].astype("<f4").tobytes(),
        "children": nodes[:, CHILDREN : CHILDREN + MOVES].astype("<u2").tobytes(),
    }


def _opened(opponent: Any) -> tuple[str, NDArray[np.float64]]:
    counts = np.frombuffer(opponent["counts"], "<u4").reshape(-1, len(_COUNTED))
    nodes = np.zeros((len(counts), WIDTH))
    nodes[:, _COUNTED] = counts
    nodes[:, STRENGTH] = np.frombuffer(opponent["strength"], "<f4")
    children = np.frombuffer(opponent["children"], "<u2").reshape(-1, MOVES)
    nodes[:, CHILDREN : CHILDREN + MOVES] = children
    if len(nodes) < ROOTS or not np.isfinite(nodes).all() or children.max() >= len(nodes):
        raise ValueError("nodes that are none")
    return str(opponent["name"]), nodes


def _unpacked(data: bytes) -> Any:
    try:
        return guarded_document("msgpack", lambda: msgpack.unpackb(data))
    except DamagedDocument as error:
        raise ValueError("it is no msgpack") from error
