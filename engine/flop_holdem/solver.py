"""Vector-form CFR over the whole of flop hold'em, with the flop's hands in buckets.

Each iteration walks all flops once, for both players at the same time.  Regrets are kept by
starting hand before the flop, by bucket on it; what a best response wins is exact, hand by hand.

    buckets   (F, 1176)    uint16   of the hands in the order of `flops.FlopTables.combo`
    strategy  (B, T)       float32  what each bucket does, by row of `FlopGame`
    preflop   (169, P)     float32  what each starting hand does

Values of a walk are sums over the other player's hands: 1225 times chips.  Their mean over the
flops of a starting hand is the value before the flop, since both players play all suits alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import FOLDED
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import Step
from engine.flop_holdem.flop_game import FlopGame, stake_of
from engine.flop_holdem.walk_kernels import (
    BEST,
    EXPECT,
    FlopHands,
    add_instants,
    gather_shares,
    spread_reach,
    value_fold,
    value_nodes,
)
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.parallel.threads import run_blocks

_TABLES: Final = ("regret", "strategy_sum", "preflop_regret", "preflop_sum")
_BLOCKS: Final = 4
"""Of the flops, whose sums are added in order: results do not depend on the threads."""

Shares = Callable[[int], NDArray[np.float32]]
"""(T, 1176) what each hand does on a flop, by its number."""


class Profile(NamedTuple):
    """What both players do."""

    preflop: NDArray[np.float32]
    shares: Shares


class FlopSums(NamedTuple):
    """What flops add up to."""

    values: NDArray[np.float64]
    """(2, R, 169) by player and root, the mean over flops for each starting hand."""
    regret: NDArray[np.float64]
    """(B, T), empty where nothing is learnt."""
    played: NDArray[np.float64]


class FlopHoldemSolver:
    """Regrets and strategies of one tree and abstraction; a `engine.cfr.solver.Solver`."""

    def __init__(
        self, game: FlopGame, buckets: NDArray[np.uint16], *, threads: int | None = None
    ) -> None:
        """Start from uniform strategies.

        Args:
            buckets: see the module's table.
            threads: None for one per core.

        Raises:
            ValueError: buckets of another shape.
        """
        if buckets.shape != game.flops.combo.shape or buckets.dtype != np.uint16:
            raise ValueError(f"buckets: want {game.flops.combo.shape} uint16")
        self.game: Final = game
        self.buckets: Final = buckets
        self.threads: Final = threads
        count = int(buckets.max()) + 1
        shape, before = (count, game.row_count), (len(game.flops.combos), game.preflop_row_count)
        self.regret, self.strategy_sum = np.zeros(shape), np.zeros(shape)
        self.preflop_regret, self.preflop_sum = np.zeros(before), np.zeros(before)
        self._groups = game.flop_groups()
        self._preflop_groups = game.groups(game.preflop_rows)
        self._iterations = 0

    @property
    def iterations(self) -> int:
        """How often `iterate` was called."""
        return self._iterations

    @property
    def spread(self) -> float:
        """Largest payoff of the game less the smallest, in chips."""
        return self.game.spread

    def iterate(self, step: Step) -> None:
        """Run one iteration for both players.

        Raises:
            ValueError: an algorithm that predicts, or no regret matching.
        """
        if step.prediction or step.rate or step.variance_rate:
            raise ValueError("flop hold'em is solved by plain regret matching")
        profile = self.profile(StrategyKind.CURRENT)
        reach = preflop_reach(self.game, profile.preflop)
        sums = self._sums(profile, reach, (EXPECT, EXPECT), learn=True)
        values = values_before_flop(
            self.game, profile.preflop, reach, sums.values, (EXPECT, EXPECT)
        )
        instant, played = self._preflop_instants(profile.preflop, reach, values)
        _add(self.regret, self.strategy_sum, sums.regret, sums.played, step)
        _add(self.preflop_regret, self.preflop_sum, instant, played, step)
        self._iterations += 1

    def exploitability(self, which: StrategyKind) -> float:
        """Return the mean of both players' best-response values against a profile, in chips."""
        return float(np.mean(self.best_responses(which)))

    def best_responses(self, which: StrategyKind) -> tuple[float, float]:
        """Return what a best response to the other player wins from each position, in chips."""
        profile = self.profile(which)
        reach = preflop_reach(self.game, profile.preflop)
        sums = self._sums(profile, reach, (BEST, BEST))
        values = values_before_flop(self.game, profile.preflop, reach, sums.values, (BEST, BEST))
        return self.game.mean(values[0, 0]), self.game.mean(values[0, 1])

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is learnt, and the number of iterations."""
        tables = {name: getattr(self, name) for name in _TABLES}
        return tables | {"iterations": np.array(self._iterations)}

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up what an equal solver has learnt.

        Raises:
            KeyError, ValueError: it is of another game or other buckets.
        """
        for name in _TABLES:
            if state[name].shape != getattr(self, name).shape:
                raise ValueError(f"{name}: {state[name].shape} of another game")
            setattr(self, name, state[name].copy())
        self._iterations = int(state["iterations"])

    def profile(self, which: StrategyKind) -> Profile:
        """Return one of the two profiles, as it is now."""
        current = which is StrategyKind.CURRENT
        source, before = (
            (self.regret, self.preflop_regret) if current else (self.strategy_sum, self.preflop_sum)
        )
        strategy = shares_of_sums(source, self._groups)
        game, buckets = self.game, self.buckets

        def shares(flop: int) -> NDArray[np.float32]:
            found = np.empty((game.row_count, game.flops.live), np.float32)
            gather_shares(strategy, buckets[flop], found)
            return found

        return Profile(shares_of_sums(before, self._preflop_groups), shares)

    def _sums(
        self,
        profile: Profile,
        reach: NDArray[np.float64],
        how: tuple[int, int],
        *,
        learn: bool = False,
    ) -> FlopSums:
        size = self.regret.shape if learn else (0, 0)
        return flop_sums(self.game, profile.shares, reach, how, self.threads, self.buckets, size)

    def _preflop_instants(
        self,
        strategy: NDArray[np.float32],
        reach: NDArray[np.float64],
        values: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        tree, rows = self.game.tree, self.game.preflop_rows
        instant, played = np.zeros_like(self.preflop_regret), np.zeros_like(self.preflop_sum)
        for node in np.flatnonzero(rows >= 0):
            player = int(tree.kind[node])
            own = self.game.flops.by_hand(reach[node, player])
            for k, child in enumerate(tree.children(int(node))):
                gain = values[child, player] - values[node, player]
                instant[:, rows[node] + k] = self.game.flops.by_hand(gain)
                played[:, rows[node] + k] = own * strategy[:, rows[node] + k]
        return instant, played


def flop_sums(
    game: FlopGame,
    shares: Shares,
    reach: NDArray[np.float64],
    how: tuple[int, int],
    threads: int | None,
    buckets: NDArray[np.uint16],
    learnt: tuple[int, ...] = (0, 0),
) -> FlopSums:
    """Walk all flops.

    Args:
        reach: (nodes, 2, 1326) of `preflop_reach`.
        how: of each player, `EXPECT` or `BEST`.
        learnt: (B, T) of the sums of regrets that are wanted; empty: none are.
    """
    tables = game.flops
    flops, roots = len(tables.ways), len(game.roots)
    values = np.zeros((_BLOCKS, 2, roots, len(tables.combos)))
    regret, played = np.zeros((_BLOCKS, *learnt)), np.zeros((_BLOCKS, *learnt))
    arrivals = reach[list(game.ways)]
    block = -(-flops // _BLOCKS)

    def work(first: int, end: int) -> None:
        here = first // block
        shape = (len(game.nodes.kind), 2, tables.live)
        own, worth = np.empty(shape), np.empty(shape)
        for flop in range(first, end):
            done = shares(flop)
            walk_flop(game, flop, done, arrivals, how, own, worth)
            ways = float(tables.ways[flop])
            of_hand = tables.hand[tables.combo[flop]]
            for player in (0, 1):
                for root in range(roots):
                    values[here, player, root] += ways * np.bincount(
                        of_hand, worth[game.roots[root], player], len(tables.combos)
                    )
            if regret.size:
                add_instants(
                    game.nodes, buckets[flop], done, own, worth, ways, regret[here], played[here]
                )

    run_blocks(work, flops, block, threads=threads)
    per_hand = tables.combos * tables.ways_for_two
    return FlopSums(values.sum(axis=0) / per_hand, regret.sum(axis=0), played.sum(axis=0))


def walk_flop(
    game: FlopGame,
    flop: int,
    shares: NDArray[np.float32],
    arrivals: NDArray[np.float64],
    how: tuple[int, int],
    reach: NDArray[np.float64],
    values: NDArray[np.float64],
) -> None:
    """Fill reach and values of all nodes on one flop."""
    combo = game.flops.combo[flop]
    hands = FlopHands(COMBO_CARDS[combo], game.flops.group_end[flop])
    reach[game.roots] = arrivals[:, :, combo]
    spread_reach(game.nodes, shares, reach)
    for player in (0, 1):
        value_nodes(game.nodes, hands, shares, reach, player, how[player], values)


def preflop_reach(game: FlopGame, strategy: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return (nodes, 2, 1326) with what probability each combo comes to each preflop node."""
    tree, rows = game.tree, game.preflop_rows
    reach = np.zeros((tree.nodes, 2, COMBOS))
    reach[0, :, game.flops.known] = 1.0
    for node in np.flatnonzero(rows >= 0):
        player = int(tree.kind[node])
        for k, child in enumerate(tree.children(int(node))):
            reach[child] = reach[node]
            reach[child, player] *= strategy[game.flops.hand, rows[node] + k]
    return reach


def values_before_flop(
    game: FlopGame,
    strategy: NDArray[np.float32],
    reach: NDArray[np.float64],
    roots: NDArray[np.float64],
    how: tuple[int, int],
) -> NDArray[np.float64]:
    """Return (nodes, 2, 1326) what preflop nodes are worth, given what the roots are.

    Args:
        roots: (2, R, 169) of `FlopSums.values`.
    """
    tree, rows = game.tree, game.preflop_rows
    values = np.zeros((tree.nodes, 2, COMBOS))
    values[list(game.ways)] = roots.transpose(1, 0, 2)[:, :, game.flops.hand]
    everyone = FlopHands(COMBO_CARDS, np.zeros(0, np.int16))
    for node in np.flatnonzero((tree.kind == FOLDED) & (tree.street == tree.street[0])):
        stake = stake_of(tree, int(node))
        for player, sign in ((0, 1.0), (1, -1.0)):
            value_fold(everyone, reach[node, 1 - player], sign * stake, values[node, player])
    for node in np.flatnonzero(rows >= 0)[::-1]:
        actor, below = int(tree.kind[node]), values[list(tree.children(int(node)))]
        values[node, 1 - actor] = below[:, 1 - actor].sum(axis=0)
        if how[actor] == BEST:
            values[node, actor] = below[:, actor].max(axis=0)
        else:
            first = rows[node]
            shares = strategy[game.flops.hand, first : first + len(below)]
            values[node, actor] = (shares.T * below[:, actor]).sum(axis=0)
    return values


def shares_of_sums(
    numbers: NDArray[np.float64], groups: list[tuple[int, int, int]]
) -> NDArray[np.float32]:
    """Return the positive parts of each decision's rows as shares; even ones where none is."""
    found = np.maximum(numbers, 0.0)
    for _, first, end in groups:
        total = found[:, first:end].sum(axis=1, keepdims=True)
        even = np.full((len(found), end - first), 1 / (end - first))
        np.divide(found[:, first:end], total, out=even, where=total > 0)
        found[:, first:end] = even
    return found.astype(np.float32)


def _add(
    regret: NDArray[np.float64],
    strategy_sum: NDArray[np.float64],
    instant: NDArray[np.float64],
    played: NDArray[np.float64],
    step: Step,
) -> None:
    """Discount what there is, and add an iteration."""
    regret *= np.where(regret > 0, step.positive, step.negative)
    regret += instant
    if step.floor:
        np.maximum(regret, 0.0, out=regret)
    strategy_sum *= step.keep
    strategy_sum += step.weight * played
