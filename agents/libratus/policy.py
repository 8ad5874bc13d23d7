"""What libratus does with all hands at any public state: the blueprint early, then a search.

Searches are those of `engine.search.session`, which asks the blueprint for both players' ranges
where a street begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.blueprint_model.branch_switch import NEVER
from agents.blueprint_model.policy import BlueprintPolicy
from agents.blueprint_model.policy import policy_for as blueprint_for
from agents.errors import GameNotPlayed
from agents.libratus.estimates import blueprint_alternatives
from agents.libratus.flop import FlopEnding
from agents.libratus.options import (
    ADAPTIVE,
    DEFAULT_ALGORITHM,
    NET,
    NO_FLOP,
    STREET,
    LibratusOptions,
)
from engine.cfr.adaptive import Bonus, UcbRule, Update
from engine.cfr.adaptive_choice import AdaptiveChoice
from engine.cfr.variants import VARIANTS
from engine.search.answers import Answer
from engine.search.menus import THROUGH_TURN_MENUS, USUAL_MENUS
from engine.search.network_leaves import StreetEnds, street_end_network
from engine.search.session import Beginning, ReSolvingSession, SessionSettings
from engine.search.subgame_search import Budget, SafetyKind, SearchSettings

if TYPE_CHECKING:
    from engine.betting.policy import Strategy
    from engine.rules.state import HandState
    from engine.search.session import LimitedEnding
    from protocol.gamedef import GameDef

FLOP: Final = 1
TURN: Final = 2
RANGE_FLOOR: Final = 0.02
"""Share of an opponent's range that may be any hand, whatever the blueprint says; a choice."""
CHOICE: Final = AdaptiveChoice(
    tuple(VARIANTS[name] for name in ("lcfr", "dcfr", "dcfr+", "cfr+")),
    UcbRule(Update.SUM, Bonus.ROOT, exploration=0.01),
    every=6,
)
"""Members without predictions, so that portions of the river cards stay; two rounds over them."""
_NODES_PER_SECOND: Final = 30
"""A turn takes 150 iterations, each a quarter of a millisecond a node."""
_LEAST_NODES, _MOST_NODES = 50, 400


class BlueprintOwner:
    """Answers a session from a blueprint; an `engine.search.session.SearchOwner`."""

    def __init__(
        self, blueprint: BlueprintPolicy, *, estimates: bool, flop: LimitedEnding | None
    ) -> None:
        """Take a blueprint.

        Args:
            estimates: whether the first search of a hand is safe too; see
                `agents.libratus.estimates`.
            flop: of flop searches; None: there are none.
        """
        self._blueprint: Final = blueprint
        self._estimates: Final = estimates
        self._flop: Final = flop

    def beginning(self, state: HandState, board: Sequence[int], opponent: int) -> Beginning:
        """Return both ranges by the blueprint, and what the opponent's hands win by it."""
        ranges = np.stack([self._blueprint.reach(state, board, player) for player in (0, 1)])
        if not self._estimates:
            return Beginning(ranges)
        alternatives = blueprint_alternatives(self._blueprint, state, board, ranges, opponent)
        return Beginning(ranges, alternatives)

    def ending(self, state: HandState) -> LimitedEnding | None:
        """Return what ends a search of the flop; None for later streets."""
        return self._flop if state.street == FLOP else None


class LibratusPolicy:
    """A policy for two-player hold'em; remembers the solutions of the last hands."""

    def __init__(self, blueprint: BlueprintPolicy, options: LibratusOptions) -> None:
        """Search with the ranges of a blueprint."""
        self.blueprint: Final = blueprint
        self.options: Final = options
        owner = BlueprintOwner(
            blueprint, estimates=bool(options.estimates), flop=_flop_ending(blueprint, options.flop)
        )
        self.session: Final = ReSolvingSession(owner, session_settings(options))

    @property
    def game(self) -> GameDef:
        """The game it plays."""
        return self.blueprint.game

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle without what was solved."""
        return type(self), (self.blueprint, self.options)

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
        if state.street < self.session.settings.first_street:
            return Answer(self.blueprint.strategy(state, cards), None, "before the search")
        solution = self.session.solution(state, cards, budget)
        if solution is None:
            why = f"no {self.session.lack(state, cards)}"
            return Answer(self.blueprint.strategy(state, cards), None, why)
        return Answer(solution.strategy(state, cards), solution)

    def rehearse(self) -> None:
        """Decide on each street, so that all is compiled, and how long searches take is known."""
        self.blueprint.rehearse()
        self.session.rehearse(self.game)


def policy_for(game: GameDef | None, **options: float | str | None) -> LibratusPolicy:
    """Return the policy for a game; see `LibratusOptions`.

    Raises:
        GameNotPlayed: no blueprint plays the game, or it is no hold'em.
        ArtifactMismatch: the blueprint's file is missing or damaged.
        ValueError: an option cannot be, or it shakes its bets.
    """
    chosen = LibratusOptions(**options)  # type: ignore[arg-type]
    if chosen.shake:
        raise ValueError("shake: each hand is then played by another strategy, which is not told")
    return seated_policy(game, chosen)


def seated_policy(game: GameDef | None, options: LibratusOptions) -> LibratusPolicy:
    """Return the policy for a game, whose bets its player may shake.

    Raises:
        GameNotPlayed: no blueprint plays the game, or it is no hold'em.
        ArtifactMismatch: the blueprint's file is missing or damaged.
    """
    blueprint = blueprint_for(game, options.model, alone=NEVER)
    if not blueprint.game.is_holdem:
        raise GameNotPlayed("libratus searches hold'em for two")
    return LibratusPolicy(blueprint, options)


def _flop_ending(blueprint: BlueprintPolicy, flop: str) -> LimitedEnding | None:
    """Return what ends flop searches, as the option says.

    Raises:
        ArtifactMismatch: the network's file is missing or damaged.
        GameNotPlayed: the game's positions are not those of the blueprint's.
    """
    if flop == NO_FLOP:
        return None
    if flop in (STREET, NET):
        if not blueprint.game.no_limit or blueprint.game.first_positions[FLOP] != 0:
            raise GameNotPlayed("the network knows flops of no-limit hold'em in usual positions")
        street = TURN if flop == NET else FLOP
        return StreetEnds(street_end_network(street), street)
    return FlopEnding(blueprint, int(flop))


def session_settings(options: LibratusOptions) -> SessionSettings:
    """Return how decisions are searched."""
    usual = round(_NODES_PER_SECOND * options.seconds)
    nodes = int(options.nodes) if options.nodes else min(max(usual, _LEAST_NODES), _MOST_NODES)
    iterations = options.iterations
    return SessionSettings(
        SearchSettings(
            VARIANTS.get(options.algorithm, VARIANTS[DEFAULT_ALGORITHM]),
            SafetyKind(options.safety),
            most_nodes=nodes,
            threads=int(options.threads),
            choice=CHOICE if options.algorithm == ADAPTIVE else None,
            menus=THROUGH_TURN_MENUS if options.flop == NET else USUAL_MENUS,
        ),
        Budget(seconds=options.seconds) if iterations is None else Budget(int(iterations), inf),
        first_street=TURN if options.flop == NO_FLOP else FLOP,
        floor=RANGE_FLOOR,
        gifts=bool(options.gifts),
    )
