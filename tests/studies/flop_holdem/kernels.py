"""Compiled walks over the betting on one flop, for all hands of both players at once.

Hands are in order of strength, L of them, alike for both players; see `game`.

    shares   (T, L)     float32   what each hand does; a row for each action of a decision
    reach    (N, 2, L)  float64   probability that a player's hand comes to a node by its own doing
    values   (N, 2, L)  float64   chips won with each hand, summed over the other player's reach
    regret, strategy_sum          (T, L) float32 by hand, or (B, T) float64 by bucket
    buckets  (L,)       uint16    of a flop's hands

`reach` is given at the roots.  Nodes are in breadth-first order, so parents come before children.
Ends are valued side by side: (L, E) of E ends, whose inner loops LLVM turns into vectors.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.cfr.regret import accumulated
from engine.compiled.jit import kernel
from engine.hands.cards import CARDS

EXPECT = 0
BEST = 1
NO_GROUPS = np.zeros(0, np.int16)
"""Of `FlopHands.group_end`: what hands win at showdowns is known before."""
_SHOWDOWN = 4
"""`engine.betting.betting_tree.SHOWDOWN`, a constant that kernels can see."""
_ENDS_AT_ONCE = 16
_HANDS_AT_ONCE = 8
"""Whose numbers stay in the fastest cache."""


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
def spread_reach(nodes, shares, reach):
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
def value_folds(cards, reach, stakes, values):
    """Write (L, E) what hands win where somebody has folded.

    Args:
        reach: (L, E) of the other player.
        stakes: (E,) chips.
    """
    ends = reach.shape[1]
    total, with_card = np.zeros(ends), np.zeros((CARDS, ends))
    for hand in range(len(cards)):
        high, low = cards[hand, 0], cards[hand, 1]
        for end in range(ends):
            total[end] += reach[hand, end]
            with_card[high, end] += reach[hand, end]
            with_card[low, end] += reach[hand, end]
    for hand in range(len(cards)):
        high, low = cards[hand, 0], cards[hand, 1]
        for end in range(ends):
            held = with_card[high, end] + with_card[low, end]
            values[hand, end] = stakes[end] * (total[end] - held + reach[hand, end])


@kernel
def value_showdowns(hands, reach, stakes, values):
    """Write (L, E) what hands win from weaker ones less what they lose to stronger ones."""
    cards, group_end = hands
    count, ends = reach.shape
    total, with_card = np.empty(ends), np.empty((CARDS, ends))
    for way in range(2):
        total[:], with_card[:] = 0.0, 0.0
        begin = 0
        while begin < count:
            if way == 0:
                first, stop = begin, int(group_end[begin])
            else:  # the same from above: groups end where the next stronger one begins
                stop = count - begin
                first = stop - 1
                while first > 0 and group_end[first - 1] == group_end[stop - 1]:
                    first -= 1
            for hand in range(first, stop):
                high, low = cards[hand, 0], cards[hand, 1]
                for end in range(ends):
                    beaten = stakes[end] * (total[end] - with_card[high, end] - with_card[low, end])
                    values[hand, end] = beaten if way == 0 else values[hand, end] - beaten
            for hand in range(first, stop):
                high, low = cards[hand, 0], cards[hand, 1]
                for end in range(ends):
                    total[end] += reach[hand, end]
                    with_card[high, end] += reach[hand, end]
                    with_card[low, end] += reach[hand, end]
            begin += stop - first


@kernel
def _value_ends(nodes, hands, reach, player, values):
    count = reach.shape[2]
    ends, stakes = np.empty(_ENDS_AT_ONCE, np.int32), np.empty(_ENDS_AT_ONCE)
    came, worth = np.empty((count, _ENDS_AT_ONCE)), np.empty((count, _ENDS_AT_ONCE))
    for shown in range(2 if len(hands.group_end) else 1):
        filled = 0
        for node in range(len(nodes.kind) + 1):
            if node < len(nodes.kind):
                if nodes.child_count[node] > 0 or (nodes.kind[node] == _SHOWDOWN) != (shown == 1):
                    continue
                stake = nodes.stake[node] if player == 0 else -nodes.stake[node]
                ends[filled:] = node  # those that are left over repeat the last end
                stakes[filled:] = abs(stake) if shown else stake
                filled += 1
            if filled < _ENDS_AT_ONCE and (node < len(nodes.kind) or filled == 0):
                continue
            for hand in range(count):
                for k in range(_ENDS_AT_ONCE):
                    came[hand, k] = reach[ends[k], 1 - player, hand]
            if shown:
                value_showdowns(hands, came, stakes, worth)
            else:
                value_folds(hands.cards, came, stakes, worth)
            for hand in range(count):
                for k in range(_ENDS_AT_ONCE):
                    values[ends[k], player, hand] = worth[hand, k]
            filled = 0


@kernel
def value_nodes(nodes, hands, shares, reach, player, how, values):
    """Fill a player's `values` of all nodes; with `NO_GROUPS` those of showdowns are there.

    Args:
        how: `EXPECT`, by the strategies; `BEST`, each hand by the best of its actions.
    """
    count = reach.shape[2]
    _value_ends(nodes, hands, reach, player, values)
    for node in range(len(nodes.kind) - 1, -1, -1):
        kind = nodes.kind[node]
        worth = values[node, player]
        first = nodes.first_child[node]
        row = nodes.row[node]
        for k in range(nodes.child_count[node]):
            below = values[first + k, player]
            for hand in range(count):
                if kind != player:
                    value = below[hand] if k == 0 else worth[hand] + below[hand]
                elif how == BEST:
                    value = below[hand] if k == 0 else max(worth[hand], below[hand])
                else:
                    value = shares[row + k, hand] * below[hand]
                    if k:
                        value += worth[hand]
                worth[hand] = value


@kernel
def match_hands(nodes, numbers, shares):
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
def match_groups(numbers, groups, shares):
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
def learn_hands(nodes, player, step, shares, reach, values, regret, strategy_sum):
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


@kernel
def gather_shares(strategy, buckets, shares):
    """Write (T, L) what each hand does from (B, T) what each bucket does."""
    for hand in range(len(buckets)):
        for row in range(strategy.shape[1]):
            shares[row, hand] = strategy[buckets[hand], row]


@kernel
def add_instants(nodes, buckets, shares, reach, values, ways, regret, played):
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
                for lane in range(count):
                    hand = begin + lane
                    gain = values[child, player, hand] - values[node, player, hand]
                    gains[lane, row] = ways * gain
                    plays[lane, row] = ways * reach[node, player, hand] * shares[row, hand]
        for lane in range(count):
            bucket = buckets[begin + lane]
            for row in range(rows):
                regret[bucket, row] += gains[lane, row]
            for row in range(rows):
                played[bucket, row] += plays[lane, row]


@kernel
def learn_buckets(first, end, instants, step, regret, strategy_sum):
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
            remains = strategy_sum[bucket, row] * step.keep
            strategy_sum[bucket, row] = remains + step.weight * play
