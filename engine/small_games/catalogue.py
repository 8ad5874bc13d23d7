"""The small games by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from engine.small_games.coin_toss import coin_toss
from engine.small_games.game_tree import GameTree
from engine.small_games.goofspiel import goofspiel
from engine.small_games.kuhn import kuhn
from engine.small_games.leduc import leduc
from engine.small_games.liars_dice import liars_dice
from engine.small_games.poker_tree import poker_tree
from protocol.gamedefs import load_builtin


@dataclass(frozen=True, slots=True)
class SmallGame:
    """A game whose whole tree can be built."""

    summary: str
    build: Callable[[], GameTree]
    big_blind: float = 1.0
    """Unit of results in chips: the ante, or the stake in games without one."""


def _leduc_of_ranks(ranks: int, info_sets: int) -> SmallGame:
    return SmallGame(
        f"Leduc hold'em, {ranks} ranks, suits not told apart, {info_sets} information sets",
        partial(leduc, ranks, isomorphic=True),
    )


def _of_game_file(name: str) -> Callable[[], GameTree]:
    return lambda: poker_tree(load_builtin(name))


GAMES: Final[dict[str, SmallGame]] = {
    "coin-toss": SmallGame("Coin Toss, 3 information sets", coin_toss),
    "kuhn": SmallGame("Kuhn poker, 12 information sets", kuhn),
    "fixed-queen": SmallGame(
        "Kuhn poker of a patent, the first player has the queen, 6 information sets",
        _of_game_file("fixed-queen"),
    ),
    "kuhn3": SmallGame("Kuhn poker for three, 48 information sets", _of_game_file("kuhn3")),
    "goofspiel4": SmallGame(
        "Goofspiel with 4 cards and hidden bids, 162 information sets", goofspiel
    ),
    "liars-dice": SmallGame(
        "liar's dice, a die of 4 faces each, 1024 information sets", liars_dice
    ),
    "leduc": SmallGame("Leduc hold'em, 3 ranks in 2 suits, 936 information sets", leduc),
    "leduc5": _leduc_of_ranks(5, 780),
    "leduc9": _leduc_of_ranks(9, 2484),
    "leduc13": _leduc_of_ranks(13, 5148),
    "leduc3": SmallGame(
        "Leduc hold'em for three, 4 ranks, suits not told apart, 7428 information sets",
        _of_game_file("leduc3"),
    ),
}
