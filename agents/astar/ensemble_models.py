"""The networks and the library that come along, or those of another folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.astar.ensemble.library import Library, LibraryDamaged
from agents.astar.ensemble.policy import BaseStrategy, ensemble_policy
from agents.astar.family import NETWORK_FAMILIES, looks_ahead
from agents.evolution.network import SUFFIX, EvolvedNetwork, NetworkDamaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.astar.ensemble.policy import Blending
    from agents.recurrent.shape import NetShape
    from engine.play.compiled_policy import CompiledPolicy

MODELS: Final = Path(__file__).with_name("models")
KNOWN_LIBRARY: Final = "known"
WIDE_LIBRARY: Final = "wide"
BASE_STEM: Final = "base"
REFUGE_STEM: Final = "refuge"
BASE_FACT: Final = "base"
"""Fact of a library: the stem of its base strategy."""


_NETWORK: Final = re.compile(r"\w[\w.+@-]{0,199}")
_STEM: Final = re.compile(r"\w[\w.-]{0,63}")


def usual_library(folder: Path, wanted: str) -> str:
    """Return a library by name if the folder has it, else the only one that it has.

    Raises:
        LibraryDamaged: it has none, or several others.
    """
    if library_file(wanted, folder).exists():
        return wanted
    names = sorted(path.stem for path in folder.glob("*.library"))
    if len(names) == 1:
        return names[0]
    others = f"it has {', '.join(names)}: name one by --library" if names else "it has no library"
    raise LibraryDamaged(f"{library_file(wanted, folder)}: not there; {others}")


@dataclass(frozen=True, slots=True, eq=False)
class EnsembleModels:
    """Counter-strategies of one shape, the trees of those whom they counter, and a base."""

    shape: NetShape
    """Of the counter-strategies."""
    resets: int
    genomes: NDArray[np.float32]
    """(L, G) the counter-strategies in the order of the library."""
    library: Library
    base: EvolvedNetwork
    """The base strategy, of any shape."""


def network_file(name: str, folder: Path = MODELS) -> Path:
    """Return the file of a network: `BASE_STEM`, or the name of an opponent."""
    return folder / f"{name}{SUFFIX}"


def check_name(name: str) -> None:
    """Raise ValueError where a name is none of a network: it would lead out of a folder."""
    if not _NETWORK.fullmatch(name):
        raise ValueError(f"network {name!r}: want letters, digits and .+@-, 200 at most")


def check_free(path: Path, network: EvolvedNetwork) -> None:
    """Raise ValueError where a file holds another network: libraries beside would play this one."""
    if not path.exists():
        return
    stored = EvolvedNetwork.load(path, *NETWORK_FAMILIES)
    stored_facts = (stored.family, stored.shape, stored.resets, stored.genome.tobytes())
    if stored_facts != (network.family, network.shape, network.resets, network.genome.tobytes()):
        raise ValueError(f"{path} is another network; delete it, or name another folder")


@cache
def load_network(name: str, folder: Path = MODELS) -> EvolvedNetwork:
    """Return one network.

    Raises:
        NetworkDamaged: its file is missing or damaged.
    """
    return EvolvedNetwork.load(network_file(name, folder), *NETWORK_FAMILIES)


def library_file(name: str = KNOWN_LIBRARY, folder: Path = MODELS) -> Path:
    """Return the file of a library.

    Raises:
        ValueError: this is no name of a library.
    """
    if not _STEM.fullmatch(name):
        raise ValueError(f"library {name!r}: want letters, digits, dots and dashes, 64 at most")
    return folder / f"{name}.library"


@cache
def load_models(folder: Path = MODELS, name: str = KNOWN_LIBRARY) -> EnsembleModels:
    """Return a library of a folder, and the networks for it.

    Raises:
        LibraryDamaged: it has no library, or an empty or damaged one.
        NetworkDamaged: a network of it is missing or damaged, or a counter-strategy is of another
            shape than the others.
        ValueError: this is no name of a library.
    """
    library = Library.load(library_file(name, folder))
    base = str(library.facts.get(BASE_FACT, BASE_STEM))
    for file_name in (*library.names, base):
        try:
            check_name(file_name)
        except ValueError as error:
            raise LibraryDamaged(f"{library_file(name, folder)}: {error}") from error
    networks = [load_network(name, folder) for name in library.names]
    first = networks[0]
    for name, network in zip(library.names, networks, strict=True):
        if (network.shape, network.resets) != (first.shape, first.resets):
            raise NetworkDamaged(
                f"{network_file(name, folder)}: of another shape than {library.names[0]}"
            )
    genomes = np.stack([network.genome for network in networks])
    return EnsembleModels(first.shape, first.resets, genomes, library, load_network(base, folder))


def ensemble_of(models: EnsembleModels, blending: Blending, seed: int) -> CompiledPolicy:
    """Return the ensemble of some models as a player."""
    network = models.base
    base = BaseStrategy(network.shape, network.genome, network.resets, looks_ahead(network))
    return ensemble_policy(
        models.shape, models.genomes, base, models.library, models.resets, blending, seed
    )
