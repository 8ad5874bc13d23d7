"""Vector-form CFR: a river, turn or flop subgame over full ranges, every combo by itself.

The public tree is walked once per player and iteration; at each node all hands are handled
together.  See `engine.range_solver.layout` for the betting, `.boards` for boards and hands and
`.passes` for the compiled passes.

Units: values are chips won or lost over the whole hand, so that both players' sum to 0.
Exploitability is the mean of both players' best-response values.  Each is a mean over all pairs of
hands that can be dealt, in proportion to the product of both ranges.  With a gadget at the root it
is the exploitability in the gadget's game.

Precision: tables, reach and values are float32, sums over hands and over boards float64.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.betting.betting_tree import BettingTree
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS, Step
from engine.range_solver.game import RangeGame
from engine.range_solver.leaves import DepthLimit
from engine.range_solver.passes import table_rows
from engine.range_solver.play import match
from engine.range_solver.portions import Portions
from engine.range_solver.records import (
    BEST,
    EXPECT,
    MATCHED,
    REGRETS,
    STRATEGY_SUM,
    UPDATE,
    Pass,
    RangeTables,
    StrategyRule,
)
from engine.range_solver.root import (
    EntryRows,
    RootGadget,
    allowed_swaps,
    enter,
    entry_ranges,
    entry_rows,
)
from engine.range_solver.root_kernels import values_of_combos
from engine.range_solver.settings import RangeSettings
from engine.range_solver.tables import (
    AuxTables,
    Level,
    Memory,
    allocate,
    check_memory,
    memory_needed,
    with_matched,
    with_spread,
)
from engine.range_solver.walk import Walk

_BOTH = 3
_AVERAGE = StrategyRule(STRATEGY_SUM)
_NO_STEP = VARIANTS["cfr"].step(1)
_MOST_LEVELS_AT_RANDOM = 2
"""With boards shared, hands alike on the street between would need the same draw."""


class SolverState(NamedTuple):
    """All that changes during a solve."""

    iterations: int
    rules: tuple[StrategyRule, StrategyRule]
    """How each player's current strategy is computed from its tables."""
    tables: list[Level]
    """The solver's own, not a copy."""
    root: Mapping[str, NDArray[Any]]
    """State of the root gadget; empty without one."""


