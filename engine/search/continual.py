"""Continual re-solving: a whole strategy that nobody keeps, solved anew at every decision.

    player = ContinualResolving(game, settings, budget, ending)
    player.strategy(state, board)      a `engine.betting.policy.GamePolicy`

Nothing but betting and board is needed: own range and the opponent's values follow from the own
decisions before, each of which is solved once and remembered for a while.

    the hand's beginning    solved with all hands of both: the first decision, and what the
                            opponent's hands win at least, for whoever acts second
    a later own decision    solved from there, with the own range after the last own action.  What
                            the last solution grants the opponent's hands right behind that action,
                            or where the next street begins, are their alternatives

What the opponent did since, and to how many chips, is in the tree exactly: own range and
alternatives do not depend on it.  An ending makes searches stop where the next street begins, and
`LeafValues` say what hands win there; without one they go to the hand's end.

Source: Moravcik et al., "DeepStack: expert-level artificial intelligence in heads-up no-limit
poker", Science 356, 2017.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.betting.betting_tree import DEAL
from engine.hands.private_hands import private_hands
from engine.range_solver.leaves import DepthLimit
from engine.rules.state import HandState
from engine.search.subgame_search import (
    Budget,
    NotSearched,
    SearchEnding,
    SearchRoot,
    SearchSettings,
    Solution,
    search,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.betting.betting_tree import BettingTree
    from engine.betting.policy import Strategy
    from engine.range_solver.leaves import LeafValues
    from protocol.gamedef import GameDef

MOST_SOLUTIONS: Final = 16


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
        ending: SearchEnding | None = None,
    ) -> None:
        """Solve nothing yet.

        Args:
            budget: of each solve.
            ending: of searches before the last street.

        Raises:
            InvalidGame: its private hands are none that a range solver knows.
        """
        self.game: Final = game
        self._settings: Final = settings
        self._budget: Final = budget
        self._ending: Final = ending
        self._hands: Final = private_hands(game)
        self._solutions: OrderedDict[tuple[object, ...], Solution] = OrderedDict()

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each hand.

        Raises:
            NotSearched: the budget ended before the first iteration did.
        """
        solution = self.solution(state, tuple(board), state.actor)
        return solution.strategy(state, board)

    def solution(
        self,
        state: HandState,
        board: tuple[int, ...],
        searcher: int,
        later: HandState | None = None,
    ) -> Solution:
        """Return the solution from a decision on, from memory if it is there.

        Args:
            state: an own decision, or the hand's beginning.
            searcher: for whom it is solved.
            later: the way there is in the tree, too; None: the betting of the menus.

        Raises:
            NotSearched: as from `strategy`.
        """
        later = later or state
        key = (searcher, state.betting, later.betting, board)
        if key not in self._solutions:
            origin = self._origin(state, board, searcher)
            is_last = state.street == self.game.streets - 1
            ending = None if is_last else self._ending
            solution = search(origin, later, self._settings, self._budget, ending=ending)
            if solution is None:
                raise NotSearched("the budget ended before the first iteration did")
            self._solutions[key] = solution
            if len(self._solutions) > MOST_SOLUTIONS:
                self._solutions.popitem(last=False)
        self._solutions.move_to_end(key)
        return self._solutions[key]

    def _origin(self, state: HandState, board: tuple[int, ...], searcher: int) -> SearchRoot:
        """Return what is known where an own decision is solved from."""
        if not state.history:
            return SearchRoot(state, board, searcher, np.ones((2, self._hands.count)))
        decisions = [past for past, _ in state.history if past.actor == searcher]
        last = decisions[-1] if decisions else HandState.start(self.game)
        previous, _ = state.history[-1]
        is_answer = previous.actor != searcher and previous.street == state.street
        root = previous if is_answer else state
        last_board = board[: self.game.board_seen(last.street)]
        try:
            onward = self.solution(last, last_board, searcher).onward(root, board)
        except NotSearched:  # an own action that the menus lack
            onward = self.solution(last, last_board, searcher, root).onward(root, board)
        ranges = onward.ranges
        ranges[1 - searcher] = 1.0
        return SearchRoot(state, board, searcher, ranges, onward.values)
