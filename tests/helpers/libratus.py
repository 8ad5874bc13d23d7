"""Reader of the published Libratus subgames (LibratusEndgames, subgame1.txt to subgame4.txt).

A file has the lines "-round 4", "-board 4s8hTc9h2s", "-pot 500" and "-reach" with 2 x 1326 numbers,
the first player to act first, combos in the order 2s2h, 2s2d, 2s2c, 2s3s, ... AdAc: cards run
2s 2h 2d 2c 3s ..., the earlier one of a combo leads.

Libratus: Brown, Sandholm, "Superhuman AI for heads-up no-limit poker: Libratus beats top
professionals", Science 359, 2018.
"""

from typing import NamedTuple

import numpy as np

from engine.betting.bet_menu import ALL_IN, menu_of
from engine.betting.betting_tree import build_betting_tree, subgame_root
from engine.hands.cards import COMBOS, combo_of
from protocol.cards import parse_card, parse_cards
from protocol.gamedefs import load_builtin

CHIPS = 20_000
"""What each player had at the start of the hand."""
MENU = menu_of((0.5, 1, ALL_IN), (1, ALL_IN))
"""The published sizes: for the first bet of a street, and for raises."""
_ORDER = [parse_card(rank + suit) for rank in "23456789TJQKA" for suit in "shdc"]


class Subgame(NamedTuple):
    """One file; the street counts from 0."""

    street: int
    board: tuple[int, ...]
    pot: int
    ranges: np.ndarray


def read_subgame(path):
    """Read one file."""
    fields = dict(line[1:].split(maxsplit=1) for line in path.read_text().splitlines() if line)
    reach = np.array(fields["reach"].split(), np.float64).reshape(2, COMBOS)
    combos = [combo_of(a, b) for i, a in enumerate(_ORDER) for b in _ORDER[i + 1 :]]
    ranges = np.zeros_like(reach)
    ranges[:, combos] = reach
    return Subgame(
        int(fields["round"]) - 1, parse_cards(fields["board"]), int(fields["pot"]), ranges
    )


def subgame_tree(street, pot, menu=MENU):
    """Return the betting of a subgame with 20 000 chips at the start of the hand."""
    root = subgame_root(load_builtin("hunl"), street, pot, (CHIPS - pot // 2,) * 2)
    return build_betting_tree(root, menu)
