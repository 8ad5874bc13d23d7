"""What libratus does with all hands at any public state: the blueprint early, then a search.

The first decision on a searched street is solved from where that street began, with both players'
ranges by the blueprint.  Each later one is solved anew from after the opponent's last action, with
the values that its hands could have had by the solution before as alternatives.

    own decision k      solution k, and the own action by it
    onward              to the opponent's next decision, or to the next own one where a card or the
                        end of a street lies between: own range, best values of the opponent
    own decision k + 1  root after the opponent's exact action, alternatives from onward

Where the flop is searched, each decision there is solved from where it began, and the turn begins
with the ranges of the last of these solutions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.blueprint_model.policy import BlueprintPolicy
from agents.blueprint_model.policy import policy_for as blueprint_for
from agents.errors import GameNotPlayed
from agents.libratus.estimates import blueprint_alternatives
from agents.libratus.flop import FlopEnding
from agents.libratus.pace import LEAST_ITERATIONS, USUAL, WANTED_ITERATIONS
from agents.libratus.settings import FLOP, SECONDS, TURN, libratus_settings
from engine.errors import OutOfMemory
from engine.hands.cards import COMBOS
from engine.hands.ranges import without_blocked
from engine.rules.state import HandState
from engine.search.subgame_search import (
    Budget,
    NotSearched,
    SafetyKind,
    SearchRoot,
    Solution,
    search,
)
from protocol.actions import CALL

if TYPE_CHECKING:
    from agents.libratus.settings import LibratusSettings
    from engine.betting.policy import Strategy
    from protocol.gamedef import GameDef

FEWEST_NODES: Final = 10
"""A tree of fewer is seldom met; no search is begun where not even so many would fit."""
RIVER_NODES: Final = 10
"""Nodes of a river's tree for one of a turn's: without cards to come they cost a tenth."""
ARRIVALS_KEPT: Final = 16
"""Beginnings of streets, each with both ranges, whose knowledge is remembered."""
FLOP_SECONDS: Final = 30
FLOP_SECONDS_A_RUNOUT: Final = 20
"""A flop search is begun with so much time: its values keep no clock."""
MOST_MEMORY: Final = 1 << 30
"""Bytes of the solutions that are remembered, beside the last one."""


class Answer(NamedTuple):
    """A strategy, and where it comes from."""

    strategy: Strategy
    solution: Solution | None
    """None: the blueprint's."""
    why: str = ""
    """Why it is the blueprint's."""


