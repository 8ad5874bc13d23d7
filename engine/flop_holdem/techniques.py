"""Solving flops again: what a blueprint leaves there, and the techniques that begin from it.

    arrival     a way to see one flop: with what reach both come, and what each hand of either wins
                there at best, and by the blueprint, in chips per unit of the other one's reach
    technique   what keeps the new strategy safe; a row of tables 1 to 3 of the article
    gift        what a hand gave away before the flop: it could have folded and lost less

A gift G is a sum over the searcher's hands and all flops, as values before the flop are.  Each
flop's alternative rises by G over the searcher's reach of the ways that follow, so that on the mean
over flops G is given; not split, each rises by as many times that as there are classes of flops.

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, FOLD
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.flop_holdem.flop_game import FlopGame
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach, normalised, without_blocked
from engine.range_solver.root import RootGadget
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.search.gadgets import MarginGadget, ResolveGadget, normal_alternatives
from engine.search.profile_values import profile_below

VARIANT: Final = "dcfr+"
"""Of eight, nearest to the end after 400 iterations of the large tree, half as far as CFR+."""


class Technique(NamedTuple):
    """See the module's text."""

    name: str
    margin: bool = False
    """Max-margin; else the opponent enters or takes its alternative."""
    safe: bool = True
    """False: both ranges are taken as known, and there is no alternative."""
    estimate: bool = False
    """Whether alternatives are the values of the blueprint's average strategies, not the best ones.
    The article takes the opponent's last iterate against the average; averages are a choice."""
    spread: bool = False
    """Whether they are normally distributed, as wide as both differ, in eight equal parts."""
    gifts: bool = False
    """Whether alternatives are raised by what was given away before."""
    split: bool = True
    """Whether a gift is divided among the flops."""


TECHNIQUES: Final = (
    Technique("unsafe", safe=False),
    Technique("resolve"),
    Technique("max-margin", margin=True),
    Technique("reach-max-margin", margin=True, gifts=True),
    Technique("reach-max-margin, not split", margin=True, gifts=True, split=False),
    Technique("estimate", estimate=True),
    Technique("estimate + distributional", estimate=True, spread=True),
    Technique("reach-estimate + distributional", estimate=True, spread=True, gifts=True),
    Technique(
        "reach-estimate + distributional, not split",
        estimate=True,
        spread=True,
        gifts=True,
        split=False,
    ),
)
"""Rows of the article's tables after the blueprint's."""


def without_needless_gifts(technique: Technique, gifts: NDArray[np.float64]) -> Technique:
    """Return one nameless technique for all that are the same with these gifts."""
    if gifts.any():
        return technique._replace(name="")
    return technique._replace(name="", gifts=False, split=True)


class Arrival(NamedTuple):
    """One way to one flop; arrays are (2, 1326) by player."""

    node: int
    """Of the game's tree: the first decision there."""
    board: tuple[int, ...]
    reach: NDArray[np.float64]
    best: NDArray[np.float64]
    value: NDArray[np.float64]
    gifts: NDArray[np.float64]
    """Per unit of the other player's reach, split."""


def solved_again(
    game: FlopGame, arrival: Arrival, technique: Technique, searcher: int, iterations: int
) -> NDArray[np.float64]:
    """Return (1326,) what the opponent's hands win at best from one player's new strategy.

    In chips per unit of the searcher's reach; 0 for hands that cannot be held or meet nobody.
    """
    opponent = 1 - searcher
    ranges = arrival.reach.copy()
    if technique.safe or not without_blocked(ranges[opponent], arrival.board).any():
        ranges[opponent] = 1.0
    tree = game.tree.below(arrival.node)
    solver = RangeSolver(
        tree,
        arrival.board,
        ranges,
        RangeSettings(threads=1),
        root=_gadget(arrival, technique, opponent, ranges, len(game.flops.ways)),
    )
    solve(solver, VARIANTS[VARIANT], iterations)
    everyone = ranges.copy()
    everyone[opponent] = 1.0
    profile = profile_below(solver, 0, arrival.board, everyone)
    found: NDArray[np.float64] = np.nan_to_num(
        profile.best_response_values(StrategyKind.AVERAGE)[opponent]
    )
    return found


def _gadget(
    arrival: Arrival,
    technique: Technique,
    opponent: int,
    ranges: NDArray[np.float64],
    flops: int,
) -> RootGadget | None:
    if not technique.safe:
        return None
    best, value = arrival.best[opponent], arrival.value[opponent]
    offered = value if technique.estimate else best
    if technique.gifts:
        times = 1 if technique.split else flops
        offered = offered + times * arrival.gifts[opponent]
    if technique.spread:
        return ResolveGadget(opponent, normal_alternatives(offered, np.abs(best - value)))
    return gadget_of(opponent, offered, ranges, arrival.board, technique.margin)


def gadget_of(
    opponent: int,
    offered: NDArray[np.float64],
    ranges: NDArray[np.float64],
    board: tuple[int, ...],
    margin: bool,
) -> RootGadget:
    """Return a gadget with one alternative for each hand.

    Args:
        offered: (1326,) chips per unit of the searcher's reach.
        ranges: (2, 1326) weights.
        margin: max-margin; else the opponent enters or takes its alternative.
    """
    if not margin:
        return ResolveGadget(opponent, offered)
    beliefs = np.stack([normalised(without_blocked(side, board)) for side in ranges])
    weights = beliefs[opponent] * compatible_reach(beliefs[1 - opponent])
    return MarginGadget(opponent, offered, np.maximum(weights, 0) / weights.sum())


def gifts_of(
    game: FlopGame, reach: NDArray[np.float64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return (2, R, 1326) each player's gifts on the ways to the flop, split.

    Args:
        reach: (nodes, 2, 1326) of `solver.preflop_reach`.
        values: (nodes, 2, 1326) what best responses win there, of `solver.values_before_flop`.
    """
    tree = game.tree
    found = np.zeros((2, len(game.ways), COMBOS))
    for node in np.flatnonzero(game.preflop_rows >= 0).tolist():
        player = int(tree.kind[node])
        children = tree.children(node)
        folds = [child for child in children if tree.action[child] == FOLD]
        if not folds:
            continue
        for child in children:
            below = set(tree.nodes_below(child).tolist())
            ways = [number for number, way in enumerate(game.ways) if way in below]
            if child in folds or not ways:
                continue
            given = np.maximum(values[folds[0], player] - values[child, player], 0.0)
            met = sum(compatible_reach(reach[game.ways[way], 1 - player]) for way in ways)
            each = np.divide(given, met, out=np.zeros(COMBOS), where=met > 1e-12)
            found[player, ways] += each
    return found


def solved_ways(game: FlopGame) -> list[int]:
    """Return the numbers of the ways after which there is betting on the flop."""
    return [number for number, way in enumerate(game.ways) if game.tree.kind[way] == DEAL]
