"""What individuals win: duplicate matches, the same deals for all of a generation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from agents.roster.bots import find_agent
from engine.play.compiled_match import play_matches

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.play.compiled_policy import CompiledPolicy
    from protocol.gamedef import GameDef

MakePlayer = Callable[["NDArray[np.float32]", int], "CompiledPolicy"]
"""It takes a genome and a seed."""
Stop = Callable[[], bool]
_MATCHES_AT_ONCE: Final = 16


def trial_seed(seed: int, *numbers: int) -> int:
    """Return a seed of deals or draws for some numbers, below 2**31."""
    state = np.random.SeedSequence([seed, *numbers]).generate_state(1)
    return int(state[0]) >> 1


def trial(
    game: GameDef,
    genomes: NDArray[np.float32],
    player: MakePlayer,
    opponents: Sequence[str],
    deals: int,
    seed: int,
    threads: int | None = None,
    stop: Stop | None = None,
) -> NDArray[np.float64]:
    """Return (P, M) chips per hand that individuals win from opponents, positive or negative.

    Each pair plays a match of `deals` from both seats; trees and memories begin empty in each
    seating.  Deals, and the draws of each player, are the same for all individuals.

    Args:
        game: heads-up hold'em.
        genomes: (P, G).
        threads: None for one per core.
        stop: called now and then; True ends this as Ctrl-C does.

    Raises:
        KeyboardInterrupt: after Ctrl-C, or where `stop` said so.
        UnknownAgent: there is no such opponent, or it plays no bulk matches.
        GameNotPlayed: it does not play the game.
    """
    met = [
        find_agent(name).compiled_policy(game, trial_seed(seed, 2, number))
        for number, name in enumerate(opponents)
    ]
    player_seed = trial_seed(seed, 1)
    dealt = [trial_seed(seed, 3, number) for number in range(len(met))]
    won = np.empty((len(genomes), len(met)))
    step = max(_MATCHES_AT_ONCE // len(met), 1)
    for first in range(0, len(genomes), step):
        some = [player(genome, player_seed) for genome in genomes[first : first + step]]
        pairs = [(individual, opponent) for individual in some for opponent in met]
        results = play_matches(
            game, pairs, deals, dealt * len(some), duplicate=True, threads=threads, stop=stop
        )
        means = np.array([result.won.mean() for result in results])
        won[first : first + len(some)] = means.reshape(len(some), len(met))
    return won
