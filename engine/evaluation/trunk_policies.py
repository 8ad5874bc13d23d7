"""Ways to the river, for `engine.evaluation.river_response`.

A way is written as a script that looks at no card (`engine.evaluation.blind_scripts`), or as FC: it
checks, and folds or calls by equity, as local best response does in its setting of that name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.evaluation.blind_scripts import BlindScript, parse_script
from protocol.gamedef import GameDef

RIVER_PREFIX: Final = "river:"
BY_EQUITY: Final = "FC"


@dataclass(frozen=True, slots=True)
class TrunkPolicy:
    """What is played up to the river."""

    name: str
    script: BlindScript
    by_equity: bool = False
    """Whether hands fold to a bet that their equity does not pay for."""


def parse_trunk_policy(text: str) -> TrunkPolicy:
    """Return the way that is written so.

    Raises:
        ValueError: it is none; the message says so.
    """
    if text == BY_EQUITY:
        return TrunkPolicy(text, parse_script("C"), by_equity=True)
    try:
        return TrunkPolicy(text, parse_script(text))
    except ValueError as error:
        raise ValueError(f"{error}; or {BY_EQUITY} alone") from error


_BETS: Final = ("50", "100", "300")
_WAYS: Final = tuple(
    parse_trunk_policy(text)
    for text in ("FC", "C", "m", "100", "300", *(f"{s}{b}" for s in ("C,", "C,C,") for b in _BETS))
)
_WAYS_IN_LIMIT: Final = tuple(map(parse_trunk_policy, ("FC", "C", "m", "C,m", "C,C,m")))


def ways_to_the_river(game: GameDef) -> tuple[TrunkPolicy, ...]:
    """Return the ways tried in a game with this number of bet sizes."""
    return _WAYS if game.no_limit else _WAYS_IN_LIMIT
