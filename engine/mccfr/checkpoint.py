"""Saving an MCCFR run and resuming it exactly where it was.

An artifact file (`engine.storage.artifacts`) with the tables, the state of all generators and the
number of iterations.  It also identifies what was trained: the betting tree and layout by a digest,
the card abstraction by the buckets of some fixed deals, and each setting.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.errors import ArtifactMismatch, EngineError
from engine.mccfr.external_sampling import Mccfr
from engine.mccfr.settings import MccfrSettings
from engine.storage.artifacts import Artifact, Kind, load_artifact, save_artifact

if TYPE_CHECKING:
    from engine.abstraction.buckets import Abstraction
    from engine.betting.info_sets import InfoSets
    from engine.mccfr.restraint import Restraint
    from engine.mccfr.sample_deals import DealSource

KIND: Final = Kind("MCCFR checkpoint", 2, "resume another checkpoint, or train again")

_FREE_SETTINGS: Final = ("memory_limit",)
"""Nothing that is learned depends on them."""

_LARGEST_ENTRY: Final = 1e30
"""Sums of regrets so large are still finite."""
_SUM_TOLERANCE: Final = 1e-3
_GENERATOR_KIND: Final = "PCG64"


def save_run(run: Mccfr, path: Path) -> None:
    """Write a checkpoint; an older file stays until the new one is complete.

    Raises:
        OSError: the file cannot be written.
        ValueError: a generator of another kind than `numpy.random.default_rng` makes.
    """
    states = [generator.bit_generator.state for generator in run.generators]
    kind = states[0]["bit_generator"]
    if kind != _GENERATOR_KIND:
        raise ValueError(f"cannot save a {kind} generator, only a {_GENERATOR_KIND}")
    facts = {
        "iterations": int(run.iterations),
        "nodes": int(run.nodes),
        "weight": float(run.weight),
        "generators": states,
        "trained_on": _identity(run),
        "settings": _told(run.settings),
    }
    save_artifact(path, KIND, facts, _tables(run))


def load_run(
    path: Path,
    info_sets: InfoSets,
    abstraction: Abstraction,
    settings: MccfrSettings | None = None,
    source: DealSource | None = None,
    restraint: Restraint | None = None,
) -> Mccfr:
    """Return a run that continues as the saved one would have.

    Args:
        info_sets: the game, as the saved run had it; abstraction and settings and source likewise.
        restraint: likewise; what its free part has learned is written over.

    Raises:
        ArtifactMismatch: the file is missing, damaged or not a checkpoint, or the saved run had
            another game, abstraction or settings; the message says which.
        InvalidGame: abstraction and information sets do not fit together.
        OutOfMemory: the tables would take more than the settings allow.
    """
    settings = settings or MccfrSettings()
    saved = load_artifact(path, KIND)
    try:
        _check_identity(path, saved.facts, settings)
        run = Mccfr(info_sets, abstraction, np.random.default_rng(0), settings, source, restraint)
        identity, trained_on = _identity(run), saved.facts["trained_on"]
        for name in identity | trained_on:
            if trained_on.get(name) != identity.get(name):
                raise ArtifactMismatch(f"{path}: trained on another {name}")
        _take(run, saved)
    except EngineError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ArtifactMismatch(f"{path}: damaged: {error}; {KIND.remedy}") from error
    return run


def _check_identity(path: Path, facts: dict[str, Any], settings: MccfrSettings) -> None:
    """Raise ArtifactMismatch where a run had other settings."""
    if facts["settings"] != _told(settings):
        settings_facts = _told(settings)
        names = [
            name for name in settings_facts if facts["settings"].get(name) != settings_facts[name]
        ]
        raise ArtifactMismatch(f"{path}: trained with other settings: {', '.join(names)}")


def _take(run: Mccfr, saved: Artifact) -> None:
    """Set the saved state of a new run; invalid data raises one of many kinds of exception."""
    facts = saved.facts
    for generator, state in zip(run.generators, facts["generators"], strict=True):
        generator.bit_generator.state = state
    for name, table in _tables(run).items():
        cells = saved.arrays[name]
        if (cells.shape, cells.dtype) != (table.shape, table.dtype):
            raise ValueError(f"{name}: want {table.shape} {table.dtype}")
        table[:] = cells
        if not run.settings.whole_regrets:
            if not (np.abs(table) <= _LARGEST_ENTRY).all():  # nor is nan
                raise ValueError("a number is not finite, or far too large")
            table[np.abs(table) < np.finfo(np.float32).tiny] = 0  # which has no inverse
    for node in run.info_sets.tree.decisions.tolist():
        average = run.average(node)
        if (average < 0).any() or (np.abs(average.sum(axis=1) - 1) > _SUM_TOLERANCE).any():
            raise ValueError("sums of strategies make no probabilities")
    run.iterations, run.nodes = _count(facts, "iterations"), _count(facts, "nodes")
    run.weight = float(facts["weight"])
    if not 0 <= run.weight < math.inf:
        raise ValueError(f"weight: {run.weight}")


def _tables(run: Mccfr) -> dict[str, NDArray[np.float32]]:
    """Return what has been learned."""
    free = {} if run.restraint is None else {"free": run.restraint.free}
    return {"cells": run.cells, **free}


def _count(facts: dict[str, Any], name: str) -> int:
    if type(facts[name]) is not int or not 0 <= facts[name] < 1 << 62:
        raise ValueError(f"{name}: want a whole number, 0 or more")
    return int(facts[name])


def _identity(run: Mccfr) -> dict[str, str]:
    info_sets = run.info_sets
    bucket, result, *_ = run.source.deal(np.arange(256, dtype=np.uint64))
    layout = info_sets.walk, info_sets.start, info_sets.width, info_sets.tree.raise_to
    opponent = {} if run.restraint is None else {"opponent": _digest(run.restraint.fixed)}
    return {
        "betting tree": _digest(*layout),
        "card abstraction": _digest(bucket, result),
        **opponent,
    }


def _digest(*arrays: NDArray[Any]) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


def _told(settings: MccfrSettings) -> dict[str, Any]:
    """Return settings as JSON has them: no infinity, and only Python's own numbers."""
    facts = asdict(settings)
    facts["variant"]["matching"] = settings.variant.matching.value
    facts["floor"] = repr(float(settings.floor))
    facts = {name: value for name, value in facts.items() if name not in _FREE_SETTINGS}
    plain: dict[str, Any] = json.loads(json.dumps(facts, default=np.generic.item))
    return plain
