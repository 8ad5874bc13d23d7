"""Liar's dice with one die each.

Both players roll a die with F faces and see only their own.  In turn they bid "at least q dice show
face f", with q of 1 or 2.  Each bid is higher than the last: more dice, or as many of a higher
face.  The highest face is wild and counts as any other.  Instead of bidding a player may call the
last bid a lie: it loses one chip if the bid is true and wins one if not.  The highest bid can only
be called.

Histories are (die of player 0, die of player 1, bids...), dice 1 .. F, bids (q, f) and "liar".
Information sets are named (player, own die, bids).
"""

from __future__ import annotations

from functools import partial
from typing import Final, cast

from engine.errors import InvalidGame
from engine.small_games.game_tree import (
    Chance,
    Decision,
    GameTree,
    History,
    Node,
    Terminal,
    build_tree,
)

LIAR: Final = "liar"


def liars_dice(faces: int = 4) -> GameTree:
    """Return the game's tree; 1024 information sets for 4 faces, 24 576 for 6.

    Raises:
        InvalidGame: fewer than two faces.
    """
    if faces < 2:
        raise InvalidGame(f"a die of {faces} faces: want at least 2")
    return build_tree(partial(_describe, faces=faces))


def _describe(history: History, *, faces: int) -> Node:
    if len(history) < 2:
        return Chance(tuple(range(1, faces + 1)), (1 / faces,) * faces)
    dice, bids = history[:2], history[2:]
    player = len(bids) % 2
    if bids and bids[-1] == LIAR:
        count, face = cast(tuple[int, int], bids[-2])
        true = sum(die in (face, faces) for die in dice) >= count
        return Terminal(1.0 if true == (player == 0) else -1.0)
    last = cast(tuple[int, int], bids[-1]) if bids else (0, 0)
    higher = [(q, f) for q in (1, 2) for f in range(1, faces + 1) if (q, f) > last]
    return Decision(player, (player, dice[player], bids), (*higher, *([LIAR] if bids else [])))
