"""Options that several commands have."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from engine.console.arguments import DEFAULT_GAME, count, deal_seed, load_game, output_file

if TYPE_CHECKING:
    import argparse


def add_game(parser: argparse.ArgumentParser, default: str = DEFAULT_GAME) -> None:
    """Add --game, of hold'em for two."""
    parser.add_argument(
        "--game",
        metavar="NAME|FILE",
        type=load_game,
        default=default,
        help="built-in game or game file, hold'em for two (%(default)s)",
    )


def add_seed(parser: argparse.ArgumentParser, of: str = "of deals and draws") -> None:
    """Add --seed, 1 by default."""
    parser.add_argument(
        "--seed", metavar="N", type=deal_seed, default=1, help=f"{of} (%(default)s)"
    )


def add_jobs(parser: argparse.ArgumentParser, what: str = "processes") -> None:
    """Add --jobs, of work that comes to the same result however it is shared out."""
    parser.add_argument(
        "--jobs",
        "--workers",
        metavar="N",
        type=count,
        default=os.cpu_count() or 1,
        help=f"{what} (one per core: %(default)s); the result does not depend on it",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument(
        "--json", metavar="FILE", type=output_file, help="write the numbers there too"
    )
