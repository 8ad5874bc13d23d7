"""Re-solving from decision to decision through a hand, for whoever knows where it begins.

    session = ReSolvingSession(owner, settings)
    solution = session.solution(state, board)       None where time or memory lacks

A session asks its owner two questions, and knows nothing else of it:

    beginning(state, board, opponent)   with which ranges both come here, where a street begins
    ending(state)                       what hands are worth there, where a search ends early

The first decision on a searched street is solved from where that street began, as the owner says.
Each later one is solved anew from after the opponent's last action, with the values that its hands
could have had by the solution before as alternatives.  On the last street those come from a search
of its own: a solution that was made before the last card holds few of its bets.

    own decision k      solution k, and the own action by it
    onward              to the opponent's next decision, or to the next own one where a card or the
                        end of a street lies between: own range, best values of the opponent
    own decision k + 1  root after the opponent's exact action, alternatives from onward

Where searches end with their street, each decision there is solved from where it began, and the
next street begins with the ranges of the last of these solutions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import OutOfMemory
from engine.hands.ranges import floored
from engine.rules.state import HandState
from engine.search.subgame_search import (
    LAST_STREET_NODES,
    Budget,
    NotSearched,
    SafetyKind,
    SearchEnding,
    SearchRoot,
    SearchSettings,
    Solution,
    search,
    street_begins,
)
from protocol.actions import CALL

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

FEWEST_NODES: Final = 10
"""A tree of fewer is seldom met; no search is begun where not even so many would fit."""
MOST_BEGINNINGS: Final = 16
MOST_SOLUTION_BYTES: Final = 1 << 30
"""The last solution comes on top."""
LEAST_ITERATIONS: Final = 8
"""The smallest turn tree is then less exploitable than the blueprint: docs/libratus.md."""
WANTED_ITERATIONS: Final = 150
"""For which menus are made smaller: LBR won 149 ± 69 mbb/h less from 160 iterations of the smallest
than from 60, and between trees it did not decide (docs/libratus.md)."""
ANY_HAND_SHARE: Final = 0.6
"""Of an opponent's range where its values on the last street are worked out (docs/libratus.md)."""
_PACE_EASING: Final = 0.8
_MOST_SLOWING: Final = 2.0


class Pace(NamedTuple):
    """How fast this machine searches a street, so that a search fits its time or is not begun.

    Both numbers are what was measured last, or the slower figure before it, which is forgotten
    slowly.  A search tells of no more than twice what was known: a pause of the machine is no pace.
    """

    overhead: float
    """Seconds before the first iteration: the way from the solution before, tree, boards."""
    per_node: float
    """Seconds of an iteration for each node of the betting."""

    def most_nodes(self, seconds: float, iterations: int) -> float:
        """Return how many nodes may be searched so often in some seconds; inf without a limit."""
        return (seconds - self.overhead) / (iterations * self.per_node)

    def eased(self) -> Pace:
        """Return a pace that is forgotten a little, so that one hiccup ends no searching."""
        return Pace(_PACE_EASING * self.overhead, _PACE_EASING * self.per_node)

    def after(self, solution: Solution, seconds: float) -> Pace:
        """Return the slower of this pace and that of a search that took some seconds in all."""
        iterating = solution.seconds - solution.set_up
        nodes = solution.iterations * solution.solver.game.tree.nodes
        slower = _MOST_SLOWING * self.overhead, _MOST_SLOWING * self.per_node
        measured = min(seconds - iterating, slower[0]), min(iterating / nodes, slower[1])
        return Pace(max(measured[0], self.overhead), max(measured[1], self.per_node))


USUAL_PACE_OF_STREET: Final = {2: Pace(0.15, 0.0004), 3: Pace(0.02, 0.00002)}


class Beginning(NamedTuple):
    """What an owner knows of a street's first decision."""

    ranges: NDArray[np.float64]
    """(2, 1326) weights with which both come there."""
    alternatives: NDArray[np.float64] | None = None
    """(K, 1326) chips of the opponent's combos elsewhere, see `ResolveGadget`; None: not known, its
    range counts instead."""


class LimitedEnding(SearchEnding, Protocol):
    """An ending that takes time and memory."""

    @property
    def least_seconds(self) -> float:
        """Without so many a search is not begun: its values keep no clock."""

    def forget(self) -> None:
        """Free the values of the last search."""


