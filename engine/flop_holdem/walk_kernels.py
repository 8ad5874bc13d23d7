"""Compiled walks over the betting on one flop, for all hands of both players at once.

Hands are in order of strength, L of them, alike for both players; see `engine.flop_holdem.flops`.

    shares   (T, L)     float32   what each hand does; a row for each action of a decision
    reach    (N, 2, L)  float64   probability that a player's hand comes to a node by its own doing
    values   (N, 2, L)  float64   chips won with each hand, summed over the other player's reach

`reach` is given at the roots.  Nodes are in breadth-first order, so parents come before children.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cfr.variants import Step
from engine.compiled.jit import kernel
from engine.compiled.lanes import LANES
from engine.flop_holdem.end_kernels import EndScratch, value_sixteen
from engine.hands.cards import CARDS

EXPECT = 0
BEST = 1
NO_GROUPS = np.zeros(0, np.int16)
"""Of `FlopHands.group_end`: what hands win at showdowns is known before."""


class FlopNodes(NamedTuple):
    """The nodes that are valued on a flop, N of them in the tree's order."""

    kind: NDArray[np.int8]
    """Player to act, or FOLDED, or SHOWDOWN."""
    first_child: NDArray[np.int32]
    """Among these nodes."""
    child_count: NDArray[np.int32]
    row: NDArray[np.int32]
    """Of a decision's first action."""
    stake: NDArray[np.float64]
    """Chips that player 0 wins at an end where it wins: of a fold with its sign."""


class FlopHands(NamedTuple):
    """The hands on one flop."""

    cards: NDArray[np.uint8]
    """(L, 2)."""
    group_end: NDArray[np.int16]


# Kernels: arguments are trusted, results go to the arguments named so.


@kernel
def spread_reach(nodes: FlopNodes, shares: NDArray[np.float32], reach: NDArray[np.float64]) -> None:
    """Fill `reach` below the roots."""
    for node in range(len(nodes.kind)):
        kind = nodes.kind[node]
        for k in range(nodes.child_count[node]):
            child = nodes.first_child[node] + k
            row = nodes.row[node] + k
            for hand in range(reach.shape[2]):
                reach[child, 1 - kind, hand] = reach[node, 1 - kind, hand]
                reach[child, kind, hand] = reach[node, kind, hand] * shares[row, hand]


@kernel
def _value_ends(
    nodes: FlopNodes,
    hands: FlopHands,
    reach: NDArray[np.float64],
    player: int,
    values: NDArray[np.float64],
) -> None:
    count = reach.shape[2]
    ends, stakes = np.empty(LANES, np.int32), np.empty(LANES)
    lanes, found = np.empty((count, LANES)), np.empty((count, LANES))
    scratch = EndScratch(lanes, np.empty((CARDS, LANES)), found, stakes)
    for shown in range(2 if len(hands.group_end) else 1):
        filled = 0
        for node in range(len(nodes.kind)):
            if nodes.child_count[node] > 0 or (nodes.kind[node] == _SHOWDOWN) != (shown == 1):
                continue
            stake = nodes.stake[node] if player == 0 else -nodes.stake[node]
            ends[filled:] = node  # lanes that are left over repeat the last end
            stakes[filled:] = abs(stake) if shown else stake
            filled += 1
            if filled == LANES:
                value_sixteen(
                    ends, hands.cards, hands.group_end, shown == 1, player, reach, scratch, values
                )
                filled = 0
        if filled:
            value_sixteen(
                ends, hands.cards, hands.group_end, shown == 1, player, reach, scratch, values
            )


@kernel
def value_nodes(
    nodes: FlopNodes,
    hands: FlopHands,
    shares: NDArray[np.float32],
    reach: NDArray[np.float64],
    player: int,
    how: int,
    values: NDArray[np.float64],
) -> None:
    """Fill a player's `values` of all nodes; with `NO_GROUPS` those of showdowns are there.

    Args:
        how: `EXPECT`, by the strategies; `BEST`, each hand by the best of its actions.
    """
    count = reach.shape[2]
    _value_ends(nodes, hands, reach, player, values)
    for node in range(len(nodes.kind) - 1, -1, -1):
        kind = nodes.kind[node]
        found = values[node, player]
        first = nodes.first_child[node]
        row = nodes.row[node]
        for k in range(nodes.child_count[node]):
            below = values[first + k, player]
            for hand in range(count):
                if kind != player:
                    value = below[hand] if k == 0 else found[hand] + below[hand]
                elif how == BEST:
                    value = below[hand] if k == 0 else max(found[hand], below[hand])
                else:
                    value = shares[row + k, hand] * below[hand]
                    if k:
                        value += found[hand]
                found[hand] = value


