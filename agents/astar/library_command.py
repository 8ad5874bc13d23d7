"""`arena train library`: gather networks, and let each meet the opponent that it counters."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Final

from agents.errors import TrainingError
from engine.console.arguments import whole_number
from engine.console.command import Command, Option
from engine.console.output import tell
from engine.console.progress import Stages
from engine.errors import EngineError

PROG: Final = "arena train library"
GAME: Final = "hunl"
_MOST: Final = 10**8
_MOST_SEED: Final = 2**31 - 1


def _gather(options: argparse.Namespace) -> int:
    try:
        return _make(options)
    except (EngineError, ValueError) as error:
        raise TrainingError(str(error)) from error


def _make(options: argparse.Namespace) -> int:
    from agents.astar.ensemble_models import (
        BASE_FACT,
        check_free,
        check_name,
        library_file,
        load_models,
        network_file,
    )
    from agents.astar.family import NETWORK_FAMILIES
    from agents.astar.library_making import make_library
    from agents.evolution.network import EvolvedNetwork
    from engine.storage.atomic import check_writable
    from protocol.gamedefs import load_builtin

    named, base = dict(options.networks), options.base
    if len(named) < len(options.networks):
        raise ValueError("a name is there twice")
    if base not in named or len(named) == 1:
        raise ValueError(f"want {base}=FILE and one opponent or more")
    networks = {name: EvolvedNetwork.load(path, *NETWORK_FAMILIES) for name, path in named.items()}
    counters = {name: network for name, network in networks.items() if name != base}
    first, *others = counters.items()
    for name, network in others:
        if (network.shape, network.resets) != (first[1].shape, first[1].resets):
            raise ValueError(f"{named[name]}: of another shape than {named[first[0]]}")
    for name, network in networks.items():
        check_name(name)
        check_free(network_file(name, options.out), network)
    file = library_file(options.name, options.out)
    options.out.mkdir(parents=True, exist_ok=True)
    check_writable(file)
    stages = Stages()
    library = make_library(
        load_builtin(GAME),
        counters,
        options.hands,
        options.seed,
        others=[networks[base]],
        own_share=options.own,
        progress=lambda done: stages("playing", done),
    )
    library = replace(library, facts={**library.facts, BASE_FACT: base})
    for name, network in networks.items():
        network.save(network_file(name, options.out))
    library.save(file)
    load_models(options.out, options.name)
    for name, nodes in zip(library.names, library.trees, strict=True):
        tell(f"{name}: {len(nodes)} nodes")
    tell(f"{options.out}: {len(networks)} networks and the library")
    return 0


def _named_file(text: str) -> tuple[str, Path]:
    """Return the name and the file of NAME=FILE."""
    name, given, file = text.partition("=")
    if not (name and given and file):
        raise argparse.ArgumentTypeError(f"{text!r}: want NAME=FILE")
    return name, Path(file)


main = Command(
    PROG,
    _gather,
    "Copy networks into a folder that `arena agent astar --models` plays, and "
    "write the trees that they have of each opponent after some hands.",
    (
        Option(
            "NAME=FILE...",
            "an opponent and the network that counters it, O2=runs/O2/counter-O2.network; "
            "base=FILE for the base strategy",
            _named_file,
            dest="networks",
        ),
        Option("--base NAME", "which of them is the base (%(default)s)", default="base"),
        Option("--out DIR", "the folder, made if not there", Path, required=True),
        Option(
            "--name NAME",
            "of the library; one folder may have several (%(default)s)",
            default="known",
        ),
        Option("--hands N", "played with each opponent (100000)", whole_number(1, _MOST), 100_000),
        Option(
            "--own SHARE",
            "of these hands that the counter-strategy plays, the other networks the rest; 1: as "
            "in the article (%(default)s)",
            float,
            0.5,
        ),
        Option("--seed N", "(1)", whole_number(0, _MOST_SEED), 1),
    ),
    prints=False,
).main