class SearchOwner(Protocol):
    """Whose knowledge a session searches with; see the module's text."""

    def beginning(self, state: HandState, board: Sequence[int], opponent: int) -> Beginning:
        """Return the ranges here."""

    def ending(self, state: HandState) -> LimitedEnding | None:
        """Return the values there; None: a search from this street on goes to the hand's end."""


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """How the decisions of a hand are searched."""

    search: SearchSettings
    budget: Budget
    """Of a decision."""
    first_street: int
    """0-based; nothing is searched before it."""
    floor: float
    """Share of an opponent's range that may be any hand, whatever its owner says."""
    gifts: bool = False
    """Whether alternatives are raised by what was given away before; see `Solution.gifts`."""


class ReSolvingSession:
    """The searches of a hand for two-player hold'em; remembers the last solutions."""

    def __init__(self, owner: SearchOwner, settings: SessionSettings) -> None:
        """Search with what an owner knows."""
        self.settings: Final = settings
        self.factors: tuple[float, float] = (1.0, 1.0)
        """Of both players' bet sizes in searches to come."""
        self._owner: Final = owner
        self._paces = dict(USUAL_PACE_OF_STREET)
        self._solutions: OrderedDict[tuple[object, ...], Solution | None] = OrderedDict()
        self._without_memory: set[tuple[object, ...]] = set()
        self._beginnings: OrderedDict[tuple[object, ...], SearchRoot] = OrderedDict()

    def solution(
        self, state: HandState, board: tuple[int, ...], budget: Budget | None = None
    ) -> Solution | None:
        """Return the solution for a decision of its actor, from memory if it was solved.

        Args:
            state: on a searched street.
            budget: of this decision; None: that of the settings.

        Returns:
            None where there is none; see `lack`.
        """
        key = self._key(state, board)
        if key in self._solutions:
            self._solutions.move_to_end(key)
            return self._solutions[key]
        try:
            solution = self._search(state, board, budget or self.settings.budget)
        except (OutOfMemory, MemoryError):
            solution = None
            self._without_memory.add(key)
        self._solutions[key] = solution
        self._make_room()
        return solution

    def lack(self, state: HandState, board: tuple[int, ...]) -> str:
        """Return what lacked where there was no solution: "memory" or "time"."""
        return "memory" if self._key(state, board) in self._without_memory else "time"

    def forget(self) -> None:
        """Forget all solutions."""
        self._solutions.clear()
        self._without_memory.clear()
        self._beginnings.clear()

    def rehearse(self, game: GameDef) -> None:
        """Search each street to the hand's end, so that all is compiled, and its pace is known."""
        by_clock = isfinite(self.settings.budget.seconds)
        for _ in range(1 + by_clock):  # the first one compiles
            self._paces = dict(USUAL_PACE_OF_STREET)
            state = HandState.start(game)
            while not state.over:
                cards = tuple(game.deck[: game.board_seen(state.street)])
                if state.street in self._paces:
                    self.solution(state, cards, Budget(iterations=3))
                state = state.apply(CALL)
            self.forget()

    def _key(self, state: HandState, board: tuple[int, ...]) -> tuple[object, ...]:
        return state.actor, state.betting, board, self.factors

    def _search(self, state: HandState, board: tuple[int, ...], budget: Budget) -> Solution | None:
        """Return a new solution; None where there would be too few iterations for one."""
        begun = monotonic()
        street, settings, limit = state.street, self.settings.search, budget
        ending = self._owner.ending(state)
        if street == state.game.streets - 1:
            settings = replace(settings, most_nodes=LAST_STREET_NODES * settings.most_nodes)
        if ending is not None:
            if budget.seconds < ending.least_seconds:
                return None
        elif isfinite(self.settings.budget.seconds) and isfinite(budget.seconds):
            pace = self._paces[street]
            limit = budget._replace(nodes=pace.most_nodes(budget.seconds, LEAST_ITERATIONS))
            self._paces[street] = pace.eased()
            if limit.nodes < FEWEST_NODES:
                return None
            nodes = int(pace.most_nodes(budget.seconds, WANTED_ITERATIONS))
            settings = replace(settings, most_nodes=max(1, min(settings.most_nodes, nodes)))
        origin = self._nested(state, board, budget, settings) or self._beginning(state, board)
        limit = limit._replace(seconds=budget.seconds - (monotonic() - begun))
        earlier = [entry for entry in self._solutions.values() if entry is not None]
        try:
            solution = search(
                origin, state, settings, limit, self.factors, solutions=earlier, ending=ending
            )
        finally:
            if ending is not None:
                ending.forget()
        if solution is None:
            return None
        if solution not in earlier and ending is None:
            self._paces[street] = self._paces[street].after(solution, monotonic() - begun)
        return solution if solution.iterations >= min(LEAST_ITERATIONS, budget.iterations) else None

    def _make_room(self) -> None:
        """Forget the oldest solutions until the others fit."""
        while len(self._solutions) > 1 and self._bytes() > MOST_SOLUTION_BYTES:
            self._solutions.popitem(last=False)

    def _bytes(self) -> int:
        """Return the bytes of all solutions; several states may share one."""
        apart = {id(entry): entry for entry in self._solutions.values() if entry is not None}
        return sum(entry.solver.memory.total for entry in apart.values())

    def _beginning(self, state: HandState, board: tuple[int, ...]) -> SearchRoot:
        """Return where the street began, as the owner knows it."""
        root = street_begins(state)
        key = (state.actor, root.betting, board)
        if key not in self._beginnings:
            opponent = 1 - state.actor
            ranges, alternatives = self._owner.beginning(root, board, opponent)
            if alternatives is None:
                self._beginnings[key] = self._by_ranges(root, board, state.actor, ranges)
            else:
                ranges[opponent] = 1.0
                self._beginnings[key] = SearchRoot(root, board, state.actor, ranges, alternatives)
            if len(self._beginnings) > MOST_BEGINNINGS:
                self._beginnings.popitem(last=False)
        return self._beginnings[key]

    def _by_ranges(
        self, root: HandState, board: tuple[int, ...], searcher: int, ranges: NDArray[np.float64]
    ) -> SearchRoot:
        """Return a root with the opponent's range, which may be any hand in part."""
        opponent = 1 - searcher
        ranges[opponent] = floored(ranges[opponent], board, self.settings.floor)
        return SearchRoot(root, board, searcher, ranges)

    def _nested(
        self,
        state: HandState,
        board: tuple[int, ...],
        budget: Budget,
        settings: SearchSettings,
    ) -> SearchRoot | None:
        """Return what follows from the solution of the last own decision.

        None where there was none, or it does not hold what was done since.
        """
        if self._owner.ending(state) is not None:
            return None
        searcher = state.actor
        last = next(
            (
                past
                for past, _ in reversed(state.history)
                if past.actor == searcher and past.street >= self.settings.first_street
            ),
            None,
        )
        if last is None:
            return None
        begun = monotonic()
        half = budget._replace(seconds=budget.seconds / 2)  # nothing, if it is remembered
        solution = self.solution(last, board[: state.game.board_seen(last.street)], half)
        if solution is None:
            return None
        try:
            if solution.solver.limit is not None:
                root = street_begins(state)
                return self._by_ranges(root, board, searcher, solution.ranges(root, board))
            previous, _ = state.history[-1]
            answered = previous.actor != searcher and previous.street == state.street
            root = previous if answered else state
            ranges, values = solution.onward(root, board)
            given = solution.gifts(root, board) if self.settings.gifts else 0.0
        except NotSearched:
            return None
        if self.settings.search.safety is SafetyKind.UNSAFE:
            return self._by_ranges(root, board, searcher, ranges)
        came = last.street < state.street == state.game.streets - 1
        if came and state.game.no_limit:  # in limit the solution before holds all bets
            rest = budget.seconds - (monotonic() - begun)
            origin = SearchRoot(root, board, searcher, ranges.copy())
            fine = self._fine_solution(origin, state, settings, budget._replace(seconds=rest / 2))
            values = values if fine is None else fine.onward(root, board).values
        ranges[1 - searcher] = 1.0
        return SearchRoot(state, board, searcher, ranges, values + given)

    def _fine_solution(
        self, origin: SearchRoot, state: HandState, settings: SearchSettings, budget: Budget
    ) -> Solution | None:
        """Return a search of the last street, by which the opponent's hands are valued at its root.

        Args:
            origin: with the ranges by the solution before; that of the opponent is changed.

        Returns:
            None where there are too few iterations for a solution.
        """
        opponent = 1 - origin.searcher
        theirs = floored(origin.ranges[opponent], origin.board, ANY_HAND_SHARE)
        origin.ranges[opponent] = theirs
        fine = search(origin, state, settings, budget, self.factors)
        least = min(LEAST_ITERATIONS, budget.iterations)
        return None if fine is None or fine.iterations < least else fine
