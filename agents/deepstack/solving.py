"""The values of a public situation: what each hand wins where both players play an equilibrium.

Where the betting before the flop is over, one flop of all is drawn and solved.  What hands win
there more than if nobody bet any more is added to what they win on all flops if nobody bets: for a
hand h, with the mass m of the opponent's hands that it can meet,

    value(h) = equity(h) + C(52, 3) / C(48, 3) * m(h, flop) / m(h) * (value - equity)(h, flop)

and nothing added where the flop blocks it; then a mean over the suits of a starting hand.  So its
mean over flops is the value, and what one flop does to a hand's equity is not in it.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from agents.deepstack.configuration import (
    CARDS_OF_STREET,
    FLOP,
    PREFLOP,
    game_with_stacks,
)
from engine.abstraction.board_buckets import FLOP_CARDS, BoardBuckets
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS
from engine.errors import ArtifactMismatch
from engine.hands.cards import CARDS, card_bits, live_combos
from engine.networks.board_network import BoardValueNetwork
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.range_solver.terminal import fold_values
from engine.search.network_leaves import StreetEnds, shipped_network

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
        limit_of = _ends(configuration).limit
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
    ends, everywhere = _ends(configuration), BoardBuckets.of(())
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


def with_network_digest(configuration: Configuration) -> Configuration:
    """Return a configuration that knows the content of the networks that are asked, if any are.

    Raises:
        OSError: a network's file cannot be read.
    """
    if configuration.street > FLOP:
        return configuration
    searches = _sha256(shipped_network(FLOP)) if configuration.shares.get("asked") else ""
    solves = _sha256(_network_file(configuration))
    return replace(configuration, network_sha256=solves, asked_sha256=searches)


def _ends(configuration: Configuration) -> StreetEnds:
    """Return what the network says of ends of the next street; see `_ends_by`."""
    path, street = _network_file(configuration), configuration.street + 1
    return _ends_by(path, street, configuration.network_sha256)


@lru_cache(2)
def _ends_by(path: Path, street: int, sha256: str) -> StreetEnds:
    """Return what a network says of ends of a street.

    Args:
        sha256: of the file; "": any.

    Raises:
        ArtifactMismatch: the file is missing, damaged, of other boards or another one.
    """
    network = BoardValueNetwork.load(path, cards=CARDS_OF_STREET[street])
    if sha256 and _sha256(path) != sha256:
        raise ArtifactMismatch(f"{path}: of SHA-256 {_sha256(path)}, not {sha256}")
    return StreetEnds(network, street, exact=False)


def _network_file(configuration: Configuration) -> Path:
    return Path(configuration.network or shipped_network(configuration.street + 1))


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
