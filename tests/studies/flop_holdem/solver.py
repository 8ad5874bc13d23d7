"""Vector-form CFR over the whole of flop hold'em: by buckets of the flop's hands, or hand by hand.

An iteration walks all flops.  What a best response wins is exact, hand by hand.

    preflop   (169, P)     float32  what each starting hand does
    shares    (T, 1176)    float32  what each hand does on a flop, by row of `FlopGame`

Values of a walk are sums over the other player's hands: 1225 times chips.  Their mean over the
flops of a starting hand is the value before the flop, since both players play all suits alike.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import FOLDED
from engine.cfr.solver import StrategyKind
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.hands.ranges import compatible_reach
from engine.parallel.threads import run_blocks
from tests.studies.flop_holdem.game import stake_of
from tests.studies.flop_holdem.kernels import (
    BEST,
    EXPECT,
    NO_GROUPS,
    FlopHands,
    add_instants,
    gather_shares,
    learn_buckets,
    learn_hands,
    match_groups,
    match_hands,
    spread_reach,
    value_folds,
    value_nodes,
)

BLOCKS = 4
"""Of the flops, whose sums are added in order: results do not depend on the threads."""
_TABLES = ("regret", "strategy_sum", "preflop_regret", "preflop_sum")
_ROOT = "root_"
_BUCKETS_AT_ONCE = 2000


class Profile(NamedTuple):
    """What both players do."""

    preflop: NDArray[np.float32]
    shares: Callable[[int], NDArray[np.float32]]
    """Of a flop, by its number."""


class FlopCFR(ABC):
    """What both solvers share; an `engine.cfr.solver.Solver`.

    preflop_regret, preflop_sum   (H, P)  float64  by starting hand
    """

    def __init__(self, game, shape, dtype, threads):
        """Start from uniform strategies.

        Args:
            shape: of the flop's regrets: (B, T) by bucket, or (F, T, L) by flop and hand.
            threads: None for one per core; results do not depend on it.
        """
        self.game = game
        self.threads = threads
        self.regret, self.strategy_sum = np.zeros((2, *shape), dtype)
        before = (len(game.flops.combos), game.preflop_row_count)
        self.preflop_regret, self.preflop_sum = np.zeros((2, *before))
        self._preflop_groups = game.preflop_groups()
        self.iterations = 0

    @property
    def spread(self):
        """Largest payoff of the game less the smallest, in chips."""
        return self.game.spread

    def iterate(self, step):
        """Run one iteration of plain regret matching for both players."""
        if step.prediction or step.rate or step.variance_rate:
            raise ValueError("flop hold'em is solved by plain regret matching")
        self._update(step)
        self.iterations += 1

    @abstractmethod
    def _update(self, step):
        """Let both players learn from one iteration."""

    @abstractmethod
    def profile(self, which):
        """Return one of the two profiles, as it is now."""

    def _before(self, which):
        current = which is StrategyKind.CURRENT
        return self.preflop_regret if current else self.preflop_sum

    def exploitability(self, which):
        """Return the mean of both players' best-response values against a profile, in chips."""
        return float(np.mean(self.best_responses(which)))

    def best_responses(self, which):
        """Return what a best response to the other player wins from each position, in chips.

        Of games from the beginning, where every hand comes.
        """
        game, profile = self.game, self.profile(which)
        reach = preflop_reach(game, profile.preflop)
        roots = flop_sums(game, profile.shares, reach, (BEST, BEST), self.threads)
        values = values_before_flop(game, profile.preflop, reach, roots, (BEST, BEST))
        return game.mean(values[0, 0]), game.mean(values[0, 1])

    def state(self):
        """Return all that is learnt, and the number of iterations."""
        tables = {name: getattr(self, name) for name in _TABLES}
        return tables | {"iterations": np.array(self.iterations)}

    def resume(self, state):
        """Take up what an equal solver has learnt."""
        for name in _TABLES:
            if state[name].shape != getattr(self, name).shape:
                raise ValueError(f"{name}: {state[name].shape} of another game")
            getattr(self, name)[:] = state[name]
        self.iterations = int(state["iterations"])