_SHOWDOWN = 4
"""`engine.betting.betting_tree.SHOWDOWN`, a constant that kernels can see."""


@kernel
def value_fold(
    hands: FlopHands, reach: NDArray[np.float64], stake: float, values: NDArray[np.float64]
) -> None:
    """Write what each hand wins where somebody has folded."""
    with_card = np.zeros(CARDS)
    total = 0.0
    for hand in range(len(reach)):
        total += reach[hand]
        with_card[hands.cards[hand, 0]] += reach[hand]
        with_card[hands.cards[hand, 1]] += reach[hand]
    for hand in range(len(reach)):
        held = with_card[hands.cards[hand, 0]] + with_card[hands.cards[hand, 1]]
        values[hand] = stake * (total - held + reach[hand])


@kernel
def value_showdown(
    hands: FlopHands, reach: NDArray[np.float64], stake: float, values: NDArray[np.float64]
) -> None:
    """Write what each hand wins from weaker ones less what it loses to stronger ones."""
    count = len(reach)
    for way in range(2):
        with_card = np.zeros(CARDS)
        total = 0.0
        begin = 0
        while begin < count:
            if way == 0:
                first, end = begin, int(hands.group_end[begin])
            else:  # the same from above: groups end where the next stronger one begins
                end = count - begin
                first = end - 1
                while first > 0 and hands.group_end[first - 1] == hands.group_end[end - 1]:
                    first -= 1
            for hand in range(first, end):
                beaten = total - with_card[hands.cards[hand, 0]] - with_card[hands.cards[hand, 1]]
                if way == 0:
                    values[hand] = stake * beaten
                else:
                    values[hand] -= stake * beaten
            for hand in range(first, end):
                total += reach[hand]
                with_card[hands.cards[hand, 0]] += reach[hand]
                with_card[hands.cards[hand, 1]] += reach[hand]
            begin += end - first


@kernel
def match_hands(
    nodes: FlopNodes, numbers: NDArray[np.float32], shares: NDArray[np.float32]
) -> None:
    """Write (T, L) the positive parts of each decision's rows as shares; even ones without any."""
    total = np.empty(numbers.shape[1], np.float32)
    for node in range(len(nodes.kind)):
        rows = range(nodes.row[node], nodes.row[node] + nodes.child_count[node])
        total[:] = 0.0
        for row in rows:
            for hand in range(len(total)):
                total[hand] += max(numbers[row, hand], np.float32(0.0))
        for row in rows:
            for hand in range(len(total)):
                positive = max(numbers[row, hand], np.float32(0.0))
                shares[row, hand] = positive / total[hand] if total[hand] > 0 else 1 / len(rows)


@kernel
def match_groups(
    numbers: NDArray[np.float64], groups: NDArray[np.int64], shares: NDArray[np.float32]
) -> None:
    """Write (B, T) the same for buckets or starting hands, by the (D, 2) ends of each decision."""
    for bucket in range(len(numbers)):
        for first, end in groups:
            total = 0.0
            for row in range(first, end):
                total += max(numbers[bucket, row], 0.0)
            for row in range(first, end):
                positive = max(numbers[bucket, row], 0.0)
                shares[bucket, row] = positive / total if total > 0 else 1 / (end - first)


@kernel
def learn_hands(
    nodes: FlopNodes,
    player: int,
    step: Step,
    shares: NDArray[np.float32],
    reach: NDArray[np.float64],
    values: NDArray[np.float64],
    regret: NDArray[np.float32],
    strategy_sum: NDArray[np.float32],
) -> None:
    """Discount a player's rows of a flop's (T, L) tables, and add an iteration of each hand."""
    for node in range(len(nodes.kind)):
        if nodes.kind[node] != player:
            continue
        for k in range(nodes.child_count[node]):
            child = nodes.first_child[node] + k
            row = nodes.row[node] + k
            for hand in range(reach.shape[2]):
                before = regret[row, hand]
                after = before * (step.positive if before > 0 else step.negative)
                after += values[child, player, hand] - values[node, player, hand]
                regret[row, hand] = max(after, 0.0) if step.floor else after
                played = step.weight * reach[node, player, hand] * shares[row, hand]
                strategy_sum[row, hand] = strategy_sum[row, hand] * step.keep + played
