"""Libratus with a part taken away, as bots for a tournament: what is that part worth?

    arena tournament --style gauntlet --challengers 4 blueprint \\
        on-tree=tests.benchmarks.search_variants:OnTree \\
        unsafe=tests.benchmarks.search_variants:Unsafe \\
        libratus-fast astar --hands 1000 --rounds 2 --seed 61 --jobs 1
    python -m tests.benchmarks.variants_report TOURNAMENT

The rows are those of table 3 of Brown and Sandholm, "Superhuman AI for heads-up no-limit poker:
Libratus beats top professionals", Science 359, 2018: the blueprint, searches after bets of the tree
alone, and all searches; with unsafe ones beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from agents.libratus.bot import Libratus
from agents.libratus.policy import Answer, LibratusPolicy
from agents.libratus.settings import TURN
from engine.search.menus import menus_for

if TYPE_CHECKING:
    from engine.rules.state import HandState
    from engine.search.subgame_search import Budget
    from protocol.gamedef import GameDef

SECONDS = 0.2


class OnTreePolicy(LibratusPolicy):
    """Searches only where each bet of the opponent is of a size that was thought of before."""

    def answer(
        self, state: HandState, board: Sequence[int], budget: Budget | None = None
    ) -> Answer:
        """Return the search's strategy, or the blueprint's, which translates the bets."""
        cards = tuple(map(int, board))
        if state.street >= TURN and not self._on_tree(state, cards):
            return Answer(self.blueprint.strategy(state, cards), None, "a bet off the tree")
        return super().answer(state, board, budget)

    def _on_tree(self, state: HandState, board: tuple[int, ...]) -> bool:
        begins: dict[int, HandState] = {}
        for before, action, after in state.steps():
            root = begins.setdefault(before.street, before)
            theirs = before.street >= TURN and before.actor != state.actor and action.kind == "r"
            if theirs and after.to_match not in menus_for(root)[0].raise_tos(before):
                return False
        turn = begins.get(TURN, state)
        return self.blueprint.node_of(turn, board[: state.game.board_seen(TURN)]) is not None


class OnTree(Libratus):
    """`libratus-fast` that leaves bets off the tree to the blueprint."""

    def __init__(self) -> None:
        """Search for `SECONDS`."""
        super().__init__(seconds=SECONDS)

    def start_match(self, game: GameDef, seed: int) -> None:
        """Start as libratus does, with the other policy."""
        super().start_match(game, seed)
        usual = self._policy
        assert usual is not None
        self._policy = OnTreePolicy(usual.blueprint, usual.settings)
        self._policy.rehearse()


class Unsafe(Libratus):
    """`libratus-fast` that takes the opponent's range as known in each search."""

    def __init__(self) -> None:
        """Search for `SECONDS`."""
        super().__init__(seconds=SECONDS, safety="unsafe")
