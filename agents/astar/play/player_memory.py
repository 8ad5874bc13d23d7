"""What an evolved player remembers, as the memory row of a compiled policy.

    trees        the path of the hand, and the trees, see `agents.patterns.tree_memory`
    hand         chips raised by each player in the hand, and the share of made hands on its board
    inputs       of the networks, as they were seen last
    nets         inputs of the networks, the state of each one's stacks, scratch for all; float32,
                 two to a number

All but the last have the same places for all players; the last is as long as the networks need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from agents.patterns.tree_memory import END
from agents.patterns.trees_kernels import VECTOR

if TYPE_CHECKING:
    from agents.recurrent.shape import NetShape

GAME_INPUTS: Final = 6
INPUTS: Final = VECTOR + GAME_INPUTS

# Where parts begin.
MINE: Final = END
"""Chips of own raises in the hand, beside what they called."""
THEIRS: Final = MINE + 1
MADE_ON: Final = THEIRS + 1
"""Street of the next number, counted from 1, and the share of straights and flushes."""
MADE: Final = MADE_ON + 1
ASKED_IN: Final = MADE + 1
"""Hand in which the networks were asked last, counted from 1."""
FORGOT_AT: Final = ASKED_IN + 1
"""Hand, counted from 0, up to which the trees have faded."""
COUNTERED: Final = FORGOT_AT + 1
"""1 if a counter-strategy has acted in this hand."""
RESULTS: Final = COUNTERED + 1
"""(3,) of such hands how many there were, the chips won and their squares, fading as trees do."""
SEEN: Final = RESULTS + 3
"""(INPUTS,) the opponent's first."""
NETS: Final = SEEN + INPUTS


def nets_size(shape: NetShape, nets: int = 1) -> int:
    """Return the numbers that networks of a shape take: inputs, state and scratch."""
    return (INPUTS + nets * shape.state + shape.work + 1) // 2


def memory_size(shape: NetShape, nets: int = 1) -> int:
    """Return the numbers that a player with some networks remembers."""
    return NETS + nets_size(shape, nets)
