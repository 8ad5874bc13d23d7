"""Bots of the pool as strategies that are told: each law, asked at both sides of each chance.

A bot whose raises have one size at a decision does one of a few things with a hand there, and its
chances are numbers of the character.  So `agents.opponents.laws` itself is asked what it does when
a draw falls below a chance, and when it does not; nothing of the laws is written twice.  Bots that
draw their raises from many sizes, or play differently from hand to hand, are not told.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.compiled.told_policy import ToldPolicy
from agents.opponents.laws import BAND, BLUFF, LAW, LIMPER, LIMPER_POWER, SLOW
from agents.opponents.policy import pool_policy
from agents.roster.characters import find_character
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from engine.play.spot import Spot
    from protocol.gamedef import GameDef

_LARGEST_DRAW: Final = 1 - 2.0**-53


class CharacterStrategy(ToldPolicy):
    """What a bot of the pool does with all hands; see the module."""

    by_cards = False

    def __init__(self, character: str, game: GameDef) -> None:
        """Take a bot by its name.

        Raises:
            GameNotPlayed: the game is not heads-up hold'em.
            ValueError: it is not one that can be told.
        """
        if not find_character(character).one_size:
            raise ValueError(f"{character} has no strategy that can be told")
        super().__init__(game, pool_policy(character, game))
        self._named: Final = character

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as its name."""
        return type(self), (self._named, self.game)

    def outcomes(self, spot: Spot, memory: NDArray[np.float64]) -> Iterator[tuple[float, int, int]]:
        """Yield what the bot does at a spot; see `ToldPolicy.outcomes`."""
        params = self.policy.params
        law = int(params[LAW])
        first = params[BLUFF] if law == BAND else spot.p**LIMPER_POWER if law == LIMPER else 0.0
        third = params[SLOW] if law == BAND else 0.0
        for (bluff_chance, low), (slow_chance, high) in product(_sides(first), _sides(third)):
            draws = np.array([low, 0.0, high, 0.0])
            kind, chips = self.policy.family.decide(spot, params, memory, draws)
            yield bluff_chance * slow_chance, kind, chips


def character_strategy(game: GameDef | None, character: str) -> CharacterStrategy:
    """Return the strategy of a bot of the pool in a game, no-limit hold'em unless told.

    Raises:
        GameNotPlayed: the game is not heads-up hold'em.
        ValueError: the bot cannot be told.
    """
    return CharacterStrategy(character, load_builtin("hunl") if game is None else game)


def _sides(chance: float) -> list[tuple[float, float]]:
    """Return both sides of a chance: how likely each is, and a draw there."""
    return [
        (share, draw) for share, draw in ((chance, 0.0), (1 - chance, _LARGEST_DRAW)) if share > 0
    ]
