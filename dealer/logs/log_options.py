"""The arguments of all commands that read logs: which ones, and the game that they are about."""

from __future__ import annotations

import argparse


def add_logs(
    parser: argparse.ArgumentParser,
    what: str = "match logs",
    *,
    nargs: str = "+",
    game: str = "the game the logs are about",
) -> None:
    """Add LOG, for `dealer.logs.inputs.logs_in`, and --game, for `game_from_argument`.

    Args:
        parser: gets the arguments.
        what: is done with the logs, or what they are, for the help.
        nargs: how many there may be.
    """
    parser.add_argument(
        "logs",
        metavar="LOG|FOLDER",
        nargs=nargs,
        help=f"{what}; of a folder, those of its match or tournament, else all *.log in it",
    )
    parser.add_argument("--game", metavar="NAME|FILE", help=game)
