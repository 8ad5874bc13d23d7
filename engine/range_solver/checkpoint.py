"""A vector solve on disk: saved between iterations and resumed bit for bit.

The file holds the tables and state after the last iteration.  It also has digests of the game, the
settings and the root gadget, and the name of the source of leaf values.  After loading, the next
iteration is bit for bit the one that would have come.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.errors import ArtifactMismatch
from engine.range_solver.records import RangeTables, StrategyRule
from engine.range_solver.root import RootGadget
from engine.range_solver.solver import RangeSolver, SolverState
from engine.range_solver.tables import Level
from engine.storage.artifacts import Kind, load_artifact, save_artifact

KIND: Final = Kind("unfinished solve", 3, "name another file, or delete it to begin anew")

_OTHERS: Final = {
    "game": "another subgame, or to other settings",
    "root": "a solve with another gadget at the root, or with none",
    "leaves": "a solve with other leaf values",
}


def save_solve(
    solver: RangeSolver, path: Path, algorithm: str = "", chosen: Mapping[str, Any] | None = None
) -> None:
    """Write what `load_solve` goes on from; an older file stays until this one is complete.

    Args:
        algorithm: what the iterations have been; the solver itself does not know.
        chosen: state of a choice among algorithms, for JSON.

    Raises:
        OSError: the file cannot be written.
        ValueError: the solver has leaf values without a name.
    """
    learnt = solver.learnt
    facts = {
        **_owner(solver),
        "algorithm": algorithm,
        "iterations": learnt.iterations,
        "plays": [list(play) for play in learnt.rules],
        "chosen": dict(chosen or {}),
    }
    arrays: dict[str, NDArray[Any]] = {}
    for level, sides in enumerate(learnt.tables):
        for player, tables in enumerate(sides):
            for name, array in tables._asdict().items():
                arrays[f"{name}_{level}_{player}"] = array
    arrays |= {f"root_{name}": array for name, array in learnt.root.items()}
    save_artifact(path, KIND, facts, arrays)


def load_solve(solver: RangeSolver, path: Path, algorithm: str = "") -> dict[str, Any]:
    """Load the state of a file into `solver`, which was made for the same game and settings.

    Args:
        solver: what it has learnt is overwritten.
        algorithm: what is to be resumed; another one's averages cannot be mixed with its own.

    Returns:
        The saved state of the choice among algorithms; empty without one.

    Raises:
        ArtifactMismatch: the file is missing or damaged, or belongs to another subgame, gadget,
            source of leaf values or algorithm.
        ValueError: the solver has leaf values without a name.
    """
    facts, arrays = load_artifact(path, KIND)
    for name, owner in _owner(solver).items():
        if facts.get(name, "") != owner:
            raise ArtifactMismatch(f"{path}: belongs to {_OTHERS[name]}; {KIND.remedy}")
    if facts.get("algorithm") != algorithm:
        raise ArtifactMismatch(
            f"{path}: begun with {facts.get('algorithm')}, not {algorithm}; {KIND.remedy}"
        )
    try:
        levels: list[Level] = []
        for level in range(solver.game.levels):
            first, second = (
                RangeTables(*(arrays[f"{name}_{level}_{player}"] for name in RangeTables._fields))
                for player in (0, 1)
            )
            levels.append((first, second))
        first_rule, second_rule = (StrategyRule(*play) for play in facts["plays"])
        root = {
            name.removeprefix("root_"): array
            for name, array in arrays.items()
            if name.startswith("root_")
        }
        solver.resume(
            SolverState(int(facts["iterations"]), (first_rule, second_rule), levels, root)
        )
        return dict(facts.get("chosen", {}))
    except (KeyError, TypeError, ValueError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error


def _owner(solver: RangeSolver) -> dict[str, str]:
    """Return what tables depend on, by name; "" for a missing gadget or missing leaves."""
    leaves = ""
    if solver.limit is not None and solver.game.leaves:
        if solver.limit.name is None:
            raise ValueError("leaf values without a name do not go with a checkpoint")
        leaves = _digest([b"leaves", solver.limit.name.encode()])
    root = "" if solver.root is None else _digest(_gadget_parts(solver.root))
    return {"game": _digest(_parts(solver)), "root": root, "leaves": leaves}


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
        digest.update(b"|")
    return digest.hexdigest()


def _gadget_parts(gadget: RootGadget) -> Iterator[bytes]:
    yield type(gadget).__name__.encode()
    for name, value in sorted(gadget.identity().items()):
        array = np.asarray(value)
        yield repr((name, array.shape, array.dtype.str)).encode()
        yield array.tobytes()


def _parts(solver: RangeSolver) -> Iterator[bytes]:
    game, settings = solver.game, solver.settings
    tree = game.tree
    yield repr((game.board, settings.alternating, settings.storage, settings.isomorphism)).encode()
    for array in (tree.kind, tree.street, tree.parent, tree.action, tree.raise_to, tree.spent):
        yield array.tobytes()
    yield game.beliefs.tobytes()
    if game.leaves:
        yield repr(sorted(game.leaf_nodes)).encode()
    if settings.portions > 1:
        yield repr(settings.portions).encode()
