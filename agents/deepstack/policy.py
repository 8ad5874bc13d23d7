"""What deepstack does with all hands at any public state: each decision solved when it comes.

No strategy is made beforehand.  Searches are those of `engine.search.continual`; they end with
their street, where networks say what hands win; the river is solved to the end.  Where no search
ends in time, hands call by the odds.
"""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.deepstack.options import DeepStackOptions, networks_of
from agents.errors import GameNotPlayed
from engine.abstraction.board_buckets import BoardBuckets
from engine.betting.policy import Strategy
from engine.cfr.variants import VARIANTS
from engine.errors import OutOfMemory
from engine.hands.cards import COMBOS
from engine.rules.state import HandState
from engine.search.answers import Answer
from engine.search.continual import ContinualResolving
from engine.search.menus import SPARSE_MENUS
from engine.search.network_leaves import StreetEnds
from engine.search.subgame_search import Budget, NotSearched, SearchSettings
from engine.showdown.board_ranks import board_ranks
from protocol.actions import CALL, FOLD, raise_to
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from protocol.gamedef import GameDef

VARIANT: Final = VARIANTS["lcfr"]
"""Of CFR: on five trees of one street as exploitable as `dcfr+` after 30 iterations, and half as
much after 100."""
_NODES_PER_SECOND: Final = 500
"""Of betting: sixty iterations, each some 35 microseconds a node."""
_LEAST_NODES, _MOST_NODES = 20, 1000
_BEGINNING_SECONDS: Final = 2.0
"""For the hand's beginning, once a match."""
_EXACT_SECONDS: Final = 0.5
"""In less there is no time to count all-ins on the flop hand by hand."""
_LEAST_SECONDS: Final = (0.03, 0.06, 0.04, 0.04)
"""With less a search of each street is not begun: nothing would come of it, or too late."""
_MEMORY: Final = 128 << 20
"""Bytes of a search; the largest usual one takes a tenth."""
_NEEDED: Final = "deepstack needs 300 MB of memory, and 600 MB of addresses (ulimit -v 600000)"
"""It began with 530,000 kB of addresses, of which 275,000 were used, and not with 515,000."""
LEAST_DEPTH, MOST_DEPTH = 10, 250
"""Big blinds; the networks learnt from 20 to 200."""


class DeepStackPolicy:
    """A policy for two-player no-limit hold'em; remembers the solutions of a hand."""

    def __init__(self, game: GameDef, options: DeepStackOptions) -> None:
        """Read the networks.

        Raises:
            GameNotPlayed: it is another game.
            ArtifactMismatch: a network's file is missing or damaged, or of other boards.
        """
        if why := why_not_played(game):
            raise GameNotPlayed(why)
        self.game: Final = game
        self.options: Final = options
        self._endings: Final = _endings(options)
        self.resolving: Final = ContinualResolving(
            game, search_settings(options), _budget(options), self._endings
        )

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without what was solved."""
        return type(self), (self.game, self.options)

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each combo; see `engine.betting.policy.Policy`."""
        return self.answer(state, board).strategy

    def answer(
        self, state: HandState, board: Sequence[int], budget: Budget | None = None
    ) -> Answer:
        """Return the strategy, and the solution that it comes from.

        Args:
            budget: of this decision; None: that of the options.
        """
        cards = tuple(map(int, board))
        begun = monotonic()
        budget = budget or self.resolving.budget
        if budget.seconds < _LEAST_SECONDS[state.street]:
            return Answer(by_odds(state, cards), None, "no time")
        try:
            self._make_ready(state.street, cards, budget.seconds)
            rest = budget._replace(seconds=budget.seconds - (monotonic() - begun))
            solution = self.resolving.solution(state, cards, state.actor, rest)
        except NotSearched:
            return Answer(by_odds(state, cards), None, "no time")
        except (OutOfMemory, MemoryError):
            return Answer(by_odds(state, cards), None, "no memory")
        return Answer(solution.strategy(state, cards), solution)

    def _make_ready(self, street: int, board: tuple[int, ...], seconds: float) -> None:
        """Make a board ready that all searches of the street share, before their time is parted."""
        if street < len(self._endings):
            ending = self._endings[street]
            ending.exact = min(seconds, self.options.seconds) >= _EXACT_SECONDS
            ending.make_ready(board)

    def rehearse(self) -> None:
        """Compile what each street needs, then solve the hand's beginning for both players.

        Raises:
            OutOfMemory: the machine, or a limit, leaves too little.
        """
        state: HandState | None = HandState.start(self.game)
        try:
            while state is not None:
                state = self._rehearse_street(state)
        except MemoryError as error:
            raise OutOfMemory(_NEEDED) from error
        self.resolving.forget(beginning=True)
        budget = self.resolving.budget
        if budget.iterations == inf:
            budget = Budget(seconds=_BEGINNING_SECONDS)
        for searcher in (0, 1):
            self.resolving.solution(HandState.start(self.game), (), searcher, budget)

    def _rehearse_street(self, state: HandState) -> HandState | None:
        """Decide where a street begins, and again against a raise; return where the next begins."""
        few, street = Budget(iterations=2), state.street
        board = tuple(self.game.deck[: self.game.board_seen(street)])
        first = self.resolving.solution(state, board, state.actor, few)
        raises = [one for one in first.strategy(state, board).actions if one.kind == "r"]
        raised = state.apply(raises[0]) if raises else state
        if raises and (legal := raised.raise_range()) is not None:
            again = raised.apply(raise_to(legal[0]))
            self.resolving.solution(again, board, state.actor, few)
            raised = again
        while not raised.over and raised.street == street:
            raised = raised.apply(CALL)
        return None if raised.over else raised


