"""What the 16 planes of 17 x 17 cells show, in the order in which the network sees them.

Cards lie at the upper left: row 0 to 3 is the suit (spades, hearts, diamonds, clubs), column 0 to
12 the rank (two to ace); all other cells are 0.  Of hole cards and flop the higher card comes
first.  All other planes:

    STREET      rows 0 to s lit on street s; rows 8 to 16 lit on the button
    POT         rows 0 to 7: log(1 + pot) / log(1 + all chips), in big blinds, of which players
                bring 200 at most; rows 8 to 16: what is left of the stack, as a share of that and
                the pot
    TO_CALL     rows 0 to 7: to_call / (to_call + pot); rows 8 to 16: as POT, of what is to be
                called
    OWN         column k is the k-th own action on this street: row 0 lit; row 1 for a call or
                raise; rows 2 on for a raise, round(4 log2(1 + its size in pots)) of them, 14 at
                most
    OTHERS      likewise, all opponents' actions on this street
    EARLIER     column 5 s + k is the k-th action of street s (from the fifth on the last): own ones
                in rows 0 to 7, others' from row 8 on; as above, half as many rows for a raise
    STRENGTH    the own equity against a random hand, in every cell
    ESTIMATE    what the opponent's actions say of its hand, see `history_kernels`, in every cell

Only what the player itself has seen goes in.
"""

from __future__ import annotations

from typing import Final

PLANES: Final = 16
SIDE: Final = 17

HOLE: Final = 0
"""Of two planes."""
FLOP: Final = 2
"""Of three."""
TURN: Final = 5
RIVER: Final = 6
KNOWN: Final = 7
STREET: Final = 8
POT: Final = 9
TO_CALL: Final = 10
OWN: Final = 11
OTHERS: Final = 12
EARLIER: Final = 13
STRENGTH: Final = 14
ESTIMATE: Final = 15

NAMES: Final = (
    "hole card 1", "hole card 2", "flop 1", "flop 2", "flop 3", "turn", "river", "all known cards",
    "street, button", "pot, stack", "to call", "own actions", "others' actions", "earlier streets",
    "own strength", "opponent's hand",
)  # fmt: skip
"""In words."""

HALF: Final = 8
"""Row from which a plane of two parts shows the second."""
MOST_STEPS: Final = 14
"""Lit rows of a raise of 10 pots and more."""
DEEPEST: Final = 200
"""Big blinds of a stack; in limit games stacks have no end."""
PER_STREET: Final = 5
"""Columns of a street in EARLIER."""
