"""The five characters of the knowledge bots: one row of numbers each, per kind of game.

The common rows come from self-play: a hill climb that kept changes of one number where they beat
earlier versions, then rounded and merged by hand.  They suit this family and are no equilibrium.
A character departs from the common row only in the numbers that make it what it is.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

NAMES: Final = (
    "small",
    "large",
    "open",
    "reraise",
    "bet",
    "lift",
    "loose",
    "follow",
    "barrel",
    "control",
    "trap",
    "check_raise",
    "noise",
    "implied",
    "position",
    "middling",
    "doubt",
    "prior",
    "memory_kept",
    "folds",
)
"""Columns of a character, in the order of `knowledge_kernels`."""

_NO_LIMIT: Final = {
    "small": 0.48,
    "large": 1.0,
    "open": 0.88,
    "reraise": 1.0,
    "bet": 0.31,
    "lift": -0.1,
    "loose": -0.06,
    "follow": 0.21,
    "barrel": 0.0,
    "control": 0.08,
    "trap": 0.13,
    "check_raise": 0.05,
    "noise": 0.085,
    "implied": 0.05,
    "position": 0.05,
    "middling": 0.14,
    "doubt": 0.8,
    "prior": 21.0,
    "memory_kept": 0.998,
    "folds": 0.97,
}
_LIMIT: Final = _NO_LIMIT | {
    "bet": 0.55,
    "lift": -0.05,
    "loose": -0.05,
    "follow": 0.12,
    "barrel": 0.0,
    "control": 0.0,
    "trap": 0.12,
    "implied": 0.4,
    "position": 0.1,
    "middling": 0.02,
    "doubt": 1.25,
    "folds": 1.0,
}

CHARACTERS: Final[dict[str, dict[str, float]]] = {
    "solid": {},
    "trapper": {"trap": 0.2, "check_raise": 0.12},
    "pressure": {"small": 0.08, "large": 0.25, "bet": 0.02, "follow": 0.03, "barrel": 0.03},
    "controller": {"small": -0.06, "large": -0.1, "control": 0.08},
    "exploiter": {"prior": -9.0, "memory_kept": -0.002, "noise": -0.03},
}
"""By name: what each adds to the common row.

solid: the common row.  trapper: checks and calls with very strong hands, raises later.  pressure:
bets more often and more, goes on betting.  controller: small pots with one pair.  exploiter:
believes sooner what it sees, forgets sooner, and mixes less.
"""


def character_row(name: str, *, no_limit: bool) -> NDArray[np.float64]:
    """Return the (P,) float64 parameters of a character.

    Raises:
        ValueError: there is none of that name.
    """
    if name not in CHARACTERS:
        raise ValueError(f"no character is called {name!r}; there are: {', '.join(CHARACTERS)}")
    common = _NO_LIMIT if no_limit else _LIMIT
    own = CHARACTERS[name]
    return np.array([common[column] + own.get(column, 0.0) for column in NAMES])
