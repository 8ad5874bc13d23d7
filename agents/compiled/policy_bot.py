"""A compiled policy at the table, whoever made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from agents.bot import Bot
from agents.compiled.spots import HandSpots, spots_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from agents.compiled.spots import Taken
    from engine.play.compiled_policy import CompiledPolicy
    from engine.play.spot import Spot
    from engine.rules.view import PlayerView
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_WARM_UP_BETTING: Final = "cr300c/"
_WARM_UP_BOARD: Final = (0, 5, 10)
_WARM_UP_HOLE: Final = (51, 46)


class PolicyBot(Bot):
    """Plays a compiled policy: at the table it does what it does in a bulk match.

    It is told the same numbers, both players' actions and the ends of hands, and it keeps the
    policy's memory over the match.  Seeded alike, it draws the same numbers for a decision.
    """

    def __init__(self, policy: Callable[[GameDef, int], CompiledPolicy]) -> None:
        """Take a function from the game and the seed of a match to the policy."""
        self._policy_for = policy
        self._policy: CompiledPolicy | None = None
        self._memory = np.zeros(0)
        self._seen: tuple[PlayerView, list[Taken]] | None = None
        self._strengths: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[float, float]] = {}

    @property
    def learns(self) -> bool:
        """Whether its policy may remember: all of them can."""
        return True

    def warm_up(self) -> None:
        """Compile the policy and the exact equity, or load them from the cache."""
        from engine.rules.view import PlayerView, replay_betting
        from protocol.gamedefs import load_builtin

        state = replay_betting(load_builtin("hunl"), _WARM_UP_BETTING)
        shown = tuple(_WARM_UP_HOLE if seat == state.actor else () for seat in range(2))
        self.start_match(state.game, 0)
        self.act(PlayerView(state, 0, state.actor, shown, _WARM_UP_BOARD))
        self._started().family.finish(self._memory, -1.0, 0.0)
        self._policy = None

    def start_match(self, game: GameDef, seed: int) -> None:
        """Forget the opponent, and draw from `seed`.

        Raises:
            GameNotPlayed: the policy is not for this game.
        """
        self._policy = self._policy_for(game, seed)
        self._memory = np.zeros(self._policy.family.memory)
        self._seen = None

    def act(self, view: PlayerView) -> Action:
        """Take note of what was done since the last call, and return the policy's action."""
        from engine.play.draws import decision_draws
        from engine.rules.fast_state import FOLD, RAISE

        policy = self._started()
        hand = self._watch(view)
        if hand.spot is None:
            raise ValueError("it is not this player's turn")
        decision = sum(taken.mine for taken in hand.taken)
        draws = decision_draws(policy.seed, view.hand_id, decision)
        spot = self._with_strength(hand.spot, view)
        kind, chips = policy.family.decide(spot, policy.params, self._memory, draws)
        if kind == FOLD:
            return view.fold()
        return view.raise_to(chips) if kind == RAISE else view.call()

    def end_hand(self, view: PlayerView) -> None:
        """Take note of the last actions and of the result."""
        from engine.equity.equity_tables import equity
        from engine.showdown.hand_values import hand_values

        policy = self._started()
        self._watch(view)
        opponent_hole = view.shown[1 - view.position]
        shown_p = (
            equity(opponent_hole, view.board) if view.state.showdown and opponent_hole else -1.0
        )
        won = hand_values(view.state, view.shown, view.board)[view.position]
        policy.family.finish(self._memory, shown_p, won)

    def _started(self) -> CompiledPolicy:
        if self._policy is None:
            raise RuntimeError("start_match comes first")
        return self._policy

    def _watch(self, view: PlayerView) -> HandSpots:
        """Let the policy observe the actions taken since the last call."""
        from engine.rules.fast_state import CALL, FOLD, RAISE

        kinds = {"f": FOLD, "c": CALL, "r": RAISE}
        observe = self._started().family.observe
        earlier: list[Taken] = []
        if self._seen is not None and view.continues(self._seen[0]):
            earlier = self._seen[1]
        if not earlier:
            self._strengths.clear()
        hand = spots_of(view, earlier)
        for taken in hand.taken[len(earlier) :]:
            spot = self._with_strength(taken.spot, view) if taken.mine else taken.spot
            observe(spot, kinds[taken.action.kind], taken.raise_to, taken.mine, self._memory)
        self._seen = view, hand.taken
        return hand

    def _with_strength(self, spot: Spot, view: PlayerView) -> Spot:
        """Return the spot with what only its owner knows: hole cards, p and percentile."""
        from engine.equity.equity_tables import equity
        from engine.equity.percentiles import percentile

        cards = (view.hole, view.board[: view.game.board_seen(spot.street)])
        if cards not in self._strengths:
            p = equity(*cards)
            self._strengths[cards] = (p, percentile(spot.street, p))
        p, share = self._strengths[cards]
        return spot._replace(p=p, percentile=share, hole=np.array(view.hole, np.int64))
