"""Local best response with every hand at once: each does what `LocalBestResponse` would do with it.

What the opponent may hold differs by hand only in the cards that the hand takes from it, and the
opponent's answers to bets do not differ at all.  So the values of an action with all hands take no
more questions to the opponent than with one, and few sums: see `lbr` for the values themselves,
here multiplied with what is left of the opponent's range beside each hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.betting.policy import Strategy, check_actions
from engine.evaluation.lbr import ROUNDING_SHARE, LocalBestResponse, matched
from engine.evaluation.lbr_hand import Draw, HandValue
from engine.evaluation.range_play import DRAWS, PolicyPlayer, RangeSpot, play_ranges, range_start
from engine.hands.cards import COMBOS
from engine.rules.state import HandState
from protocol.actions import FOLD, Action


def play_lbr_range(
    lbr: LocalBestResponse, position: int, board: tuple[int, ...], draw: Draw, draws: int = DRAWS
) -> HandValue:
    """Play all hands of local best response on a board; arguments as of `play_ranges`.

    Raises:
        ValueError: the opponent's policy gives no strategy.
    """
    both = (LbrPlayer(lbr), PolicyPlayer(lbr.policy))
    players = both if position == 0 else both[::-1]
    start = range_start(HandState.start(lbr.game), (), np.ones((2, COMBOS)))
    return play_ranges(players, position, board, draw, start, draws)


@dataclass(frozen=True, slots=True)
class LbrPlayer:
    """A `RangePlayer`."""

    lbr: LocalBestResponse

    @property
    def asks_ahead(self) -> bool:
        """Its raises are valued by the answers to them."""
        return True

    def answer(self, spot: RangeSpot) -> Strategy:
        """Return the one action of each combo.

        Raises:
            ValueError: the policy's answer to a raise is no strategy.
        """
        considered = self.lbr.settings.actions(spot.state)
        if len(considered) == 1:
            return Strategy(considered, np.ones((COMBOS, 1), np.float32))
        against = _Against(self.lbr, spot)
        values = np.stack([against.value(action) for action in considered])
        enough = values.max(axis=0) - ROUNDING_SHARE * np.abs(values).max(axis=0)
        best = np.argmax(values >= enough, axis=0)
        probabilities = np.zeros((COMBOS, len(considered)), np.float32)
        probabilities[np.arange(COMBOS), best] = 1
        return Strategy(considered, probabilities)


class _Against:
    """Values of actions at one state, chips times what the opponent has left beside each combo."""

    def __init__(self, lbr: LocalBestResponse, spot: RangeSpot) -> None:
        self._lbr: Final = lbr
        self._spot: Final = spot
        self._theirs: Final = spot.reach[1 - spot.state.actor]
        self._stays, self._wins = self._met(self._theirs)

    def value(self, action: Action) -> NDArray[np.float64]:
        """Return U (1326,) of an action."""
        state = self._spot.state
        if action.kind == "f":
            return np.zeros(COMBOS)
        stays, wins, folds, more = self._stays, self._wins, np.zeros(COMBOS), 0
        stake = matched(state)
        if action.kind == "r":
            after = state.apply(action)
            more = matched(after) - stake
            strategy = self._lbr.policy.strategy(after, self._spot.board)
            check_actions(strategy, after)
            if FOLD in strategy.actions:
                share = strategy.probabilities[:, strategy.actions.index(FOLD)]
                folds, folded_wins = self._met(self._theirs * share)
                stays, wins = stays - folds, wins - folded_wins
        mine, theirs = (min(state.spent[p], stake) for p in (state.actor, 1 - state.actor))
        pot, asked = mine + theirs, stake - mine
        return folds * pot + wins * (pot + more) - (stays - wins) * (asked + more)

    def _met(self, reach: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the reach that each combo may meet, and that times the chance to win."""
        met = self._spot.showdowns.met(reach)
        return met, (met + self._spot.showdowns.shown(reach)) / 2
