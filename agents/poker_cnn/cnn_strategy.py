"""Poker-CNN as a strategy that is told: the shares of its softmax, over actions and sizes.

The network is run by the player's own kernel, which leaves its scores in the memory.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from agents.compiled.told_policy import ToldPolicy
from agents.poker_cnn.bot import SHIPPED_NETWORK, policy_for
from agents.poker_cnn.policy_kernels import (
    GREEDY,
    POT,
    SHARPNESS,
    SIZED,
    last_scores,
    raise_of_size,
)
from engine.rules.fast_state import CALL, FOLD, RAISE
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.play.spot import Spot
    from protocol.gamedef import GameDef

_NO_DRAWS: Final = np.zeros(4)


class CnnStrategy(ToldPolicy):
    """What the network does with all hands."""

    by_cards = True

    def __init__(self, game: GameDef, **options: Any) -> None:
        """Take a network by the options of its bot; see `agents.poker_cnn.bot.policy_for`."""
        super().__init__(game, policy_for(game, 0, **options))
        self._options: Final = options

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as its options; the network is opened again."""
        return partial(type(self), self.game, **self._options), ()

    def outcomes(self, spot: Spot, memory: NDArray[np.float64]) -> Iterator[tuple[float, int, int]]:
        """Yield what the player does at a spot; see `ToldPolicy.outcomes`."""
        params = self.policy.params
        self.policy.family.decide(spot, params, memory, _NO_DRAWS)
        greedy = params[GREEDY] > 0
        actions, sizes = last_scores(memory)
        fold, call, raised = _shares(actions, params[SHARPNESS], greedy)
        yield fold, FOLD, 0
        yield call, CALL, 0
        if params[SIZED] == 0:
            yield raised, RAISE, raise_of_size(spot, POT)
            return
        for size, share in enumerate(_shares(sizes, 1.0, greedy)):
            yield raised * share, RAISE, raise_of_size(spot, size)


def cnn_strategy(
    game: GameDef | None, network: str = SHIPPED_NETWORK, **options: Any
) -> CnnStrategy:
    """Return the strategy of a network in a game, no-limit hold'em unless told.

    Raises:
        AgentError, InvalidGame, ValueError: as from `agents.poker_cnn.bot.policy_for`.
    """
    return CnnStrategy(load_builtin("hunl") if game is None else game, network=network, **options)


def _shares(scores: NDArray[np.float32], sharpness: float, greedy: bool) -> list[float]:
    """Return how likely each choice is by its score."""
    if greedy:
        powers = np.eye(len(scores))[scores.argmax()]
    else:
        powers = np.exp(sharpness * (scores.astype(np.float64) - scores.max()))
    shares: list[float] = (powers / powers.sum()).tolist()
    return shares
