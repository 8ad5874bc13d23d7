"""Continual re-solving: a whole strategy that nobody keeps, solved anew at every decision.

    player = ContinualResolving(game, settings, budget, endings)
    player.strategy(state, board)      a `engine.betting.policy.GamePolicy`

Nothing but betting and board is needed: own range and the opponent's values follow from the own
decisions before, each of which is solved once and remembered for a while.

    first on a street   where the search before ended with values of the board that came, solved
                        from the own range, with these values as the opponent's alternatives; else
                        from where the street begins, with the ranges of both by a search of the
                        street before, of which the opponent's may be any hand in part
    a later decision    solved from there, with the own range after the last own action.  What the
                        last solution grants the opponent's hands right behind that action are their
                        alternatives

A hand begins with all hands of both.  Whoever acts second there has what this grants as the
opponent's alternatives, or solves from there, too: whichever holds on later streets.

What the opponent did since, and to how many chips, is in the tree exactly: own range and
alternatives do not depend on it.  An ending makes the searches of a street stop where the street
ends or the next one begins, and says what hands win there; without one they go to the hand's end.

Source: Moravcik et al., "DeepStack: expert-level artificial intelligence in heads-up no-limit
poker", Science 356, 2017.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.betting.betting_tree import DEAL
from engine.hands.private_hands import private_hands
from engine.hands.ranges import normalised, without_blocked
from engine.range_solver.leaves import DepthLimit
from engine.rules.state import HandState
from engine.search.subgame_search import (
    LAST_STREET_NODES,
    Budget,
    NotSearched,
    SearchEnding,
    SearchRoot,
    SearchSettings,
    Solution,
    search,
    street_begins,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from engine.betting.betting_tree import BettingTree
    from engine.betting.policy import Strategy
    from engine.range_solver.leaves import LeafValues
    from protocol.gamedef import GameDef

MOST_SOLUTIONS: Final = 16
LEAST_ITERATIONS: Final = 5
"""Of a solution; a choice."""
ANY_HAND_SHARE: Final = 0.1
"""Of an opponent's range by a search, where a street begins; the source's figure."""


class NextStreet:
    """Ends a search where the next street begins; a `SearchEnding`."""

    def __init__(self, values_in: Callable[[BettingTree], LeafValues]) -> None:
        """Ask the values in a tree that this returns."""
        self.values_in: Final = values_in

    def __call__(self, origin: SearchRoot, tree: BettingTree) -> tuple[BettingTree, DepthLimit]:
        """Return the betting, and the first decisions of the next street as leaves."""
        ends = np.flatnonzero((tree.kind == DEAL) & (tree.street == origin.state.street))
        nodes = tree.first_child[ends].tolist()
        return tree, DepthLimit(nodes, self.values_in(tree), averaged=True)


class ContinualResolving:
    """One player's strategy, or both players', each for itself; see the module's text."""

    def __init__(
        self,
        game: GameDef,
        settings: SearchSettings,
        budget: Budget,
        endings: Sequence[SearchEnding] = (),
    ) -> None:
        """Solve nothing yet.

        Args:
            budget: of each decision.
            endings: of searches, by street; later streets are solved to the hand's end.

        Raises:
            InvalidGame: its private hands are none that a range solver knows.
        """
        self.game: Final = game
        self.budget: Final = budget
        self._settings: Final = settings
        self._endings: Final = tuple(endings)
        self._hands_on_values: Final = all(isinstance(one, NextStreet) for one in endings)
        """Whether what the opponent's hands win is known where the next street begins."""
        self._hands: Final = private_hands(game)
        self._solutions: OrderedDict[tuple[object, ...], Solution] = OrderedDict()

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each hand.

        Raises:
            NotSearched: the budget ended before `LEAST_ITERATIONS` did.
            OutOfMemory: the betting is too large for the settings' memory.
        """
        return self.solution(state, tuple(board), state.actor).strategy(state, board)

    def forget(self, *, beginning: bool = False) -> None:
        """Forget all solutions; those of the hand's beginning only on wish."""
        start = HandState.start(self.game).betting
        for key in list(self._solutions):
            if beginning or key[1:3] != (start, start):
                del self._solutions[key]

    def solution(
        self,
        state: HandState,
        board: tuple[int, ...],
        searcher: int,
        budget: Budget | None = None,
        later: HandState | None = None,
    ) -> Solution:
        """Return the solution from a decision on, from memory if it is there.

        Args:
            state: an own decision, or the beginning of the hand or of a street.
            searcher: for whom it is solved.
            budget: of all that is not in memory; None: that of each decision.
            later: the way there is in the tree, too; None: the betting of the menus.

        Raises:
            NotSearched, OutOfMemory: as from `strategy`.
        """
        later = later or state
        key = (searcher, state.betting, later.betting, board)
        if key not in self._solutions:
            self._solutions[key] = self._solved(
                state, board, searcher, budget or self.budget, later
            )
            if len(self._solutions) > MOST_SOLUTIONS:
                self._solutions.popitem(last=False)
        self._solutions.move_to_end(key)
        return self._solutions[key]

    def _solved(
        self,
        state: HandState,
        board: tuple[int, ...],
        searcher: int,
        budget: Budget,
        later: HandState,
    ) -> Solution:
        twin = self._solutions.get((1 - searcher, state.betting, later.betting, board))
        if twin is not None and not state.history:
            return twin.of(searcher)
        if budget.seconds <= 0:
            raise NotSearched("no time is left")
        begun = monotonic()
        half = budget._replace(seconds=budget.seconds / 2)
        try:
            origin = self._origin(state, board, searcher, half)
        except NotSearched:  # no time for what came before: both may hold any hand
            origin = SearchRoot(state, board, searcher, np.ones((2, self._hands.count)))
        rest = budget._replace(seconds=budget.seconds - (monotonic() - begun))
        ends = state.street < len(self._endings)
        ending = self._endings[state.street] if ends else None
        settings = self._settings
        if state.street == self.game.streets - 1:
            settings = replace(settings, most_nodes=LAST_STREET_NODES * settings.most_nodes)
        solution = search(origin, later, settings, rest, ending=ending)
        least = min(LEAST_ITERATIONS, budget.iterations)
        if solution is None or solution.iterations < least:
            raise NotSearched(f"the budget ended before {least} iterations did")
        return solution

    def _origin(
        self, state: HandState, board: tuple[int, ...], searcher: int, budget: Budget
    ) -> SearchRoot:
        """Return what is known where a decision is solved from."""
        begins = street_begins(state)
        last = _last_decision(state, searcher, state.street)
        if last is None:
            beginning = self._beginning(begins, board, searcher, budget)
            if beginning.alternatives is not None:
                return beginning._replace(state=state)
            if not self._hands_on_values or not state.history:
                return beginning
            last = begins
        previous, _ = state.history[-1]
        is_answer = previous.actor != searcher and previous.street == state.street
        root = previous if is_answer else state
        ranges, values = self._holding(last, root, board, searcher, budget).onward(root, board)
        ranges[1 - searcher] = 1.0
        return SearchRoot(state, board, searcher, ranges, values)

    def _beginning(
        self, state: HandState, board: tuple[int, ...], searcher: int, budget: Budget
    ) -> SearchRoot:
        """Return what is known where the hand or a street begins."""
        if not state.history:
            return SearchRoot(state, board, searcher, np.ones((2, self._hands.count)))
        opponent = 1 - searcher
        last = _last_decision(state, searcher) or HandState.start(self.game)
        if self._hands_on_values:
            solution = self._holding(last, state, board, searcher, budget)
            ranges, values = solution.onward(state, board)
            ranges[opponent] = 1.0
            return SearchRoot(state, board, searcher, ranges, values)
        begins, seen = street_begins(last), board[: self.game.board_seen(last.street)]
        begun = monotonic()
        try:
            solution = self._holding(last, state, board, searcher, budget)
        except NotSearched:  # as where that street began
            rest = budget._replace(seconds=budget.seconds - (monotonic() - begun))
            ranges = self._beginning(begins, seen, searcher, rest).ranges.copy()
            return SearchRoot(state, board, searcher, ranges)
        ranges = solution.ranges(state, board)
        if solution.origin.alternatives is not None:  # it was told nothing of the opponent's range
            rest = budget._replace(seconds=budget.seconds - (monotonic() - begun))
            try:
                wide = self.solution(begins, seen, searcher, rest, state)
                ranges[opponent] = wide.ranges(state, board)[opponent]
            except NotSearched:  # any hand
                ranges[opponent] = 1.0
        ranges[opponent] = self._any_hand_in_part(ranges[opponent], board)
        return SearchRoot(state, board, searcher, ranges)

    def _holding(
        self,
        last: HandState,
        later: HandState,
        board: tuple[int, ...],
        searcher: int,
        budget: Budget,
    ) -> Solution:
        """Return a solution from a decision on that holds the betting to a later one."""
        seen = board[: self.game.board_seen(last.street)]
        solution = self.solution(last, seen, searcher, budget)
        if solution.holds(later):
            return solution
        return self.solution(last, seen, searcher, budget, later)  # an action that the menus lack

    def _any_hand_in_part(
        self, weights: NDArray[np.float64], board: Sequence[int]
    ) -> NDArray[np.float64]:
        """Return a range of sum 1 of which a share may be any hand; all where it is empty."""
        every = normalised(without_blocked(np.ones(self._hands.count), board, self._hands))
        possible = without_blocked(weights, board, self._hands)
        if not possible.any():
            return every
        part = (1 - ANY_HAND_SHARE) * normalised(possible, self._hands)
        return part + ANY_HAND_SHARE * every


def _last_decision(state: HandState, player: int, street: int | None = None) -> HandState | None:
    """Return the last decision of a player before a state, on one street or on any."""
    decisions = (past for past, _ in reversed(state.history) if past.actor == player)
    return next((past for past in decisions if street in (None, past.street)), None)