class LibratusPolicy:
    """A policy for two-player hold'em; remembers the solutions of the last hands."""

    def __init__(self, blueprint: BlueprintPolicy, settings: LibratusSettings) -> None:
        """Search with the ranges of a blueprint."""
        self.blueprint: Final = blueprint
        self.settings: Final = settings
        self.factors: tuple[float, float] = (1.0, 1.0)
        """Of both players' bet sizes in searches to come."""
        self._paces = dict(USUAL)
        self._ending = FlopEnding(blueprint, settings.flop) if settings.flop else None
        self._solutions: OrderedDict[tuple[object, ...], Solution | None] = OrderedDict()
        self._without_memory: set[tuple[object, ...]] = set()
        self._arrivals: OrderedDict[tuple[object, ...], SearchRoot] = OrderedDict()

    @property
    def game(self) -> GameDef:
        """The game it plays."""
        return self.blueprint.game

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without what was solved."""
        return type(self), (self.blueprint, self.settings)

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each combo; see `engine.betting.policy.Policy`."""
        return self.answer(state, board).strategy

    def answer(
        self, state: HandState, board: Sequence[int], budget: Budget | None = None
    ) -> Answer:
        """Return the strategy, and the solution that it comes from.

        Args:
            budget: of this decision; None: that of the settings.
        """
        cards = tuple(map(int, board))
        if state.street < self.settings.first_street:
            return Answer(self.blueprint.strategy(state, cards), None, "before the search")
        solution = self._solution(state, cards, budget or self.settings.budget)
        if solution is None:
            lacking = "memory" if self._key(state, cards) in self._without_memory else "time"
            return Answer(self.blueprint.strategy(state, cards), None, f"no {lacking}")
        return Answer(solution.strategy(state, cards), solution)

    def forget(self) -> None:
        """Forget all solutions."""
        self._solutions.clear()
        self._without_memory.clear()
        self._arrivals.clear()

    def rehearse(self) -> None:
        """Decide on each street, so that all is compiled, and how long searches take is known."""
        deck = self.game.deck
        self.blueprint.model.warm_up()
        by_clock = isfinite(self.settings.budget.seconds)
        for _ in range(1 + by_clock):  # the first one compiles
            self._paces = dict(USUAL)
            state = HandState.start(self.game)
            while not state.over:
                cards = deck[: self.game.board_seen(state.street)]
                self.blueprint.strategy(state, cards)
                if state.street >= TURN:
                    self.answer(state, cards, Budget(iterations=3))
                state = state.apply(CALL)
            self.forget()

    def _key(self, state: HandState, board: tuple[int, ...]) -> tuple[object, ...]:
        return state.actor, state.betting, board, self.factors

    def _solution(
        self, state: HandState, board: tuple[int, ...], budget: Budget
    ) -> Solution | None:
        """Return the solution for a decision of its actor, from memory if it was solved."""
        key = self._key(state, board)
        if key in self._solutions:
            self._solutions.move_to_end(key)
            return self._solutions[key]
        try:
            found = self._search(state, board, budget)
        except (OutOfMemory, MemoryError):
            found = None
            self._without_memory.add(key)
        self._solutions[key] = found
        self._make_room()
        return found

    def _search(self, state: HandState, board: tuple[int, ...], budget: Budget) -> Solution | None:
        """Return a new solution; None where there would be too few iterations for one."""
        begun = monotonic()
        street, settings, limit = state.street, self.settings.search, budget
        if street == self.game.streets - 1:
            settings = replace(settings, most_nodes=RIVER_NODES * settings.most_nodes)
        by_clock = isfinite(self.settings.budget.seconds) and isfinite(budget.seconds)
        if street == FLOP:
            if budget.seconds < FLOP_SECONDS + self.settings.flop * FLOP_SECONDS_A_RUNOUT:
                return None
        elif by_clock:
            pace = self._paces[street]
            limit = budget._replace(nodes=pace.most_nodes(budget.seconds, LEAST_ITERATIONS))
            self._paces[street] = pace.eased()
            if limit.nodes < FEWEST_NODES:
                return None
            nodes = int(pace.most_nodes(budget.seconds, WANTED_ITERATIONS))
            settings = replace(settings, most_nodes=max(1, min(settings.most_nodes, nodes)))
        origin = self._nested(state, board, budget) or self._arrival(state, board)
        limit = limit._replace(seconds=budget.seconds - (monotonic() - begun))
        known = [one for one in self._solutions.values() if one is not None]
        ending = self._ending if street == FLOP else None
        try:
            found = search(origin, state, settings, limit, self.factors, known=known, ending=ending)
        finally:
            if ending is not None:
                ending.forget()
        if found is not None and found not in known and street != FLOP:
            self._paces[street] = self._paces[street].after(found, monotonic() - begun)
        least = min(LEAST_ITERATIONS, budget.iterations)
        return found if found is not None and found.iterations >= least else None

    def _make_room(self) -> None:
        """Forget the oldest solutions until the others fit."""
        while len(self._solutions) > 1 and self._held() > MOST_MEMORY:
            self._solutions.popitem(last=False)

    def _held(self) -> int:
        """Return the bytes of all solutions; several states may share one."""
        apart = {id(one): one for one in self._solutions.values() if one is not None}
        return sum(one.solver.memory.total for one in apart.values())

    def _arrival(self, state: HandState, board: tuple[int, ...]) -> SearchRoot:
        """Return where the street began, as the blueprint came there."""
        root = _street_begins(state)
        key = (state.actor, root.betting, board)
        if key not in self._arrivals:
            self._arrivals[key] = self._root(root, board, state.actor)
            if len(self._arrivals) > ARRIVALS_KEPT:
                self._arrivals.popitem(last=False)
        return self._arrivals[key]

    def _root(self, root: HandState, board: tuple[int, ...], searcher: int) -> SearchRoot:
        """Return what the blueprint says of where a street begins."""
        ranges = np.stack([self.blueprint.reach(root, board, player) for player in (0, 1)])
        opponent = 1 - searcher
        if self.settings.estimates:
            found = blueprint_alternatives(self.blueprint, root, board, ranges, opponent)
            if found is not None:
                ranges[opponent] = 1.0
                return SearchRoot(root, board, searcher, ranges, found)
        ranges[opponent] = floored(ranges[opponent], board, self.settings.floor)
        return SearchRoot(root, board, searcher, ranges)

    def _nested(
        self, state: HandState, board: tuple[int, ...], budget: Budget
    ) -> SearchRoot | None:
        """Return what follows from the solution of the last own decision.

        None where there was none, or it does not hold what was done since.
        """
        if state.street == FLOP:
            return None
        own = state.actor
        last = next(
            (
                before
                for before, _ in reversed(state.history)
                if before.actor == own and before.street >= self.settings.first_street
            ),
            None,
        )
        if last is None:
            return None
        game = state.game
        half = budget._replace(seconds=budget.seconds / 2)  # nothing, if it is remembered
        solution = self._solution(last, board[: game.board_seen(last.street)], half)
        if solution is None:
            return None
        if last.street == FLOP:
            return self._after_flop(solution, state, board)
        before, _ = state.history[-1]
        answered = before.actor != own and before.street == state.street
        known = before if answered else state
        try:
            onward = solution.onward(known, board)
        except NotSearched:
            return None
        if self.settings.search.safety is SafetyKind.UNSAFE:
            ranges = onward.ranges
            ranges[1 - own] = floored(ranges[1 - own], board, self.settings.floor)
            return SearchRoot(known, board, own, ranges)
        ranges = onward.ranges
        ranges[1 - own] = 1.0
        return SearchRoot(state, board, own, ranges, onward.values)

    def _after_flop(
        self, solution: Solution, state: HandState, board: tuple[int, ...]
    ) -> SearchRoot | None:
        """Return where the turn began, with both ranges by the flop's solution."""
        root = _street_begins(state)
        try:
            ranges = solution.ranges(root, board)
        except NotSearched:
            return None
        opponent = 1 - state.actor
        ranges[opponent] = floored(ranges[opponent], board, self.settings.floor)
        return SearchRoot(root, board, state.actor, ranges)


