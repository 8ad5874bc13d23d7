"""Vector-form CFR over the whole of flop hold'em: the walk, and what all solvers share.

An iteration walks all flops.  Regrets are kept by starting hand before the flop, on it as the
solver says: by bucket or by hand.  What a best response wins is exact, hand by hand.

    preflop   (169, P)     float32  what each starting hand does
    shares    (T, 1176)    float32  what each hand does on a flop, by row of `FlopGame`

Values of a walk are sums over the other player's hands: 1225 times chips.  Their mean over the
flops of a starting hand is the value before the flop, since both players play all suits alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
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
    NO_GROUPS,
    FlopHands,
    match_groups,
    spread_reach,
    value_fold,
    value_nodes,
)
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.parallel.threads import run_blocks

_TABLES: Final = ("regret", "strategy_sum", "preflop_regret", "preflop_sum")
BLOCKS: Final = 4
"""Of the flops, whose sums are added in order: results do not depend on the threads."""

Shares = Callable[[int], NDArray[np.float32]]
"""(T, 1176) what each hand does on a flop, by its number."""
How = tuple[int | None, int | None]
"""What is wanted of each player."""
Learn = Callable[[int, int, NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]], None]
"""Told of a flop that was walked: block and number of the flop, shares, reach and values."""


class Profile(NamedTuple):
    """What both players do."""

    preflop: NDArray[np.float32]
    shares: Shares


class FlopCFR(ABC):
    """What both solvers of flop hold'em share; a `engine.cfr.solver.Solver`."""

    def __init__(
        self,
        game: FlopGame,
        shape: tuple[int, ...],
        dtype: type[np.floating[Any]],
        threads: int | None,
    ) -> None:
        """Start from uniform strategies.

        Args:
            shape: of the flop's regrets: (B, T) by bucket, or (F, T, L) by flop and hand.
            dtype: of these.
            threads: None for one per core; results do not depend on it.
        """
        self.game: Final = game
        self.threads: Final = threads
        self.regret, self.strategy_sum = np.zeros((2, *shape), dtype)
        before = (len(game.flops.combos), game.preflop_row_count)
        self.preflop_regret, self.preflop_sum = np.zeros((2, *before))
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
        self._update(step)
        self._iterations += 1

    @abstractmethod
    def _update(self, step: Step) -> None:
        """Let both players learn from one iteration."""

    @abstractmethod
    def profile(self, which: StrategyKind) -> Profile:
        """Return one of the two profiles, as it is now."""

    def exploitability(self, which: StrategyKind) -> float:
        """Return the mean of both players' best-response values against a profile, in chips."""
        return float(np.mean(self.best_responses(which)))

    def best_responses(self, which: StrategyKind) -> tuple[float, float]:
        """Return what a best response to the other player wins from each position, in chips.

        Of games from the beginning, where every hand comes.
        """
        return best_responses_to(self.game, self.profile(which), self.threads)

    def state(self) -> dict[str, NDArray[Any]]:
        """Return all that is learnt, and the number of iterations."""
        tables = {name: getattr(self, name) for name in _TABLES}
        return tables | {"iterations": np.array(self._iterations)}

    def resume(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up what an equal solver has learnt.

        Raises:
            KeyError, ValueError: it is of another game, abstraction or gadget.
        """
        for name in _TABLES:
            if state[name].shape != getattr(self, name).shape:
                raise ValueError(f"{name}: {state[name].shape} of another game")
        for name in _TABLES:
            getattr(self, name)[:] = state[name]
        self._iterations = int(state["iterations"])


def best_responses_to(game: FlopGame, profile: Profile, threads: int | None) -> tuple[float, float]:
    """Return what a best response to the other player wins from each position, in chips."""
    reach = preflop_reach(game, profile.preflop)
    roots = flop_sums(game, profile.shares, reach, (BEST, BEST), threads)
    values = values_before_flop(game, profile.preflop, reach, roots, (BEST, BEST))
    return game.mean(values[0, 0]), game.mean(values[0, 1])


def preflop_instants(
    game: FlopGame,
    strategy: NDArray[np.float32],
    reach: NDArray[np.float64],
    roots: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
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


def flop_sums(
    game: FlopGame,
    shares: Shares,
    reach: NDArray[np.float64],
    how: How,
    threads: int | None,
    learn: Learn | None = None,
) -> NDArray[np.float64]:
    """Walk all flops; return (2, R, 169) by player and root, the mean over flops for each hand.

    Args:
        reach: (nodes, 2, 1326) of `preflop_reach`.
        how: of each player, `EXPECT` or `BEST`; None: its values are not wanted, and are 0.
        learn: called from several threads, for the flops of a block one after the other.
    """
    tables = game.flops
    flops, roots = len(tables.ways), len(game.roots)
    values = np.zeros((BLOCKS, 2, roots, len(tables.combos)))
    wanted = [player for player in (0, 1) if how[player] is not None]
    arrivals = reach[list(game.ways)]
    block = -(-flops // BLOCKS)

    def work(first: int, end: int) -> None:
        here = first // block
        shape = (len(game.nodes.kind), 2, tables.live)
        own, worth = np.empty(shape), np.empty(shape)
        for flop in range(first, end):
            done = shares(flop)
            walk_flop(game, flop, done, arrivals, how, own, worth)
            ways = float(tables.ways[flop])
            of_hand = tables.hand[tables.combo[flop]]
            for player in wanted:
                for root in range(roots):
                    values[here, player, root] += ways * np.bincount(
                        of_hand, worth[game.roots[root], player], len(tables.combos)
                    )
            if learn is not None:
                learn(here, flop, done, own, worth)

    run_blocks(work, flops, block, threads=threads)
    found: NDArray[np.float64] = values.sum(axis=0)
    return found / (tables.combos * tables.ways_for_two)


def walk_flop(
    game: FlopGame,
    flop: int,
    shares: NDArray[np.float32],
    arrivals: NDArray[np.float64],
    how: How,
    reach: NDArray[np.float64],
    values: NDArray[np.float64],
) -> None:
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


def preflop_reach(
    game: FlopGame, strategy: NDArray[np.float32], begin: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
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


def values_before_flop(
    game: FlopGame,
    strategy: NDArray[np.float32],
    reach: NDArray[np.float64],
    roots: NDArray[np.float64],
    how: tuple[int, int],
) -> NDArray[np.float64]:
    """Return (nodes, 2, 1326) what preflop nodes are worth, given what the roots are.

    Args:
        roots: (2, R, 169) of `flop_sums`.
    """
    tree, rows = game.tree, game.preflop_rows
    values = np.zeros((tree.nodes, 2, COMBOS))
    values[list(game.ways)] = roots.transpose(1, 0, 2)[:, :, game.flops.hand]
    everyone = FlopHands(COMBO_CARDS, NO_GROUPS)
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
    found = np.empty(numbers.shape, np.float32)
    ends = np.array([ends for _, *ends in groups], np.int64).reshape(-1, 2)
    match_groups(numbers, ends, found)
    return found


def add_step(
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
