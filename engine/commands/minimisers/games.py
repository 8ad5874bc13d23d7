"""What minimisers are measured on: small games written out, and subgames of hold'em over ranges."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.cfr.solver import Solver
from engine.range_solver.subgames import BIG_BLIND, SUBGAMES, HoldemSubgame, read_subgame
from engine.small_games.catalogue import GAMES, SmallGame

if TYPE_CHECKING:
    from engine.small_games.game_tree import GameTree


@dataclass(frozen=True, slots=True)
class MeasuredGame:
    """A game, and how to get solvers of it that have not run."""

    name: str
    summary: str
    big_blind: float
    """Chips."""
    solver: Callable[[int | None], Solver]
    """Takes the seed of a random start, None for the uniform one."""


@dataclass(frozen=True, slots=True)
class GameArgument:
    """A game as an argument; nothing is laid out before `opened`."""

    name: str
    path: Path | None = None
    """A published subgame, where it is one."""

    def opened(self, *, alternating: bool, threads: int) -> MeasuredGame:
        """Lay the game out.

        Raises:
            OSError: its file cannot be read.
            ValueError: its file holds no subgame; the message names it.
        """
        if self.path is not None:
            try:
                found = read_subgame(self.path)
            except ValueError as error:
                raise ValueError(f"{self.name}: {error}") from error
            return _of_subgame(self.name, found, alternating, threads)
        if self.name in SUBGAMES:
            return _of_subgame(self.name, SUBGAMES[self.name](), alternating, threads)
        return _of_small_game(self.name, GAMES[self.name], alternating)


def game_argument(text: str) -> GameArgument:
    """Return the game that an argument names.

    Raises:
        argparse.ArgumentTypeError: there is no such game and no such file.
    """
    if text in GAMES or text in SUBGAMES:
        return GameArgument(text)
    if os.path.isfile(text):
        path = Path(text)
        return GameArgument(path.stem, path)
    names = ", ".join((*GAMES, *SUBGAMES))
    raise argparse.ArgumentTypeError(f"no game and no file {text[:40]!r}; there are {names}")


def _of_small_game(name: str, game: SmallGame, alternating: bool) -> MeasuredGame:
    from engine.small_games.table_solver import random_profile
    from engine.small_games.tabular import solver_for

    tree: GameTree = game.build()

    def solver(seed: int | None) -> Solver:
        start = None if seed is None else random_profile(tree, np.random.default_rng(seed))
        return solver_for(tree, alternating=alternating, start=start)

    return MeasuredGame(name, game.summary, game.big_blind, solver)


def _of_subgame(name: str, game: HoldemSubgame, alternating: bool, threads: int) -> MeasuredGame:
    from engine.range_solver.settings import RangeSettings
    from engine.range_solver.solver import RangeSolver

    tree = game.tree()
    settings = RangeSettings(alternating=alternating, threads=threads)

    def solver(seed: int | None) -> Solver:
        made = RangeSolver(tree, game.board, game.ranges, settings)
        if seed is not None:
            made.start_at_random(np.random.default_rng(seed))
        return made

    return MeasuredGame(name, game.summary, BIG_BLIND, solver)
