"""A compiled policy as a strategy that is told: all hands at once, at a public state.

For players whose chances are known, who remember nothing beyond the hand.  The hand is observed as
at a table (`agents.compiled.policy_bot`), then the player is asked with each hand that it may hold.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.compiled.spots import spots_of
from engine.betting.policy import Strategy
from engine.equity.equity_tables import TOP_LEVEL, levels_of_starting_hands
from engine.equity.percentiles import percentile
from engine.equity.strength import combo_strengths
from engine.hands.cards import COMBO_CARDS, COMBOS
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.rules.fast_state import CALL, FOLD, RAISE
from engine.rules.view import PlayerView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from engine.play.compiled_policy import CompiledPolicy
    from engine.play.spot import Spot
    from engine.rules.state import HandState
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_BOARDS_KEPT: Final = 64
_KINDS: Final = {"f": FOLD, "c": CALL, "r": RAISE}


class ToldPolicy(ABC):
    """A `engine.betting.policy.GamePolicy` of a compiled player."""

    by_cards: bool
    """Whether hands of one equity may be played differently."""

    def __init__(self, game: GameDef, policy: CompiledPolicy) -> None:
        """Take a player for a game for two."""
        self.game: Final = game
        self.policy: Final = policy

    @abstractmethod
    def outcomes(self, spot: Spot, memory: NDArray[np.float64]) -> Iterable[tuple[float, int, int]]:
        """Yield what the player does at a spot: how likely it is, the kind, and the raise-to.

        Args:
            memory: after the hand up to there; may be used as scratch.
        """

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each combo; see `engine.betting.policy.Policy`."""
        view = PlayerView(state, 0, state.actor, ((), ()), tuple(map(int, board)))
        hand = spots_of(view)
        if hand.spot is None:
            raise ValueError("nobody acts there")
        family = self.policy.family
        memory = np.zeros(family.memory)
        for taken in hand.taken:
            family.observe(
                taken.spot, _KINDS[taken.action.kind], taken.raise_to, taken.mine, memory
            )
        asked, which = _hands(view.board, self.by_cards)
        equities = equities_of_combos(view.board)
        shares: dict[Action, NDArray[np.float64]] = {}
        for at, combo in enumerate(asked.tolist()):
            p = float(equities[combo])
            hole = COMBO_CARDS[combo].astype(np.int64)
            spot = hand.spot._replace(p=p, percentile=percentile(state.street, p), hole=hole)
            for chance, kind, chips in self.outcomes(spot, memory):
                action = _legal(view, kind, chips)
                shares.setdefault(action, np.zeros(len(asked)))[at] += chance
        table = np.stack(tuple(shares.values()), axis=1)[which]
        return Strategy(tuple(shares), table.astype(np.float32))


@lru_cache(_BOARDS_KEPT)
def equities_of_combos(board: tuple[int, ...]) -> NDArray[np.float64]:
    """Return (1326,) the equity of each combo against a random hand; 0 where the board blocks it.

    They are those of `engine.equity.equity_tables.equity`, to the last bit.
    """
    if not board:
        return levels_of_starting_hands()[COMBO_STARTING_HAND] / TOP_LEVEL
    equities: NDArray[np.float64] = (
        np.floor(np.nan_to_num(combo_strengths(board)) * TOP_LEVEL + 0.5) / TOP_LEVEL
    )
    return equities


@lru_cache(_BOARDS_KEPT)
def _hands(board: tuple[int, ...], by_cards: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a combo of each hand that may be played differently, and (1326,) which one it is."""
    if by_cards:
        return np.arange(COMBOS), np.arange(COMBOS)
    _, first, which = np.unique(equities_of_combos(board), return_index=True, return_inverse=True)
    return first, which


def _legal(view: PlayerView, kind: int, chips: int) -> Action:
    """Return the action as `agents.compiled.policy_bot` takes it."""
    if kind == FOLD:
        return view.fold()
    return view.raise_to(chips) if kind == RAISE else view.call()
