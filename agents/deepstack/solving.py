"""The values of a public situation: what each hand wins where both players play an equilibrium."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from agents.deepstack.configuration import FLOP, TURN, game_with_stacks
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.networks.board_network import BoardValueNetwork
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.search.network_leaves import StreetEnds, turn_end_network

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agents.deepstack.configuration import Configuration
    from agents.deepstack.situations import PublicSituation

_FIRST_LOOK = 48
_LOOK_GROWTH = 1.1
"""Exploitability costs about an iteration, so it is looked at ever more rarely."""


class SolvedSituation(NamedTuple):
    """A situation and its values."""

    situation: PublicSituation
    values: NDArray[np.float64]
    """(2, 1326) float64 pots that a hand wins over the whole hand, what both have put in included:
    half a pot where it wins without another bet.  A mean over the hands that the opponent can hold
    beside it, by its range.  0 for hands that the board blocks."""
    exploitability: float
    """Of the solution, pots: the mean of what both best responses win."""
    iterations: int


def solve_situation(situation: PublicSituation, configuration: Configuration) -> SolvedSituation:
    """Solve a situation to the configuration's target, or for its most iterations."""
    state = subgame_root(
        game_with_stacks(1), configuration.street, situation.pot, (situation.stack, situation.stack)
    )
    tree = build_betting_tree(state, configuration.menu)
    settings = RangeSettings(portions=configuration.portions)
    limit = _turn_ends(configuration.network).limit(tree) if configuration.street == FLOP else None
    solver = RangeSolver(tree, situation.board, situation.ranges, settings, limit=limit)
    variant = VARIANTS[configuration.variant]
    most = configuration.most_iterations * configuration.portions
    look, exploitability = _FIRST_LOOK, np.inf
    while exploitability > configuration.target and solver.iterations < most:
        solver.iterate(variant.step(solver.iterations + 1, solver.spread))
        if solver.iterations >= min(look, most):
            exploitability = solver.exploitability_of_pot(StrategyKind.AVERAGE)
            look = int(np.ceil(look * _LOOK_GROWTH))
    values = np.nan_to_num(solver.values(StrategyKind.AVERAGE)) / situation.pot
    return SolvedSituation(situation, values, float(exploitability), solver.iterations)


@lru_cache(1)
def _turn_ends(file: str) -> StreetEnds:
    """Return what a network says of ends of the turn.

    Raises:
        ArtifactMismatch: its file is missing or damaged, or it is of other boards.
    """
    if not file:
        return StreetEnds(turn_end_network(), TURN)
    return StreetEnds(BoardValueNetwork.load(Path(file), cards=TURN + 2), TURN)
