"""Chips of the abstract game in the true one, where blinds or stacks differ.

The same action is the same fraction of the pot.  The same pot is the same fraction of the effective
stack, the smaller of the two, or in limit games of the big blind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from protocol.gamedef import GameDef


class Scale(NamedTuple):
    """An abstract game beside the true one."""

    abstract_reach: int
    """Effective stack there, its chips: a raise to so many is the all-in."""
    reach: int
    """Effective stack here, true chips; nothing is won or lost by more."""
    chips: float
    """True chips in which a pot is as large as in one abstract chip."""
    same_depth: bool
    """Whether both effective stacks are as many big blinds; so always in limit games."""
    seats: tuple[int, int]
    """True position -> abstract one: whoever acts first before the flop is the same."""

    @classmethod
    def between(cls, abstract: GameDef, true: GameDef) -> Scale:
        """Return the scale of two games for two of one kind, limit or no-limit."""
        theirs, ours = min(abstract.stacks), min(true.stacks)
        if abstract.no_limit:
            chips = ours / theirs
            same = ours * abstract.big_blind == theirs * true.big_blind
        else:
            chips, same = true.big_blind / abstract.big_blind, True
        turned = abstract.first_positions[0] != true.first_positions[0]
        return cls(theirs, ours, chips, same, (1, 0) if turned else (0, 1))