class RangeSolver:
    """Regrets and strategies of a subgame; a `engine.cfr.solver.Solver`."""

    def __init__(
        self,
        tree: BettingTree,
        board: Sequence[int],
        ranges: ArrayLike,
        settings: RangeSettings | None = None,
        *,
        limit: DepthLimit | None = None,
        root: RootGadget | None = None,
    ) -> None:
        """Start from uniform strategies.

        Args:
            tree: betting from the first decision on the flop, turn or river on.
            board: the cards seen there, in the order they came.
            ranges: (2, H) weights of player 0's and player 1's combos.
            limit: where to stop before the hand is over; see `engine.range_solver.leaves`.
            root: how much of the ranges comes to the root; None for all.  See
                `engine.range_solver.root`.

        Raises:
            InvalidGame: not two-player hold'em, or the root is before the flop, and what ends there
                is no leaf.
            OutOfMemory: more memory than the settings allow.
            ValueError: an invalid board, range or leaf, or no two hands that can be dealt together.
        """
        self.settings = settings or RangeSettings()
        self.limit = limit
        self.root = root
        self.game = RangeGame(
            tree,
            board,
            ranges,
            isomorphism=self.settings.isomorphism,
            swaps=allowed_swaps(root) if limit is None or limit.symmetric else (0,),
            leaf_nodes=limit.nodes if limit else (),
        )
        self._kept = AuxTables()
        check_memory(self.memory, self.settings.memory_limit)
        self._tables = allocate(self.game, self.settings.storage)
        self._walk = Walk(
            self.game, self._tables, self.settings.storage, self.settings.threads, limit
        )
        self._portions = Portions(self.game, self.settings.portions)
        self._entering = entry_rows(self.game, None, StrategyKind.CURRENT)
        self._rules = [StrategyRule(REGRETS)] * 2
        self._iterations = 0
        self._torn = False

    @property
    def iterations(self) -> int:
        """How often `iterate` was called."""
        return self._iterations

    @property
    def spread(self) -> float:
        """Largest payoff of the game less the smallest, in chips."""
        return self.game.spread

    @property
    def memory(self) -> Memory:
        """Bytes held."""
        return self._memory_with(self._kept)

    def iterate(self, step: Step) -> None:
        """Run one iteration for both players.

        An interrupted iteration, as by Ctrl-C, leaves inconsistent tables; the solver cannot be
        used after that.

        Raises:
            OutOfMemory: the first step that predicts, or uses variances, needs another table that
                does not fit.
            RuntimeError: an iteration was interrupted.
            ValueError: a step that predicts or uses variances needs all boards at once.
        """
        self._refuse_torn()
        part = self._portions.part(self._iterations)
        if part is not None and (step.prediction > 0 or step.variance_rate > 0):
            raise ValueError("predictions and variances need all boards in each iteration")
        self._make_room(AuxTables(step.prediction > 0, step.variance_rate > 0))
        variance_count = self._rules[0].seen + (step.variance_rate > 0)
        groups = ((0,), (1,)) if self.settings.alternating else ((0, 1),)
        source = MATCHED if step.prediction > 0 else REGRETS
        self._torn = True
        for players in groups:
            player_bits = sum(1 << player for player in players)
            wanted = Pass(player_bits, UPDATE, self._both_rules(), step, variance_count)
            self._walk.run(wanted, self._entry(StrategyKind.CURRENT), part)
            for player in players:
                self._rules[player] = StrategyRule(
                    source, step.exponent, step.rate, step.variance_rate, variance_count, step.plain
                )
                if self.root is not None:
                    values = self._combo_values(player, self.game.rivals, unknown=0.0)
                    self.root.observe(player, values, step)
        self._iterations += 1
        self._torn = False

    def start_at_random(self, rng: np.random.Generator) -> None:
        """Let the first iteration play random strategies instead of the uniform ones.

        Raises:
            OutOfMemory: they need another table that does not fit.
            ValueError: an iteration was already run, tables have 16 bits, or boards of a flop are
                shared.
        """
        if self._iterations or self.settings.portions > 1:
            raise ValueError(f"a start after {self._iterations} iterations, or in portions")
        self._make_room(AuxTables(matched=True))
        _draw_start(self.game, self._tables, rng)
        self._rules = [StrategyRule(MATCHED)] * 2

    @property
    def learnt(self) -> SolverState:
        """State after the iterations so far, to be kept or compared.

        Raises:
            RuntimeError: an iteration was interrupted.
        """
        self._refuse_torn()
        root = {} if self.root is None else self.root.state()
        return SolverState(self._iterations, self._both_rules(), self._tables, root)

    def resume(self, learnt: SolverState) -> None:
        """Set the state of another solver of the same game and settings.

        Raises:
            OutOfMemory: its tables do not fit here.
            ValueError: the tables have other shapes, or the root gadget is another one.
            KeyError: the root gadget is another one.
        """
        sides = [side for level in learnt.tables for side in level]
        aux = AuxTables(
            any(len(side.matched) > 0 or len(side.packed) > MATCHED for side in sides),
            any(side.mean.size > 0 for side in sides),
        )
        self._make_room(aux)
        pairs: list[tuple[NDArray[Any], NDArray[Any]]] = [
            (getattr(ours, name), getattr(theirs, name))
            for mine, level in zip(self._tables, learnt.tables, strict=True)
            for ours, theirs in zip(mine, level, strict=True)
            for name in RangeTables._fields
        ]
        if any(ours.shape != theirs.shape for ours, theirs in pairs):
            raise ValueError("these tables belong to another subgame or to other settings")
        if self.root is not None:
            self.root.resume(learnt.root)
        elif learnt.root:
            raise ValueError("these tables belong to a solve with a gadget at the root")
        for ours, theirs in pairs:
            ours[:] = theirs
        self._iterations, self._rules = learnt.iterations, list(learnt.rules)
        self._torn = False

    def exploitability(self, which: StrategyKind) -> float:
        """Return the mean of both players' best-response values against a profile, in chips.

        With a gadget at the root, a best response is one in the gadget's whole game.
        """
        self._run(BEST, which)
        return (self._best_mean(0, which) + self._best_mean(1, which)) / 2

    def exploitability_of_pot(self, which: StrategyKind) -> float:
        """Return the exploitability as a fraction of the pot at the root."""
        return self.exploitability(which) / self.game.pot

    def game_value(self, which: StrategyKind) -> float:
        """Return what player 0 wins on average when both play a profile, in chips."""
        self._run(EXPECT, which)
        return self._root_mean(0, which)

    def values(self, which: StrategyKind) -> NDArray[np.float64]:
        """Return what each combo wins on average when both play a profile.

        Returns:
            (2, H) float64 chips, a mean over the hands that the other player can have beside the
            combo; nan for combos that the player, or then the other one, cannot have.
        """
        self._run(EXPECT, which)
        return self._values_of_both(which)

    def best_response_values(self, which: StrategyKind) -> NDArray[np.float64]:
        """Return what each combo wins on average when its player alone deviates from a profile.

        Returns:
            (2, H) float64 chips, as from `values`.
        """
        self._run(BEST, which)
        return self._values_of_both(which)

    def strategy(
        self, which: StrategyKind, node: int, dealt: Sequence[int] = ()
    ) -> NDArray[np.float32]:
        """Return how the combos act at a decision.

        Args:
            node: of the betting tree.
            dealt: the cards that came after the root's board, in order.

        Returns:
            (H, A) float32 probabilities, in the order of the node's children; uniform for combos
            that the player cannot have there.

        Raises:
            ValueError: the node is not a decision, or the cards do not fit it.
        """
        self._refuse_torn()
        decision = self.game.places.get(node)
        if decision is None:
            raise ValueError(f"node {node} is no decision")
        if len(dealt) != decision.level:
            raise ValueError(f"node {node} has seen {decision.level} cards dealt, not {len(dealt)}")
        board, combos = self.game.find_board(dealt)
        rule = self._rules[decision.player] if which is StrategyKind.CURRENT else _AVERAGE
        hands = self.game.boards[decision.level].hands[decision.player]
        tables = self._tables[decision.level][decision.player]
        rows = table_rows(rule.source, board, tables)
        chosen = match(
            rows[decision.first : decision.first + decision.actions],
            rule,
            hands.unit[board],
            tables.scatter[board, decision.decision if rule.variance_rate > 0 else 0],
        )
        probabilities = np.full(
            (self.game.hands.count, decision.actions), 1 / decision.actions, np.float32
        )
        count = int(hands.held[board])
        probabilities[hands.combo[board, :count]] = chosen[:, :count].T
        return probabilities[combos]

    def leaf_averages(self) -> NDArray[np.float64]:
        """Return what each hand won at the leaves, a mean over the iterations so far.

        Returns:
            (L, 2, H) float64 chips, per unit of the other player's reach that is possible beside
            the hand; 0 where that was none.  In the order of the game's leaves.

        Raises:
            ValueError: the limit does not keep averages.
        """
        if self.limit is None or not self.limit.averaged:
            raise ValueError("this solver keeps no averages at leaves")
        return self._walk.leaf_averages()

    def average_rows(self, level: int, player: int) -> Iterator[NDArray[np.float32]]:
        """Yield the strategy sums (T, H) of a player on each board of a street, for `places`."""
        self._refuse_torn()
        tables = self._tables[level][player]
        for board in range(len(self.game.boards[level].hands[player].combo)):
            yield table_rows(STRATEGY_SUM, board, tables)

    def _run(self, mode: int, which: StrategyKind) -> None:
        self._refuse_torn()
        rules = self._both_rules() if which is StrategyKind.CURRENT else (_AVERAGE, _AVERAGE)
        self._walk.run(Pass(_BOTH, mode, rules, _NO_STEP, 0), self._entry(which))

    def _entry(self, which: StrategyKind) -> EntryRows:
        if self.root is not None:
            enter(self.game, self.root, which, self._entering)
        return self._entering

    def _refuse_torn(self) -> None:
        if self._torn:
            raise RuntimeError("an iteration was cut short: resume a checkpoint, or begin anew")

    def _both_rules(self) -> tuple[StrategyRule, StrategyRule]:
        return self._rules[0], self._rules[1]

    def _best_mean(self, player: int, which: StrategyKind) -> float:
        if self.root is None:
            return self._root_mean(player, which)
        values = self._combo_values(player, self.game.rivals, unknown=0.0)
        weights = self.game.beliefs * self.game.rivals / self.game.joint
        return float(self.root.best_response(player, values, weights, which))

    def _root_mean(self, player: int, which: StrategyKind) -> float:
        """Return a player's mean over all pairs of hands that enter; 0 where none does."""
        entering = entry_ranges(self.game, self.root, which)
        hands = self.game.boards[0].hands[player]
        count = int(hands.held[0])
        weights = entering.weights[player, hands.combo[0, :count]]
        won = float(weights @ self._walk.root_values(player)[:count])
        return won / entering.joint if entering.joint > 0 else 0.0

    def _values_of_both(self, which: StrategyKind) -> NDArray[np.float64]:
        rivals = entry_ranges(self.game, self.root, which).rivals
        return np.stack([self._combo_values(player, rivals) for player in (0, 1)])

    def _combo_values(
        self, player: int, rivals: NDArray[np.float64], unknown: float = np.nan
    ) -> NDArray[np.float64]:
        """Return (H,) what combos win per unit of what the other player can have beside them.

        `unknown` stands where there are no such values.
        """
        hands = self.game.boards[0].hands[player]
        combos = hands.combo[0, : hands.held[0]]
        values = np.empty(self.game.hands.count)
        won = self._walk.root_values(player)
        values_of_combos(won, combos, rivals[player], self.game.alike, unknown, values)
        return values

    def _make_room(self, aux: AuxTables) -> None:
        wanted = AuxTables(aux.matched or self._kept.matched, aux.spread or self._kept.spread)
        if wanted == self._kept:
            return
        check_memory(self._memory_with(wanted), self.settings.memory_limit)
        made: list[Level] = []
        for street, (first, second) in zip(self.game.streets, self._tables, strict=True):
            if wanted.matched and not self._kept.matched:
                first, second = with_matched(first), with_matched(second)
            if wanted.spread and not self._kept.spread:
                first = with_spread(first, len(street.decisions[0].node))
                second = with_spread(second, len(street.decisions[1].node))
            made.append((first, second))
        self._tables[:] = made
        self._walk.use(self._tables)
        self._kept = wanted

    def _memory_with(self, aux: AuxTables) -> Memory:
        return memory_needed(self.game, self.settings.storage, self.settings.threads, aux)


def _draw_start(game: RangeGame, tables: list[Level], rng: np.random.Generator) -> None:
    """Fill the tables to match with strategies drawn uniformly from the simplex.

    Regret matching plays them in the first iteration; later they have no effect.  Combos of the
    root that an exchange of suits maps to each other, where boards are shared by it, play alike.

    Raises:
        ValueError: tables of 16 bits, or a flop whose boards are shared.
    """
    if game.levels > _MOST_LEVELS_AT_RANDOM and len(game.swaps) > 1:
        raise ValueError("a random start of a flop wants isomorphism=False")
    for level, sides in enumerate(tables):
        for player, side in enumerate(sides):
            if len(side.packed):
                raise ValueError("a random start wants tables of 32 bits")
            drawn = rng.exponential(size=side.matched.shape)
            if level == 0:
                combos = game.alike[game.boards[0].hands[player].combo[0]]
                _, first = np.unique(combos, return_index=True)
                column_of = dict(zip(combos[first].tolist(), first.tolist(), strict=True))
                drawn = drawn[..., [column_of[combo] for combo in combos.tolist()]]
            side.matched[:] = drawn
