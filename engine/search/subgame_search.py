"""Solving the rest of a hand from a public state on, and what a solution says of later states.

    origin = SearchRoot(state, board, searcher, ranges)           unsafe, by the ranges of both
    origin = SearchRoot(state, board, searcher, ranges, values)   safe, by the opponent's values
    solution = search(origin, state, settings, budget)
    solution.strategy(state, board)         what the searcher does with all of its hands
    solution.onward(later, board)           ranges and values from which a later state is searched

`ranges` at a state are what the players' own actions say, blocked combos left out by the solver.
With alternatives the opponent's range need not be known: every combo of positive weight may come.
Anything that knows ranges or values can begin a search: nothing here knows of a blueprint.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import inf
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.betting.betting_tree import DEAL, BettingTree
from engine.betting.policy import Strategy
from engine.cfr.adaptive import PoolSolve, RoundRobin
from engine.cfr.adaptive_choice import AdaptiveChoice, AdaptiveSolve
from engine.cfr.solver import StrategyKind
from engine.cfr.variants import VARIANTS, Variant
from engine.errors import EngineError
from engine.hands.private_hands import PrivateHands, private_hands
from engine.hands.ranges import compatible_reach, normalised, without_blocked
from engine.range_solver.leaves import DepthLimit, Leaf
from engine.range_solver.root import RootGadget
from engine.range_solver.settings import RangeSettings
from engine.range_solver.solver import RangeSolver
from engine.rules.state import HandState
from engine.search.gadgets import MarginGadget, ResolveGadget
from engine.search.menus import USUAL_MENUS, StreetMenus, richest_tree
from engine.search.profile_values import profile_below

ENTRY_SHARE: Final = 1e-3
"""Share of each of the opponent's combos that comes whatever its alternative is: enough to tell
what to do against one that should not have come.  LBR wins 24 ± 28 mbb/h more than without it."""
LAST_STREET_NODES: Final = 10
"""Without cards to come nodes cost a tenth."""
LEAST_WEIGHT: Final = 1e-6
"""Each of the searcher's own combos has at least this, in parts of the likeliest."""


_ENDED: Final = "the search ended before it"


class NotSearched(EngineError):
    """A solution does not hold the state that was asked for."""


class SafetyKind(Enum):
    """How the opponent is kept from gaining by a search."""

    UNSAFE = "unsafe"
    """Not: its range is taken as known."""
    RESOLVE = "resolve"
    """Each of its combos may take its alternative instead; see `engine.search.gadgets`."""
    MARGIN = "margin"
    """The smallest margin below the alternatives is made as large as can be."""


class SearchRoot(NamedTuple):
    """What is known where a search begins; see the module's text."""

    state: HandState
    """Somebody is to act; in hold'em on the flop or later."""
    board: tuple[int, ...]
    searcher: int
    ranges: NDArray[np.float64]
    """(2, H) weights of `private_hands`."""
    alternatives: NDArray[np.float64] | None = None
    """(H,) or (K, H) chips that the opponent's combos get elsewhere; see `ResolveGadget`.
    A `MarginGadget` grants the mean of K: the estimate of Estimated-Maxmargin."""


class Budget(NamedTuple):
    """How long a search may take; what is reached first ends it."""

    iterations: float = inf
    seconds: float = inf
    """From when the search begins.  It ends early if another iteration would take too long."""
    nodes: float = inf
    """A search of a larger tree is not begun, where menus cannot be made smaller."""


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How the rest of a hand is solved."""

    variant: Variant = VARIANTS["dcfr"]
    safety: SafetyKind = SafetyKind.RESOLVE
    """Where there are alternatives."""
    most_nodes: int = 240
    """Of the betting; see `engine.search.menus.richest_tree`."""
    menus: StreetMenus = USUAL_MENUS
    threads: int = 1
    portions: int = 3
    """Of the next cards, each visited once an iteration; the first street learns after each.

    See `engine.range_solver.portions`.
    """
    memory_limit: int = 4 << 30
    """Bytes."""
    choice: AdaptiveChoice | None = None
    """Chooses among minimisers in place of `variant`."""
    traces: bool = True
    """Whether the searcher does what is left of the first iteration; see `without_traces`."""

    @property
    def pool(self) -> tuple[Variant, ...]:
        """The minimisers that may run."""
        return (self.variant,) if self.choice is None else self.choice.pool

    def run_of(self, solver: RangeSolver, big_blind: int) -> PoolSolve:
        """Return what iterates a solver; `big_blind` is in chips."""
        if self.choice is not None:
            return AdaptiveSolve(solver, self.choice, big_blind)
        return PoolSolve(solver, self.pool, RoundRobin(1))


class SearchEnding(Protocol):
    """Ends a search before the hand is over."""

    def __call__(self, origin: SearchRoot, tree: BettingTree, /) -> tuple[BettingTree, DepthLimit]:
        """Return the betting up to the leaves, and the values there."""


class Onward(NamedTuple):
    """What a solution says of a later public state."""

    ranges: NDArray[np.float64]
    """(2, H) float64, the ranges with which both come there; they need not sum to 1."""
    values: NDArray[np.float64]
    """(H,) float64 chips: what the opponent's combos win there at best, 0 where none can be."""


