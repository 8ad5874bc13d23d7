"""The five characters of the knowledge bots: one row of numbers each, per kind of game.

Set by measurement in bulk matches, in duplicate.  The start was an earlier row of self-play, which
in limit lost to O6.  In limit one number, `folds`, was scanned alone against O6; then a random
search over all of them went on against itself, O6, O8 and a player of its plain equity.  In
no-limit each number was moved up and down once against the earlier row, and the row was set by hand
from those trials.  Then each character got its own numbers, also by hand.  Those of the biggest
winners and losers were moved until every loss of one to another, with its 95 % interval, was below
150 mbb/h.

The best of many trials looks better than it is: measure the rows on other deals (study `pool`).
They suit this family and are no equilibrium.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

COLUMN_NAMES: Final = (
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
    "enter",
    "three_bet",
    "defend",
    "flat",
)

_NO_LIMIT: Final = {
    "small": 0.48,
    "large": 1.0,
    "open": 0.75,
    "reraise": 1.0,
    "bet": 0.27,
    "lift": -0.26,
    "loose": 0.0,
    "follow": 0.21,
    "barrel": 0.0,
    "control": 0.08,
    "trap": 0.13,
    "check_raise": 0.05,
    "noise": 0.085,
    "implied": 0.05,
    "position": 0.05,
    "middling": 0.17,
    "doubt": 0.8,
    "prior": 14.0,
    "memory_kept": 0.998,
    "folds": 0.8,
    "enter": 0.31,
    "three_bet": -0.22,
    "defend": -0.105,
    "flat": 0.0,
}
_LIMIT: Final = _NO_LIMIT | {
    "bet": 0.7,
    "lift": -0.2,
    "loose": -0.05,
    "follow": 0.12,
    "barrel": 0.154,
    "control": 0.022,
    "trap": 0.12,
    "implied": 0.15,
    "position": 0.1,
    "middling": 0.02,
    "doubt": 1.12,
    "prior": 6.0,
    "folds": 0.5,
    "enter": 0.642,
    "three_bet": -0.153,
    "defend": -0.011,
}

CHARACTERS: Final[dict[str, str]] = {
    "solid": "plays the common row",
    "trapper": "often calls where others raise: any hand before the flop, the best ones after it",
    "pressure": "bets more often, larger in no-limit, and goes on betting; raises most",
    "controller": "bets less, raises less, keeps pots small with one pair",
    "exploiter": "believes sooner what it sees, forgets sooner, and mixes less",
}

_OWN_NO_LIMIT: Final[dict[str, dict[str, float]]] = {
    "solid": {},
    "trapper": {
        "flat": 0.35,
        "trap": 0.4,
        "check_raise": 0.3,
        "enter": 0.1,
        "bet": 0.22,
        "three_bet": -0.26,
    },
    "pressure": {
        "three_bet": -0.21,
        "bet": 0.33,
        "lift": -0.27,
        "small": 0.54,
        "large": 1.05,
        "barrel": 0.03,
    },
    "controller": {
        "small": 0.42,
        "large": 0.85,
        "bet": 0.2,
        "control": 0.1,
        "three_bet": -0.26,
        "defend": -0.09,
        "loose": 0.01,
        "folds": 0.85,
    },
    "exploiter": {"prior": 10.0, "memory_kept": 0.996, "noise": 0.07},
}
_OWN_LIMIT: Final[dict[str, dict[str, float]]] = {
    "solid": {},
    "trapper": {"flat": 0.25, "trap": 0.35, "check_raise": 0.35, "bet": 0.55},
    "pressure": {"three_bet": 0.05, "bet": 0.95, "lift": -0.12, "barrel": 0.25, "defend": 0.0},
    "controller": {
        "bet": 0.5,
        "lift": -0.23,
        "control": 0.1,
        "three_bet": -0.25,
        "enter": 0.5,
    },
    "exploiter": {"prior": 3.0, "memory_kept": 0.996, "noise": 0.04},
}


def character_row(name: str, *, no_limit: bool) -> NDArray[np.float64]:
    """Return the (P,) float64 parameters of a character.

    Raises:
        ValueError: there is none of that name.
    """
    if name not in CHARACTERS:
        raise ValueError(f"no character is called {name!r}; there are: {', '.join(CHARACTERS)}")
    common, particular = (_NO_LIMIT, _OWN_NO_LIMIT) if no_limit else (_LIMIT, _OWN_LIMIT)
    row = common | particular[name]
    return np.array([row[column] for column in COLUMN_NAMES])