class FlopBucketSolver(FlopCFR):
    """Both players learn from the same walk of an iteration.

    buckets               (F, 1176)  uint16   of the hands in the order of `FlopTables.combo`
    regret, strategy_sum  (B, T)     float64  by bucket and row of `FlopGame`
    """

    def __init__(self, game, buckets, *, threads=None):
        """Start from uniform strategies."""
        if buckets.shape != game.flops.combo.shape or buckets.dtype != np.uint16:
            raise ValueError(f"buckets: want {game.flops.combo.shape} uint16")
        self.buckets = buckets
        super().__init__(game, (int(buckets.max()) + 1, game.row_count), np.float64, threads)
        self._groups = game.flop_groups()
        self._instants = np.empty((2, BLOCKS, *self.regret.shape))

    def _update(self, step):
        profile = self.profile(StrategyKind.CURRENT)
        reach = preflop_reach(self.game, profile.preflop)
        self._instants[:] = 0.0

        def learn(block, flop, *walked):
            ways, into = float(self.game.flops.ways[flop]), self._instants[:, block]
            add_instants(self.game.nodes, self.buckets[flop], *walked, ways, *into)

        def settle(first, end):
            learn_buckets(first, end, self._instants, step, self.regret, self.strategy_sum)

        roots = flop_sums(self.game, profile.shares, reach, (EXPECT, EXPECT), self.threads, learn)
        instant, played = preflop_instants(self.game, profile.preflop, reach, roots)
        run_blocks(settle, len(self.regret), _BUCKETS_AT_ONCE, threads=self.threads)
        add_step(self.preflop_regret, self.preflop_sum, instant, played, step)

    def profile(self, which):
        """Return one of the two profiles, as it is now."""
        source = self.regret if which is StrategyKind.CURRENT else self.strategy_sum
        strategy = shares_of_sums(source, self._groups)
        game, buckets = self.game, self.buckets

        def shares(flop):
            rows = np.empty((game.row_count, game.flops.live), np.float32)
            gather_shares(strategy, buckets[flop], rows)
            return rows

        return Profile(shares_of_sums(self._before(which), self._preflop_groups), shares)


class FlopHandSolver(FlopCFR):
    """Each hand by itself, on a few flops: exact, up to the iterations; players learn in turn.

    The betting may begin at any decision before the flop, where ranges are known, or behind a
    gadget.

    regret, strategy_sum   (F, T, L)  float32  by flop, row of `FlopGame` and hand
    """

    def __init__(self, game, ranges=None, root=None, *, threads=None):
        """Start from uniform strategies.

        Args:
            ranges: (2, 1326) with what reach both come to the root; None: every hand.
            root: a `RootGadget` that says how much of that comes; None for all.
        """
        self.ranges = np.ones((2, COMBOS)) if ranges is None else ranges
        self.root = root
        shape = (len(game.flops.ways), game.row_count, game.flops.live)
        super().__init__(game, shape, np.float32, threads)

    def _update(self, step):
        for player in (0, 1):
            self._learn(player, step)

    def _learn(self, player, step):
        profile = self.profile(StrategyKind.CURRENT)
        entering = 1.0 if self.root is None else self.root.reach(StrategyKind.CURRENT)
        reach = preflop_reach(self.game, profile.preflop, self.ranges * entering)
        how = (EXPECT, None) if player == 0 else (None, EXPECT)

        def learn(_block, flop, *walked):
            tables = self.regret[flop], self.strategy_sum[flop]
            learn_hands(self.game.nodes, player, step, *walked, *tables)

        roots = flop_sums(self.game, profile.shares, reach, how, self.threads, learn)
        instant, played = preflop_instants(self.game, profile.preflop, reach, roots)
        for actor, first, end in self._preflop_groups:
            if actor == player:
                rows = np.s_[:, first:end]
                tables = self.preflop_regret[rows], self.preflop_sum[rows]
                add_step(*tables, instant[rows], played[rows], step)
        if self.root is not None:
            values = values_before_flop(self.game, profile.preflop, reach, roots, (EXPECT, EXPECT))
            met = compatible_reach(self.ranges[1 - player])
            won = np.divide(values[0, player], met, out=np.zeros(COMBOS), where=met > 0)
            self.root.observe(player, won, step)

    def state(self):
        """Return all that is learnt, the root's too, and the number of iterations."""
        root = {} if self.root is None else self.root.state()
        return super().state() | {_ROOT + name: table for name, table in root.items()}

    def resume(self, state):
        """Take up what an equal solver has learnt."""
        super().resume(state)
        if self.root is not None:
            names = [name for name in state if name.startswith(_ROOT)]
            self.root.resume({name.removeprefix(_ROOT): state[name] for name in names})

    def profile(self, which):
        """Return one of the two profiles, as it is now."""
        source = self.regret if which is StrategyKind.CURRENT else self.strategy_sum

        def shares(flop):
            rows = np.empty(source.shape[1:], np.float32)
            match_hands(self.game.nodes, source[flop], rows)
            return rows

        return Profile(shares_of_sums(self._before(which), self._preflop_groups), shares)


def preflop_instants(game, strategy, reach, roots):
    """Return (H, P) an iteration's regrets before the flop, and its reach by action.

    Args:
        strategy: (H, P).
        reach: (nodes, 2, 1326) of `preflop_reach`.
        roots: (2, R, H) of `flop_sums`.
    """
    values = values_before_flop(game, strategy, reach, roots, (EXPECT, EXPECT))
    instant, played = np.zeros(strategy.shape), np.zeros(strategy.shape)
    for node in np.flatnonzero(game.preflop_rows >= 0):
        player, row = int(game.tree.kind[node]), game.preflop_rows[node]
        own = game.flops.by_hand(reach[node, player])
        for k, child in enumerate(game.tree.children(int(node))):
            gain = values[child, player] - values[node, player]
            instant[:, row + k] = game.flops.by_hand(gain)
            played[:, row + k] = own * strategy[:, row + k]
    return instant, played


