"""Bots of the pool as strategies that are told: each law, asked at both sides of each chance.

A bot whose raises have one size at a decision does one of a few things with a hand there, and its
chances are numbers of the character.  So `agents.opponents.laws` itself is asked what it does when
a draw falls below a chance, and when it does not; nothing of the laws is written twice.  Bots that
draw their raises from many sizes, or play differently from hand to hand, are not told.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.compiled.spots import spots_of
from agents.opponents.laws import BAND, BLUFF, LAW, LIMPER, LIMPER_POWER, MEMORY, SLOW
from agents.opponents.laws import decide as law_decides
from agents.opponents.laws import observe as law_observes
from agents.roster.characters import find_character, parameters
from engine.betting.policy import Strategy
from engine.equity.equity_tables import LEVELS, levels_of_starting_hands
from engine.equity.percentiles import percentile
from engine.equity.strength import combo_strengths
from engine.hands.cards import COMBOS
from engine.hands.starting_hands import COMBO_STARTING_HAND
from engine.rules.fast_state import CALL, FOLD, RAISE
from engine.rules.view import PlayerView
from protocol.gamedefs import load_builtin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from engine.rules.state import HandState
    from protocol.actions import Action
    from protocol.gamedef import GameDef

_BOARDS_KEPT: Final = 64
_LARGEST: Final = 1 - 2.0**-53
"""Of draws."""
_KINDS: Final = {"f": FOLD, "c": CALL, "r": RAISE}


class CharacterStrategy:
    """What a bot of the pool does with all hands; see the module."""

    def __init__(self, character: str, game: GameDef) -> None:
        """Take a bot by its name.

        Raises:
            GameNotPlayed: the game is not heads-up hold'em.
            ValueError: it is not one that can be told.
        """
        found = find_character(character)
        if not found.one_size:
            raise ValueError(f"{character} has no strategy that can be told")
        self.game: Final = game
        self._named: Final = character
        self._params: Final = parameters(found, game)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as its name."""
        return type(self), (self._named, self.game)

    def strategy(self, state: HandState, board: Sequence[int]) -> Strategy:
        """Return how `state.actor` plays each combo; see `engine.betting.policy.Policy`."""
        view = PlayerView(state, 0, state.actor, ((), ()), tuple(map(int, board)))
        hand = spots_of(view)
        memory = np.zeros(MEMORY)
        for one in hand.taken:
            law_observes(one.spot, _KINDS[one.action.kind], one.raise_to, one.mine, memory)
        assert hand.spot is not None
        equities, which = _equities(view.board)
        shares: dict[Action, NDArray[np.float64]] = {}
        for at, p in enumerate(equities.tolist()):
            spot = hand.spot._replace(p=p, percentile=percentile(state.street, p))
            for chance, draws in self._chances(p):
                kind, chips = law_decides(spot, self._params, memory, draws)
                action = _legal(view, kind, chips)
                shares.setdefault(action, np.zeros(len(equities)))[at] += chance
        table = np.stack(tuple(shares.values()), axis=1)[which]
        return Strategy(tuple(shares), table.astype(np.float32))

    def _chances(self, p: float) -> Iterator[tuple[float, NDArray[np.float64]]]:
        """Yield draws that stand for all others, and how likely each of them is."""
        law = int(self._params[LAW])
        first = self._params[BLUFF] if law == BAND else p**LIMPER_POWER if law == LIMPER else 0.0
        third = self._params[SLOW] if law == BAND else 0.0
        for (one, low), (other, high) in product(_sides(first), _sides(third)):
            yield one * other, np.array([low, 0.0, high, 0.0])


def strategy_for(game: GameDef | None, character: str) -> CharacterStrategy:
    """Return the strategy of a bot of the pool in a game, no-limit hold'em unless told.

    Raises:
        GameNotPlayed: the game is not heads-up hold'em.
        ValueError: the bot cannot be told.
    """
    return CharacterStrategy(character, load_builtin("hunl") if game is None else game)


def _sides(chance: float) -> list[tuple[float, float]]:
    """Return both sides of a chance: how likely each is, and a draw there."""
    return [(share, draw) for share, draw in ((chance, 0.0), (1 - chance, _LARGEST)) if share > 0]


def _legal(view: PlayerView, kind: int, chips: int) -> Action:
    """Return the action as `agents.compiled.policy_bot` takes it."""
    if kind == FOLD:
        return view.fold()
    return view.raise_to(chips) if kind == RAISE else view.call()


@lru_cache(_BOARDS_KEPT)
def _equities(board: tuple[int, ...]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return all different equities on a board, ascending, and which of them each combo has.

    They are those of `engine.equity.equity_tables.equity`; blocked combos have any.
    """
    if board:
        strengths = np.nan_to_num(combo_strengths(board))
        levels = np.floor(strengths * LEVELS + 0.5)
    else:
        levels = levels_of_starting_hands()[COMBO_STARTING_HAND].astype(np.float64)
    assert levels.shape == (COMBOS,)
    equities, which = np.unique(levels / LEVELS, return_inverse=True)
    return equities, which
