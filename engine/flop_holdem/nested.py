"""Nested solving: after each bet that the abstraction lacks, what follows is solved again.

    BET        inexpensive: from right after the bet on
    DECISION   expensive: from the opponent's decision on, with the bet among its others
    STREET     expensive: from the first decision of the street on, with the bet where it was made

The opponent's hands have as alternatives what they could have won at best from the strategy that
was in force before: at the decision where the bet was made, or where the street begins.  Unsafe,
both ranges are those of the strategies in force.  Whatever the agent has done on the street already
it did by these; STREET solves that again all the same, so that the agent can come with hands that
the new solution would never have there, and for which it has learnt nothing.

Nothing but bets without .75 is considered in what follows; where the opponent makes another one,
that is solved again in turn, against what is in force by then.  Gifts are of decisions before the
flop, where a hand could have folded: on it, nothing that is solved again follows such a decision.

Source: Brown, Sandholm, "Safe and nested subgame solving for imperfect-information games", NIPS
2017.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import FOLD
from engine.cfr.solver import StrategyKind, solve
from engine.cfr.variants import VARIANTS
from engine.flop_holdem.hand_solver import FlopHandSolver
from engine.flop_holdem.off_tree import Bet, OffTreeGame
from engine.flop_holdem.solver import (
    flop_sums,
    preflop_reach,
    values_before_flop,
    walk_flop,
)
from engine.flop_holdem.techniques import gadget_of, gifts_of
from engine.flop_holdem.walk_kernels import BEST
from engine.hands.cards import COMBOS
from engine.hands.ranges import compatible_reach, without_blocked
from engine.hands.starting_hands import COMBO_STARTING_HAND, STARTING_HAND_COMBOS, STARTING_HANDS
from engine.range_solver.root import RootGadget
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.search.profile_values import profile_below

VARIANT: Final = "dcfr+"
_NOBODY: Final = 1e-9
"""Reach that no hand is left of."""


BET: Final = "bet"
DECISION: Final = "decision"
STREET: Final = "street"


class Nesting(NamedTuple):
    """A way to solve again."""

    name: str
    start: str = BET
    safe: bool = True
    margin: bool = False
    """Max-margin; else the opponent enters or takes its alternative."""
    gifts: bool = False
    """Whether alternatives are raised by what was given away before."""


NESTINGS: Final = (
    Nesting("resolve"),
    Nesting("max-margin", margin=True),
    Nesting("reach-max-margin", margin=True, gifts=True),
    Nesting("unsafe, from the decision", DECISION, safe=False),
    Nesting("reach-max-margin, from the decision", DECISION, margin=True, gifts=True),
    Nesting("unsafe, from the street", STREET, safe=False),
    Nesting("reach-max-margin, from the street", STREET, margin=True, gifts=True),
)


class SolvedGame:
    """A solution with all flops: the blueprint, or what follows a bet before the flop."""

    def __init__(self, game: OffTreeGame, solver: FlopHandSolver, nodes: list[int]) -> None:
        """Walk all flops once.

        Args:
            nodes: of the whole game, those of the solver's tree.
        """
        self.solver: Final = solver
        self.number: Final = {node: number for number, node in enumerate(nodes)}
        self.whole: Final = game
        self.game: Final = solver.game
        self.profile: Final = solver.profile(StrategyKind.AVERAGE)
        self._reach: Final = preflop_reach(self.game, self.profile.preflop, solver.ranges)
        self._values: Final = values_before_flop(
            self.game,
            self.profile.preflop,
            self._reach,
            flop_sums(self.game, self.profile.shares, self._reach, (BEST, BEST), 1),
            (BEST, BEST),
        )
        self._gifts: Final = gifts_of(self.game, self._reach, self._values)
        root = nodes[0]
        opponent = 1 - int(game.tree.kind[root])
        if root in game.missing and _could_fold(game, root):
            lost = -float(game.tree.spent[game.tree.parent[root], opponent])
            given = np.maximum(lost - self.best(opponent, root), 0.0)
            met, ways = self._reach[0, 1 - opponent], self._reach[list(self.game.ways)]
            came = compatible_reach(ways[:, 1 - opponent].sum(axis=0))
            self._gifts[opponent] += _over(given * compatible_reach(met), came)

    def reach(self, player: int, node: int) -> NDArray[np.float64]:
        """Return (1326,) a player's reach of a node before the flop, or where it comes."""
        found: NDArray[np.float64] = self._reach[self.number[node], player]
        return found

    def best(self, player: int, node: int) -> NDArray[np.float64]:
        """Return (1326,) what hands win at best from a node before the flop, chips."""
        met = compatible_reach(self.reach(1 - player, node))
        won = self._values[self.number[node], player]
        return _over(won, met)

    def gifts(self, player: int, node: int) -> NDArray[np.float64]:
        """Return (1326,) what hands gave away until the flop came, chips; split."""
        found: NDArray[np.float64] = self._gifts[player, self.game.ways.index(self.number[node])]
        return found

    def shares(self, node: int) -> NDArray[np.float32]:
        """Return (A, 169) what starting hands do at a decision before the flop."""
        first, number = self.game.preflop_rows, self.number[node]
        count = int(self.game.tree.child_count[number])
        return self.profile.preflop.T[first[number] : first[number] + count]


