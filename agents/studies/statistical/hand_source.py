"""Hands that a report is made of: those of match logs, or of the pool against itself."""

from __future__ import annotations

from itertools import chain
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from engine.console.arguments import count, load_game
from engine.console.options import add_seed
from engine.console.progress import RateLimiter

if TYPE_CHECKING:
    import argparse

    from agents.training.logs import LoggedHands

_POOL_GAME: Final = "hunl"


def add_source(parser: argparse.ArgumentParser, seed: str = "--pool: of deals") -> None:
    """Add what names the hands: logs or --pool, --game, --hands, --seed.

    Args:
        parser: gets them, and `fail`, its way to refuse arguments.
    """
    add = parser.add_argument
    add(
        "logs",
        metavar="FILE|DIR",
        nargs="*",
        type=Path,
        help="match logs of two players, in order, and folders of which every *.log is one",
    )
    add("--pool", action="store_true", help="play the bots of `arena pool` instead of logs")
    add(
        "--game",
        metavar="NAME|FILE",
        type=load_game,
        help=f"of logs without a header (by default it names the game); of the pool ({_POOL_GAME})",
    )
    add("--hands", metavar="N", type=count, default=200, help="--pool: deals a pair (%(default)s)")
    add_seed(parser, seed)
    parser.set_defaults(fail=parser.error)


def source_hands(options: argparse.Namespace) -> LoggedHands:
    """Return the hands that the options of `add_source` name.

    Raises:
        TrainingError: the logs cannot be read, or hold other games than hold'em for two.
        AgentError: a bot of the pool does not play the game.
        EngineError: the game is none for two.
    """
    from agents.training.logs import find_logs, one_game

    if options.pool == bool(options.logs):
        options.fail(f"name logs or --pool{', not both' if options.pool else ''}")
    if options.pool:
        return _pool_hands(options)
    return one_game(find_logs(options.logs), options.game)


def _pool_hands(options: argparse.Namespace) -> LoggedHands:
    """Play the pool; return the hands, those of all pairs in turn."""
    from agents.studies.pool.contestants import all_contestants
    from agents.studies.pool.logs import write_logs
    from agents.training.logs import LoggedHands, logged_hands

    game = options.game or load_game(_POOL_GAME)
    bots = all_contestants()
    matches = []
    said = RateLimiter()
    with TemporaryDirectory() as folder:
        for pair in write_logs(Path(folder), bots, game, options.hands, options.seed):
            name = pair.path.stem
            matches.append(
                [(hand, f"{name}:{line}") for _, hand, line in logged_hands(pair.path, game)]
            )
            said(f"{len(matches)} of {comb(len(bots), 2)} matches of the pool")
    hands, places = zip(*chain.from_iterable(zip(*matches, strict=True)), strict=True)
    return LoggedHands(game, list(hands), list(places))