class Solution:
    """The rest of a hand that was solved."""

    def __init__(
        self,
        origin: SearchRoot,
        tree: BettingTree,
        solver: RangeSolver,
        seconds: float,
        set_up: float,
        *,
        traces: bool = True,
    ) -> None:
        """Use `search`."""
        self.origin: Final = origin
        self.tree: Final = tree
        """The betting, before any depth limit changed it."""
        self.solver: Final = solver
        self.seconds: Final = seconds
        """What it took."""
        self.set_up: Final = set_up
        """Of that, before the first iteration."""
        self._traces: Final = traces

    def of(self, searcher: int) -> Solution:
        """Return the same for another searcher; none of both may have alternatives."""
        origin = self.origin._replace(searcher=searcher)
        return Solution(
            origin, self.tree, self.solver, self.seconds, self.set_up, traces=self._traces
        )

    @property
    def iterations(self) -> int:
        """How many there were over all boards."""
        return self.solver.iterations // self.solver.settings.portions

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each combo; see `engine.betting.policy.Policy`.

        Raises:
            NotSearched: the betting or the board is another one.
        """
        node = self._node(state)
        if node in self.solver.game.leaf_nodes:
            raise NotSearched(_ENDED)
        tree = self.solver.game.tree
        actions = tuple(tree.taken(child) for child in tree.children(node))
        return Strategy(actions, self._at(state.actor, node, self._dealt(board)))

    def onward(self, later: HandState, board: Sequence[int]) -> Onward:
        """Return what the solution says of a later decision.

        Raises:
            NotSearched: the betting or the board is another one, or the search ended before, or
                at leaves of which it kept no averages.
        """
        limit = self.solver.limit
        if limit is not None and not limit.averaged:
            raise NotSearched("nothing is known of what the opponent wins behind a depth limit")
        ranges = self.ranges(later, board)
        node = self._node(later)
        searcher, opponent = self.origin.searcher, 1 - self.origin.searcher
        game = self.solver.game
        if node in game.leaf_nodes:
            leaf = game.leaves.index(Leaf(node, tuple(board)))
            return Onward(ranges, self.solver.leaf_averages()[leaf, opponent])
        return Onward(ranges, self._best(node, board, ranges[searcher]))

    def holds(self, later: HandState) -> bool:
        """Return whether the betting to a later decision was searched, or up to it."""
        try:
            for _ in self._way(later):
                pass
        except NotSearched:
            return False
        return True

    def gifts(self, later: HandState, board: Sequence[int]) -> NDArray[np.float64]:
        """Return what the opponent's combos gave away up to a later decision, by the solution.

        At each of its decisions on the way that is what the best action wins more than the one
        that was taken; at the root, what the alternative was worth more.

        Returns:
            (H,) float64 chips, not negative: so much more may each combo win there, and do no
            better than the best that it could have done.

        Raises:
            NotSearched: as `onward`.
        """
        if self.solver.limit is not None:
            raise NotSearched("nothing is known of what the opponent wins behind a depth limit")
        searcher, cards = self.origin.searcher, tuple(board)
        reach = self.origin.ranges[searcher].copy()
        given = np.zeros(len(reach))
        if self.origin.alternatives is not None:
            granted = np.atleast_2d(self.origin.alternatives).mean(axis=0)
            given += np.maximum(granted - self._best(0, self.origin.board, reach), 0.0)
        for actor, node, child, dealt_count in self._way(later):
            seen = cards[: len(self.origin.board) + dealt_count]
            if actor == searcher:
                reach *= self._at(actor, node, self._dealt(seen))[:, child]
                continue
            children = self.solver.game.tree.children(node)
            others = frozenset(children) - {children[child]}
            taken = self._best(node, seen, reach, others)
            given += np.maximum(self._best(node, seen, reach) - taken, 0.0)
        return given

    def _best(
        self,
        node: int,
        board: Sequence[int],
        reach: NDArray[np.float64],
        left_out: frozenset[int] = frozenset(),
    ) -> NDArray[np.float64]:
        """Return (H,) what the opponent's combos win at best from a decision on.

        Args:
            reach: (H,) of the searcher.
            left_out: actions at the decision that are not taken.
        """
        opponent = 1 - self.origin.searcher
        ranges = np.ones((2, len(reach)))
        ranges[self.origin.searcher] = _never_empty(reach, board, self.solver.game.hands)
        profile = profile_below(self.solver, node, board, ranges, left_out)
        best: NDArray[np.float64] = profile.best_response_values(StrategyKind.AVERAGE)[opponent]
        np.nan_to_num(best, copy=False)
        return best

    def ranges(self, later: HandState, board: Sequence[int]) -> NDArray[np.float64]:
        """Return (2, H) float64, the ranges with which both come to a later decision.

        Raises:
            NotSearched: the betting or the board is another one.
        """
        dealt = self._dealt(board)
        ranges = self.origin.ranges.copy()
        for actor, node, child, dealt_count in self._way(later):
            ranges[actor] *= self._at(actor, node, dealt[:dealt_count])[:, child]
        return ranges

    def _at(self, actor: int, node: int, dealt: Sequence[int]) -> NDArray[np.float32]:
        shares = self.solver.strategy(StrategyKind.AVERAGE, node, dealt)
        is_whole = self._traces or actor != self.origin.searcher
        return shares if is_whole else without_traces(shares, self.iterations)

    def _dealt(self, board: Sequence[int]) -> tuple[int, ...]:
        root_size = len(self.origin.board)
        if tuple(board[:root_size]) != self.origin.board:
            raise NotSearched(f"the search was for another board than {list(board)}")
        return tuple(board[root_size:])

    def _node(self, state: HandState) -> int:
        node = 0
        for _, above, child, _ in self._way(state):
            node = self._below(above, child)
        if self.solver.game.tree.street[node] != state.street:
            raise NotSearched(_ENDED)
        return node

    def _way(self, state: HandState) -> Iterator[tuple[int, int, int, int]]:
        """Yield actor, node, number of the action and cards dealt by then, for each action."""
        tree, root = self.solver.game.tree, self.origin.state
        done = len(root.history)
        if not state.betting.startswith(root.betting) or len(state.history) < done:
            raise NotSearched(f"the search began after {root.betting!r}, not {state.betting!r}")
        node = 0
        for spot, action, _ in state.steps(since=done):
            if node in self.solver.game.leaf_nodes or tree.street[node] != spot.street:
                raise NotSearched(_ENDED)
            taken = [tree.taken(child) for child in tree.children(node)]
            if action not in taken:
                raise NotSearched(f"{action.text} after {spot.betting!r} was not searched")
            child = taken.index(action)
            dealt_count = spot.game.board_seen(spot.street) - len(self.origin.board)
            yield spot.actor, node, child, dealt_count
            node = self._below(node, child)

    def _below(self, node: int, child: int) -> int:
        tree = self.solver.game.tree
        child_node = tree.children(node)[child]
        if child_node in self.solver.game.leaf_nodes:
            return child_node
        return int(tree.first_child[child_node]) if tree.kind[child_node] == DEAL else child_node


def street_begins(state: HandState) -> HandState:
    """Return the first decision of the street of a state."""
    return next((past for past, _ in state.history if past.street == state.street), state)


def search(
    origin: SearchRoot,
    later: HandState,
    settings: SearchSettings,
    budget: Budget,
    factors: tuple[float, float] = (1.0, 1.0),
    clock: Callable[[], float] = time.monotonic,
    solutions: Iterable[Solution] = (),
    ending: SearchEnding | None = None,
) -> Solution | None:
    """Solve the rest of a hand.

    Args:
        later: the state whose strategy is wanted, the root or a later one; the way there is in the
            tree to the chip.
        factors: of both players' bet sizes; see `ExactMenu`.
        clock: seconds.
        solutions: by the same settings; one of the same root and betting is returned.
        ending: makes a search depth-limited; None: the hand is solved to its end.

    Returns:
        None where the time was over before an iteration was, or the tree is too large.

    Raises:
        OutOfMemory, InvalidGame, ValueError: as from `RangeSolver`.
    """
    begun = clock()
    menus = settings.menus.at(origin.state, limited=ending is not None)
    tree = richest_tree(origin.state, later, menus, settings.most_nodes, factors)
    if tree.nodes > budget.nodes:
        return None
    for candidate in solutions:
        if _same_root(candidate.origin, origin) and candidate.tree.same_betting(tree):
            return candidate
    limited, limit, made_ready = tree, None, 0.0
    if ending is not None:
        before = clock()
        limited, limit = ending(origin, tree)
        made_ready = clock() - before
        if before + made_ready - begun > budget.seconds:
            return None
    ranges = origin.ranges.copy()
    hands = private_hands(later.game)
    ranges[origin.searcher] = _never_empty(ranges[origin.searcher], origin.board, hands)
    if not without_blocked(ranges[1 - origin.searcher], origin.board, hands).any():
        ranges[1 - origin.searcher] = 1.0
    solver = RangeSolver(
        limited,
        origin.board,
        ranges,
        RangeSettings(
            threads=settings.threads,
            portions=_portions(origin, limited, settings, limit),
            memory_limit=settings.memory_limit,
        ),
        limit=limit,
        root=_gadget(origin, ranges, settings.safety),
    )
    run = settings.run_of(solver, later.game.big_blind)
    now = clock()
    set_up = now - begun
    longest = set_up - made_ready  # nothing else tells how long the first iteration will take
    most = budget.iterations * solver.settings.portions
    while solver.iterations < most and now - begun + longest <= budget.seconds:
        run.iterate()
        iteration_start, now = now, clock()
        longest = (
            now - iteration_start if solver.iterations == 1 else max(longest, now - iteration_start)
        )
    seconds = clock() - begun
    solution = Solution(origin, tree, solver, seconds, set_up, traces=settings.traces)
    return solution if solution.iterations else None


def without_traces(shares: NDArray[np.float32], iterations: float) -> NDArray[np.float32]:
    """Return (H, A) shares of actions without those no larger than the first iteration's weight.

    Linear CFR averages iteration t with the weight t, and its first one takes every action alike,
    those of which a hand makes nothing, too.
    """
    least = 2 / (iterations * (iterations + 1))
    kept = np.where(shares > np.minimum(least, shares.max(axis=1, keepdims=True) / 2), shares, 0)
    kept /= np.maximum(kept.sum(axis=1, keepdims=True), np.float32(1e-9))
    return kept.astype(np.float32)


def _portions(
    origin: SearchRoot, tree: BettingTree, settings: SearchSettings, limit: DepthLimit | None
) -> int:
    """Return 1 where there are no boards to cut, or the algorithm needs all of them at once."""
    whole = any(variant.prediction > 0 or variant.by_variance for variant in settings.pool)
    return 1 if whole or not _plays_on(origin, tree, limit) else settings.portions


def _plays_on(origin: SearchRoot, tree: BettingTree, limit: DepthLimit | None) -> bool:
    """Return whether the next street is searched too."""
    street = origin.state.street
    if limit is None:
        return street < origin.state.game.streets - 1
    ends = np.flatnonzero((tree.kind == DEAL) & (tree.street == street))
    inner_ends = ends[~np.isin(ends, list(limit.nodes))]
    return not np.isin(tree.first_child[inner_ends], list(limit.nodes)).all()


def _same_root(first: SearchRoot, second: SearchRoot) -> bool:
    """Return whether two searches begin with the same knowledge."""
    if first is second:
        return True
    if (first.state.betting, first.board, first.searcher) != (
        second.state.betting,
        second.board,
        second.searcher,
    ):
        return False
    if first.alternatives is None or second.alternatives is None:
        alike = first.alternatives is second.alternatives
    else:
        alike = np.array_equal(first.alternatives, second.alternatives)
    return alike and np.array_equal(first.ranges, second.ranges)


def _gadget(
    origin: SearchRoot, ranges: NDArray[np.float64], safety: SafetyKind
) -> RootGadget | None:
    if origin.alternatives is None or safety is SafetyKind.UNSAFE:
        return None
    opponent = 1 - origin.searcher
    if safety is SafetyKind.RESOLVE:
        return ResolveGadget(opponent, origin.alternatives, ENTRY_SHARE)
    hands = private_hands(origin.state.game)
    beliefs = [normalised(without_blocked(side, origin.board, hands), hands) for side in ranges]
    searched = beliefs[origin.searcher]
    possible = compatible_reach(searched > 0, hands) > 0
    met = np.where(possible, compatible_reach(searched, hands), 0.0)
    weights = beliefs[opponent] * met
    granted = np.atleast_2d(origin.alternatives).mean(axis=0)
    return MarginGadget(opponent, granted, weights / weights.sum())


def _never_empty(
    weights: NDArray[np.float64], board: Sequence[int], hands: PrivateHands
) -> NDArray[np.float64]:
    """Return a range with a little of every hand that the board leaves."""
    likeliest = without_blocked(weights, board, hands).max(initial=0.0)
    if not likeliest > 0:
        return np.ones(hands.count)
    padded_weights: NDArray[np.float64] = np.maximum(weights / likeliest, LEAST_WEIGHT)
    return padded_weights
