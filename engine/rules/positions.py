"""What players call the positions of a game: BB, SB, BTN, CO, HJ, UTG."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from protocol.gamedef import GameDef


def position_names(game: GameDef) -> tuple[str, ...]:
    """Return a short name for each position.

    Games with one small and one big blind in the usual places get the usual names; in others
    the positions are P1, P2, ... in order.  Heads-up, the small blind is the button as well.
    """
    players = game.players
    paid = sorted(blind for blind in game.blinds if blind)
    plain = tuple(f"P{position + 1}" for position in range(players))
    if len(paid) != 2 or paid[0] == paid[1]:
        return plain
    small = game.blinds.index(paid[0])
    big = game.blinds.index(paid[1])
    if players == 2:
        return ("BB", "SB") if big == 0 else ("SB", "BB")
    last_to_act = {(first - 1) % players for first in game.first_positions[1:]}
    if big != (small + 1) % players or last_to_act - {(small - 1) % players}:
        return plain
    between = players - 2  # positions from the one after the big blind to the button
    names = ["UTG" if step == 0 else f"UTG+{step}" for step in range(between)]
    for back, name in enumerate(("BTN", "CO", "HJ"), 1):
        if back < between or back == 1:
            names[between - back] = name
    labels = dict(zip((small, big), ("SB", "BB"), strict=True))
    for step, name in enumerate(names, 1):
        labels[(big + step) % players] = name
    return tuple(labels[position] for position in range(players))
