"""Random strategies to begin with, where every hand draws its own.

They are written to the tables of regrets to match, which predicting algorithms have.  Regret
matching plays them in the first iteration; later they have no effect.
"""

from __future__ import annotations

import numpy as np

from engine.range_solver.game import RangeGame
from engine.range_solver.tables import Level

_MOST_LEVELS = 2
"""With boards shared, hands alike on the street between would need the same draw."""


def draw_start(game: RangeGame, tables: list[Level], rng: np.random.Generator) -> None:
    """Fill the tables to match with strategies drawn uniformly from the simplex.

    Combos of the root that an exchange of suits maps to each other, where boards are shared by it,
    play alike.

    Raises:
        ValueError: tables of 16 bits, or a flop whose boards are shared.
    """
    if game.levels > _MOST_LEVELS and len(game.swaps) > 1:
        raise ValueError("a random start of a flop wants isomorphism=False")
    for level, sides in enumerate(tables):
        for player, side in enumerate(sides):
            if len(side.packed):
                raise ValueError("a random start wants tables of 32 bits")
            drawn = rng.exponential(size=side.matched.shape)
            if level == 0:
                combos = game.alike[game.boards[0].hands[player].combo[0]]
                _, first = np.unique(combos, return_index=True)
                column_of = dict(zip(combos[first].tolist(), first.tolist(), strict=True))
                drawn = drawn[..., [column_of[combo] for combo in combos.tolist()]]
            side.matched[:] = drawn