class OnFlop:
    """A solution with all flops, on one of them; an `engine.flop_holdem.off_tree.InForce`."""

    def __init__(
        self, solved: SolvedGame, flop: int, agent: int, came: dict[int, NDArray[np.float64]]
    ) -> None:
        """Work out what the opponent could win at best.

        Args:
            came: by node where the flop comes (1326,) the agent's reach; 0 where it does not tell.
        """
        game = solved.game
        arrivals = np.zeros((len(game.ways), 2, COMBOS))
        numbers = list(solved.number)
        for number, way in enumerate(game.ways):
            arrivals[number, agent] = came.get(numbers[way], 0.0)
            arrivals[number, 1 - agent] = solved.reach(1 - agent, numbers[way])
        shape = (len(game.nodes.kind), 2, game.flops.live)
        self._reach, self._values = np.empty(shape), np.empty(shape)
        self._shares = solved.profile.shares(flop)
        walk_flop(game, flop, self._shares, arrivals, (BEST, BEST), self._reach, self._values)
        self._solved, self._opponent = solved, 1 - agent
        self._combo = game.flops.combo[flop]
        self._number = {numbers[node]: number for number, node in enumerate(game.kept)}

    def shares(self, node: int) -> NDArray[np.float32]:
        """Return (A, 1176) what hands do at a decision."""
        nodes, number = self._solved.game.nodes, self._number[node]
        first = int(nodes.row[number])
        return self._shares[first : first + int(nodes.child_count[number])]

    def best(self, node: int, ranges: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (1326,) what the opponent's hands win at best from a decision on, chips.

        Args:
            ranges: (2, 1326), the agent's as it comes there.
        """
        won = _of_combos(self._values[self._number[node], self._opponent], self._combo)
        return _over(won, compatible_reach(ranges[1 - self._opponent]))

    def known(self, node: int) -> NDArray[np.float64]:
        """Return (1326,) the opponent's reach of a decision."""
        return _of_combos(self._reach[self._number[node], self._opponent], self._combo)


class SolvedAgain:
    """What follows a bet on the flop; an `engine.flop_holdem.off_tree.InForce`."""

    def __init__(
        self,
        solver: RangeSolver,
        nodes: list[int],
        opponent: int,
        combo: NDArray[np.int16],
        added: frozenset[int],
    ) -> None:
        """Keep a solution.

        Args:
            nodes: of the whole game, those of the solver's tree.
            combo: (1176,) hands in order of strength.
            added: bets of .75 among them.
        """
        self.added: Final = added
        self._solver, self._opponent, self._combo = solver, opponent, combo
        self._number = {node: number for number, node in enumerate(nodes)}

    def shares(self, node: int) -> NDArray[np.float32]:
        """Return (A, 1176) what hands do at a decision."""
        chosen = self._solver.strategy(StrategyKind.AVERAGE, self._number[node])
        return chosen[self._combo].T

    def best(self, node: int, ranges: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (1326,) what the opponent's hands win at best from a decision on, chips."""
        game = self._solver.game
        part = profile_below(self._solver, self._number[node], game.board, ranges)
        found = part.best_response_values(StrategyKind.AVERAGE)
        won: NDArray[np.float64] = np.nan_to_num(found[self._opponent])
        return won

    def known(self, node: int) -> NDArray[np.float64]:
        """Return (1326,) the opponent's reach of a decision, in proportion."""
        tree, at = self._solver.game.tree, self._number[node]
        found: NDArray[np.float64] = self._solver.game.beliefs[self._opponent].copy()
        while at:
            child, at = at, int(tree.parent[at])
            if tree.kind[at] == self._opponent:
                chosen = self._solver.strategy(StrategyKind.AVERAGE, at)
                found *= chosen[:, child - int(tree.first_child[at])]
        return found


class FlopNesting:
    """Solves again what follows bets of .75 after one way to one flop."""

    def __init__(
        self,
        solved: SolvedGame,
        flop: int,
        way: int,
        nesting: Nesting,
        agent: int,
        came: NDArray[np.float64],
        iterations: int,
    ) -> None:
        """Begin with nothing.

        Args:
            solved: in force where the flop comes.
            way: the node where it does.
            came: (1326,) the agent's reach of it.
            iterations: of each new solution.
        """
        self._game, self._nesting, self._agent = solved.whole, nesting, agent
        self._iterations = iterations
        tables = solved.game.flops
        self._board = tuple(tables.boards[flop].tolist())
        self._combo = tables.combo[flop]
        self._first = self._game.kept(way)[0]
        self._gifts = solved.gifts(1 - agent, way) if nesting.gifts else 0.0
        self._came = came

    def again(self, bet: Bet) -> SolvedAgain:
        """Return what is in force after a bet."""
        before = bet.before
        assert isinstance(before, OnFlop | SolvedAgain)
        decision = self._first
        ranges, added = self._ranges(self._came), frozenset({bet.node})
        if self._nesting.start != STREET:
            decision = int(self._game.tree.parent[bet.node])
            ranges = self._ranges(_of_combos(bet.reach, self._combo))
        if isinstance(before, SolvedAgain):
            added |= before.added
        opponent, gadget = 1 - self._agent, None
        if self._nesting.safe:
            offered = before.best(decision, ranges) + self._gifts
            gadget = gadget_of(opponent, offered, ranges, self._board, self._nesting.margin)
        else:
            known = before.known(decision)
            if without_blocked(known, self._board).sum() > _NOBODY:
                ranges[opponent] = known
        root = bet.node if self._nesting.start == BET else decision
        tree, nodes = self._game.part(root, added)
        solver = RangeSolver(tree, self._board, ranges, RangeSettings(threads=1), root=gadget)
        solve(solver, VARIANTS[VARIANT], self._iterations)
        return SolvedAgain(solver, nodes, opponent, self._combo, added)

    def _ranges(self, came: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (2, 1326): every hand of the opponent; of the agent too where none comes."""
        found, live = np.ones((2, COMBOS)), without_blocked(came, self._board)
        if live.sum() > _NOBODY:
            found[self._agent] = live
        return found


def solver_after(
    game: OffTreeGame, blueprint: SolvedGame, nesting: Nesting, opponent: int, threads: int | None
) -> tuple[FlopHandSolver, list[int]]:
    """Return what is to be solved when the opponent bets .75 before the flop, and its nodes."""
    bet = game.preflop_bet(opponent)
    decision = 0 if nesting.start == STREET else int(game.tree.parent[bet])
    root = bet if nesting.start == BET else decision
    part, nodes = game.flop_part(root, frozenset({bet}))
    ranges = np.ones((2, COMBOS))
    ranges[1 - opponent] = blueprint.reach(1 - opponent, decision)
    gadget: RootGadget | None = None
    if nesting.safe:
        offered = _by_class(blueprint.best(opponent, decision))
        gadget = gadget_of(opponent, offered, ranges, (), nesting.margin)
    else:
        ranges[opponent] = blueprint.reach(opponent, decision)
    return FlopHandSolver(part, ranges, gadget, threads=threads), nodes


def _of_combos(values: NDArray[np.float64], combo: NDArray[np.int16]) -> NDArray[np.float64]:
    """Return (1326,) what (1176,) hands in order of strength have; 0 for the others."""
    found = np.zeros(COMBOS)
    found[combo] = values
    return found


def _by_class(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (1326,) the same with rounding errors between suits taken away."""
    sums = np.bincount(COMBO_STARTING_HAND, values, STARTING_HANDS)
    found: NDArray[np.float64] = (sums / STARTING_HAND_COMBOS)[COMBO_STARTING_HAND]
    return found


def _over(won: NDArray[np.float64], met: NDArray[np.float64]) -> NDArray[np.float64]:
    found = np.zeros(COMBOS)
    np.divide(won, met, out=found, where=met > _NOBODY)
    return found


def _could_fold(game: OffTreeGame, bet: int) -> bool:
    """Return whether who made a bet could have folded instead."""
    others = game.tree.children(int(game.tree.parent[bet]))
    return any(game.tree.action[other] == FOLD for other in others)
