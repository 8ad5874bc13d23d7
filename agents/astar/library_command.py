"""`arena train library`: gather networks, and let each meet the opponent that it counters."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agents.errors import TrainingError
from engine.console.arguments import whole_number
from engine.console.output import tell
from engine.console.parser import OneLineParser
from engine.console.progress import Stages
from engine.errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Sequence

PROG: Final = "arena train library"
GAME: Final = "hunl"
_MOST: Final = 10**8
_MOST_SEED: Final = 2**31 - 1


def main(argv: Sequence[str]) -> int:
    """Make the library; return the exit code.

    Raises:
        AgentError: a network is damaged, an opponent unknown or a name there twice; there is no
            base strategy or no other, or a share or the library's name is not valid.
        OSError: a file cannot be written.
    """
    options = _parser().parse_args(argv)
    try:
        return _make(options)
    except (EngineError, ValueError) as error:
        raise TrainingError(str(error)) from error


def _make(options: argparse.Namespace) -> int:
    from agents.astar.family import FAMILIES, looks_ahead
    from agents.astar.library_making import make_library
    from agents.astar.models import (
        BASE_FACT,
        check_free,
        check_name,
        library_file,
        load_models,
        network_file,
    )
    from agents.evolution.network import EvolvedNetwork
    from engine.storage.atomic import check_writable
    from protocol.gamedefs import load_builtin

    named, base = dict(options.networks), options.base
    if len(named) < len(options.networks):
        raise ValueError("a name is there twice")
    if base not in named or len(named) == 1:
        raise ValueError(f"want {base}=FILE and one opponent or more")
    networks = {name: EvolvedNetwork.load(path, *FAMILIES) for name, path in named.items()}
    first = next(one for name, one in networks.items() if name != base)
    for name, network in networks.items():
        if name == base and looks_ahead(network):
            continue
        if (network.shape, network.resets) != (first.shape, first.resets):
            raise ValueError(f"{named[name]}: of another shape than {options.networks[0][1]}")
    counters = {name: network for name, network in networks.items() if name != base}
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
        own=options.own,
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


def _parser() -> OneLineParser:
    parser = OneLineParser(
        prog=PROG,
        description="Copy networks into a folder that `arena agent astar --models` plays, and "
        "write the trees that they have of each opponent after some hands.",
    )
    add = parser.add_argument
    add(
        "networks",
        metavar="NAME=FILE",
        nargs="+",
        type=_named_file,
        help="an opponent and the network that counters it, O2=runs/O2/counter-O2.network; "
        "base=FILE for the base strategy",
    )
    add("--base", metavar="NAME", default="base", help="which of them is the base (%(default)s)")
    add("--out", metavar="DIR", type=Path, required=True, help="the folder, made if not there")
    add("--name", default="known", help="of the library; one folder may have several (%(default)s)")
    add(
        "--hands",
        metavar="N",
        type=whole_number(1, _MOST),
        default=100_000,
        help="played with each opponent (100000)",
    )
    add(
        "--own",
        metavar="SHARE",
        type=float,
        default=0.5,
        help="of these hands that the counter-strategy plays, the other networks the rest; 1: as "
        "in the article (%(default)s)",
    )
    add("--seed", metavar="N", type=whole_number(0, _MOST_SEED), default=1, help="(1)")
    return parser


def _named_file(text: str) -> tuple[str, Path]:
    """Return the name and the file of NAME=FILE."""
    name, given, file = text.partition("=")
    if not (name and given and file):
        raise argparse.ArgumentTypeError(f"{text!r}: want NAME=FILE")
    return name, Path(file)
