"""Options that experiments share."""

from __future__ import annotations

import argparse
from typing import Final

from engine.console.arguments import count, output_folder

_FLOPS: Final = 1755


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add where an experiment is kept."""
    parser.add_argument(
        "folder", metavar="DIR", type=output_folder, help="keeps what is done, and the results"
    )


def add_flop_classes(parser: argparse.ArgumentParser, default: int = _FLOPS) -> None:
    """Add how many classes of flops come up."""
    all_of_them = ", which are all" if default == _FLOPS else f" of {_FLOPS}"
    parser.add_argument(
        "--flops",
        metavar="N",
        type=_flops,
        default=default,
        help=f"classes of flops that come up, evenly chosen (%(default)s{all_of_them})",
    )


def _flops(text: str) -> int:
    found = count(text)
    if found > _FLOPS:
        raise argparse.ArgumentTypeError(f"there are {_FLOPS} classes of flops, not {found}")
    return found
