"""Mixtures: bots of the pool that take turns, each for a number of hands, over and over.

A mixture is named by its parts and the hands that each plays: O2+plane-20-60@100 plays 100 hands
like O2, 100 like that point of the plane, then like O2 again.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from agents.roster.characters import ScriptedProfile, find_character

MOST_PARTS: Final = 8
_NAME: Final = re.compile(r"([^+@]+(?:\+[^+@]+)+)@([1-9][0-9]{0,5})")


class Mixture(NamedTuple):
    """Who plays in turn, and for how many hands."""

    parts: tuple[ScriptedProfile, ...]
    hands: int

    @property
    def period(self) -> int:
        """Hands after which it begins again."""
        return self.hands * len(self.parts)

    @property
    def summary(self) -> str:
        """What it does, after the name in a sentence."""
        names = ", ".join(part.name for part in self.parts)
        return f"plays {self.hands} hands each like {names}, over and over"


def mixture_called(name: str) -> Mixture | None:
    """Return the mixture of a name, see the module; None where it names none.

    Parts are bots of the pool and points of the plane, two to MOST_PARTS, but no wanderer.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    try:
        parts = tuple(map(find_character, match[1].split("+")))
    except ValueError:
        return None
    if len(parts) > MOST_PARTS or any(part.period > 1 for part in parts):
        return None
    return Mixture(parts, int(match[2]))
