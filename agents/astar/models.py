"""The networks and the library that come along, or those of another folder."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.astar.ensemble.library import Library
from agents.astar.family import ASTAR
from agents.evolution.network import SUFFIX, EvolvedNetwork, NetworkDamaged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.recurrent.shape import NetShape

MODELS: Final = Path(__file__).with_name("models")
KNOWN: Final = "known"
"""Stem of the library of those whom the article knows."""
WIDE: Final = "wide"
"""Stem of that library with points of the plane beside them."""
BASE: Final = "base"
"""Stem of the base strategy's file, unless the library names another one; a counter-strategy's is
the name of its opponent."""
REFUGE: Final = "refuge"
"""Stem of the base strategy that nobody is to punish."""
BASE_FACT: Final = "base"
"""Fact of a library: the stem of its base strategy."""


_STEM: Final = re.compile(r"\w[\w.-]{0,63}")


@dataclass(frozen=True, slots=True, eq=False)
class EnsembleModels:
    """Networks of one shape, and the trees of those whom they counter."""

    shape: NetShape
    resets: int
    genomes: NDArray[np.float32]
    """(L + 1, G) the counter-strategies in the order of the library, then the base strategy."""
    library: Library


def network_file(name: str, folder: Path = MODELS) -> Path:
    """Return the file of a network: `BASE`, or the name of an opponent."""
    return folder / f"{name}{SUFFIX}"


@cache
def load_network(name: str, folder: Path = MODELS) -> EvolvedNetwork:
    """Return one network.

    Raises:
        NetworkDamaged: its file is missing or damaged.
    """
    return EvolvedNetwork.load(network_file(name, folder), ASTAR)


def library_file(name: str = KNOWN, folder: Path = MODELS) -> Path:
    """Return the file of a library.

    Raises:
        ValueError: this is no name of a library.
    """
    if not _STEM.fullmatch(name):
        raise ValueError(f"library {name!r}: want letters, digits, dots and dashes, 64 at most")
    return folder / f"{name}.library"


@cache
def load_models(folder: Path = MODELS, name: str = KNOWN) -> EnsembleModels:
    """Return a library of a folder, and the networks for it.

    Raises:
        LibraryDamaged: it has no library, or an empty or damaged one.
        NetworkDamaged: a network of it is missing, damaged or of another shape than the others.
        ValueError: this is no name of a library.
    """
    library = Library.load(library_file(name, folder))
    names = (*library.names, str(library.facts.get(BASE_FACT, BASE)))
    networks = [load_network(name, folder) for name in names]
    first = networks[0]
    for name, network in zip(names, networks, strict=True):
        if (network.shape, network.resets) != (first.shape, first.resets):
            raise NetworkDamaged(
                f"{network_file(name, folder)}: of another shape than {library.names[0]}"
            )
    genomes = np.stack([network.genome for network in networks])
    return EnsembleModels(first.shape, first.resets, genomes, library)
