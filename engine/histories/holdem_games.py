"""Game definitions of hold'em, made from what hand histories say of their games."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.errors import UnusableHistory
from protocol.gamedef import MAX_PLAYERS, UNLIMITED_RAISES, UNLIMITED_STACK, GameDef

_STREETS: Final = 4
_LIMIT_RAISES: Final = (3, 4, 4, 4)
"""A street has four bets; the big blind is the first one of the first."""


@lru_cache(maxsize=1024)
def holdem_game(
    stacks: tuple[int, ...], blinds: tuple[int, ...], raise_sizes: tuple[int, ...] = ()
) -> GameDef:
    """Return a game of hold'em; positions are those of a log.

    Position 0 is the first to act after the flop, the last one has the button.  The position
    behind the largest blind opens the hand; of two players that is the button.

    Args:
        stacks: chips by position.
        blinds: chips by position, straddles among them.
        raise_sizes: of limit games, by street; () is no-limit.

    Raises:
        UnusableHistory: a game definition cannot say this.
    """
    players = len(stacks)
    if not 2 <= players <= MAX_PLAYERS:
        raise UnusableHistory(f"{players} players; a game is of 2 to {MAX_PLAYERS}")
    largest = max(blinds)
    if largest <= 0:
        raise UnusableHistory("nobody posts a blind")
    for stack, blind in zip(stacks, blinds, strict=True):
        if not 0 < stack <= UNLIMITED_STACK or not 0 <= blind <= stack:
            raise UnusableHistory(f"no stack of {stack} plays with a blind of {blind}")
    opener = max(index for index, blind in enumerate(blinds) if blind == largest) + 1
    return GameDef(
        no_limit=not raise_sizes,
        players=players,
        streets=_STREETS,
        stacks=stacks,
        blinds=blinds,
        raise_sizes=raise_sizes,
        first_positions=(opener % players, 0, 0, 0),
        max_raises=_LIMIT_RAISES if raise_sizes else (UNLIMITED_RAISES,) * _STREETS,
        suits=4,
        ranks=13,
        hole_cards=2,
        board_cards=(0, 3, 1, 1),
    )
