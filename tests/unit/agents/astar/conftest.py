"""A folder of small networks and their library, as `arena train library` makes it."""

import pytest

from agents.astar.ensemble.library import Library
from agents.astar.ensemble_models import (
    BASE_STEM,
    KNOWN_LIBRARY,
    WIDE_LIBRARY,
    library_file,
    network_file,
)
from agents.astar.family import ASTAR
from agents.astar.library_making import make_library
from agents.evolution.network import EvolvedNetwork
from tests.unit.agents.astar.grown import GAME_ANEW, HUNL, SHAPE, some_genome


@pytest.fixture(scope="session")
def small_models(tmp_path_factory):
    """Random networks that counter O2 and O8, and a base strategy."""
    folder = tmp_path_factory.mktemp("models")
    networks = {
        name: EvolvedNetwork(ASTAR.name, SHAPE, GAME_ANEW, some_genome(seed), {"deals": 10})
        for seed, name in enumerate(("O2", "O8", BASE_STEM), 1)
    }
    for name, network in networks.items():
        network.save(network_file(name, folder))
    del networks[BASE_STEM]
    library: Library = make_library(HUNL, networks, 300, 1)
    for name in (KNOWN_LIBRARY, WIDE_LIBRARY):
        library.save(library_file(name, folder))
    return folder
