"""Mixtures of bots of the pool, for bulk matches and for the table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.compiled.policy_bot import PolicyBot
from agents.opponents import laws, mixture_kernels
from agents.roster.characters import parameters
from agents.roster.mixtures import Mixture, mixture_called
from engine.play.compiled_policy import CompiledPolicy, Family

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

FAMILY: Final = Family(
    "mixture",
    mixture_kernels.decide,
    laws.observe,
    laws.finish,
    mixture_kernels.PARAMS,
    laws.MEMORY,
)


def mixture_policy(mixture: Mixture | str, game: GameDef, seed: int = 0) -> CompiledPolicy:
    """Return a mixture, or that of a name, for `game`.

    Raises:
        GameNotPlayed: the game is not heads-up hold'em.
        ValueError: there is no mixture of that name.
    """
    if isinstance(mixture, str):
        mixture = _named(mixture)
    row = np.zeros(FAMILY.params)
    row[mixture_kernels.PARTS] = len(mixture.parts)
    row[mixture_kernels.HANDS] = mixture.hands
    rows = row[mixture_kernels.ROWS :].reshape(-1, laws.PARAMS)
    for number, part in enumerate(mixture.parts):
        rows[number] = parameters(part, game, seed)
    return CompiledPolicy(FAMILY, row, seed)


def mixture_bot(mixture: str) -> PolicyBot:
    """Return the mixture of a name at the table.

    Raises:
        ValueError: there is none of that name.
    """
    return PolicyBot(partial(mixture_policy, _named(mixture)))


def _named(name: str) -> Mixture:
    mixture = mixture_called(name)
    if mixture is None:
        raise ValueError(f"no mixture is called {name!r}")
    return mixture