def flop_sums(game, shares, reach, how, threads, learn=None):
    """Walk all flops; return (2, R, 169) by player and root, the mean over flops for each hand.

    Args:
        shares: flop -> (T, 1176).
        reach: (nodes, 2, 1326) of `preflop_reach`.
        how: of each player, `EXPECT` or `BEST`; None: its values are not wanted, and are 0.
        learn: called with block, flop, shares, reach and values, from several threads, for the
            flops of a block one after the other.
    """
    tables = game.flops
    flops, roots = len(tables.ways), len(game.roots)
    sums = np.zeros((BLOCKS, 2, roots, len(tables.combos)))
    wanted = [player for player in (0, 1) if how[player] is not None]
    arrivals = reach[list(game.ways)]
    size = -(-flops // BLOCKS)

    def work(first, end):
        block = first // size
        shape = (len(game.nodes.kind), 2, tables.live)
        own, worth = np.empty(shape), np.empty(shape)
        for flop in range(first, end):
            played = shares(flop)
            walk_flop(game, flop, played, arrivals, how, own, worth)
            ways = float(tables.ways[flop])
            of_hand = tables.hand[tables.combo[flop]]
            for player in wanted:
                for root in range(roots):
                    sums[block, player, root] += ways * np.bincount(
                        of_hand, worth[game.roots[root], player], len(tables.combos)
                    )
            if learn is not None:
                learn(block, flop, played, own, worth)

    run_blocks(work, flops, size, threads=threads)
    return sums.sum(axis=0) / (tables.combos * tables.ways_for_two)


def walk_flop(game, flop, shares, arrivals, how, reach, values):
    """Fill reach and values of all nodes on one flop; arguments as for `flop_sums`."""
    combo, edges = game.flops.combo[flop], game.flops.edges
    hands = FlopHands(COMBO_CARDS[combo], game.flops.group_end[flop])
    reach[game.roots] = arrivals[:, :, combo]
    spread_reach(game.nodes, shares, reach)
    if edges is not None:
        hands = hands._replace(group_end=NO_GROUPS)
    for player in (0, 1):
        if (wanted := how[player]) is None:
            continue
        if edges is not None:
            met = reach[game.showdowns, 1 - player].astype(np.float32) @ edges[flop].T
            values[game.showdowns, player] = game.nodes.stake[game.showdowns, None] * met
        value_nodes(game.nodes, hands, shares, reach, player, wanted, values)


def preflop_reach(game, strategy, begin=None):
    """Return (nodes, 2, 1326) with what probability each combo comes to each preflop node.

    Args:
        begin: (2, 1326) with what both come to the root; None: 1.
    """
    tree, rows = game.tree, game.preflop_rows
    reach = np.zeros((tree.nodes, 2, COMBOS))
    reach[0, :, game.flops.known] = 1.0
    if begin is not None:
        reach[0] *= begin
    for node in np.flatnonzero(rows >= 0):
        player = int(tree.kind[node])
        for k, child in enumerate(tree.children(int(node))):
            reach[child] = reach[node]
            reach[child, player] *= strategy[game.flops.hand, rows[node] + k]
    return reach


def values_before_flop(game, strategy, reach, roots, how):
    """Return (nodes, 2, 1326) what preflop nodes are worth, given what the roots are.

    Args:
        roots: (2, R, 169) of `flop_sums`.
    """
    tree, rows = game.tree, game.preflop_rows
    values = np.zeros((tree.nodes, 2, COMBOS))
    values[list(game.ways)] = roots.transpose(1, 0, 2)[:, :, game.flops.hand]
    folds = np.flatnonzero((tree.kind == FOLDED) & (tree.street == tree.street[0]))
    stakes = np.array([stake_of(tree, int(node)) for node in folds])
    for player, sign in ((0, 1.0), (1, -1.0)):
        won = np.empty((COMBOS, len(folds)))
        met = np.ascontiguousarray(reach[folds, 1 - player].T)
        value_folds(COMBO_CARDS, met, sign * stakes, won)
        values[folds, player] = won.T
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


def shares_of_sums(numbers, groups):
    """Return the positive parts of each decision's rows as shares; even ones where none is."""
    shares = np.empty(numbers.shape, np.float32)
    ends = np.array([ends for _, *ends in groups], np.int64).reshape(-1, 2)
    match_groups(numbers, ends, shares)
    return shares


def add_step(regret, strategy_sum, instant, played, step):
    """Discount what there is, and add an iteration."""
    regret *= np.where(regret > 0, step.positive, step.negative)
    regret += instant
    if step.floor:
        np.maximum(regret, 0.0, out=regret)
    strategy_sum *= step.keep
    strategy_sum += step.weight * played
