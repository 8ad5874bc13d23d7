"""Compiled steps between the hands on a flop and their buckets.

regret, strategy_sum   (B, T)       float64   by bucket, and row of an action
buckets                (L,)         uint16    of a flop's hands, in order of strength
shares, reach, values                         as of `engine.flop_holdem.walk_kernels`
"""

import numpy as np
from numpy.typing import NDArray

from engine.cfr.regret import accumulated
from engine.cfr.variants import Step
from engine.compiled.jit import kernel
from engine.flop_holdem.walk_kernels import FlopNodes

_HANDS_AT_ONCE = 8
"""Whose numbers stay in the fastest cache."""

# Kernels: arguments are trusted, results go to the arguments named so.


@kernel
def gather_shares(
    strategy: NDArray[np.float32], buckets: NDArray[np.uint16], shares: NDArray[np.float32]
) -> None:
    """Write (T, L) what each hand does from (B, T) what each bucket does."""
    for hand in range(len(buckets)):
        for row in range(strategy.shape[1]):
            shares[row, hand] = strategy[buckets[hand], row]


@kernel
def add_instants(
    nodes: FlopNodes,
    buckets: NDArray[np.uint16],
    shares: NDArray[np.float32],
    reach: NDArray[np.float64],
    values: NDArray[np.float64],
    ways: float,
    regret: NDArray[np.float64],
    played: NDArray[np.float64],
) -> None:
    """Add a flop's regrets and its reach by action to the buckets' (B, T) sums."""
    rows = regret.shape[1]
    gains, plays = np.empty((_HANDS_AT_ONCE, rows)), np.empty((_HANDS_AT_ONCE, rows))
    for begin in range(0, len(buckets), _HANDS_AT_ONCE):
        count = min(_HANDS_AT_ONCE, len(buckets) - begin)
        for node in range(len(nodes.kind)):
            player = nodes.kind[node]
            for k in range(nodes.child_count[node]):
                child = nodes.first_child[node] + k
                row = nodes.row[node] + k
                for place in range(count):
                    hand = begin + place
                    gain = values[child, player, hand] - values[node, player, hand]
                    gains[place, row] = ways * gain
                    plays[place, row] = ways * reach[node, player, hand] * shares[row, hand]
        for place in range(count):
            bucket = buckets[begin + place]
            for row in range(rows):
                regret[bucket, row] += gains[place, row]
            for row in range(rows):
                played[bucket, row] += plays[place, row]


@kernel
def learn_buckets(
    first: int,
    end: int,
    instants: NDArray[np.float64],
    step: Step,
    regret: NDArray[np.float64],
    strategy_sum: NDArray[np.float64],
) -> None:
    """Discount what some buckets have learnt, and add an iteration.

    Args:
        instants: (2, K, B, T) regrets and reach by action, in K parts that are added up in order.
    """
    gains, plays = instants[0], instants[1]
    for bucket in range(first, end):
        for row in range(regret.shape[1]):
            gain, play = gains[0, bucket, row], plays[0, bucket, row]
            for part in range(1, len(gains)):
                gain += gains[part, bucket, row]
                play += plays[part, bucket, row]
            before = regret[bucket, row]
            regret[bucket, row] = accumulated(
                before, gain, step.positive, step.negative, step.floor
            )
            kept = strategy_sum[bucket, row] * step.keep
            strategy_sum[bucket, row] = kept + step.weight * play