def policy_for(
    game: GameDef | None,
    model: str | None = None,
    seconds: float = SECONDS,
    iterations: float | None = None,
    safety: str = SafetyKind.RESOLVE.value,
    threads: float = 1,
    nodes: float | None = None,
    estimates: float = 0.0,
    flop: float = 0.0,
    shake: float = 0.0,
) -> LibratusPolicy:
    """Return the policy for a game; options as for the bot.

    Raises:
        GameNotPlayed: no blueprint plays the game, or it is no hold'em.
        ArtifactMismatch: the blueprint's file is missing or damaged.
        ValueError: an option cannot be, or it shakes its bets.
    """
    if shake:
        raise ValueError("shake: each hand is then played by another strategy, which is not told")
    settings = libratus_settings(seconds, iterations, safety, threads, nodes, estimates, flop)
    blueprint = blueprint_for(game, model)
    if not blueprint.game.is_holdem:
        raise GameNotPlayed("libratus searches hold'em for two")
    return LibratusPolicy(blueprint, settings)


def _street_begins(state: HandState) -> HandState:
    """Return the first decision of the street of a state."""
    return next((before for before, _ in state.history if before.street == state.street), state)


def floored(
    weights: NDArray[np.float64], board: Sequence[int], floor: float
) -> NDArray[np.float64]:
    """Return a range of sum 1 of which a share is spread over all combos that the board leaves."""
    live = without_blocked(np.ones(COMBOS), board)
    held = without_blocked(weights, board)
    total = held.sum()
    share = floor if total > 0 else 1.0
    found: NDArray[np.float64] = (1 - share) * held / (total or 1.0) + share * live / live.sum()
    return found
