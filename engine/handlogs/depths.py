"""Classes of stack depth: what a player can lose at most at a table, in big blinds."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from protocol.gamedef import GameDef

_EDGES: Final = (15, 25, 50, 100, 200)
"""Big blinds; a class begins at an edge and ends before the next one."""
DEPTH_NAMES: Final = (
    f"<{_EDGES[0]}",
    *(f"{low}-{high}" for low, high in pairwise(_EDGES)),
    f"{_EDGES[-1]}+",
)


def depths_of(game: GameDef) -> list[int]:
    """Return the class of each position, an index into `DEPTH_NAMES`.

    The depth is the player's own stack, or the largest one of the others if that is less.
    """
    found = []
    for position, own in enumerate(game.stacks):
        others = max(game.stacks[:position] + game.stacks[position + 1 :])
        chips = min(own, others)
        found.append(sum(chips >= edge * game.big_blind for edge in _EDGES))
    return found