def policy_for(game: GameDef | None, **options: float | str | None) -> DeepStackPolicy:
    """Return the policy for a game, None for the usual one; see `DeepStackOptions`.

    Raises:
        GameNotPlayed: it is another game.
        ArtifactMismatch: a network's file is missing or damaged, or of other boards.
        OutOfMemory: it decides by the clock, and there is too little to be ready for that.
        ValueError: an option cannot be.
    """
    chosen = DeepStackOptions(**options)  # type: ignore[arg-type]
    policy = DeepStackPolicy(game or load_builtin("hunl"), chosen)
    if chosen.iterations is None:
        policy.rehearse()  # compiling counts for no decision
    return policy


def is_played(game: GameDef) -> bool:
    """Return whether a game is one for which the networks are."""
    return not why_not_played(game)


def why_not_played(game: GameDef) -> str:
    """Return in a line why a game is not played; "" if it is."""
    if not (game.is_holdem and game.no_limit and game.players == 2):
        return "deepstack plays no-limit hold'em for two"
    if set(game.first_positions[1:]) != {0}:
        return "deepstack's networks know streets after the flop that the first position begins"
    depth = min(game.stacks) / game.big_blind
    if not LEAST_DEPTH <= depth <= MOST_DEPTH:
        return f"deepstack plays with {LEAST_DEPTH} to {MOST_DEPTH} big blinds, not {depth:g}"
    return ""


def search_settings(options: DeepStackOptions) -> SearchSettings:
    """Return how decisions are searched."""
    nodes = min(_NODES_PER_SECOND * options.seconds, _MOST_NODES)
    return SearchSettings(
        VARIANT,
        most_nodes=max(int(nodes), _LEAST_NODES),
        menus=SPARSE_MENUS,
        memory_limit=_MEMORY,
        traces=False,
    )


def by_odds(state: HandState, board: Sequence[int]) -> Strategy:
    """Return the strategy without a search, at once: hands that beat what the odds ask for call.

    The opponent may hold any hand, and no card comes any more; before the flop all do.  Rows of
    combos that the board blocks mean nothing.
    """
    if not state.to_call:
        return Strategy((CALL,), np.ones((COMBOS, 1), np.float32))
    if board:
        beats = _beaten(board_ranks(board))
    else:
        buckets = BoardBuckets.of(())
        beats = buckets.moments[0, buckets.bucket]
    calls = beats * (state.pot + state.to_call) >= state.to_call
    return Strategy((FOLD, CALL), np.stack((~calls, calls), axis=1).astype(np.float32))


def _beaten(ranks: NDArray[np.uint16]) -> NDArray[np.float64]:
    """Return (1326,) the share of hands of a lower rank, those of the same as halves."""
    held = np.sort(ranks[ranks > 0])
    low, high = (np.searchsorted(held, ranks, side) for side in ("left", "right"))
    shares: NDArray[np.float64] = (low + high) / (2 * len(held))
    return shares


def _budget(options: DeepStackOptions) -> Budget:
    if options.iterations is None:
        return Budget(seconds=options.seconds)
    return Budget(int(options.iterations), inf)


def _endings(options: DeepStackOptions) -> list[StreetEnds]:
    """Return what ends searches before the river, by street.

    Raises:
        ArtifactMismatch: a network's file is missing or damaged, or of other boards.
    """
    exact = options.seconds >= _EXACT_SECONDS
    networks = networks_of(options.networks)
    return [StreetEnds(network, street, exact=exact) for street, network in enumerate(networks)]
