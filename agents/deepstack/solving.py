"""The values of a public situation: what each hand wins where both players play an equilibrium.

Where the betting before the flop is over, one flop of all is drawn and solved.  What hands win
there more than if nobody bet any more is added to what they win on all flops if nobody bets: for a
hand h, with the mass m of the opponent's hands that it can meet,

    value(h) = equity(h) + C(52, 3) / C(48, 3) * m(h, flop) / m(h) * (value - equity)(h, flop)

and nothing added where the flop blocks it; then a mean over the suits of a starting hand.  So its
mean over flops is the value, and what one flop does to a hand's equity is not in it.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from agents.deepstack.configuration import (
    CARDS_OF_STREET,
    FLOP,
    PREFLOP,
    TURN,
    game_with_stacks,
)
from engine.abstraction.board_buckets import FLOP_CARDS, BoardBuckets
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.hands.cards import CARDS, card_bits, live_combos
from engine.networks.board_network import BoardValueNetwork
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.terminal import fold_values
from engine.search.network_leaves import StreetEnds, street_end_network

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from agents.deepstack.configuration import Configuration
    from agents.deepstack.situations import PublicSituation
    from engine.betting.betting_tree import BettingTree
    from engine.range_solver.leaves import DepthLimit

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
    if configuration.street == PREFLOP:
        return _solve_on_a_flop(situation, configuration)
    limit_of = None
    if configuration.street == FLOP:
        limit_of = _ends(configuration.network, TURN).limit
    return _solve(situation, configuration, configuration.street, limit_of)


def _solve(
    situation: PublicSituation,
    configuration: Configuration,
    street: int,
    limit_of: Callable[[BettingTree], DepthLimit] | None,
) -> SolvedSituation:
    state = subgame_root(
        game_with_stacks(1), street, situation.pot, (situation.stack, situation.stack)
    )
    tree = build_betting_tree(state, configuration.menu)
    settings = RangeSettings(portions=configuration.portions)
    limit = None if limit_of is None else limit_of(tree)
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


def _solve_on_a_flop(situation: PublicSituation, configuration: Configuration) -> SolvedSituation:
    """Return the values by one flop; see the module's text."""
    ends, everywhere = _ends(configuration.network, FLOP), BoardBuckets.of(())
    deck = np.random.default_rng(situation.seed).permutation(CARDS)
    flop = tuple(deck[:FLOP_CARDS].tolist())
    live = live_combos(card_bits(flop))
    here = situation._replace(board=flop, ranges=situation.ranges * live)
    solved = _solve(here, configuration, FLOP, ends.limit)
    ranges = situation.ranges.astype(np.float32)
    gain = solved.values - _equity(ends.buckets(flop), ranges * live)
    gain *= flop_weights(flop, ranges[::-1])
    sums = [np.bincount(everywhere.bucket, side, len(everywhere.hands)) for side in gain]
    means = (np.array(sums) / everywhere.hands)[:, everywhere.bucket]
    return solved._replace(situation=situation, values=_equity(everywhere, ranges) + means)


def flop_weights(flop: Sequence[int], ranges: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return (N, 1326) how much a flop counts for each hand against (N, 1326) ranges.

    In proportion to what it leaves of what the hand can meet; the mean over all flops is 1.
    """
    live = live_combos(card_bits(flop))
    met, met_here = fold_values(ranges, ()), fold_values(ranges * live, flop)
    mean = comb(CARDS - 4, FLOP_CARDS) / comb(CARDS, FLOP_CARDS)
    return np.where(live, met_here / met, 0) / mean


def _equity(buckets: BoardBuckets, ranges: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return (2, 1326) pots that the buckets of hands win when nobody bets any more."""
    live = buckets.bucket >= 0
    numbers = buckets.bucket[live]
    sums = [np.bincount(numbers, side[live], len(buckets.hands)) for side in ranges]
    shares = np.array(sums, np.float32)[None]
    shares /= shares.sum(axis=2, keepdims=True)
    equity = buckets.equity_values(shares, buckets.met(shares))[0].astype(np.float64)
    return np.where(live, equity[:, np.maximum(buckets.bucket, 0)], 0)


@lru_cache(2)
def _ends(file: str, street: int) -> StreetEnds:
    """Return what a network says of ends of a street.

    Raises:
        ArtifactMismatch: its file is missing or damaged, or it is of other boards.
    """
    if not file:
        return StreetEnds(street_end_network(street), street, exact=False)
    network = BoardValueNetwork.load(Path(file), cards=CARDS_OF_STREET[street])
    return StreetEnds(network, street, exact=False)
